// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strings: compare, copy, concatenate; string globals.  Strings that are made here end with a NUL that does not
 * count.
 */
#include "rt/lib.h"

int rt_str_cmp(struct rt_str a, struct rt_str b)
{
	int order = memcmp(a.p, b.p, rt_min(a.n, b.n));

	if (order)
		return order;
	return a.n < b.n ? -1 : a.n > b.n;
}

rt_bool rt_str_eq(struct rt_str a, struct rt_str b)
{
	return a.n == b.n && rt_bytes_equal(a.p, b.p, a.n);
}

struct rt_str rt_str_cat(struct rt_ctx *c, const struct rt_str *parts, rt_u32 n)
{
	rt_u32 max = rt_script.limits->string_max, len = 0, pos = 0, i;
	char *p;

	for (i = 0; i < n; i++)
		len = (rt_u32)rt_min((rt_u64)len + parts[i].n, max);
	p = rt_space(c, len + 1ULL);
	if (!p)
		return RT_EMPTY;
	for (i = 0; i < n && pos < len; i++) {
		rt_u32 part = (rt_u32)rt_min(parts[i].n, len - pos);

		memcpy(p + pos, parts[i].p, part);
		pos += part;
	}
	p[len] = 0;
	return (struct rt_str){p, len};
}

struct rt_str rt_str_constant(const char *p)
{
	return (struct rt_str){p, (rt_u32)rt_cut_len(p, rt_script.limits->string_max)};
}

struct rt_str rt_str_copy(struct rt_ctx *c, const char *p, rt_size n)
{
	struct rt_str part = {p, (rt_u32)rt_cut_len(p, rt_min(n, rt_script.limits->string_max))};

	return rt_str_cat(c, &part, 1);
}

void rt_entry_save_str(struct rt_ctx *c, rt_u32 slot, struct rt_str s)
{
	c->entry[slot] = rt_local_set(c, (char *)(c->entry + slot + 1), s).n;
}

struct rt_str rt_strvar_get(struct rt_ctx *c, const struct rt_strvar *v)
{
	struct rt_str part = {v->s, v->n};

	return rt_str_cat(c, &part, 1);
}

void rt_strvar_set(struct rt_ctx *c, struct rt_strvar *v, struct rt_str s)
{
	v->n = rt_local_set(c, v->s, s).n;
}
