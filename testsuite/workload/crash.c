/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * crash TIMES: children that leave crash_work() by other ways than returning, so often each: a bad pointer, exit, abort, longjmp
 * (a hundred times, then a return), a kill from outside, another program.  Only the one that longjmps returns, once.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

#define JUMPS 100

enum way { FAULT, EXIT, ABORT, JUMP, KILL, EXEC, WAYS };

static jmp_buf back;
static volatile int *volatile bad = (volatile int *)8;

PROBED int crash_work(enum way how, int jumps)
{
	switch (how) {
	case FAULT:
		return *bad;
	case EXIT:
		_exit(0);
	case ABORT:
		abort();
	case JUMP:
		if (jumps > 0)
			longjmp(back, jumps);
		return 0;
	case KILL:
		raise(SIGKILL);
		return 0;
	case EXEC:
		execl("/bin/true", "true", NULL);
		return 0;
	case WAYS:
		break;
	}
	return 1;
}

static void child(enum way how)
{
	static volatile int jumps;
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	jumps = JUMPS;
	if (setjmp(back))
		jumps--;
	_exit(crash_work(how, jumps));
}

int main(int argc, char **argv)
{
	long times = argument(argc, argv, 1, 10);

	for (long i = 0; i < times; i++)
		for (enum way how = 0; how < WAYS; how++) {
			if (fork() == 0)
				child(how);
			wait(NULL);
		}
	printf("crash_work %ld\ncrash_work_returns %ld\n", times * (WAYS + JUMPS), times);
	return 0;
}
