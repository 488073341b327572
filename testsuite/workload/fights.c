/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fights THREADS TIMES [shared]: each thread takes fights_lock so often and sleeps a millisecond while it has it; shared: processes
 * instead of threads, and the lock lies in a file that they map.  Prints how often it was taken.
 */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

pthread_mutex_t fights_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_mutex_t *lock = &fights_lock;
static long times;

PROBED void *fights_work(void *unused)
{
	for (long i = 0; i < times; i++) {
		pthread_mutex_lock(lock);
		usleep(1000);
		pthread_mutex_unlock(lock);
	}
	return unused;
}

static void share(void)
{
	int fd = open("/dev/shm/fights", O_RDWR | O_CREAT, 0600);
	pthread_mutexattr_t attributes;

	if (fd < 0 || ftruncate(fd, 4096))
		exit(1);
	lock = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (lock == MAP_FAILED || pthread_mutexattr_init(&attributes) || pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED) ||
	    pthread_mutex_init(lock, &attributes))
		exit(1);
	close(fd);
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 2);
	pthread_t threads[64];

	times = argument(argc, argv, 2, 100);
	if (n < 1 || n > 64)
		return 2;
	if (argc > 3 && !strcmp(argv[3], "shared")) {
		share();
		for (long i = 0; i < n; i++)
			if (!fork())
				_exit(fights_work(argv) != argv);
		while (wait(NULL) > 0)
			;
		unlink("/dev/shm/fights");
	} else {
		for (long i = 0; i < n; i++)
			if (pthread_create(&threads[i], NULL, fights_work, NULL))
				return 1;
		for (long i = 0; i < n; i++)
			pthread_join(threads[i], NULL);
	}
	printf("fights %ld\n", n * times);
	return 0;
}
