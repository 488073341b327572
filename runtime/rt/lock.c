// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Locks of globals, and waiting with a limit.
 *
 * A lock is held for one statement with interrupts off, so waiting for it is short, unless the waiting CPU itself holds it: a hit
 * nested in a locked region.  The lock word names its owner, so in this case waiting ends at once; otherwise it ends after
 * limits->lock_us, in an NMI after one try.
 */
#include "rt/lib.h"

#define SPINS_PER_CLOCK 64

struct lock {
	struct rt_spin spin;
} __attribute__((aligned(RT_LINE)));

static struct lock *locks;

int rt_locks_init(rt_u32 n)
{
	locks = rt_port_alloc(sizeof(*locks) * (n ? n : 1));
	return locks ? 0 : -1;
}

void rt_locks_free(void)
{
	rt_port_free(locks);
	locks = 0;
}

rt_bool rt_wait(struct rt_wait *w)
{
	rt_u64 now;

	if (!w->spins && rt_port_in_nmi())
		return 0;
	rt_port_relax();
	if (w->spins++ % SPINS_PER_CLOCK)
		return 1;
	now = rt_port_clock_ns();
	if (!w->deadline)
		w->deadline = now + rt_script.limits->lock_us * 1000ULL;
	return now < w->deadline;
}

rt_bool rt_spin_contend(struct rt_spin *l, rt_u32 me, struct rt_wait *w)
{
	if (RT_LOAD(&l->owner) == me)
		return 0;
	while (rt_wait(w))
		if (!RT_LOAD(&l->owner) && rt_spin_try(l, me))
			return 1;
	return 0;
}

rt_bool rt_lock(struct rt_ctx *c, const rt_u32 *globals, rt_u32 n)
{
	struct rt_wait wait = {0}; /* shared by all locks */
	rt_u32 me, i;

	if (c->no_locks || !n)
		return 1;
	c->irq_flags = rt_port_irq_save();
	me = rt_port_cpu() + 1;
	for (i = 0; i < n; i++) {
		struct rt_spin *l = &locks[globals[i]].spin;

		if (RT_UNLIKELY(!rt_spin_try(l, me)) && !rt_spin_contend(l, me, &wait))
			break;
	}
	c->locked_all = globals;
	c->nlocked = i;
	if (RT_LIKELY(i == n))
		return 1;
	while (i--)
		rt_spin_unlock(&locks[globals[i]].spin);
	c->nlocked = 0;
	rt_port_irq_restore(c->irq_flags);
	rt_skip(c);
	return 0;
}

rt_bool rt_lock1(struct rt_ctx *c, rt_u32 global)
{
	c->locked1 = global;
	return rt_lock(c, &c->locked1, 1);
}

void rt_unlock(struct rt_ctx *c)
{
	rt_u32 i = c->nlocked;

	if (!i)
		return;
	while (i--)
		rt_spin_unlock(&locks[c->locked_all[i]].spin);
	c->nlocked = 0;
	rt_port_irq_restore(c->irq_flags);
}
