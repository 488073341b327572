/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls user|marker|plt|syscall|rename|deep|nested [BATCHES [CALLS [FILE]]]: what a call costs, to be run with and without a probe on it.
 *
 * Calls the function bench_call(), or passes a marker, or calls a function of libc through the PLT, or calls getpgid(), or
 * prctl(PR_SET_NAME), which hits the tracepoint task:task_rename, or access() of a file that is not there, which the kernel
 * looks up ten calls deep, or bench_call() in the innermost of fifteen calls, twenty frames from where the program begins.
 * Does so CALLS times in each of BATCHES batches, and writes "FASTEST MEDIAN TOTAL" to FILE, or standard output: ns for each
 * call in the fastest and in the median batch, and how many calls there were.  A batch is short, so that on a busy machine
 * some run undisturbed: the fastest shows what the code costs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "include/sys/sdt.h"

long bench_call(long i);
void bench_pass(long i);

__attribute__((noinline, noclone)) long bench_call(long i)
{
	__asm__ volatile("" : "+r"(i));
	return i;
}

__attribute__((noinline, noclone)) void bench_pass(long i)
{
	STAP_PROBE1(bench, mark, i);
}

static long (*volatile nested)(long depth);

__attribute__((noinline, noclone)) static long bench_nested(long depth)
{
	return depth ? nested(depth - 1) + depth : bench_call(depth) + 1;
}

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

enum kind { USER, MARKER, PLT, SYSCALL, RENAME, DEEP, NESTED, KINDS };
static const char *const kinds[] = {"user", "marker", "plt", "syscall", "rename", "deep", "nested"};

static double batch_ns(enum kind kind, long calls)
{
	double start = now_ns();
	unsigned seed = 1;

	for (long i = 0; i < calls; i++) {
		if (kind == USER)
			bench_call(i);
		else if (kind == MARKER)
			bench_pass(i);
		else if (kind == PLT)
			rand_r(&seed);
		else if (kind == SYSCALL)
			syscall(SYS_getpgid, 0);
		else if (kind == RENAME)
			prctl(PR_SET_NAME, "calls");
		else if (kind == NESTED)
			nested(14);
		else if (!access("/no-such-file", F_OK))
			abort();
	}
	return (now_ns() - start) / (double)calls;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	int kind = 0;
	long batches = argc > 2 ? atol(argv[2]) : 100, calls = argc > 3 ? atol(argv[3]) : 1000;
	FILE *f = argc > 4 ? fopen(argv[4], "w") : stdout;
	double *ns;

	nested = bench_nested;
	while (kind < KINDS && (argc < 2 || strcmp(argv[1], kinds[kind])))
		kind++;
	if (kind == KINDS || batches < 1 || calls < 1) {
		fprintf(stderr, "usage: calls user|marker|plt|syscall|rename|deep|nested [BATCHES [CALLS [FILE]]]\n");
		return 2;
	}
	ns = calloc((size_t)batches, sizeof(*ns));
	if (!f || !ns) {
		perror("calls");
		return 1;
	}
	for (long i = 0; i < batches; i++)
		ns[i] = batch_ns((enum kind)kind, calls);
	qsort(ns, (size_t)batches, sizeof(*ns), compare);
	fprintf(f, "%.1f %.1f %ld\n", ns[0], ns[batches / 2], batches * calls);
	free(ns);
	return f == stdout ? 0 : fclose(f) != 0;
}
