/* SPDX-License-Identifier: GPL-2.0-or-later */
/* faults THREADS CALLS: each thread calls faults_work() so often; it faults as many pages in as its argument says, from 1 on. */
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

enum { PAGES = 64 };

static long calls;

PROBED long faults_work(long pages, char *memory)
{
	long page = sysconf(_SC_PAGESIZE), sum = 0;

	for (long i = 0; i < pages; i++, sum++)
		*(volatile char *)(memory + i * page) = 1; /* a read before it would fault as well */
	return sum;
}

static void *run(void *unused)
{
	size_t size = PAGES * (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long wrong = memory == MAP_FAILED;

	if (!wrong)
		madvise(memory, size, MADV_NOHUGEPAGE);
	for (long i = 0; !wrong && i < calls; i++) {
		long pages = i % PAGES + 1;

		madvise(memory, size, MADV_DONTNEED);
		wrong += faults_work(pages, memory) != pages;
	}
	(void)unused;
	return (void *)wrong;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 4);
	pthread_t *ids = calloc((size_t)n, sizeof(*ids));
	void *wrong = NULL;

	calls = argument(argc, argv, 2, 100);
	for (long i = 0; i < n; i++)
		if (pthread_create(&ids[i], NULL, run, NULL))
			return 1;
	for (long i = 0; i < n && !wrong; i++)
		pthread_join(ids[i], &wrong);
	printf("faults_work %ld\n", n * calls);
	free(ids);
	return wrong != NULL;
}
