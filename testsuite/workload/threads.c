/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads THREADS CALLS [TOGETHER]: each thread calls threads_work() so often; together: all end at once, with the process. */
#include <pthread.h>
#include <unistd.h>

#include "workload.h"

static long calls, together, done;

PROBED long threads_work(long thread, long call)
{
	return thread ^ call;
}

static void *run(void *thread)
{
	long sum = 0;

	for (long i = 0; i < calls; i++)
		sum += threads_work((long)thread, i);
	__atomic_fetch_add(&done, 1, __ATOMIC_RELEASE);
	while (together)
		pause();
	return (void *)sum;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 8);
	pthread_t *ids = calloc((size_t)n, sizeof(*ids));

	calls = argument(argc, argv, 2, 1000);
	together = argument(argc, argv, 3, 0);
	for (long i = 0; i < n; i++)
		if (pthread_create(&ids[i], NULL, run, (void *)i))
			return 1;
	while (together && __atomic_load_n(&done, __ATOMIC_ACQUIRE) < n)
		usleep(1000);
	for (long i = 0; i < n && !together; i++)
		pthread_join(ids[i], NULL);
	printf("threads_work %ld\n", n * calls);
	free(ids);
	return 0;
}
