/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run that is interrupted while it builds (^C) removes its work folder before it ends.  Of one that is killed otherwise the folder stays until
 * the next run (cache.c).  In a handler of a signal only few calls are allowed: so rm does it, in a process of its own.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "translator/build/private.h"

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { NSIGNALS = sizeof signals / sizeof signals[0] };

static struct {
	char dir[PATH_MAX];
	pid_t owner; /* 0: nothing is to be removed */
	bool taken[NSIGNALS];
} tidy;

static void remove_folder(void)
{
	pid_t pid = vfork();

	if (!pid) {
		execl("/bin/rm", "rm", "-rf", "--", tidy.dir, (char *)NULL);
		_exit(127);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

/* Compilers may still write there: those of the same terminal end by the same signal, this moment. */
static void remove_and_end(int sig)
{
	for (int tries = 0; tidy.owner == getpid() && !access(tidy.dir, F_OK) && tries < 20; tries++) {
		if (tries)
			nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
		remove_folder();
	}
	signal(sig, SIG_DFL);
	raise(sig); /* when this handler returns */
}

void tidy_begin(const char *dir)
{
	struct sigaction old, new = {.sa_handler = remove_and_end};

	if (tidy.owner || snprintf(tidy.dir, sizeof tidy.dir, "%s", dir) >= (int)sizeof tidy.dir)
		return;
	tidy.owner = getpid();
	sigfillset(&new.sa_mask);
	for (int i = 0; i < NSIGNALS; i++) {
		tidy.taken[i] = !sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL;
		if (tidy.taken[i])
			sigaction(signals[i], &new, NULL);
	}
}

void tidy_end(void)
{
	if (tidy.owner != getpid())
		return;
	for (int i = 0; i < NSIGNALS; i++)
		if (tidy.taken[i])
			signal(signals[i], SIG_DFL);
	tidy.owner = 0;
}
