/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions without parameters that are tagged "stable" give the same value during a whole hit: pid(), execname().  If a body calls
 * one in any case, and may call it again, its value is kept in a local from the first certain call on.
 */
#include "base/intern.h"
#include "translator/opt/opt.h"
#include "translator/resolve/embedded.h"

static bool is_stable(const struct node *n)
{
	const struct function *f = n->kind == N_CALL && n->sym && !CALL_ARGS(n) ? n->sym->function : NULL;

	return f && !f->first->gives_way && f->embedded && (f->embedded->tags & EMBEDDED_STABLE);
}

bool opt_is_sure(const struct node *n, struct node *const *child)
{
	if (n->kind == N_IF)
		return child == &IF_CONDITION(n);
	if (n->kind == N_TERNARY)
		return child == &TERNARY_CONDITION(n);
	if (n->kind == N_BINARY && op_kind(n->op) == OPK_LOG)
		return child == &BINARY_LEFT(n);
	if (n->kind == N_FOR) /* the condition is computed at least once */
		return child == &FOR_INIT(n) || child == &FOR_CONDITION(n);
	return n->kind != N_FOREACH && n->kind != N_TRY;
}

/* A function that is stable, not in seen, and called whenever the statement is reached. */
static struct symbol *sure_call(const struct node *n, const struct map *seen)
{
	if (is_stable(n))
		return map_get(seen, (const char *)n->sym) ? NULL : n->sym;
	AST_EACH(child, n) {
		struct symbol *f = opt_is_sure(n, child) ? sure_call(*child, seen) : NULL;
		if (f)
			return f;
	}
	return NULL;
}

/* Calls of f; those within loops count twice. */
static unsigned calls(const struct node *n, const struct symbol *f, unsigned each)
{
	unsigned count = n->kind == N_CALL && n->sym == f ? each : 0;

	if (n->kind == N_FOR || n->kind == N_FOREACH)
		each = 2;
	AST_EACH(child, n)
		count += calls(*child, f, each);
	return count;
}

static void put(struct opt *o, struct node **np, const struct symbol *f, struct symbol *v)
{
	struct node *n = *np;

	if (n->kind == N_CALL && n->sym == f) {
		*np = opt_name(o, v, n->loc);
		return;
	}
	AST_EACH(child, n)
		put(o, child, f, v);
}

struct symbol *opt_new_local(struct opt *o, const char *name, enum type type, struct node *decl)
{
	struct map *scope = o->probe ? &o->probe->scope : &o->function->scope;
	struct symbol *v = arena_new(&o->s->arena, struct symbol);

	while (map_get(scope, intern(name)) || map_get(&o->s->prog.globals, intern(name)))
		name = arena_printf(&o->s->arena, "_%s", name);
	v->kind = SYM_LOCAL;
	v->name = intern(name);
	v->decl = decl;
	v->type = type;
	v->read = v->written = true;
	map_set(&o->s->arena, scope, v->name, v);
	if (o->probe)
		vec_push(&o->s->arena, &o->probe->locals, v);
	else
		vec_push(&o->s->arena, &o->function->locals, v);
	return v;
}

struct node *opt_name(struct opt *o, struct symbol *v, struct loc loc)
{
	struct node *n = ast_name(&o->s->arena, loc, v->name);

	n->sym = v;
	n->type = v->type;
	return n;
}

struct node *opt_assignment(struct opt *o, struct symbol *v, struct node *value, struct loc loc)
{
	struct node *n = ast_new(&o->s->arena, N_EXPR, loc, 1), *set = ast_new(&o->s->arena, N_ASSIGN, loc, 2);

	set->op = OP_SET;
	set->type = v->type;
	ASSIGN_TO(set) = opt_name(o, v, loc);
	ASSIGN_VALUE(set) = value;
	EXPR_VALUE(n) = set;
	return n;
}

/* "v = f()", to put before the statement. */
static struct node *first_call(struct opt *o, struct symbol *f, struct symbol *v, struct loc loc)
{
	struct node *call = ast_new(&o->s->arena, N_CALL, loc, 0);

	call->name = f->name;
	call->sym = f;
	call->type = f->type;
	return opt_assignment(o, v, call, loc);
}

/* The rest of the block, from its i-th statement on. */
static unsigned calls_from(const struct node *block, unsigned i, const struct symbol *f)
{
	unsigned count = 0;

	for (; i < BLOCK_STATEMENTS(block); i++)
		count += calls(BLOCK_STATEMENT(block, i), f, 1);
	return count;
}

static void block(struct opt *o, struct node *n, bool in_loop)
{
	struct map seen = {0};

	for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++) {
		struct node *first;
		struct symbol *f;
		while ((f = sure_call(BLOCK_STATEMENT(n, i), &seen))) {
			map_set(&o->s->arena, &seen, (const char *)f, f);
			if (calls_from(n, i, f) < 2 || (in_loop && f->type == T_STRING)) /* a local of a loop is a copy */
				continue;
			struct symbol *v = opt_new_local(o, arena_printf(&o->s->arena, "__%s_once", f->name), f->type,
							 BLOCK_STATEMENT(n, i));
			for (unsigned k = i; k < BLOCK_STATEMENTS(n); k++)
				put(o, &BLOCK_STATEMENT(n, k), f, v);
			first = first_call(o, f, v, BLOCK_STATEMENT(n, i)->loc);
			ast_splice(&o->s->arena, n, i, i, &first, 1);
			i++;
		}
	}
}

/* Outer blocks first: what they keep, inner ones need not. */
static void blocks(struct opt *o, struct node *n, bool in_loop)
{
	if (n->kind == N_BLOCK)
		block(o, n, in_loop);
	in_loop |= n->kind == N_FOR || n->kind == N_FOREACH;
	AST_EACH(child, n)
		if ((*child)->kind != N_EXPR)
			blocks(o, *child, in_loop);
}

void opt_stable(struct opt *o, struct node *body)
{
	blocks(o, body, false);
}
