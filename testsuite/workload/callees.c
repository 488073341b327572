/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * callees CALLS DEPTH: so many calls of top(DEPTH), and what that calls, in several steps.  Functions of callees_more.c have the names of some
 * of these, and main() calls shared() itself.
 */
#include "callees.h"
#include "workload.h"

PROBED long shared(long n)
{
	return leaf(n) + 1;
}

static PROBED long hidden(long n)
{
	return leaf(n) + 2;
}

static PROBED long left(long n)
{
	return shared(n) + 1;
}

static PROBED long right(long n)
{
	return shared(n) + hidden(n);
}

/* Calls itself. */
static PROBED long down(long n)
{
	long below = n > 0 ? down(n - 1) : -1;

	__asm__ volatile("" : "+r"(below)); /* or it becomes a loop */
	return below + 1;
}

static inline __attribute__((always_inline)) long inlined(long n)
{
	return leaf(n) + 4;
}

PROBED long top(long depth)
{
	return left(1) + right(2) + down(depth) + inlined(3);
}

int main(int argc, char **argv)
{
	long n = argument(argc, argv, 1, 1), total = shared(1) + other(1);

	for (long i = 0; i < n; i++)
		total += top(argument(argc, argv, 2, 1));
	printf("total %ld\n", total);
	return 0;
}
