/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The globals that need no lock.
 *
 * symbol.unlocked: a long that every statement uses at most once, alone, by a single read, write, ++, --, += or -=, is handled with
 * single atomic operations.  Any other use of it anywhere gives it a lock, except statements that only read, in probes that run
 * alone.  A global that regions.c finds used twice, and changed, in one region keeps its lock too.
 * Arrays of longs likewise: without the lock each CPU counts for itself (rt/map_shared.c).  There, assigning and deleting an
 * element takes the locks of all CPUs, so these are only done in probes that run alone; foreach, `in' and deleting all elements
 * may be done in all.
 *
 * symbol.settled: read by handlers that run in parallel, but written only by probes that run alone (begin, end, error), so it does
 * not change while it is read by others.
 */

#include "translator/opt/opt.h"
#include "translator/resolve/embedded.h"
#include "translator/uses.h"

bool opt_is_alone(const struct probe *p)
{
	for (size_t i = 0; i < p->sites.n; i++)
		if (!p->sites.v[i]->is_alone)
			return false;
	return true;
}

/* ---- globals in an expression ---- */

struct globals {
	unsigned mentions, use;
};

static void count(struct uses *u, const struct mention *m)
{
	struct globals *g = u->ctx;

	if (!m->v || m->v->kind != SYM_GLOBAL)
		return;
	g->mentions++;
	g->use |= m->use;
}

static struct globals globals_in(struct node *n)
{
	struct globals g = {0};

	uses_walk(&(struct uses){.mention = count, .ctx = &g}, n, false);
	return g;
}

static void keep_lock(struct uses *u, const struct mention *m)
{
	(void)u;
	if (m->v && m->v->kind == SYM_GLOBAL)
		m->v->unlocked = false;
}

static void lose(struct node *n)
{
	uses_walk(&(struct uses){.mention = keep_lock}, n, false);
}

/* The global that n changes, as a whole or an element of it. */
static const struct symbol *changed_global(const struct node *n)
{
	const struct node *to = ast_changed(n);
	const struct symbol *v = to ? opt_variable(to) : NULL;

	return v && v->kind == SYM_GLOBAL ? v : NULL;
}

/* A global, or an element of one, is changed in one step. */
static bool is_single_change(const struct node *n, bool alone)
{
	const struct symbol *v = changed_global(n);

	return v && (n->op == OP_ADD || n->op == OP_SUB || (n->op == OP_SET && (!v->is_array || alone)));
}

/* One whole expression: everything in it shares a lock region. */
static void root(struct node *n, bool discarded, bool alone)
{
	struct globals g = globals_in(n);
	bool writes = g.use & USE_SETS;

	if (alone && !writes)
		return;
	if (g.mentions == 1 && (!writes || (discarded && is_single_change(n, alone))))
		return;
	if (n->kind == N_ASSIGN && n->op == OP_STAT_ADD && discarded && g.mentions == 1)
		return;
	lose(n);
}

/* Cells for each CPU must be worth their memory: 256 KB at most. */
static bool may_be_unlocked(struct session *s, const struct symbol *v)
{
	enum { MOST = 256 * 1024 / RT_COUNT_BYTES };

	return v->type == T_LONG && (!v->is_array || (!(v->decl->flags & NF_WRAP) && session_array_max(s, v) <= MOST));
}

/* An array, or a slice or an element of one, that foreach or delete uses: these lock the array themselves, but not the globals in subscripts. */
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
		else if (role == ROLE_READ)
			root(*child, ast_discards(n, child), alone);
		else /* variables of foreach and catch */
			lose(*child);
	}
}

/* ---- what changes while other handlers run ---- */

struct beside {
	struct arena *arena;
	struct map seen;         /* functions */
	struct map touched, set; /* globals */
};

static void touch(struct uses *u, const struct mention *m)
{
	struct beside *b = u->ctx;

	if (!m->v || m->v->kind != SYM_GLOBAL)
		return;
	map_set(b->arena, &b->touched, (const char *)m->v, m->v);
	if (m->use & USE_SETS)
		map_set(b->arena, &b->set, (const char *)m->v, m->v);
}

static bool is_new(struct uses *u, struct function *f)
{
	struct beside *b = u->ctx;

	return !map_set(b->arena, &b->seen, (const char *)f, f);
}

static void settle(struct session *s)
{
	struct beside b = {.arena = &s->arena};
	struct uses u = {.mention = touch, .function = is_new, .ctx = &b, .arena = &s->arena};

	for (size_t i = 0; i < s->prog.probes.n; i++)
		if (!opt_is_alone(s->prog.probes.v[i]))
			uses_walk_probe(&u, s->prog.probes.v[i]);
	for (size_t i = 0; i < b.touched.n; i++) {
		struct symbol *v = b.touched.entries[i].value;
		v->settled = !map_get(&b.set, (const char *)v);
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
