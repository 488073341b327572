// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of an image that were made while the session runs.  They may be made of damaged files: every number by which something is found in them is
 * checked once, so that no walk has to.
 */
#include "rt/lib.h"

struct piece {
	const char *at;
	rt_u64 left;
	rt_bool bad;
};

/* The next n objects of that size. */
static const void *cut(struct piece *p, rt_u32 n, rt_u32 size)
{
	rt_u64 bytes = (rt_u64)n * size;
	const char *at = p->at;

	if (p->bad || bytes > p->left) {
		p->bad = 1;
		return 0;
	}
	p->at += bytes;
	p->left -= bytes;
	return at;
}

static rt_bool rules_are_good(const struct rt_unwind_rule *r, rt_u32 n)
{
	for (; n--; r++)
		if (r->cfa > RT_CFA_PARENT || r->reg >= RT_UNWIND_REGISTERS || r->changed & 1 || r->changed >> RT_UNWIND_REGISTERS)
			return 0;
	return 1;
}

static rt_bool rows_are_good(const struct rt_image *m, rt_u32 nrules)
{
	for (rt_u32 i = 0; i < m->nrows; i++)
		if (m->rule[i] >= nrules)
			return 0;
	for (rt_u32 i = 0; i < m->nblocks; i++)
		if (m->blocks[i] >= m->nrows)
			return 0;
	return 1;
}

#define NAME_MOST 8192 /* bytes: a handler may have to go through a name */

static rt_bool names_are_good(const char *names, rt_u32 n)
{
	rt_u32 length = 0;

	for (rt_u32 i = 0; i < n; i++) {
		length = names[i] ? length + 1 : 0;
		if (length > NAME_MOST)
			return 0;
	}
	return !length;
}

static rt_bool symbols_are_good(const struct rt_image *m, rt_u32 nnames)
{
	for (rt_u32 i = 0; i < m->nsymbols; i++)
		if (m->symbols[i].name >= nnames)
			return 0;
	return names_are_good(m->names, nnames);
}

static rt_bool is_text(const char *s, rt_u32 n)
{
	return n && !s[n - 1];
}

static rt_bool cut_all(struct piece *p, const struct rt_image_tables *t, struct rt_image *m)
{
	m->rules = cut(p, t->nrules, sizeof *m->rules);
	m->code = cut(p, t->ncode, sizeof *m->code);
	m->symbols = cut(p, t->nsymbols, sizeof *m->symbols);
	m->at = cut(p, t->nrows, sizeof *m->at);
	m->blocks = cut(p, t->nblocks, sizeof *m->blocks);
	m->rule = cut(p, t->nrows, sizeof *m->rule);
	m->names = cut(p, t->nnames, 1);
	m->path = cut(p, t->npath, 1);
	m->build_id = cut(p, t->nbuild_id, 1);
	return !p->bad && !p->left;
}

rt_bool rt_image_tables_read(const void *tables, rt_u64 size, struct rt_image *m)
{
	const struct rt_image_tables *t = tables;
	struct piece p = {.at = (const char *)tables + sizeof *t, .left = size - sizeof *t};

	*m = (struct rt_image){0};
	if (size < sizeof *t || !cut_all(&p, t, m) || !is_text(m->path, t->npath) || !is_text(m->build_id, t->nbuild_id))
		return 0;
	m->nrows = t->nrows;
	m->nblocks = t->nblocks;
	m->nsymbols = t->nsymbols;
	m->ncode = t->ncode;
	if (!*m->build_id)
		m->build_id = 0;
	if (!t->nrows || !t->nblocks)
		m->rules = 0; /* nothing says how to get to a caller */
	return rules_are_good(m->rules, m->rules ? t->nrules : 0) && rows_are_good(m, t->nrules) && symbols_are_good(m, t->nnames);
}
