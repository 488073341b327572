// SPDX-License-Identifier: GPL-2.0-or-later
/* Growth of the arrays of vec.h. */
#include "base/vec.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

void *vec_grow_(struct arena *a, void *v, size_t n, size_t *cap, size_t size)
{
	size_t more = *cap ? *cap * 2 : 8;

	if (more <= *cap)
		mem_exhausted(SIZE_MAX);

	void *bigger = arena_calloc(a, more, size);

	if (n)
		memcpy(bigger, v, n * size);
	*cap = more;
	return bigger;
}
