/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * systemcalls some: a few calls whose arguments and results are known, through the registers of 64-bit programs and those of 32-bit ones.
 * systemcalls many TIMES THREADS: so many calls of sched_get_priority_max() in each thread.
 * systemcalls turns SECONDS: reads one byte of one file and two of another in turn, and sleeps in each read.
 * systemcalls sleep THREADS: so many threads sleep in a call; one exits with all of them after a second.
 * systemcalls replace: a thread, not the first, calls sched_get_priority_max() twice and runs "systemcalls many 3 1" in place of all.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "workload.h"

static long times;

/* A call as 32-bit programs make it.  The kernel ignores the upper halves of registers, which are not zero here. */
static int call32(long nr, long a, long b, long c)
{
	long result;

	a |= 5L << 32;
	b |= 6L << 32;
	c |= 7L << 32;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory", "r8", "r9", "r10", "r11");
	return (int)result;
}

static void on_signal(int sig)
{
	(void)sig;
}

static void some(void)
{
	enum { ACCESS32 = 33, GETPPID32 = 64, STAT64 = 195, CHOWN16 = 182 };
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long unknown, max;
	char byte;
	pid_t pid;

	if (low == MAP_FAILED)
		exit(1);
	strcpy(low, "/no/such/32");
	printf("access %d\n", access("/no/such/file", 4) ? -errno : 0);
	printf("pread %zd\n", pread(-1, &byte, 1, 1l << 40) < 0 ? (ssize_t)-errno : 0);
	printf("access32 %d\n", call32(ACCESS32, (long)low, 2, 0));
	printf("stat32 %d\n", call32(STAT64, (long)low, (long)low, 0));
	printf("chown32 %d\n", call32(CHOWN16, (long)low, 1, 1));
	printf("parent %d\n", call32(GETPPID32, 0, 0, 0) == getppid());
	unknown = syscall(999, 11, 22, 33, 44, 55, 66);
	printf("unknown %ld\n", unknown < 0 ? (long)-errno : unknown);
	max = syscall(SYS_sched_get_priority_max, 77);
	printf("max %ld\n", max < 0 ? (long)-errno : max);
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	fflush(stdout);
	pid = vfork();
	if (!pid)
		_exit(3);
	waitpid(pid, NULL, 0);
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", "exit 4", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static int first[2], second[2];

static void *feed(void *x)
{
	for (;;) {
		usleep(7000);
		if (write(first[1], "a", 1) < 0)
			return x;
		usleep(7000);
		if (write(second[1], "bb", 2) < 0)
			return x;
	}
}

static void turns(long seconds)
{
	time_t end = time(NULL) + seconds;
	pthread_t t;
	char buf[8];

	if (pipe(first) || pipe(second) || dup2(first[0], 50) < 0 || dup2(second[0], 60) < 0 || pthread_create(&t, NULL, feed, NULL))
		exit(1);
	while (time(NULL) < end)
		if (read(50, buf, 1) != 1 || read(60, buf, 2) != 2) /* there may be more */
			exit(1);
}

static void *call_often(void *x)
{
	for (long i = 0; i < times; i++)
		syscall(SYS_sched_get_priority_max, i % 3);
	return x;
}

static void *call_and_replace(void *x)
{
	syscall(SYS_sched_get_priority_max, 1);
	syscall(SYS_sched_get_priority_max, 1);
	execl("/proc/self/exe", "systemcalls", "many", "3", "1", NULL);
	return x;
}

static void *call_and_sleep(void *x)
{
	pause();
	return x;
}

int main(int argc, char **argv)
{
	bool sleeps = argc > 1 && !strcmp(argv[1], "sleep");
	long n = argument(argc, argv, sleeps ? 2 : 3, 1);
	pthread_t threads[n];

	if (argc > 1 && !strcmp(argv[1], "some")) {
		some();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "replace")) {
		if (!pthread_create(&threads[0], NULL, call_and_replace, NULL))
			pause();
		return 1;
	}
	times = argument(argc, argv, 2, 1000);
	if (argc > 1 && !strcmp(argv[1], "turns")) {
		turns(times);
		return 0;
	}
	for (long i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, sleeps ? call_and_sleep : call_often, NULL))
			return 1;
	if (sleeps) {
		sleep(1);
		exit(0);
	}
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	printf("calls %ld\n", n * times);
	return 0;
}
