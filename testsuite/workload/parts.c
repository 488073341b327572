/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parts NUMBER OTHER: a struct that the compiler takes apart.  Of its members, one is in a register, one is computed, and one is nowhere.  Tests
 * count lines from those of the functions' names.
 */
#include "workload.h"

/* The compiler must have the value at hand there, in a register or in memory. */
#define KEEP(x) __asm__ volatile("nop" : "+r"(x))

struct parts {
	long first;
	int second, third;
};

static inline __attribute__((always_inline)) long first_of(const struct parts *of)
{
	long first = of->first;

	KEEP(first);
	return first;
}

PROBED long parts_sum(long number, int other)
{
	struct parts parts = {number * 3, other + 1, other - 7};
	long sum;

	KEEP(parts.first);
	KEEP(parts.second);
	sum = parts.first + parts.second;
	KEEP(sum);
	sum += first_of(&parts);
	return sum + parts.second;
}

int main(int argc, char **argv)
{
	printf("sum %ld\n", parts_sum(argument(argc, argv, 1, 1), (int)argument(argc, argv, 2, 1)));
	return 0;
}
