/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part of the pass "points": variables without a "$" that the site of a probe gives to its handler.  They are locals as those that an alias
 * assigns: each that the handler reads is assigned before its first statement, by a call of a function of the tapset; at a return,
 * with what it was at the entry.
 */
#include "translator/resolve/site_locals.h"

#include <string.h>

#include "base/intern.h"
#include "base/map.h"
#include "translator/resolve/resolve.h"

enum use { NOT_USED, ASSIGNED_FIRST, READ };

static bool mentions(const struct node *n, const char *name)
{
	if (n->kind == N_NAME && n->name == name)
		return true;
	AST_EACH(child, n)
		if (mentions(*child, name))
			return true;
	return false;
}

/* Is it "name = value", as a statement? */
static bool assigns(const struct node *n, const char *name)
{
	const struct node *e = n->kind == N_EXPR ? EXPR_VALUE(n) : n;

	return e->kind == N_ASSIGN && e->op == OP_SET && ASSIGN_TO(e)->kind == N_NAME && ASSIGN_TO(e)->name == name &&
	       !mentions(ASSIGN_VALUE(e), name);
}

/* Is the variable of the handler in any case assigned before it is read? */
static enum use use_of(const struct node *n, const char *name)
{
	if (n->kind != N_BLOCK)
		return assigns(n, name) ? ASSIGNED_FIRST : mentions(n, name) ? READ : NOT_USED;
	AST_EACH(child, n) {
		enum use u = use_of(*child, name);
		if (u != NOT_USED)
			return u;
	}
	return NOT_USED;
}

static bool is_read(struct session *s, const char *name, const struct node *body)
{
	return use_of(body, name) == READ && !declare_find_global(s, name, body->loc);
}

/* $NAME of one of them, which other sites do not have. */
static bool has_target(const struct node *n, const struct site *t)
{
	if (n->kind == N_TARGET && n->name[1] != '$' && probe_local_number(t, n->name + 1))
		return true;
	AST_EACH(child, n)
		if (has_target(*child, t))
			return true;
	return false;
}

bool site_locals_used(struct session *s, const struct site *t, const struct node *body)
{
	for (const struct probe_local *l = t->locals; l && l->name; l++)
		if (is_read(s, l->name, body))
			return true;
	return t->locals && has_target(body, t);
}

static struct node *call_of(struct session *s, const char *function, int64_t argument, struct loc loc)
{
	struct node *call = ast_new(&s->arena, N_CALL, loc, 0);

	call->name = intern(function);
	ast_add(&s->arena, call, ast_number(&s->arena, loc, argument));
	return call;
}

static struct node *at_entry(struct session *s, struct node *value)
{
	struct node *n = ast_new(&s->arena, N_ENTRY, value->loc, 1);

	ENTRY_VALUE(n) = value;
	return n;
}

static struct node *assignment(struct session *s, const struct site *t, const struct probe_local *l, struct loc loc)
{
	struct node *value = call_of(s, l->function, l->argument, loc), *name = ast_new(&s->arena, N_NAME, loc, 0);
	struct node *assign = ast_new(&s->arena, N_ASSIGN, loc, 2), *n = ast_new(&s->arena, N_EXPR, loc, 1);

	if (l->saved)
		ast_add(&s->arena, value, at_entry(s, call_of(s, l->saved, l->argument, loc)));
	for (unsigned i = 0; i < l->npast; i++)
		ast_add(&s->arena, value, at_entry(s, call_of(s, l->past, i, loc)));
	if (t->is_return && !l->npast)
		value = at_entry(s, value);
	name->name = l->name;
	assign->op = OP_SET;
	assign->flags |= NF_TAPSET;
	ASSIGN_TO(assign) = name;
	ASSIGN_VALUE(assign) = value;
	EXPR_VALUE(n) = assign;
	return n;
}

struct node *site_locals_bind(struct session *s, const struct site *t, struct node *body)
{
	struct node *all = NULL;

	for (const struct probe_local *l = t->locals; l && l->name; l++) {
		if (!is_read(s, l->name, body))
			continue;
		if (!all)
			all = ast_new(&s->arena, N_BLOCK, body->loc, 0);
		ast_add(&s->arena, all, assignment(s, t, l, body->loc));
	}
	if (all)
		ast_add(&s->arena, all, body);
	return all ? all : body;
}

/* ---- sites that lack what others of the same handler have ---- */

/* Where the variable is named. */
static const struct node *place_of(const struct node *n, const char *name)
{
	const struct node *found = n->kind == N_NAME && n->name == name ? n : NULL;

	if (!found)
		AST_EACH(child, n)
			if ((found = place_of(*child, name)))
				break;
	return found;
}

bool site_locals_has(const struct site *t, const char *name)
{
	for (const struct probe_local *l = t->locals; l && l->name; l++)
		if (!strcmp(l->name, name))
			return true;
	return false;
}

void site_locals_list(struct session *s, const struct site *t, struct diag *d)
{
	struct sb text = {0};

	for (const struct probe_local *l = t->locals; l && l->name; l++)
		sb_printf(&text, "%s%s", text.n ? ", " : "", l->name);
	if (text.n)
		diag_hint(&s->diags, d, "%s has: %s; and $arg1 to $arg6", t->function, text.s);
	sb_free(&text);
}

static void lacks(struct session *s, const struct probe *p, const char *name)
{
	const struct site *t = p->sites.v[0];
	struct diag *d = s_error(s, place_of(p->body, name)->loc, E_NO_VARIABLE, "%s has no variable \"%s\"", probe_site_name(t), name);

	site_locals_list(s, t, d);
}

/* Reports the first handler of the declaration for which the variable is missing. */
static void check_others(struct session *s, size_t first, const struct node *decl, const char *name)
{
	for (size_t i = first; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];

		if (p->decl == decl && use_of(p->body, name) == READ) {
			lacks(s, p, name);
			return;
		}
	}
}

void site_locals_check(struct session *s, size_t first)
{
	struct map done = {0}; /* by declaration: its last name that was looked at */

	/* p was given l: site_locals_bind() put an assignment before the body */
	for (size_t i = first; i < s->prog.probes.n; i++) {
		const struct probe *p = s->prog.probes.v[i];

		for (const struct probe_local *l = p->sites.v[0]->locals; l && l->name; l++) {
			if (use_of(p->body, l->name) != ASSIGNED_FIRST || map_get(&done, l->name) == p->decl)
				continue;
			map_set(&s->arena, &done, l->name, p->decl);
			check_others(s, first, p->decl, l->name);
		}
	}
}
