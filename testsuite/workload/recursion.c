/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recursion DEPTH TIMES: recursion_fib(DEPTH) so often, and as often recursion_down(DEPTH), which has DEPTH + 1 calls active at
 * once, and recursion_tail(DEPTH), whose calls return in place of each other.
 */
#include "workload.h"

static long fib_calls, down_calls, tail_calls;

/* Calls go through these, so that the compiler does not make loops of them. */
static long (*volatile fib)(long), (*volatile down)(long), (*volatile tail)(long);

PROBED long recursion_fib(long n)
{
	fib_calls++;
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

PROBED long recursion_down(long n)
{
	long below;

	down_calls++;
	below = n ? down(n - 1) : 0;
	return below + 1;
}

PROBED long recursion_tail(long n)
{
	tail_calls++;
	return n ? tail(n - 1) : 7;
}

int main(int argc, char **argv)
{
	long depth = argument(argc, argv, 1, 8), times = argument(argc, argv, 2, 10);

	fib = recursion_fib;
	down = recursion_down;
	tail = recursion_tail;
	for (long i = 0; i < times; i++) {
		recursion_fib(depth < 20 ? depth : 20);
		if (recursion_down(depth) != depth + 1 || recursion_tail(depth) != 7)
			return 1;
	}
	printf("recursion_fib %ld\nrecursion_down %ld\nrecursion_tail %ld\n", fib_calls, down_calls, tail_calls);
	return 0;
}
