/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions without parameters that are tagged "stable" give the same during a whole hit: pid(), execname().  Where a body is
 * sure to call one, and may do so again, its value is kept in a local from the first sure call on.
 */
#include "base/intern.h"
#include "translator/opt/opt.h"
#include "translator/resolve/embedded.h"

static bool is_stable(const struct node *n)
{
	const struct function *f = n->kind == N_CALL && n->sym && !n->nk ? n->sym->function : NULL;

	return f && !f->first->gives_way && f->embedded && (f->embedded->tags & EMBEDDED_STABLE);
}

/* A stable call that is made whenever the statement is reached; of one that is not in seen. */
static struct symbol *sure_call(const struct node *n, const struct map *seen)
{
	unsigned last = n->nk;

	if (is_stable(n))
		return map_get(seen, (const char *)n->sym) ? NULL : n->sym;
	if (n->kind == N_IF || n->kind == N_TERNARY || (n->kind == N_BINARY && op_kind(n->op) == OPK_LOG))
		last = 1;
	else if (n->kind == N_FOR) /* the condition is computed at least once */
		last = 2;
	else if (n->kind == N_FOREACH || n->kind == N_TRY)
		last = 0;
	for (unsigned i = 0; i < last; i++) {
		struct symbol *f = n->k[i] ? sure_call(n->k[i], seen) : NULL;
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
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			count += calls(n->k[i], f, each);
	return count;
}

static void put(struct opt *o, struct node **np, const struct symbol *f, struct symbol *v)
{
	struct node *n = *np;

	if (n->kind == N_CALL && n->sym == f) {
		*np = ast_name(&o->s->arena, n->loc, v->name);
		(*np)->sym = v;
		(*np)->type = v->type;
		return;
	}
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			put(o, &n->k[i], f, v);
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

/* "v = f()", to stand before the statement. */
static struct node *first_call(struct opt *o, struct symbol *f, struct symbol *v, struct loc loc)
{
	struct node *call = ast_new(&o->s->arena, N_CALL, loc, 0), *n = ast_new(&o->s->arena, N_EXPR, loc, 1);

	call->name = f->name;
	call->sym = f;
	call->type = f->type;
	n->k[0] = ast_new(&o->s->arena, N_ASSIGN, loc, 2);
	n->k[0]->op = OP_SET;
	n->k[0]->type = f->type;
	n->k[0]->k[0] = ast_name(&o->s->arena, loc, v->name);
	n->k[0]->k[0]->sym = v;
	n->k[0]->k[0]->type = f->type;
	n->k[0]->k[1] = call;
	return n;
}

static void insert(struct opt *o, struct node *block, unsigned at, struct node *n)
{
	struct node **k = arena_array(&o->s->arena, struct node *, block->nk + 1);

	for (unsigned i = 0; i <= block->nk; i++)
		k[i] = i < at ? block->k[i] : i == at ? n : block->k[i - 1];
	block->k = k;
	block->nk++;
	block->room = 0;
}

/* The rest of the block, from its i-th statement on. */
static unsigned calls_from(const struct node *block, unsigned i, const struct symbol *f)
{
	unsigned count = 0;

	for (; i < block->nk; i++)
		count += calls(block->k[i], f, 1);
	return count;
}

static void block(struct opt *o, struct node *n, bool in_loop)
{
	struct map seen = {0};

	for (unsigned i = 0; i < n->nk; i++) {
		struct symbol *f;
		while ((f = sure_call(n->k[i], &seen))) {
			map_set(&o->s->arena, &seen, (const char *)f, f);
			if (calls_from(n, i, f) < 2 || (in_loop && f->type == T_STRING)) /* a local of a loop is a copy */
				continue;
			struct symbol *v = opt_new_local(o, arena_printf(&o->s->arena, "__%s_once", f->name), f->type, n->k[i]);
			for (unsigned k = i; k < n->nk; k++)
				put(o, &n->k[k], f, v);
			insert(o, n, i, first_call(o, f, v, n->k[i]->loc));
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
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && n->k[i]->kind != N_EXPR)
			blocks(o, n->k[i], in_loop);
}

void opt_stable(struct opt *o, struct node *body)
{
	blocks(o, body, false);
}
