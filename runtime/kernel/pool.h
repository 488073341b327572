/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for code that may not allocate it: objects of one size, kept in reserve.  With preemption off, kmalloc() and kfree() may not be
 * called on a PREEMPT_RT kernel, where their locks sleep.
 */
#ifndef KERNEL_POOL_H
#define KERNEL_POOL_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct pool {
	raw_spinlock_t lock;
	void *first; /* each free object begins with the address of the next */
	unsigned int nfree, reserve;
	size_t size; /* 0: not initialised */
	struct work_struct work;
};

/* Allocates so many as the reserve; when half of them are in use, a worker allocates more.  0 or -ENOMEM.  Process context. */
int pool_init(struct pool *p, size_t size, unsigned int reserve);
/* A zeroed object, or NULL: the reserve is used up.  In tasks, also with preemption off; not in interrupts. */
void *pool_take(struct pool *p);
/* Any kmalloc() object of that size may be given, and a taken one may go to kfree() instead.  Context as for pool_take(). */
void pool_give(struct pool *p, void *object);
/* Frees the reserve.  Process context, when nothing is taken any more; does nothing if not initialised. */
void pool_free(struct pool *p);

#endif
