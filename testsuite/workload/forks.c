/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * forks TIMES: forks_work() forks and both sides return from it, so often; every child calls it once more without forking, and
 * runs forks_thread() in a thread.  A storm: up to 8 children at a time.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

PROBED pid_t forks_work(int fork_too)
{
	return fork_too ? fork() : 1;
}

PROBED void *forks_thread(void *x)
{
	return x;
}

static void child(void)
{
	pthread_t t;

	forks_work(0);
	if (pthread_create(&t, NULL, forks_thread, NULL) == 0)
		pthread_join(t, NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	long times = argument(argc, argv, 1, 100);

	for (long i = 0; i < times; i++) {
		pid_t pid = forks_work(1);

		if (pid == 0)
			child();
		if (pid < 0)
			return 1;
		if (i % 8 == 7)
			while (wait(NULL) > 0)
				;
	}
	while (wait(NULL) > 0)
		;
	printf("forks_work %ld\nforks_work_returns %ld\nforks_thread %ld\n", 2 * times, 3 * times, times);
	return 0;
}
