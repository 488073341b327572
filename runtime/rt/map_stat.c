// SPDX-License-Identifier: GPL-2.0-or-later
/* Arrays with locks of their own, see rt/map.h.  Statistics: adding, and summing over CPUs. */
#include "rt/map.h"

/* An element may take as much as a scalar, RT_QUANTILE_MOST blocks; hardly any does, so they share a pool. */
static rt_u32 pool_blocks(const struct rt_map_shape *shape)
{
	rt_u64 given = rt_script.limits->quantile_kb * 1024ULL / RT_QUANTILE_BLOCK;

	return (rt_u32)rt_min(given, (rt_u64)shape->max * RT_QUANTILE_MOST);
}

int rt_map_make_cells(struct rt_map *m)
{
	rt_u32 cpu;

	m->cell_size = rt_map_is_stats(m) ? rt_cell_size(&m->shape->stat) : RT_COUNT_BYTES;
	m->ncpus = rt_port_ncpus();
	if (rt_map_is_stats(m) && m->shape->stat.quantile) {
		m->pools = rt_quantile_pools(pool_blocks(m->shape));
		if (!m->pools)
			return -1;
	}
	m->cpus = rt_port_alloc(m->ncpus * sizeof(*m->cpus));
	if (!m->cpus)
		return -1;
	for (cpu = 0; cpu < m->ncpus; cpu++) {
		m->cpus[cpu].cells =
			rt_port_alloc((rt_size)(m->shape->max ? m->shape->max : 1) * m->cell_size);
		if (!m->cpus[cpu].cells)
			return -1;
		if (m->pools)
			m->pools[cpu].cells = m->cpus[cpu].cells;
	}
	return 0;
}

void rt_map_free_cells(struct rt_map *m)
{
	rt_u32 cpu;

	for (cpu = 0; m->cpus && cpu < m->ncpus; cpu++)
		rt_port_free(m->cpus[cpu].cells);
	rt_port_free(m->cpus);
	rt_quantile_pools_free(m->pools);
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
	struct rt_wait wait = {0}; /* shared by all locks */
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
	if (RT_LIKELY(!m->cpus) || enter(m, g))
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
	if (!m->cpus || enter_all(m, g))
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

static enum rt_added add_to(struct rt_map *m, rt_u32 i, rt_u32 me, rt_s64 v)
{
	return rt_cell_add(rt_map_cell(m, me - 1, i), &m->shape->stat, m->pools ? &m->pools[me - 1] : 0,
			   rt_map_node(m, i)->birth, v);
}

/* The element does not exist and the array is full: deletes the oldest, which takes all locks. */
static enum rt_added add_wrapping(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash,
				  rt_s64 v)
{
	enum rt_added result = RT_ADDED;
	struct rt_map_guard guard;
	rt_u32 i;

	if (!enter_all(m, &guard))
		return RT_ADD_BUSY;
	i = rt_map_find(m, key, hash);
	if (!i)
		i = rt_map_insert(c, m, key, hash);
	if (i)
		result = add_to(m, i, guard.me, v);
	leave_all(m, &guard);
	return result;
}

rt_bool rt_map_insert_entered(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash,
			      const struct rt_map_guard *g, rt_u32 *i, rt_bool *recycle)
{
	struct rt_wait wait = {0};

	if (!rt_spin_lock(&m->insert, g->me, &wait))
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
	enum rt_added result = RT_ADDED;
	struct rt_map_guard guard;
	rt_bool recycle = 0;

	if (RT_UNLIKELY(!enter(m, &guard))) {
		rt_skip(c);
		return;
	}
	i = rt_map_find(m, key, hash);
	if (RT_UNLIKELY(!i) && !rt_map_insert_entered(c, m, key, hash, &guard, &i, &recycle))
		result = RT_ADD_BUSY;
	if (RT_LIKELY(i))
		result = add_to(m, i, guard.me, v);
	leave(m, &guard);
	if (RT_UNLIKELY(recycle))
		result = add_wrapping(c, m, key, hash, v);
	if (RT_UNLIKELY(result))
		rt_cell_not_added(c, result);
}

void rt_map_forget_quantiles(struct rt_map *m, rt_u32 i)
{
	rt_u32 cpu, birth = rt_map_node(m, i)->birth;

	for (cpu = 0; cpu < m->ncpus; cpu++) {
		struct rt_cell *cell = rt_map_cell(m, cpu, i);

		if (cell->birth == birth)
			rt_quantile_release(&m->pools[cpu], &cell->more[rt_shape_word(&m->shape->stat)]);
	}
}

void rt_map_forget_all_quantiles(struct rt_map *m)
{
	rt_u32 cpu;

	for (cpu = 0; cpu < m->ncpus; cpu++)
		rt_quantile_forget(&m->pools[cpu]);
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

rt_s64 rt_map_element_quantile(struct rt_ctx *c, struct rt_map *m, rt_u32 i, const struct rt_sum *sum,
			       rt_s64 permille)
{
	struct rt_quantile_view view = {
		.pools = m->pools, .word = rt_shape_word(&m->shape->stat)};

	if (i) {
		view.cell = (rt_size)(i - 1) * m->cell_size;
		view.birth = rt_map_node(m, i)->birth;
	}
	return rt_sum_quantile(c, sum, &view, permille);
}

rt_s64 rt_map_quantile(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 permille)
{
	struct rt_map_guard guard;
	struct rt_sum sum;
	rt_s64 v = 0;
	rt_u32 i;

	rt_sum_init(&sum);
	if (!rt_map_enter(c, m, &guard))
		return 0;
	i = rt_map_find(m, key, rt_map_hash(m, key));
	if (i && !rt_map_sum(m, i, &sum))
		rt_skip(c);
	else
		v = rt_map_element_quantile(c, m, i, &sum, permille);
	rt_map_leave(m, &guard);
	return v;
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
