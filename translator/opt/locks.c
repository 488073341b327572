/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The globals that need no lock.
 *
 * symbol.unlocked: a long that every statement touches at most once, alone, by a single read, write, ++, --, += or -=, is
 * handled with single atomic operations.  Anything else about it, anywhere, and it keeps its lock, but for statements that only read
 * in probes that run alone.  What regions.c finds touched twice, and changed, in one region keeps its lock too.
 * Arrays of longs are handled alike: without the lock each CPU counts for itself (rt/map_shared.c).  As assigning and
 * deleting elements takes the locks of all CPUs there, these are for probes that run alone; foreach, `in' and deleting all are not.
 *
 * symbol.settled: read by handlers that run beside others, but written only by probes that run alone (begin, end, error): it
 * does not change while anybody else looks.
 */
#include <string.h>

#include "translator/opt/opt.h"
#include "translator/resolve/embedded.h"

bool opt_is_alone(const struct probe *p)
{
	for (size_t i = 0; i < p->sites.n; i++)
		if (!p->sites.v[i]->is_alone)
			return false;
	return true;
}

static unsigned globals_in(const struct node *n)
{
	unsigned count = n->sym && n->sym->kind == SYM_GLOBAL;

	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			count += globals_in(n->k[i]);
	return count;
}

static void lose(struct node *n)
{
	if (n->sym && n->sym->kind == SYM_GLOBAL)
		n->sym->unlocked = false;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			lose(n->k[i]);
}

static bool writes_global(const struct node *n)
{
	struct symbol *v = n->kind == N_ASSIGN || n->kind == N_INCDEC ? opt_variable(n->k[0]) : NULL;

	if (v && v->kind == SYM_GLOBAL)
		return true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && writes_global(n->k[i]))
			return true;
	return false;
}

/* A global, or an element of one, is changed in one step. */
static bool is_single_change(const struct node *n, bool alone)
{
	struct symbol *v;

	if (n->kind != N_INCDEC && !(n->kind == N_ASSIGN && (n->op == OP_SET || n->op == OP_ADD || n->op == OP_SUB)))
		return false;
	v = opt_variable(n->k[0]);
	return v && v->kind == SYM_GLOBAL && (!v->is_array || n->op != OP_SET || alone);
}

/* One whole expression: what stands in it shares a lock region. */
static void root(struct node *n, bool discarded, bool alone)
{
	unsigned count = globals_in(n);
	bool simple = discarded && is_single_change(n, alone);

	if (alone && !writes_global(n))
		return;
	if (count == 1 && (simple || !writes_global(n)))
		return;
	if (n->kind == N_ASSIGN && n->op == OP_STAT_ADD && discarded && count == 1)
		return;
	lose(n);
}

/* Cells for each CPU must be worth their memory: 256 KB at most. */
static bool may_be_unlocked(struct session *s, const struct symbol *v)
{
	enum { MOST = 16384 };

	return v->type == T_LONG && (!v->is_array || (!(v->decl->flags & NF_WRAP) && session_array_max(s, v) <= MOST));
}

/* An array, or a slice or an element of one, that foreach or delete takes: the array guards itself, the subscripts do not. */
static void walked(struct node *n)
{
	if (n->kind == N_INDEX)
		for (unsigned i = 1; i < n->nk; i++)
			lose(n->k[i]);
	else if (n->kind != N_NAME)
		lose(n);
}

static void statement(struct node *n, bool alone)
{
	switch (n->kind) {
	case N_EXPR:
		root(n->k[0], true, alone);
		return;
	case N_IF:
		root(n->k[0], false, alone);
		statement(n->k[1], alone);
		if (n->k[2])
			statement(n->k[2], alone);
		return;
	case N_FOR:
		for (unsigned i = 0; i < 3; i++)
			if (n->k[i])
				root(n->k[i], i != 1, alone);
		statement(n->k[3], alone);
		return;
	case N_FOREACH:
		walked(n->k[0]);
		for (unsigned i = 1; i < n->nk; i++) {
			if (i == 3)
				statement(n->k[3], alone);
			else if (n->k[i])
				lose(n->k[i]);
		}
		return;
	case N_RETURN:
		if (n->k[0])
			root(n->k[0], false, alone);
		return;
	case N_DELETE:
		if (n->k[0]->kind == N_INDEX ? alone : n->k[0]->sym->is_array)
			walked(n->k[0]);
		else
			lose(n->k[0]);
		return;
	case N_TRY:
		statement(n->k[0], alone);
		if (n->k[1])
			lose(n->k[1]);
		statement(n->k[2], alone);
		return;
	case N_BLOCK:
		for (unsigned i = 0; i < n->nk; i++)
			statement(n->k[i], alone);
		return;
	default:
		return;
	}
}

/* ---- what changes while other handlers run ---- */

struct beside {
	struct session *s;
	struct map seen;             /* functions */
	struct map touched, written; /* globals */
	VEC(struct function *) todo;
};

static void written(struct beside *b, const struct node *n)
{
	struct symbol *v = n ? opt_variable(n) : NULL;

	if (v)
		map_set(&b->s->arena, &b->written, (const char *)v, v);
}

static void beside(struct beside *b, struct node *n)
{
	for (struct function *f = n->kind == N_CALL ? n->sym->function : NULL; f; f = function_next(f))
		if (!map_set(&b->s->arena, &b->seen, (const char *)f, f))
			vec_push(&b->s->arena, &b->todo, f);
	if (n->sym && n->sym->kind == SYM_GLOBAL)
		map_set(&b->s->arena, &b->touched, (const char *)n->sym, n->sym);
	if (n->kind == N_ASSIGN || n->kind == N_INCDEC || n->kind == N_DELETE)
		written(b, n->k[0]);
	if (n->kind == N_TRY)
		written(b, n->k[1]);
	if (n->kind == N_FOREACH)
		for (unsigned i = 1; i < n->nk; i++)
			if (i == 1 || i > 3)
				written(b, n->k[i]);
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			beside(b, n->k[i]);
}

/* What C uses by the locks that its function takes. */
static void embedded(struct beside *b, const struct embedded *c)
{
	for (size_t i = 0; c && i < c->uses.n; i++) {
		struct symbol *v = c->uses.v[i].global;
		map_set(&b->s->arena, &b->touched, (const char *)v, v);
		if (c->uses.v[i].written)
			map_set(&b->s->arena, &b->written, (const char *)v, v);
	}
}

static void settle(struct session *s)
{
	struct beside b = {.s = s};

	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		if (opt_is_alone(p))
			continue;
		for (size_t k = 0; k < p->entries.n; k++)
			beside(&b, p->entries.v[k]->value);
		beside(&b, p->body);
	}
	for (size_t i = 0; i < b.todo.n; i++) {
		embedded(&b, b.todo.v[i]->embedded);
		beside(&b, b.todo.v[i]->body);
	}
	for (size_t i = 0; i < b.touched.n; i++) {
		struct symbol *v = b.touched.entries[i].value;
		v->settled = !map_get(&b.written, (const char *)v);
	}
}

void opt_locks(struct session *s)
{
	for (size_t i = 0; i < s->prog.global_list.n; i++) {
		struct symbol *v = s->prog.global_list.v[i];
		v->unlocked = may_be_unlocked(s, v);
	}
	for (size_t i = 0; i < s->prog.function_list.n; i++) {
		const struct function *f = s->prog.function_list.v[i];
		for (size_t k = 0; f->embedded && k < f->embedded->uses.n; k++)
			f->embedded->uses.v[k].global->unlocked = false;
		if (!f->embedded)
			statement(f->body, false);
	}
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		for (size_t k = 0; k < p->entries.n; k++)
			root(p->entries.v[k]->value, false, false);
		statement(p->body, opt_is_alone(p));
	}
	opt_regions_need_locks(s);
	settle(s);
}
