// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks over an array's elements (rt/map.h), and what uses them: slices.
 *
 * A lock is held, and interrupts are off, for RT_WALK_STEP nodes at a time.  The list of insertion may change between two steps, so the
 * nodes are visited by number.  Elements made after the walk began are left out, so it ends however many are made meanwhile.
 */
#include "rt/map.h"

/* An element of an array with locks of its own has as many cells as there are CPUs. */
#define CELLS_STEP 256

rt_bool rt_walk_lock(struct rt_ctx *c, struct rt_map *m, rt_bool all, struct rt_map_guard *g)
{
	g->me = 0;
	if (m->cpus)
		return all ? rt_map_enter_all(c, m, g) : rt_map_enter(c, m, g);
	return !m->lock || rt_lock1(c, m->lock - 1);
}

void rt_walk_unlock(struct rt_ctx *c, struct rt_map *m, rt_bool all, struct rt_map_guard *g)
{
	if (!m->cpus)
		rt_unlock(c);
	else if (all)
		rt_map_leave_all(m, g);
	else
		rt_map_leave(m, g);
}

/*
 * In arrays with locks of their own, one new element may be counted in births but not linked in yet.  Births are read first, so there is
 * at most one.
 */
rt_bool rt_walk_begin(struct rt_ctx *c, struct rt_walk *w, struct rt_map *m, rt_bool all)
{
	rt_u32 head, births;

	*w = (struct rt_walk){.map = m, .all = all, .next = 1, .step = RT_WALK_STEP};
	if (m->cpus)
		w->step = (rt_u32)rt_min(RT_WALK_STEP, CELLS_STEP / m->ncpus + 1);
	if (!rt_walk_lock(c, m, all, &w->guard))
		return 0;
	births = RT_LOAD_ACQUIRE(&m->births);
	w->last = RT_LOAD_ACQUIRE(&m->used);
	w->most = (rt_u32)rt_min(RT_LOAD(&m->n) + (m->cpus ? 1ULL : 0), m->shape->max);
	head = RT_LOAD_ACQUIRE(&m->head);
	w->oldest = head ? rt_map_node(m, head)->birth : 0;
	w->births = births - w->oldest;
	rt_walk_unlock(c, m, all, &w->guard);
	if (!head)
		w->last = 0;
	return 1;
}

rt_bool rt_walk_enter(struct rt_ctx *c, struct rt_walk *w)
{
	if (w->next > w->last || c->error)
		return 0;
	w->unpaid += w->step;
	if (w->unpaid > RT_WALK_STEP && !w->free) {
		w->unpaid -= RT_WALK_STEP;
		if (rt_charge(c, 1) || rt_must_end(c))
			return 0;
	} else {
		rt_port_breathe(c); /* as rt_must_end() does */
	}
	w->stop = (rt_u32)rt_min((rt_u64)w->next + w->step, w->last + 1ULL);
	return rt_walk_lock(c, w->map, w->all, &w->guard);
}

rt_u32 rt_walk_next(struct rt_walk *w)
{
	while (w->next < w->stop) {
		rt_u32 i = w->next++, birth;

		if (i > RT_LOAD_ACQUIRE(&w->map->used)) { /* the array was emptied meanwhile */
			w->last = 0;
			return 0;
		}
		birth = RT_LOAD_ACQUIRE(&rt_map_node(w->map, i)->birth);
		if (birth && birth - w->oldest <= w->births)
			return i;
	}
	return 0;
}

void rt_walk_leave(struct rt_ctx *c, struct rt_walk *w)
{
	rt_walk_unlock(c, w->map, w->all, &w->guard);
}

/* ---- slices ---- */

rt_bool rt_map_has_slice(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 fixed)
{
	rt_bool found = 0;
	struct rt_walk w;
	rt_u32 i;

	if (!rt_walk_begin(c, &w, m, 0))
		return 0;
	while (!found && rt_walk_enter(c, &w)) {
		while (!found && (i = rt_walk_next(&w)))
			found = rt_map_keys_match(m, rt_map_node(m, i), key, fixed);
		rt_walk_leave(c, &w);
	}
	return found;
}

void rt_map_delete_slice(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 fixed)
{
	struct rt_walk w;
	rt_u32 i;

	if (!rt_walk_begin(c, &w, m, 1))
		return;
	while (rt_walk_enter(c, &w)) {
		while ((i = rt_walk_next(&w)))
			if (rt_map_keys_match(m, rt_map_node(m, i), key, fixed))
				rt_map_remove(m, i);
		rt_walk_leave(c, &w);
	}
}
