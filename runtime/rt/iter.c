// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * foreach: a snapshot of which elements there are, in c->iter, 16 bytes each. An element is named by node
 * and birth, so one that was deleted since, or whose node has a new life, is recognised and passed over.
 * Sorting is a heap sort: in place, no recursion; with a limit the heap never grows beyond it.
 */
#include "rt/map.h"

/*
 * From the highest bit: 64 bits to sort by, 32 of insertion order, 32 of the node.  So one comparison of
 * integers does it all, equal elements keep the order of insertion, and only strings with the same 8 first
 * bytes need a closer look.
 */
typedef unsigned __int128 item;
_Static_assert(sizeof(item) == RT_ITER_BYTES(1), "RT_ITER_BYTES");

struct sorter {
	struct rt_map *map;
	item *items;
	int direction;
	rt_u32 string; /* offset in the node of the string to sort by, or 0 */
	rt_u32 offset; /* of the long */
	rt_u32 oldest; /* birth of the first element: births count from here, so that they may wrap round */
	enum rt_stat_op op;
	rt_u32 permille;
};

static item item_of(rt_u64 key, rt_u32 order, rt_u32 node)
{
	return (item)key << 64 | (rt_u64)order << 32 | node;
}

static struct rt_node *item_node(const struct rt_map *m, item it)
{
	return rt_map_node(m, (rt_u32)it);
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

static rt_bool before(const struct sorter *s, item a, item b)
{
	int order;

	if (s->string && !((a ^ b) >> 64)) {
		order = rt_str_cmp(rt_node_str(item_node(s->map, a), s->string),
				   rt_node_str(item_node(s->map, b), s->string));
		if (order)
			return (order < 0) == (s->direction > 0);
	}
	return a < b;
}

/*
 * Heap of n items with the last at the root: puts `it' at or below i.  It goes to the bottom first and then
 * up, because most that come here belong near the bottom; choosing the child is arithmetic, since no
 * processor could guess it.
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

static void heapify(struct sorter *s, rt_u32 n)
{
	rt_u32 i;

	for (i = n / 2; i--;)
		sift_down(s, i, n, s->items[i]);
}

static void heap_sort(struct sorter *s, rt_u32 n)
{
	while (n > 1) {
		item last = s->items[--n];

		s->items[n] = s->items[0];
		sift_down(s, 0, n, last);
	}
}

/* ---- snapshot ---- */

static rt_bool by_percentile(const struct sorter *s)
{
	return s->direction && !s->string && !s->offset && s->op == RT_QUANTILE;
}

static void sorter_init(struct sorter *s, struct rt_iter *it, const struct rt_order *order)
{
	struct rt_map *m = it->map;
	const struct rt_map_shape *shape = m->shape;
	rt_u32 type = order->by ? shape->key[order->by - 1] : shape->value;
	rt_u32 offset = order->by ? m->key[order->by - 1] : m->value;
	rt_u32 head = RT_LOAD_ACQUIRE(&m->head);

	*s = (struct sorter){.map = m, .items = it->items, .direction = order->direction, .op = order->stat,
			     .permille = order->permille};
	s->string = type == RT_STRING ? offset : 0;
	s->offset = type == RT_LONG ? offset : 0;
	s->oldest = head ? rt_map_node(m, head)->birth : 0;
}

/* Numbers that sort as unsigned ones. */
static rt_u64 unsigned_key(rt_s64 v)
{
	return (rt_u64)v ^ 1ULL << 63;
}

/* What the element is sorted by, but no percentile; false: statistics that cannot be read. */
static rt_bool sort_key(const struct sorter *s, rt_u32 i, rt_u64 *key)
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
		/* An element just linked in may not have its first value yet. */
		v = sum.count ? rt_sum_get(0, &sum, s->op) : 0;
	}
	*key = unsigned_key(v);
	return 1;
}

/* The same for a percentile, apart to spare the others its stack. */
static __attribute__((noinline)) rt_bool percentile_key(const struct sorter *s, rt_u32 i, rt_u64 *key)
{
	struct rt_sum sum;

	if (!rt_map_sum(s->map, i, &sum))
		return 0;
	*key = unsigned_key(sum.count ? rt_map_element_quantile(0, s->map, i, &sum, s->permille) : 0);
	return 1;
}

/* Adds an element to the snapshot of at most `limit'. */
static void take(struct sorter *s, struct rt_iter *it, rt_u32 i, rt_u64 key, rt_u32 limit)
{
	item new = item_of(s->direction < 0 ? ~key : key, rt_map_node(s->map, i)->birth - s->oldest, i);

	if (it->n < limit) {
		s->items[it->n++] = new;
		if (it->n == limit && s->direction)
			heapify(s, limit);
	} else if (before(s, new, s->items[0])) {
		sift_down(s, 0, limit, new);
	}
}

static void sort(struct sorter *s, struct rt_iter *it, rt_u32 limit)
{
	if (it->n < limit)
		heapify(s, it->n);
	heap_sort(s, it->n);
}

/* Looks at the first `n' elements: statistics may get more meanwhile. */
static rt_bool snapshot(struct sorter *s, struct rt_iter *it, rt_u32 n, rt_u32 limit, const union rt_val *key,
			rt_u32 fixed)
{
	struct rt_map *m = it->map;
	rt_u64 by = 0;
	rt_u32 i;

	for (i = RT_LOAD_ACQUIRE(&m->head); i && n; i = RT_LOAD_ACQUIRE(&rt_map_node(m, i)->next), n--) {
		if (it->n == limit && !s->direction)
			break;
		if (fixed && !rt_map_keys_match(m, rt_map_node(m, i), key, fixed))
			continue;
		if (s->direction && !sort_key(s, i, &by))
			return 0;
		take(s, it, i, by, limit);
	}
	if (s->direction && s->string)
		sort(s, it, limit);
	return 1;
}

/*
 * By percentiles: to find one takes up to 2 x 118 looks at each CPU's values.  So interrupts are on between two elements, and as
 * the list may change then, the elements are met by number.
 */
static void snapshot_by_percentile(struct rt_ctx *c, struct sorter *s, struct rt_iter *it, rt_u32 limit,
				   const union rt_val *key, rt_u32 fixed)
{
	struct rt_map *m = it->map;
	struct rt_map_guard guard;
	rt_bool readable = 1;
	rt_u64 by;
	rt_u32 i;

	for (i = 1; readable && i <= RT_LOAD_ACQUIRE(&m->used); i++) {
		struct rt_node *node = rt_map_node(m, i);

		if (!RT_LOAD_ACQUIRE(&node->birth))
			continue;
		if (!rt_map_enter(c, m, &guard))
			break;
		/* Again, now that nobody can delete: it may be gone, or all of them. */
		if (i <= RT_LOAD_ACQUIRE(&m->used) && RT_LOAD_ACQUIRE(&node->birth) &&
		    (!fixed || rt_map_keys_match(m, node, key, fixed))) {
			readable = percentile_key(s, i, &by);
			if (readable)
				take(s, it, i, by, limit);
		}
		rt_map_leave(m, &guard);
	}
	if (!readable)
		rt_skip(c);
	if (c->error)
		it->n = 0;
}

/* Returns the most elements that the snapshot may have; 0: there is nothing to sort. */
static __attribute__((noinline)) rt_u32 begin_locked(struct rt_ctx *c, struct rt_iter *it, struct sorter *s,
						     const struct rt_order *order, const union rt_val *key,
						     rt_u32 fixed)
{
	rt_u32 n = RT_LOAD(&it->map->n),
	       limit = order->limit < 0 ? n : (rt_u32)rt_min(n, (rt_u64)order->limit);

	if (!limit)
		return 0;
	if (RT_ITER_BYTES((rt_u64)limit) > (rt_u64)(c->iter_end - c->iter_pos)) {
		rt_error(c, "no space for a foreach over %u elements", limit);
		return 0;
	}
	sorter_init(s, it, order);
	if (by_percentile(s))
		return limit;
	if (!snapshot(s, it, n, limit, key, fixed)) {
		it->n = 0;
		rt_skip(c);
	}
	c->iter_pos += RT_ITER_BYTES(it->n);
	return limit;
}

void rt_iter_begin(struct rt_ctx *c, struct rt_iter *it, struct rt_map *m, const struct rt_order *order,
		   const union rt_val *key, rt_u32 fixed)
{
	struct rt_map_guard guard;
	struct sorter s;
	rt_u32 limit, i;

	*it = (struct rt_iter){.map = m, .items = c->iter_pos, .mark = c->iter_pos};
	if (!rt_map_enter(c, m, &guard))
		return;
	limit = begin_locked(c, it, &s, order, key, fixed);
	rt_map_leave(m, &guard);
	if (limit && by_percentile(&s)) {
		snapshot_by_percentile(c, &s, it, limit, key, fixed);
		c->iter_pos += RT_ITER_BYTES(it->n);
	}
	if (!it->n)
		return;
	/* Only strings are looked up while sorting.  Numbers are in the items: no need to keep anybody waiting. */
	if (s.direction && !s.string)
		sort(&s, it, limit);
	/* From now on the birth itself counts. */
	for (i = 0; i < it->n; i++)
		s.items[i] = item_of(0, (rt_u32)(s.items[i] >> 32) + s.oldest, (rt_u32)s.items[i]);
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

	if (!rt_map_enter(c, m, &guard))
		return 0;
	while (it->i < it->n && !found) {
		item next = items[it->i++];

		/* Nodes above `used' are of before a clear. */
		if ((rt_u32)next > RT_LOAD_ACQUIRE(&m->used) || item_node(m, next)->birth != (rt_u32)(next >> 32))
			continue;
		found = fill(c, m, (rt_u32)next, key, value);
		if (!found)
			break;
	}
	rt_map_leave(m, &guard);
	return found;
}

void rt_iter_end(struct rt_ctx *c, struct rt_iter *it)
{
	c->iter_pos = it->mark;
}
