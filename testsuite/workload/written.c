/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * written THREADS WRITES: each thread adds 1 to a variable so often, at once with the others; then the first one lets the kernel write to
 * it, and a child adds 1 to its own copy as often as a thread; a child of vfork
 * writes to the memory that both have; then the program executes itself once again, with one thread.
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

int written_counter = 5;
short written_other;
volatile int written_shared;
volatile struct {
	long a[3];
} written_large;
__thread int written_each;
static long writes;

static void *run(void *arg)
{
	for (long i = 0; i < writes; i++)
		__atomic_fetch_add(&written_counter, 1, __ATOMIC_RELAXED);
	return arg;
}

static int let_kernel_write(int value)
{
	int ends[2];

	return !pipe(ends) && write(ends[1], &value, sizeof(value)) == sizeof(value) &&
	       read(ends[0], &written_counter, sizeof(written_counter)) == sizeof(written_counter);
}

static int share(void)
{
	int status;
	pid_t child = vfork();

	if (!child) {
		written_shared = 7;
		_exit(0);
	}
	return child > 0 && waitpid(child, &status, 0) == child;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 3);
	pthread_t ids[64];
	int status;
	pid_t child;

	writes = argument(argc, argv, 2, 100);
	for (long i = 0; i < n && i < 64; i++)
		if (pthread_create(&ids[i], NULL, run, NULL))
			return 1;
	for (long i = 0; i < n && i < 64; i++)
		pthread_join(ids[i], NULL);
	if (!let_kernel_write(1000))
		return 1;
	child = fork();
	if (!child) {
		run(NULL);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return 1;
	if (!share())
		return 1;
	written_shared++;
	written_other++;
	written_large.a[0]++;
	written_large.a[1]++;
	written_each++;
	printf("written %d\n", written_counter);
	fflush(stdout);
	if (n > 1)
		execl("/proc/self/exe", argv[0], "1", argv[2], NULL);
	return 0;
}
