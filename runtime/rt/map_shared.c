// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shared arrays of longs (rt/map.h): counters that each CPU keeps for itself and that are summed when they are read.  So CPUs wait for
 * each other only when new elements are made.
 */
#include "rt/map.h"

/* What a CPU has added to the element of this birth; for another birth it counts as 0. */
struct count {
	rt_u32 birth;
	rt_u32 pad;
	rt_s64 v;
};
_Static_assert(sizeof(struct count) == RT_COUNT_BYTES, "RT_COUNT_BYTES");

static struct count *count_of(const struct rt_map *m, rt_u32 cpu, rt_u32 i)
{
	return (struct count *)(m->cpus[cpu].cells + (rt_size)(i - 1) * m->cell_size);
}

/* Readers on other CPUs must not see the new birth with the old value. */
static void begin_count(struct count *n, rt_u32 birth, rt_s64 v)
{
	RT_STORE(&n->v, v);
	RT_STORE_RELEASE(&n->birth, birth);
}

rt_s64 rt_map_long(const struct rt_map *m, rt_u32 i)
{
	struct rt_node *node = rt_map_node(m, i);
	rt_u64 sum = 0;
	rt_u32 cpu;

	if (!m->cpus)
		return *rt_node_long(node, m->value);
	for (cpu = 0; cpu < m->ncpus; cpu++) {
		const struct count *n = count_of(m, cpu, i);

		if (RT_LOAD_ACQUIRE(&n->birth) == node->birth)
			sum += (rt_u64)RT_LOAD(&n->v);
	}
	return (rt_s64)sum;
}

void rt_map_add(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v)
{
	rt_u32 hash = rt_map_hash(m, key), i, birth;
	struct rt_map_guard guard;
	rt_bool recycle = 0;
	struct count *n;

	if (!rt_map_enter(c, m, &guard))
		return;
	i = rt_map_find(m, key, hash);
	if (RT_UNLIKELY(!i) && !rt_map_insert_entered(c, m, key, hash, &guard, &i, &recycle))
		rt_skip(c);
	if (RT_LIKELY(i)) {
		n = count_of(m, guard.me - 1, i);
		birth = rt_map_node(m, i)->birth;
		if (RT_LIKELY(n->birth == birth))
			RT_STORE(&n->v, (rt_s64)((rt_u64)n->v + (rt_u64)v));
		else
			begin_count(n, birth, v);
	}
	rt_map_leave(m, &guard);
}

void rt_map_set_shared(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v)
{
	rt_u32 hash = rt_map_hash(m, key), i, cpu;
	struct rt_map_guard guard;

	if (!rt_map_enter_all(c, m, &guard))
		return;
	i = rt_map_find(m, key, hash);
	if (!i)
		i = rt_map_insert(c, m, key, hash);
	for (cpu = 0; i && cpu < m->ncpus; cpu++)
		begin_count(count_of(m, cpu, i), rt_map_node(m, i)->birth, cpu == guard.me - 1 ? v : 0);
	rt_map_leave_all(m, &guard);
}
