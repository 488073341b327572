// SPDX-License-Identifier: GPL-2.0-or-later
/* Arrays of longs that guard themselves (rt/map.h): counters of many CPUs at once, which wait for each other only over new elements. */
#include "rt/map.h"

static void apply(struct rt_map *m, rt_u32 i, rt_s64 v, rt_bool add)
{
	rt_s64 *place = rt_node_long(rt_map_node(m, i), m->value);

	if (add)
		__atomic_fetch_add(place, v, __ATOMIC_RELAXED);
	else
		RT_STORE(place, v);
}

/* The element is not there and the array is full: deletes the oldest for it, which takes all locks. */
static void update_wrapping(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash, rt_s64 v,
			    rt_bool add)
{
	struct rt_map_guard guard;
	rt_u32 i;

	if (!rt_map_enter_all(c, m, &guard))
		return;
	i = rt_map_find(m, key, hash);
	if (!i)
		i = rt_map_insert(c, m, key, hash);
	if (i)
		apply(m, i, v, add);
	rt_map_leave_all(m, &guard);
}

void rt_map_update(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v, rt_bool add)
{
	rt_u32 hash = rt_map_hash(m, key), i;
	struct rt_map_guard guard;
	rt_bool recycle = 0;

	if (!rt_map_enter(c, m, &guard))
		return;
	i = rt_map_find(m, key, hash);
	if (RT_UNLIKELY(!i) && !rt_map_insert_entered(c, m, key, hash, &guard, &i, &recycle))
		rt_skip(c);
	if (RT_LIKELY(i))
		apply(m, i, v, add);
	rt_map_leave(m, &guard);
	if (RT_UNLIKELY(recycle))
		update_wrapping(c, m, key, hash, v, add);
}

void rt_map_add(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v)
{
	rt_map_update(c, m, key, v, 1);
}
