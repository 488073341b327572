/* SPDX-License-Identifier: GPL-2.0-or-later */
/* naps THREADS SECONDS FILE: each thread sleeps so long; FILE is made when all have begun.  Prints how many slept to the end. */
#include <errno.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

static long seconds, begun, slept;

static void *nap(void *unused)
{
	struct timespec t = { seconds, 0 };

	(void)unused;
	__atomic_fetch_add(&begun, 1, __ATOMIC_RELEASE);
	if (nanosleep(&t, NULL) == 0)
		__atomic_fetch_add(&slept, 1, __ATOMIC_RELEASE);
	return NULL;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 8);
	pthread_t *ids = calloc((size_t)n, sizeof(*ids));
	pthread_attr_t small;
	FILE *file;

	seconds = argument(argc, argv, 2, 1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (long i = 0; i < n; i++)
		if (pthread_create(&ids[i], &small, nap, NULL))
			return 1;
	while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < n)
		usleep(1000);
	file = argc > 3 ? fopen(argv[3], "w") : NULL;
	if (file)
		fclose(file);
	for (long i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	printf("slept %ld\n", slept);
	return 0;
}
