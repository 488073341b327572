/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for code that may not allocate it: objects of one size, kept in reserve.  With preemption off, kmalloc() and kfree() may not be
 * called on a PREEMPT_RT kernel, where their locks sleep.
 */
#ifndef KERNEL_POOL_H
#define KERNEL_POOL_H

#include <linux/irq_work.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

/* Interrupts are off until pool_unlock(); the holders of such a lock are soon done. */
unsigned long pool_lock(raw_spinlock_t *lock);
void pool_unlock(raw_spinlock_t *lock, unsigned long flags);

struct pool {
	raw_spinlock_t lock;
	void *first; /* each free object begins with the address of the next */
	unsigned int nfree, reserve;
	size_t size; /* 0: not initialised */
	struct work_struct work;
	struct irq_work asks; /* for the work, from where it cannot be queued */
};

/* Allocates so many as the reserve; when half of them are in use, a worker allocates more.  0 or -ENOMEM.  Process context. */
int pool_init(struct pool *p, size_t size, unsigned int reserve);
/*
 * A zeroed object, or NULL: the reserve is used up.  In tasks, also with preemption off; not in interrupts.  A kprobe's int3 in a task's own
 * code counts as the task, but the kernel's checks take it for an NMI, where a lock may only be tried for: so locks are.
 */
void *pool_take(struct pool *p);
/* Any kmalloc() object of that size may be given, and a taken one may go to kfree() instead.  Context as for pool_take(). */
void pool_give(struct pool *p, void *object);
/* Frees the reserve.  Process context, when nothing is taken any more; does nothing if not initialised. */
void pool_free(struct pool *p);

#endif
