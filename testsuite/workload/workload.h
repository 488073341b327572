/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs to be probed.  Each defines functions that are meant for probes with PROBED, and ends by printing "NAME N" for each,
 * how often it was called: a test compares that with what it counted.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

/* A function that is never inlined, with arguments where the calling convention puts them. */
#ifdef __clang__
#define PROBED __attribute__((noinline))
#else
#define PROBED __attribute__((noinline, noipa))
#endif

#include <stdio.h>
#include <stdlib.h>

/* The i-th argument as a number, or otherwise. */
static inline long argument(int argc, char **argv, int i, long otherwise)
{
	return argc > i ? strtol(argv[i], NULL, 0) : otherwise;
}

#endif
