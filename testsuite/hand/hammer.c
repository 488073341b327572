// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hammer PROCESSES CALLS: each process, on a CPU of its own, calls getpgid(i) for i = 1 .. CALLS as fast as
 * it can. CALLS 0: until it is killed.  Linked statically.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void run(long cpu, long calls)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)(cpu % sysconf(_SC_NPROCESSORS_ONLN)), &set);
	sched_setaffinity(0, sizeof set, &set);
	for (long i = 1; !calls || i <= calls; i++)
		syscall(SYS_getpgid, i);
	_exit(0);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1, calls = argc > 2 ? atol(argv[2]) : 1;
	double begin = now();

	for (long i = 0; i < n; i++)
		if (!fork())
			run(i, calls);
	while (wait(NULL) > 0)
		;
	fprintf(stderr, "hammer: %ld calls in %.3f s, %.0f/s\n", n * calls, now() - begin,
		(double)(n * calls) / (now() - begin));
	return 0;
}
