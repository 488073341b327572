/* SPDX-License-Identifier: GPL-2.0-or-later */
/* base/deep: recursion that needs more than the usual stack. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/deep.h"
#include "testsuite/unit/unit.h"

enum { DEEP = 30000 }; /* 120 MB of stack, of 8 */

static int add_up(int n)
{
	volatile char room[4096];

	room[0] = (char)n;
	return n ? 1 + add_up(n - 1) + (room[0] != (char)n) : 0;
}

static int recurse(void *arg)
{
	return add_up(*(int *)arg);
}

static int recurse_within(void *arg)
{
	return deep_call(recurse, arg) + 1;
}

static void test_recursion_has_room_each_time(void)
{
	int deep = DEEP, flat = 3;

	CHECK_EQ(deep_call(recurse, &deep), DEEP);
	CHECK_EQ(deep_call(recurse, &flat), 3);
	CHECK_EQ(deep_call(recurse, &deep), DEEP);
	CHECK_EQ(deep_call(recurse_within, &deep), DEEP + 1);
}

static void test_a_fork_has_room_too(void)
{
	int deep = DEEP, status = 0;
	pid_t pid;

	CHECK_EQ(deep_call(recurse, &deep), DEEP);
	pid = child_fork(0);
	if (!pid)
		_exit(deep_call(recurse, &deep) == DEEP ? 0 : 1);
	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK_EQ(status, 0);
}

static void test_signals_are_left_to_who_waits_for_them(void)
{
	int flat = 3, got = 0;
	sigset_t usr, before;

	CHECK_EQ(deep_call(recurse, &flat), 3);
	sigemptyset(&usr);
	sigaddset(&usr, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr, &before);
	CHECK_EQ(kill(getpid(), SIGUSR1), 0);
	CHECK_EQ(sigwait(&usr, &got), 0);
	CHECK_EQ(got, SIGUSR1);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_recursion_has_room_each_time);
	UNIT_RUN(test_a_fork_has_room_too);
	UNIT_RUN(test_signals_are_left_to_who_waits_for_them);
	return unit_done();
}
