// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stacks [calls | sort | thread | signal | both]: calls stacks_end() through functions whose frames are of different kinds, and prints a line
 * "known" with the address of stacks_end() and those that its functions return to.  sort: they are called by qsort(); thread: in a thread;
 * signal: in a handler of a signal, which has a stack of its own; both: in such a handler, from what qsort() calls.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "workload.h"

static unsigned long known[64];
static unsigned nknown;
static volatile long sink;
static const char *mode = "calls";

#define CALLED() (known[nknown++] = (unsigned long)__builtin_return_address(0))

PROBED long stacks_end(long a)
{
	CALLED();
	printf("known 0x%lx", (unsigned long)stacks_end);
	while (nknown)
		printf(" 0x%lx", known[--nknown]);
	printf("\n");
	fflush(stdout);
	return a + sink;
}

/* Registers that calls preserve are in use. */
PROBED long stacks_registers(long a, long b, long c, long d, long e)
{
	CALLED();
	long x = stacks_end(a);

	return x + a * b + c * d + e;
}

/* The size of its frame is known only when it runs, so that it needs a frame pointer. */
PROBED long stacks_variable(long n)
{
	CALLED();
	char text[n];

	memset(text, 1, (size_t)n);
	sink = text[n / 2];
	return stacks_registers(n, n + sink, n + 2, n + 3, n + 4) + text[0];
}

/* Its frame is aligned more than the stack is. */
PROBED long stacks_aligned(long n)
{
	CALLED();
	char text[256] __attribute__((aligned(64)));

	memset(text, 2, sizeof text);
	sink = text[n];
	return stacks_variable(n + 30) + text[1];
}

/* A large frame, and arguments on the stack. */
PROBED long stacks_large(long a, long b, long c, long d, long e, long f, long g, long h)
{
	CALLED();
	char text[20000];

	memset(text, 3, sizeof text);
	sink = text[a];
	return stacks_aligned(a + b + c + d + e + f + g + h - 36) + text[2];
}

static long (*volatile large)(long, long, long, long, long, long, long, long) = stacks_large;

PROBED int stacks_compare(const void *a, const void *b)
{
	CALLED();
	if (a != b && mode) {
		if (!strcmp(mode, "both"))
			raise(SIGUSR1);
		else
			sink += large(1, 2, 3, 4, 5, 6, 7, 8);
		mode = NULL;
	}
	return *(const int *)a - *(const int *)b;
}

PROBED void stacks_handler(int number)
{
	CALLED();
	sink += large(1, 2, 3, 4, 5, 6, 7, number ? 8 : 9);
}

PROBED void *stacks_thread(void *arg)
{
	CALLED();
	sink += large(1, 2, 3, 4, 5, 6, 7, 8);
	return arg;
}

static void catch_signals(void)
{
	static char other[65536];
	stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
	struct sigaction sa = {.sa_handler = stacks_handler, .sa_flags = SA_ONSTACK};

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &sa, NULL);
}

PROBED void stacks_main(void)
{
	int v[] = {2, 1};
	pthread_t t;

	CALLED();
	catch_signals();
	if (!strcmp(mode, "sort") || !strcmp(mode, "both")) {
		qsort(v, 2, sizeof *v, stacks_compare);
	} else if (!strcmp(mode, "thread")) {
		nknown = 0;
		pthread_create(&t, NULL, stacks_thread, NULL);
		pthread_join(t, NULL);
	} else if (!strcmp(mode, "signal")) {
		raise(SIGUSR1);
	} else {
		sink += large(1, 2, 3, 4, 5, 6, 7, 8);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1)
		mode = argv[1];
	CALLED();
	stacks_main();
	printf("stacks_end 1\n");
	return 0;
}
