// SPDX-License-Identifier: GPL-2.0-or-later
/* Arrays of statistics: the locks of rt/map.h, adding, and summing over CPUs. */
#include "rt/map.h"

int rt_map_make_cells(struct rt_map *m)
{
	rt_u32 cpu;

	m->cell_size = rt_cell_size(&m->shape->stat);
	m->ncpus = rt_port_ncpus();
	m->cpus = rt_port_alloc(m->ncpus * sizeof(*m->cpus));
	if (!m->cpus)
		return -1;
	for (cpu = 0; cpu < m->ncpus; cpu++) {
		m->cpus[cpu].cells =
			rt_port_alloc((rt_size)(m->shape->max ? m->shape->max : 1) * m->cell_size);
		if (!m->cpus[cpu].cells)
			return -1;
	}
	return 0;
}

void rt_map_free_cells(struct rt_map *m)
{
	rt_u32 cpu;

	for (cpu = 0; m->cpus && cpu < m->ncpus; cpu++)
		rt_port_free(m->cpus[cpu].cells);
	rt_port_free(m->cpus);
}

/* ---- locks ---- */

static rt_bool enter(struct rt_map *m, struct rt_map_guard *g)
{
	struct rt_wait wait = {0};

	g->flags = rt_port_irq_save();
	g->me = rt_port_cpu() + 1;
	if (RT_LIKELY(rt_spin_lock(&m->cpus[g->me - 1].lock, g->me, &wait)))
		return 1;
	rt_port_irq_restore(g->flags);
	return 0;
}

static void leave(struct rt_map *m, struct rt_map_guard *g)
{
	rt_spin_unlock(&m->cpus[g->me - 1].lock);
	rt_port_irq_restore(g->flags);
}

static rt_bool enter_all(struct rt_map *m, struct rt_map_guard *g)
{
	struct rt_wait wait = {0}; /* one for all locks together */
	rt_u32 cpu;

	g->flags = rt_port_irq_save();
	g->me = rt_port_cpu() + 1;
	for (cpu = 0; cpu < m->ncpus; cpu++)
		if (!rt_spin_lock(&m->cpus[cpu].lock, g->me, &wait))
			break;
	if (cpu == m->ncpus && rt_spin_lock(&m->insert, g->me, &wait))
		return 1;
	while (cpu--)
		rt_spin_unlock(&m->cpus[cpu].lock);
	rt_port_irq_restore(g->flags);
	return 0;
}

static void leave_all(struct rt_map *m, struct rt_map_guard *g)
{
	rt_u32 cpu = m->ncpus;

	rt_spin_unlock(&m->insert);
	while (cpu--)
		rt_spin_unlock(&m->cpus[cpu].lock);
	rt_port_irq_restore(g->flags);
}

rt_bool rt_map_enter(struct rt_ctx *c, struct rt_map *m, struct rt_map_guard *g)
{
	g->me = 0;
	if (!rt_map_is_stats(m) || enter(m, g))
		return 1;
	rt_skip(c);
	return 0;
}

void rt_map_leave(struct rt_map *m, struct rt_map_guard *g)
{
	if (g->me)
		leave(m, g);
}

rt_bool rt_map_enter_all(struct rt_ctx *c, struct rt_map *m, struct rt_map_guard *g)
{
	g->me = 0;
	if (!rt_map_is_stats(m) || enter_all(m, g))
		return 1;
	rt_skip(c);
	return 0;
}

void rt_map_leave_all(struct rt_map *m, struct rt_map_guard *g)
{
	if (g->me)
		leave_all(m, g);
}

/* ---- adding ---- */

static rt_bool add_to(struct rt_map *m, rt_u32 i, rt_u32 me, rt_s64 v)
{
	return rt_cell_add(rt_map_cell(m, me - 1, i), &m->shape->stat, rt_map_node(m, i)->birth, v);
}

/* The element is not there and the array is full: deletes the oldest for it, which takes all locks. */
static rt_bool add_wrapping(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash,
			    rt_s64 v)
{
	struct rt_map_guard guard;
	rt_bool ok;
	rt_u32 i;

	if (!enter_all(m, &guard))
		return 0;
	i = rt_map_find(m, key, hash);
	if (!i)
		i = rt_map_insert(c, m, key, hash);
	ok = !i || add_to(m, i, guard.me, v);
	leave_all(m, &guard);
	return ok;
}

/* Under the CPU's lock.  *recycle: there is no room, the oldest must go.  False: a lock could not be had. */
static rt_bool insert(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash, rt_u32 me,
		      rt_u32 *i, rt_bool *recycle)
{
	struct rt_wait wait = {0};

	if (!rt_spin_lock(&m->insert, me, &wait))
		return 0;
	*i = rt_map_find(m, key, hash); /* another CPU may have been faster */
	*recycle = !*i && m->shape->wrap && rt_map_full(m);
	if (!*i && !*recycle)
		*i = rt_map_insert(c, m, key, hash);
	rt_spin_unlock(&m->insert);
	return 1;
}

void rt_map_stat_add(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v)
{
	rt_u32 hash = rt_map_hash(m, key), i;
	struct rt_map_guard guard;
	rt_bool recycle = 0, ok = 1;

	if (RT_UNLIKELY(!enter(m, &guard))) {
		rt_skip(c);
		return;
	}
	i = rt_map_find(m, key, hash);
	if (RT_UNLIKELY(!i))
		ok = insert(c, m, key, hash, guard.me, &i, &recycle);
	if (RT_LIKELY(i))
		ok = add_to(m, i, guard.me, v);
	leave(m, &guard);
	if (RT_UNLIKELY(recycle))
		ok = add_wrapping(c, m, key, hash, v);
	if (RT_UNLIKELY(!ok))
		rt_skip(c);
}

/* ---- reading ---- */

rt_bool rt_map_sum(struct rt_map *m, rt_u32 i, struct rt_sum *sum)
{
	rt_u32 cpu, birth = rt_map_node(m, i)->birth;

	rt_sum_init(sum);
	for (cpu = 0; cpu < m->ncpus; cpu++)
		if (!rt_sum_cell(sum, rt_map_cell(m, cpu, i), &m->shape->stat, birth))
			return 0;
	return 1;
}

rt_s64 rt_map_stat_get(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, enum rt_stat_op op)
{
	struct rt_map_guard guard;
	struct rt_sum sum;
	rt_bool ok;
	rt_u32 i;

	rt_sum_init(&sum);
	if (!rt_map_enter(c, m, &guard))
		return 0;
	i = rt_map_find(m, key, rt_map_hash(m, key));
	ok = !i || rt_map_sum(m, i, &sum);
	rt_map_leave(m, &guard);
	if (!ok) {
		rt_skip(c);
		return 0;
	}
	return rt_sum_get(c, &sum, op);
}

void rt_map_hist(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u64 *hist)
{
	struct rt_map_guard guard;
	rt_u32 i, cpu;

	if (!rt_map_enter(c, m, &guard))
		return;
	i = rt_map_find(m, key, rt_map_hash(m, key));
	for (cpu = 0; i && cpu < m->ncpus; cpu++)
		rt_hist_cell(hist, rt_map_cell(m, cpu, i), &m->shape->stat, rt_map_node(m, i)->birth);
	rt_map_leave(m, &guard);
}

const struct rt_stat_shape *rt_map_stat_shape(const struct rt_map *m)
{
	return &m->shape->stat;
}
