/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: rethook_pool 1..2: making, taking and giving back nodes of a rethook.  2: the kernel makes them (objpool).  1: the caller (freelist). */
/*
 * The nodes of a rethook have `size' bytes and begin with a struct rethook_node; the rest is zeroed.  Those that are in use when the
 * rethook is freed are freed by the kernel, each when its call returns or its task is gone.
 */
#ifndef COMPAT_RETHOOK_POOL_H
#define COMPAT_RETHOOK_POOL_H

#include <linux/err.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kernel/ksyms.h"

#if COMPAT_RETHOOK_POOL == 2
/* NULL: no memory.  alloc: the address of rethook_alloc().  May sleep. */
static inline struct rethook *compat_rethook_make(unsigned long alloc, rethook_handler_t handler, unsigned int size, unsigned int n)
{
	_Static_assert(__builtin_types_compatible_p(__typeof__(rethook_alloc), struct rethook *(void *, rethook_handler_t, int, int)),
		       "rethook_alloc");
	struct rethook *r = (struct rethook *)ksyms_call4(alloc, (unsigned long)handler, (unsigned long)handler, size, n);

	return IS_ERR(r) ? NULL : r;
}

/* Preemption is off; not in an NMI: the pool does not support that. */
static __always_inline struct rethook_node *compat_rethook_take(struct rethook *r)
{
	return objpool_pop(&r->pool);
}

static __always_inline void compat_rethook_give_back(struct rethook *r, struct rethook_node *node)
{
	objpool_push(node, &r->pool);
}
#elif COMPAT_RETHOOK_POOL == 1
static inline struct rethook *compat_rethook_make(unsigned long alloc, rethook_handler_t handler, unsigned int size, unsigned int n)
{
	_Static_assert(__builtin_types_compatible_p(__typeof__(rethook_alloc), struct rethook *(void *, rethook_handler_t)), "rethook_alloc");
	struct rethook *r = (struct rethook *)ksyms_call3(alloc, (unsigned long)handler, (unsigned long)handler, 0);
	unsigned int i;

	for (i = 0; r && i < n; i++) {
		struct rethook_node *node = kzalloc(size, GFP_KERNEL | __GFP_NOWARN);

		if (!node)
			break; /* fewer are enough, if there is one */
		node->rethook = r;
		freelist_add(&node->freelist, &r->pool);
		refcount_inc(&r->ref);
		cond_resched();
	}
	if (!r || i)
		return r;
	kfree(r);
	return NULL;
}

static __always_inline struct rethook_node *compat_rethook_take(struct rethook *r)
{
	struct freelist_node *f = freelist_try_get(&r->pool);

	return f ? container_of(f, struct rethook_node, freelist) : NULL;
}

static __always_inline void compat_rethook_give_back(struct rethook *r, struct rethook_node *node)
{
	freelist_add(&node->freelist, &r->pool);
}
#endif

#endif
