// SPDX-License-Identifier: GPL-2.0-or-later
/* Allocation that does not fail: see mem.h. */
#include "base/mem.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int mem_exit_status = 1;

void mem_exhausted(size_t wanted)
{
	if (wanted == SIZE_MAX)
		fprintf(stderr, "%s: out of memory (an impossible size)\n", program_invocation_short_name);
	else
		fprintf(stderr, "%s: out of memory (%zu bytes wanted)\n", program_invocation_short_name,
			wanted);
	exit(mem_exit_status);
}

static size_t product(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) || bytes > PTRDIFF_MAX)
		mem_exhausted(SIZE_MAX);
	return bytes ? bytes : 1;
}

void *mem_calloc(size_t n, size_t size)
{
	size_t bytes = product(n, size);
	void *p = calloc(1, bytes);

	if (!p)
		mem_exhausted(bytes);
	return p;
}

void *mem_realloc(void *old, size_t n, size_t size)
{
	size_t bytes = product(n, size);
	void *p = realloc(old, bytes);

	if (!p)
		mem_exhausted(bytes);
	return p;
}
