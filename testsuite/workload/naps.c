/* SPDX-License-Identifier: GPL-2.0-or-later */
/* naps THREADS FILE: each thread sleeps; FILE is made when all have begun.  When it is removed, all are woken.  Prints how many have slept. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

static long begun, slept;

static void *nap(void *unused)
{
	struct timespec t = { 100000, 0 };

	(void)unused;
	__atomic_fetch_add(&begun, 1, __ATOMIC_RELEASE);
	if (nanosleep(&t, NULL) < 0 && errno == EINTR)
		__atomic_fetch_add(&slept, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void wake(int sig)
{
	(void)sig;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 8);
	pthread_t *ids = calloc((size_t)n, sizeof(*ids));
	pthread_attr_t small;
	FILE *file;

	signal(SIGUSR1, wake);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 16384);
	for (long i = 0; i < n; i++)
		if (pthread_create(&ids[i], &small, nap, NULL))
			return 1;
	while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < n)
		usleep(1000);
	file = argc > 2 ? fopen(argv[2], "w") : NULL;
	if (!file)
		return 1;
	fclose(file);
	while (!access(argv[2], F_OK))
		usleep(100000);
	for (long i = 0; i < n; i++)
		pthread_kill(ids[i], SIGUSR1);
	for (long i = 0; i < n; i++)
		pthread_join(ids[i], NULL);
	printf("slept %ld\n", slept);
	return 0;
}
