/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points [THREADS]: until SIGTERM, so many threads call points_clock(call, points_work, points_rest), points_work(call) and points_rest(call)
 * in turns, with pauses, and look at what they return.
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "workload.h"

static volatile sig_atomic_t ended;

PROBED long points_work(long call)
{
	return call ^ 7;
}

PROBED long points_rest(long call)
{
	return call + 3;
}

PROBED long points_clock(long call, void *work, void *rest)
{
	return call + (work == rest);
}

static void on_end(int signal)
{
	ended = signal;
}

static void *run(void *unused)
{
	long wrong = 0, i;

	for (i = 1; !ended; i++) {
		wrong += points_clock(i, points_work, points_rest) != i;
		wrong += points_work(i) != (i ^ 7);
		wrong += points_rest(i) != i + 3;
		usleep(500);
	}
	return wrong ? (void *)wrong : unused;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 1);
	pthread_t threads[16];
	void *wrong, *all = NULL;

	signal(SIGTERM, on_end);
	for (long i = 0; i < n && i < 16; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (long i = 0; i < n && i < 16; i++) {
		pthread_join(threads[i], &wrong);
		all = wrong ? wrong : all;
	}
	printf("wrong results: %s\n", all ? "some" : "none");
	return 0;
}
