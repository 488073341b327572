/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Growing arrays in an arena: VEC(struct node *) kids = {0}; vec_push(arena, &kids, n); kids.v[i], kids.n.
 * Growth leaves the old block to the arena.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#include "base/arena.h"

#define VEC(type)          \
	struct {           \
		type *v;   \
		size_t n;  \
		size_t cap; \
	}

/* Makes room for one more; returns the (possibly moved) block. */
void *vec_grow_(struct arena *a, void *v, size_t n, size_t *cap, size_t size);

#define vec_push(a, vec, x)                                                                      \
	((vec)->v = (vec)->n < (vec)->cap                                                        \
			    ? (vec)->v                                                           \
			    : vec_grow_((a), (vec)->v, (vec)->n, &(vec)->cap, sizeof *(vec)->v), \
	 (vec)->v[(vec)->n++] = (x))

#endif
