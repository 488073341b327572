/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How arrays are stored.
 *
 * All memory is allocated at the start: nodes of one size, which hold the value and the keys (a string takes string_max + 1 bytes and
 * its length, a long 8), bucket heads, and for statistics one cell per node and CPU.  Nodes are numbered from 1.  Those never used are
 * above `used', those given back are on the free list.  Each use of a node has a birth number; births grow along the list, so they also
 * give the order of insertion.  A bucket's head contains its epoch: emptying an array begins a new epoch, so that it takes no time.
 *
 * Arrays of longs and strings are guarded by their global's lock.  Arrays of statistics, and shared arrays of longs, have locks of their
 * own, and each CPU keeps what it has added in its own cells:
 *   - to add or read, a CPU holds its own lock, which others take only to delete;
 *   - a new element is linked in under the insert lock, complete before it can be seen, so lookups need none;
 *   - to delete (or recycle), a CPU holds the locks of all CPUs and the insert lock.
 * Order: CPU locks ascending, then the insert lock.
 *
 * Everything that reads many elements is a walk (walk.c): interrupts are on after each RT_WALK_STEP nodes.
 */
#ifndef RT_MAP_H
#define RT_MAP_H

#include "rt/stat.h"

struct rt_node {
	rt_u32 chain;      /* next in the bucket or on the free list */
	rt_u32 prev, next; /* in order of insertion */
	rt_u32 birth;      /* 0: not an element */
	rt_u32 hash;
	rt_u32 pad;
};

struct rt_map_cpu {
	struct rt_spin lock;
	char *cells;
} __attribute__((aligned(RT_LINE)));

struct rt_map {
	const struct rt_map_shape *shape;
	rt_bool one_long; /* the key is one long: the fast path */
	rt_bool reused;   /* some node was used twice since the array was empty: numbers do not give the order */
	rt_u32 mask;      /* number of buckets - 1 */
	rt_u32 epoch;
	rt_u64 *heads;    /* epoch << 32 | node; of another epoch: empty */
	rt_u32 lock;      /* 1 + the global whose lock guards it; 0: none */
	char *nodes; /* nodes - node_size is node 0, which does not exist */
	rt_size node_size;
	rt_u32 value; /* offset in the node */
	rt_u32 key[RT_MAX_KEYS];
	rt_u32 n, used, head, tail, free, births;
	rt_u32 ncpus, cell_size;
	struct rt_map_cpu *cpus; /* NULL: guarded by the global's lock */
	struct rt_quantile_pool *pools; /* NULL: nothing reads percentiles */
	struct rt_spin insert;
};

static inline struct rt_node *rt_map_node(const struct rt_map *m, rt_u32 i)
{
	return (struct rt_node *)(m->nodes + (i - 1) * m->node_size);
}

static inline rt_s64 *rt_node_long(struct rt_node *node, rt_u32 offset)
{
	return (rt_s64 *)((char *)node + offset);
}

static inline struct rt_strvar *rt_node_strvar(struct rt_node *node, rt_u32 offset)
{
	return (struct rt_strvar *)((char *)node + offset);
}

static inline struct rt_str rt_node_str(struct rt_node *node, rt_u32 offset)
{
	struct rt_strvar *v = rt_node_strvar(node, offset);

	return (struct rt_str){v->s, v->n};
}

static inline struct rt_cell *rt_map_cell(const struct rt_map *m, rt_u32 cpu, rt_u32 i)
{
	return (struct rt_cell *)(m->cpus[cpu].cells + (rt_size)(i - 1) * m->cell_size);
}

rt_u32 rt_map_hash_keys(const struct rt_map *m, const union rt_val *key);
rt_bool rt_map_keys_match(const struct rt_map *m, struct rt_node *node, const union rt_val *key,
			  rt_u32 fixed);

static inline rt_u32 rt_map_hash(const struct rt_map *m, const union rt_val *key)
{
	if (RT_LIKELY(m->one_long))
		return (rt_u32)(((rt_u64)key[0].l * 0x9e3779b97f4a7c15ULL) >> 32);
	return rt_map_hash_keys(m, key);
}

/* First node of the bucket, or 0. */
static inline rt_u32 rt_map_first(const struct rt_map *m, rt_u32 hash)
{
	rt_u64 head = RT_LOAD_ACQUIRE(&m->heads[hash & m->mask]);

	return RT_LIKELY((rt_u32)(head >> 32) == m->epoch) ? (rt_u32)head : 0;
}

/* Number of the element, 0 if there is none. */
static inline rt_u32 rt_map_find(const struct rt_map *m, const union rt_val *key, rt_u32 hash)
{
	rt_u32 i = rt_map_first(m, hash);

	while (i) {
		struct rt_node *node = rt_map_node(m, i);

		if (RT_LIKELY(m->one_long)) {
			if (*rt_node_long(node, m->key[0]) == key[0].l)
				break;
		} else if (node->hash == hash && rt_map_keys_match(m, node, key, ~0u)) {
			break;
		}
		i = RT_LOAD_ACQUIRE(&node->chain);
	}
	return i;
}

/* A new element after all others; 0 with an error when the array is full and does not wrap. */
rt_u32 rt_map_insert(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash);
rt_bool rt_map_full(const struct rt_map *m);
void rt_map_remove(struct rt_map *m, rt_u32 i);
void rt_map_remove_all(struct rt_map *m);

static inline rt_bool rt_map_is_stats(const struct rt_map *m)
{
	return m->shape->value == RT_STATS;
}

static inline rt_bool rt_map_guards_itself(const struct rt_map *m)
{
	return rt_map_is_stats(m) || m->shape->shared;
}

/*
 * map_stat.c.  Takes the CPU's lock with interrupts off, or all locks; false: error RT_SKIP, nothing held.  These calls do nothing for
 * other arrays, which their callers have locked.
 */
struct rt_map_guard {
	unsigned long flags;
	rt_u32 me; /* 0: nothing to release */
};
rt_bool rt_map_enter(struct rt_ctx *c, struct rt_map *m, struct rt_map_guard *g);
void rt_map_leave(struct rt_map *m, struct rt_map_guard *g);
rt_bool rt_map_enter_all(struct rt_ctx *c, struct rt_map *m, struct rt_map_guard *g);
void rt_map_leave_all(struct rt_map *m, struct rt_map_guard *g);
/*
 * walk.c.  Visits all elements that exist when the walk begins and are not deleted before it comes to them, by number, in steps.
 * Between rt_walk_enter() and rt_walk_leave() the array is locked (as for deleting if `all'), and rt_walk_next() gives the elements of
 * the step.  A walk takes an action from the budget for RT_WALK_STEP nodes, unless it is free of charge.
 */
#define RT_WALK_STEP 64
_Static_assert(RT_WALK_STEP == RT_ITER_STEP, "a foreach keeps what one step finds after its snapshot");
struct rt_walk {
	struct rt_map *map;
	rt_u32 next, last, stop; /* nodes: the next one; the last of the walk; the first after the step */
	rt_u32 step;             /* nodes in one */
	rt_u32 oldest, births;   /* birth of the first element; number of births from then to the beginning of the walk */
	rt_u32 most;             /* elements that it can find */
	rt_u32 unpaid;           /* nodes that were not charged yet */
	rt_bool all, free;
	struct rt_map_guard guard;
};
/* False: the lock could not be taken (error RT_SKIP). */
rt_bool rt_walk_begin(struct rt_ctx *c, struct rt_walk *w, struct rt_map *m, rt_bool all);
/* False, and nothing locked: there are no more, or the hit has failed. */
rt_bool rt_walk_enter(struct rt_ctx *c, struct rt_walk *w);
rt_u32 rt_walk_next(struct rt_walk *w);
void rt_walk_leave(struct rt_ctx *c, struct rt_walk *w);
/* The lock of a step, for other uses. */
rt_bool rt_walk_lock(struct rt_ctx *c, struct rt_map *m, rt_bool all, struct rt_map_guard *g);
void rt_walk_unlock(struct rt_ctx *c, struct rt_map *m, rt_bool all, struct rt_map_guard *g);
/*
 * For a caller that has entered and found no element: makes it, unless another CPU has.  *recycle: there is no room, so the oldest must
 * be deleted, which needs all locks: leave, enter all, and insert.  False: the insert lock could not be taken.
 */
rt_bool rt_map_insert_entered(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash,
			      const struct rt_map_guard *g, rt_u32 *i, rt_bool *recycle);
/* Before an element is removed, under all locks: gives back the memory of its percentiles. */
void rt_map_forget_quantiles(struct rt_map *m, rt_u32 i);
void rt_map_forget_all_quantiles(struct rt_map *m);
/* Its percentile; sum is what rt_map_sum() gave.  [fails] as rt_map_quantile() */
rt_s64 rt_map_element_quantile(struct rt_ctx *c, struct rt_map *m, rt_u32 i, const struct rt_sum *sum,
			       rt_s64 permille);
/* map_shared.c.  The value of an element of longs, shared or not; locked or entered. */
rt_s64 rt_map_long(const struct rt_map *m, rt_u32 i);
/* a[k] = v in a shared array: takes all its locks. */
void rt_map_set_shared(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v);
/* The element summed over CPUs; false: it cannot be read. */
rt_bool rt_map_sum(struct rt_map *m, rt_u32 i, struct rt_sum *sum);
int rt_map_make_cells(struct rt_map *m);
void rt_map_free_cells(struct rt_map *m);

#endif
