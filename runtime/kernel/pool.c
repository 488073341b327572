// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects in reserve for where the kernel cannot allocate memory.  See pool.h. */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/compat/unbound_queue.h"
#include "kernel/pool.h"

unsigned long pool_lock(raw_spinlock_t *lock)
{
	unsigned long flags;

	local_irq_save(flags);
	while (!raw_spin_trylock(lock))
		cpu_relax();
	return flags;
}

void pool_unlock(raw_spinlock_t *lock, unsigned long flags)
{
	raw_spin_unlock(lock);
	local_irq_restore(flags);
}

void pool_give(struct pool *p, void *object)
{
	unsigned long flags = pool_lock(&p->lock);

	*(void **)object = p->first;
	p->first = object;
	p->nfree++;
	pool_unlock(&p->lock, flags);
}

static int pool_fill(struct pool *p)
{
	while (READ_ONCE(p->nfree) < p->reserve) {
		void *object = kmalloc(p->size, GFP_KERNEL | __GFP_NOWARN);

		if (!object)
			return -ENOMEM;
		pool_give(p, object);
	}
	return 0;
}

static void pool_on_work(struct work_struct *w)
{
	pool_fill(container_of(w, struct pool, work));
}

static void pool_ask(struct irq_work *w)
{
	queue_work(compat_unbound_queue(), &container_of(w, struct pool, asks)->work);
}

int pool_init(struct pool *p, size_t size, unsigned int reserve)
{
	int rc;

	raw_spin_lock_init(&p->lock);
	INIT_WORK(&p->work, pool_on_work);
	init_irq_work(&p->asks, pool_ask);
	p->first = NULL;
	p->nfree = 0;
	p->reserve = reserve;
	p->size = size;
	rc = pool_fill(p);
	if (rc)
		pool_free(p);
	return rc;
}

void *pool_take(struct pool *p)
{
	unsigned long flags = pool_lock(&p->lock);
	unsigned int left;
	void *object;

	object = p->first;
	if (object) {
		p->first = *(void **)object;
		p->nfree--;
	}
	left = p->nfree;
	pool_unlock(&p->lock, flags);
	if (left < p->reserve / 2)
		irq_work_queue(&p->asks);
	return object ? memset(object, 0, p->size) : NULL;
}

void pool_free(struct pool *p)
{
	if (!p->size)
		return;
	irq_work_sync(&p->asks);
	cancel_work_sync(&p->work);
	while (p->first) {
		void *object = p->first;

		p->first = *(void **)object;
		kfree(object);
	}
	p->nfree = 0;
	p->size = 0;
}
