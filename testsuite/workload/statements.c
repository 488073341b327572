/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * statements CALLS: so many calls of statements_sum(), whose lines are probed.  Tests count them from the lines of the functions' names.
 */
#include "workload.h"

/* The compiler must have the value at hand there, in a register or in memory. */
#define KEEP(x) __asm__ volatile("nop" : "+r"(x))

struct pair {
	int low;
	unsigned high : 5;
};

static inline __attribute__((always_inline)) long squared(long side)
{
	long area = side * side;

	KEEP(area);
	return area;
}

PROBED long statements_sum(long calls, const char *name)
{
	struct pair pair = {(int)calls, 9};
	long sum = 0;

	__asm__ volatile("" ::"r"(&pair) : "memory");
	for (long i = 0; i < calls; i++) {
		long part = i * 10;

		KEEP(part); KEEP(i);
		sum += squared(part);
	}
	if (calls > 1000)
		goto out;
	sum += name[0] + pair.low;
	KEEP(sum);
out:
	sum += squared(2);
	return sum;
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 1), total = 0;

	for (long i = 1; i <= n; i++)
		total += statements_sum(i, "A");
	printf("total %ld\n", total);
	return 0;
}
