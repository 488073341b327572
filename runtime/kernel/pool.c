// SPDX-License-Identifier: GPL-2.0-or-later
/* Objects in reserve for where the kernel cannot allocate memory.  See pool.h. */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/compat/unbound_queue.h"
#include "kernel/pool.h"

void pool_give(struct pool *p, void *object)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&p->lock, flags);
	*(void **)object = p->first;
	p->first = object;
	p->nfree++;
	raw_spin_unlock_irqrestore(&p->lock, flags);
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

int pool_init(struct pool *p, size_t size, unsigned int reserve)
{
	int rc;

	raw_spin_lock_init(&p->lock);
	INIT_WORK(&p->work, pool_on_work);
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
	unsigned long flags;
	unsigned int left;
	void *object;

	raw_spin_lock_irqsave(&p->lock, flags);
	object = p->first;
	if (object) {
		p->first = *(void **)object;
		p->nfree--;
	}
	left = p->nfree;
	raw_spin_unlock_irqrestore(&p->lock, flags);
	if (left < p->reserve / 2)
		queue_work(compat_unbound_queue(), &p->work);
	return object ? memset(object, 0, p->size) : NULL;
}

void pool_free(struct pool *p)
{
	if (!p->size)
		return;
	cancel_work_sync(&p->work);
	while (p->first) {
		void *object = p->first;

		p->first = *(void **)object;
		kfree(object);
	}
	p->nfree = 0;
	p->size = 0;
}
