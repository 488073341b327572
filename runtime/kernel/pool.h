/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for those who may not ask the kernel for it: objects of one size, kept in reserve.  With preemption off kmalloc() and
 * kfree() may not be called on a PREEMPT_RT kernel, where their locks sleep.
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
	size_t size; /* 0: not made */
	struct work_struct work;
};

/* Takes so many into reserve; when half of them are in use more come, from a worker.  0 or -ENOMEM.  Process context. */
int pool_init(struct pool *p, size_t size, unsigned int reserve);
/* A zeroed object, or NULL: the reserve is used up.  In tasks, also with preemption off; not in interrupts. */
void *pool_take(struct pool *p);
/* Any object of kmalloc() and that size may be given, and what was taken may go to kfree() instead.  As pool_take(). */
void pool_give(struct pool *p, void *object);
/* All that it has in reserve.  Process context, nobody takes any more; not made: does nothing. */
void pool_free(struct pool *p);

#endif
