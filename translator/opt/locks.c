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

	AST_EACH(child, n)
		count += globals_in(*child);
	return count;
}

static void lose(struct node *n)
{
	if (n->sym && n->sym->kind == SYM_GLOBAL)
		n->sym->unlocked = false;
	AST_EACH(child, n)
		lose(*child);
}

/* The global that n changes, or an element of it. */
static const struct symbol *changed_global(const struct node *n)
{
	const struct node *to = ast_changed(n);
	const struct symbol *v = to ? opt_variable(to) : NULL;

	return v && v->kind == SYM_GLOBAL ? v : NULL;
}

static bool writes_global(const struct node *n)
{
	if (changed_global(n))
		return true;
	AST_EACH(child, n)
		if (writes_global(*child))
			return true;
	return false;
}

/* A global, or an element of one, is changed in one step. */
static bool is_single_change(const struct node *n, bool alone)
{
	const struct symbol *v = changed_global(n);

	return v && (n->op == OP_ADD || n->op == OP_SUB || (n->op == OP_SET && (!v->is_array || alone)));
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
	for (unsigned i = 0; n->kind == N_INDEX && i < INDEX_KEYS(n); i++)
		lose(INDEX_KEY(n, i));
	if (n->kind != N_INDEX && n->kind != N_NAME)
		lose(n);
}

static void deleted(struct node *n, bool alone)
{
	if (n->kind == N_INDEX ? alone : n->sym->is_array)
		walked(n);
	else
		lose(n);
}

static void statement(struct node *n, bool alone)
{
	AST_EACH(child, n) {
		enum ast_role role = ast_role(n, child);
		if (role == ROLE_BODY)
			statement(*child, alone);
		else if (role == ROLE_WALKED)
			walked(*child);
		else if (role == ROLE_DROPPED)
			deleted(*child, alone);
		else if (role == ROLE_READ && n->kind != N_FOREACH)
			root(*child, ast_discards(n, child), alone);
		else /* variables of foreach and catch; a limit is no expression by itself */
			lose(*child);
	}
}

/* ---- what changes while other handlers run ---- */

struct beside {
	struct session *s;
	struct map seen;             /* functions */
	struct map touched, written; /* globals */
	VEC(struct function *) todo;
};

static void beside(struct beside *b, struct node *n)
{
	for (struct function *f = n->kind == N_CALL ? n->sym->function : NULL; f; f = function_next(f))
		if (!map_set(&b->s->arena, &b->seen, (const char *)f, f))
			vec_push(&b->s->arena, &b->todo, f);
	if (n->sym && n->sym->kind == SYM_GLOBAL)
		map_set(&b->s->arena, &b->touched, (const char *)n->sym, n->sym);
	AST_EACH(child, n) {
		struct symbol *v = ast_sets(n, child) ? opt_variable(*child) : NULL;
		if (v)
			map_set(&b->s->arena, &b->written, (const char *)v, v);
		beside(b, *child);
	}
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
