/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * busy PROCESSES SECONDS [CALLS]: each process calls busy_work() in a loop until the time or the calls are over, or the first
 * process is killed.  For loading and unloading under load.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

PROBED long busy_work(long a, const char *s)
{
	return a + *s;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static long run(long seconds, long limit)
{
	double end = now() + (double)seconds;
	long n = 0, sum = 0;

	while (n < limit) {
		sum += busy_work(n++, "text");
		if ((n & 4095) == 0 && now() >= end)
			break;
	}
	return sum ? n : 0;
}

int main(int argc, char **argv)
{
	long processes = argument(argc, argv, 1, 4), seconds = argument(argc, argv, 2, 5), total = 0;
	long limit = argument(argc, argv, 3, 0x7fffffffffffffff);
	long *calls = mmap(NULL, sizeof(*calls) * (size_t)processes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (calls == MAP_FAILED)
		return 1;
	for (long i = 0; i < processes; i++)
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			calls[i] = run(seconds, limit);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	for (long i = 0; i < processes; i++)
		total += calls[i];
	printf("busy_work %ld\n", total);
	return 0;
}
