// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arrays: nodes, buckets, the list of insertion, and what scripts do with single elements (rt/map.h has the overview).
 */
#include "rt/map.h"
#include "rt/globals.h"

/* ---- making one ---- */

/* Places value and keys in the node, longs before strings so that those stay aligned. */
static void lay_out(struct rt_map *m)
{
	const struct rt_map_shape *shape = m->shape;
	rt_u32 slot = (rt_u32)rt_round_up(sizeof(struct rt_strvar) + rt_script.limits->string_max + 1, 4);
	rt_u32 at = sizeof(struct rt_node), i;

	if (shape->value == RT_LONG) {
		m->value = at;
		at += 8;
	}
	for (i = 0; i < shape->nkeys; i++)
		if (shape->key[i] == RT_LONG) {
			m->key[i] = at;
			at += 8;
		}
	for (i = 0; i < shape->nkeys; i++)
		if (shape->key[i] == RT_STRING) {
			m->key[i] = at;
			at += slot;
		}
	if (shape->value == RT_STRING) {
		m->value = at;
		at += slot;
	}
	m->node_size = rt_round_up(at, 8);
}

struct rt_map *rt_map_new(const struct rt_map_shape *shape)
{
	struct rt_map *m = rt_port_alloc(sizeof(*m));
	rt_u32 buckets = 1;

	if (!m)
		return 0;
	m->shape = shape;
	m->one_long = shape->nkeys == 1 && shape->key[0] == RT_LONG;
	while (buckets < shape->max && buckets < 1u << 31)
		buckets *= 2;
	m->mask = buckets - 1;
	lay_out(m);
	m->heads = rt_port_alloc(buckets * sizeof(*m->heads));
	m->nodes = rt_port_alloc((shape->max ? shape->max : 1) * m->node_size);
	if (!m->heads || !m->nodes || (rt_map_guards_itself(m) && rt_map_make_cells(m))) {
		rt_map_destroy(m);
		return 0;
	}
	return m;
}

void rt_map_destroy(struct rt_map *m)
{
	if (!m)
		return;
	rt_map_free_cells(m);
	rt_port_free(m->nodes);
	rt_port_free(m->heads);
	rt_port_free(m);
}

/* ---- keys ---- */

static rt_u64 mix(rt_u64 h, rt_u64 v)
{
	unsigned __int128 product = (unsigned __int128)(h ^ v) * 0x9e3779b97f4a7c15ULL;

	return (rt_u64)product ^ (rt_u64)(product >> 64);
}

/* The last 8 bytes at once, some of them perhaps again. */
static rt_u64 mix_str(rt_u64 h, struct rt_str s)
{
	rt_u64 v = 0;
	rt_size i;

	h = mix(h, s.n + 0x7f4a7c15ULL);
	if (s.n >= 8) {
		for (i = 0; i < s.n - 8; i += 8)
			h = mix(h, rt_word_at(s.p + i));
		return mix(h, rt_word_at(s.p + s.n - 8));
	}
	for (i = 0; i < s.n; i++)
		v = v << 8 | (unsigned char)s.p[i];
	return mix(h, v);
}

rt_u32 rt_map_hash_keys(const struct rt_map *m, const union rt_val *key)
{
	const struct rt_map_shape *shape = m->shape;
	rt_u64 h = 0x2545f4914f6cdd1dULL;
	rt_u32 i;

	for (i = 0; i < shape->nkeys; i++)
		h = shape->key[i] == RT_LONG ? mix(h, (rt_u64)key[i].l) : mix_str(h, key[i].s);
	return (rt_u32)(h >> 32);
}

rt_bool rt_map_keys_match(const struct rt_map *m, struct rt_node *node, const union rt_val *key, rt_u32 fixed)
{
	const struct rt_map_shape *shape = m->shape;
	rt_u32 i;

	for (i = 0; i < shape->nkeys; i++) {
		if (!(fixed >> i & 1))
			continue;
		if (shape->key[i] == RT_LONG ? *rt_node_long(node, m->key[i]) != key[i].l
					     : !rt_str_eq(rt_node_str(node, m->key[i]), key[i].s))
			return 0;
	}
	return 1;
}

static void set_str(struct rt_node *node, rt_u32 offset, struct rt_str s)
{
	rt_strvar_set(0, rt_node_strvar(node, offset), s);
}

/* ---- nodes ---- */

static rt_u32 take_node(struct rt_map *m)
{
	rt_u32 i = m->free;

	if (!i) {
		i = m->used + 1;
		/* A foreach on another CPU may still name an element from before the array was emptied: it must not find the new keys. */
		RT_STORE(&rt_map_node(m, i)->birth, 0);
		RT_STORE_RELEASE(&m->used, i);
		return i;
	}
	m->free = rt_map_node(m, i)->chain;
	RT_STORE(&m->reused, 1);
	return i;
}

rt_bool rt_map_full(const struct rt_map *m)
{
	return m->n >= m->shape->max;
}

static rt_bool make_room(struct rt_ctx *c, struct rt_map *m)
{
	if (m->shape->wrap && m->head) {
		rt_map_remove(m, m->head);
		return 1;
	}
	if (m->shape->sized)
		rt_error(c, "Array overflow, check size limit (%u)", m->shape->max);
	else
		rt_error(c, "Array overflow, check MAXMAPENTRIES");
	return 0;
}

rt_u32 rt_map_insert(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_u32 hash)
{
	const struct rt_map_shape *shape = m->shape;
	rt_u64 *head = &m->heads[hash & m->mask];
	struct rt_node *node;
	rt_u32 i, k, births;

	if (RT_UNLIKELY(rt_map_full(m)) && !make_room(c, m))
		return 0;
	i = take_node(m);
	node = rt_map_node(m, i);
	for (k = 0; k < shape->nkeys; k++)
		if (shape->key[k] == RT_LONG)
			*rt_node_long(node, m->key[k]) = key[k].l;
		else
			set_str(node, m->key[k], key[k].s);
	if (shape->value == RT_LONG)
		*rt_node_long(node, m->value) = 0;
	else if (shape->value == RT_STRING)
		set_str(node, m->value, RT_EMPTY);
	node->hash = hash;
	node->chain = rt_map_first(m, hash);
	node->prev = m->tail;
	node->next = 0;
	births = m->births + 1 ? m->births + 1 : 1;
	RT_STORE_RELEASE(&m->births, births);
	RT_STORE_RELEASE(&node->birth, births); /* walks read nodes by number */
	RT_STORE_RELEASE(head, (rt_u64)m->epoch << 32 | i);
	RT_STORE_RELEASE(m->tail ? &rt_map_node(m, m->tail)->next : &m->head, i);
	m->tail = i;
	RT_STORE(&m->n, m->n + 1);
	return i;
}

void rt_map_remove(struct rt_map *m, rt_u32 i)
{
	struct rt_node *node = rt_map_node(m, i);
	rt_u64 *head = &m->heads[node->hash & m->mask];
	rt_u32 *link;

	if (m->pools)
		rt_map_forget_quantiles(m, i);
	if ((rt_u32)*head == i) {
		RT_STORE(head, (rt_u64)m->epoch << 32 | node->chain);
	} else {
		for (link = &rt_map_node(m, (rt_u32)*head)->chain; *link != i; link = &rt_map_node(m, *link)->chain)
			;
		*link = node->chain;
	}
	*(node->prev ? &rt_map_node(m, node->prev)->next : &m->head) = node->next;
	*(node->next ? &rt_map_node(m, node->next)->prev : &m->tail) = node->prev;
	node->birth = 0;
	node->chain = m->free;
	m->free = i;
	m->n--;
}

/* All nodes count as unused again; their old contents have an earlier birth, and the heads an earlier epoch. */
void rt_map_remove_all(struct rt_map *m)
{
	if (m->pools)
		rt_map_forget_all_quantiles(m);
	if (!++m->epoch) /* once in four billion times */
		memset(m->heads, 0, (m->mask + (rt_size)1) * sizeof(*m->heads));
	m->n = m->used = m->head = m->tail = m->free = 0;
	m->reused = 0;
}

/* ---- elements ---- */

rt_s64 rt_map_get_long(struct rt_ctx *c, struct rt_map *m, const union rt_val *key)
{
	struct rt_map_guard guard;
	rt_s64 v;
	rt_u32 i;

	if (!rt_map_enter(c, m, &guard))
		return 0;
	i = rt_map_find(m, key, rt_map_hash(m, key));
	v = i ? rt_map_long(m, i) : 0;
	rt_map_leave(m, &guard);
	return v;
}

struct rt_str rt_map_get_str(struct rt_ctx *c, struct rt_map *m, const union rt_val *key)
{
	rt_u32 i = rt_map_find(m, key, rt_map_hash(m, key));

	return i ? rt_strvar_get(c, rt_node_strvar(rt_map_node(m, i), m->value)) : RT_EMPTY;
}

static struct rt_node *find_or_make(struct rt_ctx *c, struct rt_map *m, const union rt_val *key)
{
	rt_u32 hash = rt_map_hash(m, key), i = rt_map_find(m, key, hash);

	if (RT_UNLIKELY(!i))
		i = rt_map_insert(c, m, key, hash);
	return i ? rt_map_node(m, i) : 0;
}

rt_s64 *rt_map_ref(struct rt_ctx *c, struct rt_map *m, const union rt_val *key)
{
	struct rt_node *node = find_or_make(c, m, key);

	return node ? rt_node_long(node, m->value) : 0;
}

void rt_map_set_long(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, rt_s64 v)
{
	struct rt_node *node;

	if (m->cpus) {
		rt_map_set_shared(c, m, key, v);
		return;
	}
	node = find_or_make(c, m, key);
	if (node)
		*rt_node_long(node, m->value) = v;
}

void rt_map_set_str(struct rt_ctx *c, struct rt_map *m, const union rt_val *key, struct rt_str v)
{
	struct rt_node *node = find_or_make(c, m, key);

	if (node)
		set_str(node, m->value, v);
}

rt_bool rt_map_has(struct rt_ctx *c, struct rt_map *m, const union rt_val *key)
{
	struct rt_map_guard guard;
	rt_bool found;

	if (!rt_map_enter(c, m, &guard))
		return 0;
	found = rt_map_find(m, key, rt_map_hash(m, key)) != 0;
	rt_map_leave(m, &guard);
	return found;
}

void rt_map_delete(struct rt_ctx *c, struct rt_map *m, const union rt_val *key)
{
	struct rt_map_guard guard;
	rt_u32 i;

	if (!rt_map_enter_all(c, m, &guard))
		return;
	i = rt_map_find(m, key, rt_map_hash(m, key));
	if (i)
		rt_map_remove(m, i);
	rt_map_leave_all(m, &guard);
}

void rt_map_clear(struct rt_ctx *c, struct rt_map *m)
{
	struct rt_map_guard guard;

	if (!rt_map_enter_all(c, m, &guard))
		return;
	rt_map_remove_all(m);
	rt_map_leave_all(m, &guard);
}
