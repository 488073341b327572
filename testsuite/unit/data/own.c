/* SPDX-License-Identifier: GPL-2.0-or-later */
/* own: variables that each thread has of its own; with -DLIBRARY the part that is in a library. */
#include <pthread.h>
#include <stdio.h>

#define KEEP __attribute__((noinline, used))

long own_in_library(long n);

#ifdef LIBRARY
static __thread long of_library = 7;

KEEP long own_in_library(long n)
{
	return of_library += n;
}
#else
enum { THREADS = 3, CALLS = 2 };

__thread long number = -1;
static __thread struct {
	char name[8];
	int a, b;
} both __attribute__((aligned(64))) = {"thread", 1, 2};
__thread char last;

KEEP long own_work(long i, long *where)
{
	static __thread short calls = 10;

	calls++;
	both.b += (int)i;
	last = (char)('a' + i);
	return *where + calls + both.a;
}

static void *run(void *arg)
{
	long i = (long)arg, sum = 0;

	number = 100 + i;
	for (int k = 0; k < CALLS; k++)
		sum += own_work(i, &number);
	return (void *)(sum + own_in_library(i));
}

int main(void)
{
	pthread_t ids[THREADS];
	long sum = 0;
	void *one;

	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&ids[i], NULL, run, (void *)(i + 1)))
			return 1;
	for (long i = 0; i < THREADS; i++)
		if (!pthread_join(ids[i], &one))
			sum += (long)one;
	sum += (long)run(NULL);
	return sum == 0;
}
#endif
