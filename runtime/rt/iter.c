// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * foreach: a snapshot of the elements, in c->iter, 16 bytes each.  An element is named by node and birth, so one that was deleted
 * since, or whose node was used again, is recognised and left out.  Sorting is a heap sort: in place, no recursion; with a limit the
 * heap never grows beyond it.
 *
 * The elements are found by a walk (rt/map.h).  Each step of it puts what it finds after the heap; then, with nothing locked, that is
 * added to the heap.  Sorting is done with nothing locked either.  An element whose value changes meanwhile can be in the wrong place,
 * and with strings that begin alike, also those near it.
 */
#include "rt/map.h"

/*
 * From the highest bit: 64 bits to sort by, 32 of insertion order, 32 of the node.  So one comparison of integers is enough: equal
 * elements keep the order of insertion, and only strings with the same first 8 bytes need a second look.
 */
typedef unsigned __int128 item;
_Static_assert(sizeof(item) == RT_ITER_BYTES(1), "RT_ITER_BYTES");

struct sorter {
	struct rt_ctx *c;
	struct rt_map *map;
	item *items;
	rt_u32 limit;   /* most items of the snapshot */
	int direction;  /* 0: by insertion */
	rt_bool heap;   /* the items are not found in their order */
	rt_u32 string; /* offset in the node of the string to sort by, or 0 */
	rt_u32 offset; /* offset in the node of the long to sort by */
	rt_u32 oldest; /* birth of the first element: births count from here, so that they may wrap */
	enum rt_stat_op op;
	rt_u32 permille;
};

static item item_of(rt_u64 key, rt_u32 order, rt_u32 node)
{
	return (item)key << 64 | (rt_u64)order << 32 | node;
}

/* The element, or NULL if it was deleted; locked. */
static struct rt_node *living(const struct rt_map *m, item it, rt_u32 oldest)
{
	struct rt_node *node = rt_map_node(m, (rt_u32)it);

	/* Nodes above `used' were filled before the array was emptied. */
	if ((rt_u32)it > RT_LOAD_ACQUIRE(&m->used) || node->birth != (rt_u32)(it >> 32) + oldest)
		return 0;
	return node;
}

/* ---- order ---- */

/* The first 8 bytes, such that they sort as a number. */
static rt_u64 string_prefix(struct rt_str s)
{
	rt_u64 v = 0;
	rt_u32 i;

	for (i = 0; i < 8; i++)
		v = v << 8 | (i < s.n ? (unsigned char)s.p[i] : 0);
	return v;
}

/* Compares strings that begin with the same 8 bytes; 0 also if one was deleted. */
static int compare_tails(const struct sorter *s, item a, item b)
{
	struct rt_map_guard guard;
	struct rt_node *x, *y;
	int order = 0;

	if (s->c->error || !rt_walk_lock(s->c, s->map, 0, &guard))
		return 0;
	x = living(s->map, a, s->oldest);
	y = living(s->map, b, s->oldest);
	if (x && y)
		order = rt_str_cmp(rt_node_str(x, s->string), rt_node_str(y, s->string));
	rt_walk_unlock(s->c, s->map, 0, &guard);
	return order;
}

/* Nothing is locked. */
static rt_bool before(const struct sorter *s, item a, item b)
{
	rt_u64 key = (rt_u64)(a >> 64);
	int order;

	/* The 8th byte shows whether there may be more. */
	if (s->string && key == (rt_u64)(b >> 64) && (rt_u8)(s->direction < 0 ? ~key : key)) {
		order = compare_tails(s, a, b);
		if (order)
			return (order < 0) == (s->direction > 0);
	}
	return a < b;
}

/*
 * Heap of n items with the last at the root: puts `it' at or below i.  It goes to the bottom first and then up, because most items
 * belong near the bottom.  The child is chosen by arithmetic, since a branch could not be predicted.
 */
static void sift_down(struct sorter *s, rt_u32 i, rt_u32 n, item it)
{
	item *items = s->items;
	rt_u32 top = i, child;

	while ((child = 2 * i + 1) < n) {
		if (child + 1 < n)
			child += before(s, items[child], items[child + 1]);
		items[i] = items[child];
		i = child;
	}
	for (; i > top && before(s, items[(i - 1) / 2], it); i = (i - 1) / 2)
		items[i] = items[(i - 1) / 2];
	items[i] = it;
}

/* Sorting many takes long, perhaps while nothing else can run on this CPU: it ends early if the hit must end. */
static void heapify(struct sorter *s, rt_u32 n)
{
	rt_u32 i;

	for (i = n / 2; i--;) {
		if (i % RT_WALK_STEP == RT_WALK_STEP - 1 && rt_must_end(s->c))
			return;
		sift_down(s, i, n, s->items[i]);
	}
}

static void heap_sort(struct sorter *s, rt_u32 n)
{
	while (n > 1) {
		item last = s->items[--n];

		s->items[n] = s->items[0];
		sift_down(s, 0, n, last);
		if (!(n % RT_WALK_STEP) && rt_must_end(s->c))
			return;
	}
}

/* ---- snapshot ---- */

static rt_bool by_percentile(const struct sorter *s)
{
	return s->direction && !s->string && !s->offset && s->op == RT_QUANTILE;
}

static void sorter_init(struct rt_ctx *c, struct sorter *s, const struct rt_walk *w, struct rt_iter *it,
			const struct rt_order *order)
{
	struct rt_map *m = it->map;
	const struct rt_map_shape *shape = m->shape;
	rt_u32 type = order->by ? shape->key[order->by - 1] : shape->value;
	rt_u32 offset = order->by ? m->key[order->by - 1] : m->value;

	*s = (struct sorter){.c = c, .map = m, .items = it->items, .direction = order->direction, .op = order->stat,
			     .permille = order->permille, .oldest = w->oldest};
	s->heap = order->direction || RT_LOAD(&m->reused);
	s->limit = order->limit < 0 ? w->most : (rt_u32)rt_min(w->most, (rt_u64)order->limit);
	s->string = type == RT_STRING ? offset : 0;
	s->offset = type == RT_LONG ? offset : 0;
}

/* Numbers that sort as unsigned ones. */
static rt_u64 unsigned_key(rt_s64 v)
{
	return (rt_u64)v ^ 1ULL << 63;
}

/* What the element is sorted by, unless that is a percentile; false: statistics that cannot be read. */
static __attribute__((noinline)) rt_bool sort_key(const struct sorter *s, rt_u32 i, rt_u64 *key)
{
	struct rt_node *node = rt_map_node(s->map, i);
	struct rt_sum sum;
	rt_s64 v;

	if (s->string) {
		*key = string_prefix(rt_node_str(node, s->string));
		return 1;
	}
	if (s->offset) {
		v = s->offset == s->map->value ? rt_map_long(s->map, i) : *rt_node_long(node, s->offset);
	} else {
		if (!rt_map_sum(s->map, i, &sum))
			return 0;
		/* A new element may not have its first value yet. */
		v = sum.count ? rt_sum_get(s->c, &sum, s->op) : 0;
	}
	*key = unsigned_key(v);
	return 1;
}

/* The same for a percentile; a function of its own to save stack. */
static __attribute__((noinline)) rt_bool percentile_key(const struct sorter *s, rt_u32 i, rt_u64 *key)
{
	struct rt_sum sum;

	if (!rt_map_sum(s->map, i, &sum))
		return 0;
	*key = unsigned_key(sum.count ? rt_map_element_quantile(0, s->map, i, &sum, s->permille) : 0);
	return 1;
}

/* Puts what a step of the walk finds after the snapshot; returns how many.  Statistics that cannot be read end the hit. */
static rt_u32 find(const struct sorter *s, struct rt_walk *w, item *to, const union rt_val *key, rt_u32 fixed)
{
	rt_bool readable = 1;
	rt_u32 i, n = 0;
	rt_u64 by = 0;

	while (readable && (i = rt_walk_next(w))) {
		struct rt_node *node = rt_map_node(s->map, i);

		if (fixed && !rt_map_keys_match(s->map, node, key, fixed))
			continue;
		if (s->direction)
			readable = by_percentile(s) ? percentile_key(s, i, &by) : sort_key(s, i, &by);
		to[n++] = item_of(s->direction < 0 ? ~by : by, node->birth - s->oldest, i);
	}
	if (!readable)
		rt_skip(s->c);
	return n;
}

/* Adds n items, from `from' on.  This and sort() are functions of their own to save stack in find(). */
static __attribute__((noinline)) void take(struct sorter *s, struct rt_iter *it, const item *from, rt_u32 n)
{
	for (; n; n--, from++) {
		item new = *from;

		if (it->n < s->limit) {
			s->items[it->n++] = new;
			if (it->n == s->limit && s->heap)
				heapify(s, s->limit);
		} else if (s->heap && before(s, new, s->items[0])) {
			sift_down(s, 0, s->limit, new);
		}
	}
}

/* Sorts the items; from now on they have the birth itself. */
static __attribute__((noinline)) void sort(struct sorter *s, struct rt_iter *it)
{
	rt_u32 i;

	if (s->heap && it->n < s->limit)
		heapify(s, it->n);
	if (s->heap)
		heap_sort(s, it->n);
	for (i = 0; i < it->n; i++)
		s->items[i] = item_of(0, (rt_u32)(s->items[i] >> 32) + s->oldest, (rt_u32)s->items[i]);
}

static void snapshot(struct rt_ctx *c, struct rt_iter *it, const struct rt_order *order, const union rt_val *key,
		     rt_u32 fixed)
{
	struct rt_walk w;
	struct sorter s;
	rt_u32 n;

	if (!rt_walk_begin(c, &w, it->map, 0))
		return;
	w.free = order->free;
	sorter_init(c, &s, &w, it, order);
	if (!s.limit)
		return;
	if (RT_ITER_ROOM((rt_u64)s.limit) > (rt_u64)(c->iter_end - c->iter_pos)) {
		rt_error(c, "no space for a foreach over %u elements", s.limit);
		return;
	}
	if (by_percentile(&s)) /* finding one takes up to 2 x 118 reads on each CPU */
		w.step = 1;
	while ((s.heap || it->n < s.limit) && rt_walk_enter(c, &w)) {
		item *found = s.items + it->n;

		n = find(&s, &w, found, key, fixed);
		rt_walk_leave(c, &w);
		take(&s, it, found, n);
	}
	sort(&s, it);
}

void rt_iter_begin(struct rt_ctx *c, struct rt_iter *it, struct rt_map *m, const struct rt_order *order,
		   const union rt_val *key, rt_u32 fixed)
{
	*it = (struct rt_iter){.map = m, .items = c->iter_pos, .mark = c->iter_pos};
	snapshot(c, it, order, key, fixed);
	if (c->error)
		it->n = 0;
	c->iter_pos += RT_ITER_BYTES(it->n);
}

/* ---- walking ---- */

static rt_bool fill(struct rt_ctx *c, struct rt_map *m, rt_u32 n, union rt_val *key, union rt_val *value)
{
	struct rt_node *node = rt_map_node(m, n);
	const struct rt_map_shape *shape = m->shape;
	rt_u32 i;

	for (i = 0; i < shape->nkeys; i++)
		if (shape->key[i] == RT_LONG)
			key[i].l = *rt_node_long(node, m->key[i]);
		else
			key[i].s = rt_strvar_get(c, rt_node_strvar(node, m->key[i]));
	if (value && shape->value == RT_LONG)
		value->l = rt_map_long(m, n);
	else if (value && shape->value == RT_STRING)
		value->s = rt_strvar_get(c, rt_node_strvar(node, m->value));
	return !c->error;
}

rt_bool rt_iter_next(struct rt_ctx *c, struct rt_iter *it, union rt_val *key, union rt_val *value)
{
	const item *items = it->items;
	struct rt_map *m = it->map;
	struct rt_map_guard guard;
	rt_bool found = 0;
	rt_u32 stop;

	while (!found && !c->error && it->i < it->n) {
		rt_port_breathe(c);
		stop = (rt_u32)rt_min(it->n, it->i + (rt_u64)RT_WALK_STEP);
		if (!rt_walk_lock(c, m, 0, &guard))
			return 0;
		while (!found && !c->error && it->i < stop) {
			item next = items[it->i++];

			found = living(m, next, 0) && fill(c, m, (rt_u32)next, key, value);
		}
		rt_walk_unlock(c, m, 0, &guard);
	}
	return found;
}

void rt_iter_end(struct rt_ctx *c, struct rt_iter *it)
{
	c->iter_pos = it->mark;
}
