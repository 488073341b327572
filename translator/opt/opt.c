/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "opt": keeps what can be reached, and finds which globals need no lock.
 * Reads: the checked tree.  Writes: prog.function_list (only functions that run), prog.global_list (globals in use, with their
 * index), symbol.unlocked, symbol.assigned_in_loop.
 */
#include "translator/pipeline.h"

/* ---- reachability ---- */

static void reach(struct session *s, struct node *n);

static void reach_function(struct session *s, struct function *f)
{
	if (f->used)
		return;
	f->used = true;
	if (f->body->kind != N_EMBEDDED)
		reach(s, f->body);
}

static void reach(struct session *s, struct node *n)
{
	if (n->kind == N_CALL)
		for (struct function *f = n->sym->function; f; f = function_next(f))
			reach_function(s, f);
	if (n->sym && n->sym->kind == SYM_GLOBAL)
		n->sym->used = true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			reach(s, n->k[i]);
}

static void keep_reachable(struct session *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		for (size_t k = 0; k < p->entries.n; k++)
			reach(s, p->entries.v[k]->value);
		reach(s, p->body);
	}
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->used)
			s->prog.function_list.v[kept++] = s->prog.function_list.v[i];
	s->prog.function_list.n = kept;
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		struct symbol *v = s->prog.globals.entries[i].value;
		for (size_t k = 0; k < s->opt.globals.n; k++) { /* -G may set what nothing reads */
			const char *g = s->opt.globals.v[k];
			size_t n = 0;
			while (v->name[n] && v->name[n] == g[n])
				n++;
			v->used |= !v->name[n] && g[n] == '=' && v->type != T_UNKNOWN;
		}
		if (!v->used)
			continue;
		v->index = (unsigned)s->prog.global_list.n;
		vec_push(&s->arena, &s->prog.global_list, v);
	}
}

/* ---- globals that need no lock ---- */

/*
 * A long that every statement touches at most once, alone, by a single read, write, ++, --, += or -=, is handled with
 * single atomic operations.  Anything else about it, anywhere, and it keeps its lock.
 */
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
	if ((n->kind == N_ASSIGN || n->kind == N_INCDEC) && n->k[0]->sym && n->k[0]->sym->kind == SYM_GLOBAL)
		return true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && writes_global(n->k[i]))
			return true;
	return false;
}

/* One whole expression: what stands in it shares a lock region. */
static void root(struct node *n, bool discarded)
{
	unsigned count = globals_in(n);
	bool simple = (n->kind == N_INCDEC ||
		       (n->kind == N_ASSIGN && (n->op == OP_SET || n->op == OP_ADD || n->op == OP_SUB))) &&
		      discarded && n->k[0]->kind == N_NAME;

	if (count == 1 && (simple || !writes_global(n)))
		return;
	if (n->kind == N_ASSIGN && n->op == OP_STAT_ADD && discarded && count == 1)
		return;
	lose(n);
}

static void statement(struct node *n)
{
	switch (n->kind) {
	case N_EXPR:
		root(n->k[0], true);
		return;
	case N_IF:
		root(n->k[0], false);
		statement(n->k[1]);
		if (n->k[2])
			statement(n->k[2]);
		return;
	case N_FOR:
		for (unsigned i = 0; i < 3; i++)
			if (n->k[i])
				root(n->k[i], i != 1);
		statement(n->k[3]);
		return;
	case N_FOREACH:
		lose(n->k[0]);
		for (unsigned i = 1; i < n->nk; i++) {
			if (i == 3)
				statement(n->k[3]);
			else if (n->k[i])
				lose(n->k[i]);
		}
		return;
	case N_RETURN:
		if (n->k[0])
			root(n->k[0], false);
		return;
	case N_DELETE:
		lose(n->k[0]);
		return;
	case N_TRY:
		statement(n->k[0]);
		if (n->k[1])
			lose(n->k[1]);
		statement(n->k[2]);
		return;
	case N_BLOCK:
		for (unsigned i = 0; i < n->nk; i++)
			statement(n->k[i]);
		return;
	default:
		return;
	}
}

/* ---- string locals that are assigned in loops ---- */

static void in_loops(struct node *n, bool loop)
{
	struct node *assigned = n->kind == N_ASSIGN ? n->k[0] : n->kind == N_TRY ? n->k[1] : NULL;

	if (assigned && assigned->kind == N_NAME && loop)
		assigned->sym->assigned_in_loop = true;
	if (n->kind == N_FOREACH) {
		for (unsigned i = 4; i < n->nk; i++)
			n->k[i]->sym->assigned_in_loop = true;
		if (n->k[1])
			n->k[1]->sym->assigned_in_loop = true;
	}
	loop |= n->kind == N_FOR || n->kind == N_FOREACH;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			in_loops(n->k[i], loop);
}

int opt_pass(struct session *s)
{
	keep_reachable(s);
	for (size_t i = 0; i < s->prog.global_list.n; i++) {
		struct symbol *v = s->prog.global_list.v[i];
		v->unlocked = v->type == T_LONG && !v->is_array && !s->opt.unoptimized;
	}
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->body->kind != N_EMBEDDED) {
			statement(s->prog.function_list.v[i]->body);
			in_loops(s->prog.function_list.v[i]->body, false);
		}
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		struct probe *p = s->prog.probes.v[i];
		for (size_t k = 0; k < p->entries.n; k++)
			root(p->entries.v[k]->value, false);
		statement(p->body);
		in_loops(p->body, false);
	}
	return 0;
}
