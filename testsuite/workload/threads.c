/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads THREADS CALLS: each thread calls threads_work() so often. */
#include <pthread.h>

#include "workload.h"

static long calls;

PROBED long threads_work(long thread, long call)
{
	return thread ^ call;
}

static void *run(void *thread)
{
	long sum = 0;

	for (long i = 0; i < calls; i++)
		sum += threads_work((long)thread, i);
	return (void *)sum;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 8);
	pthread_t *ids = calloc((size_t)n, sizeof(*ids));

	calls = argument(argc, argv, 2, 1000);
	for (long i = 0; i < n; i++)
		if (pthread_create(&ids[i], NULL, run, (void *)i))
			return 1;
	for (long i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	printf("threads_work %ld\n", n * calls);
	free(ids);
	return 0;
}
