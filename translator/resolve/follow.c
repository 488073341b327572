/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Autocast: -> and [] on expressions whose C type is known: variables that were assigned from $variables or casts, values of
 * functions, ternaries.  The last part of pass "bind": first the C types go along assignments, arguments and results until
 * nothing changes; then the @defined() that wait for them are decided, and what stands behind these is bound; at the end each
 * path becomes a fetch program, or an error.
 *
 * Only pointers and enums go along: numbers are followed nowhere.  A variable that is given pointers of two types has none.
 */
#include "translator/resolve/resolve.h"

/* The tree that is walked. */
struct follow {
	struct session *s;
	struct probe *probe;       /* or */
	struct function *function;
	bool changed;
	bool give_up;              /* what is not decided yet is undefined */
	bool decided;
};

/* A C type that travels. */
struct known {
	const struct dtype *type;
	bool in_user;
};

static struct known learn(struct follow *f, struct node *n);

static bool travels(const struct dtype *t)
{
	enum dtype_kind kind = dtype_kind(t);

	return kind == DTYPE_ENUM || (kind == DTYPE_POINTER && dtype_kind(dtype_target(t)) != DTYPE_VOID);
}

/* v gets a value of the type at n. */
static void join(struct follow *f, struct symbol *v, struct known k, struct node *n)
{
	if (!v || !k.type || v->other_dtype || !travels(k.type))
		return;
	if (!v->dtype) {
		v->dtype = k.type;
		v->in_user = k.in_user;
		v->dtype_origin = n;
	} else if (v->in_user == k.in_user && dtype_same(&f->s->arena, v->dtype, k.type)) {
		return;
	} else {
		v->other_dtype = k.type;
		v->other_origin = n;
	}
	f->changed = true;
}

static struct known of_symbol(const struct symbol *v)
{
	return v && !v->other_dtype ? (struct known){v->dtype, v->in_user} : (struct known){0};
}

/* Members and subscripts over something: the type of what they lead to. */
static struct known learn_path(struct follow *f, struct node *n)
{
	struct diags quiet = {.arena = &f->s->arena, .sources = &f->s->sources};
	struct node *base = target_base(n), *to;
	struct known k;

	for (struct node *c = n; c != base; c = c->k[0])
		for (unsigned i = 1; i < c->nk; i++)
			learn(f, c->k[i]);
	k = learn(f, base);
	base->dtype = k.type;
	base->in_user = k.in_user;
	to = k.type ? target_bind(f->s, &quiet, f->probe, n) : NULL;
	return to ? (struct known){to->dtype, to->in_user} : (struct known){0};
}

static struct known learn_kids(struct follow *f, struct node *n, unsigned from, unsigned to)
{
	for (unsigned i = from; i < n->nk && i < to; i++)
		if (n->k[i])
			learn(f, n->k[i]);
	return (struct known){0};
}

static struct known learn_call(struct follow *f, struct node *n)
{
	for (unsigned i = 0; i < n->nk; i++) {
		struct known k = learn(f, n->k[i]);
		for (struct function *g = n->sym ? n->sym->function : NULL; g; g = function_next(g))
			join(f, g->params.v[i], k, n->k[i]);
	}
	return of_symbol(n->sym);
}

static struct known learn_assign(struct follow *f, struct node *n)
{
	struct node *to = n->k[0];
	struct symbol *v = to->kind == N_NAME ? to->sym : to->kind == N_INDEX && to->k[0]->kind == N_NAME ? to->k[0]->sym : NULL;
	struct known k = learn(f, n->k[1]);

	learn(f, to);
	if (n->op == OP_SET)
		join(f, v, k, n->k[1]);
	return n->op == OP_SET ? k : (struct known){0};
}

static struct known learn_ternary(struct follow *f, struct node *n)
{
	struct known a, b;

	learn(f, n->k[0]);
	a = learn(f, n->k[1]);
	b = learn(f, n->k[2]);
	if (a.type && b.type && (a.in_user != b.in_user || !dtype_same(&f->s->arena, a.type, b.type)))
		return (struct known){0};
	return a.type ? a : b;
}

static struct known learn_foreach(struct follow *f, struct node *n)
{
	struct node *array = n->k[0]->kind == N_INDEX ? n->k[0]->k[0] : n->k[0];

	learn_kids(f, n, 0, n->nk);
	if (n->k[1] && array->kind == N_NAME)
		join(f, n->k[1]->sym, of_symbol(array->sym), array);
	return (struct known){0};
}

static struct known learn(struct follow *f, struct node *n)
{
	if (n->flags & NF_WAITS)
		return learn_kids(f, n, 0, 1);
	if (target_step(n))
		return learn_path(f, n);
	switch ((int)n->kind) {
	case N_NAME:
		return of_symbol(n->sym);
	case N_INDEX:
		learn_kids(f, n, 1, n->nk);
		return n->k[0]->kind == N_NAME ? of_symbol(n->k[0]->sym) : learn(f, n->k[0]);
	case N_ASSIGN:
		return learn_assign(f, n);
	case N_TERNARY:
		return learn_ternary(f, n);
	case N_CALL:
		return learn_call(f, n);
	case N_FOREACH:
		return learn_foreach(f, n);
	case N_RETURN:
		if (n->k[0] && f->function)
			join(f, f->function->first->sym, learn(f, n->k[0]), n->k[0]);
		return (struct known){0};
	case N_ENTRY_VALUE:
		return f->probe ? learn(f, f->probe->entries.v[n->num]->value) : (struct known){n->dtype, n->in_user};
	case N_NUMBER:
	case N_FETCH:
		learn_kids(f, n, 0, n->nk);
		return (struct known){n->dtype, n->in_user};
	default:
		return learn_kids(f, n, 0, n->nk);
	}
}

/* ---- @defined() of paths ---- */

/* Do all paths in the expression lead somewhere? */
static bool leads(struct follow *f, struct node *n)
{
	struct diags quiet = {.arena = &f->s->arena, .sources = &f->s->sources};

	if (target_step(n)) {
		learn(f, n);
		if (!target_bind(f->s, &quiet, f->probe, n))
			return false;
	}
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && !target_step(n) && !leads(f, n->k[i]))
			return false;
	return true;
}

static void decide(struct follow *f, struct node **np)
{
	struct node *n = *np;
	bool yes;

	if (f->give_up && f->decided)
		return;
	if (n->kind == N_DEFINED) {
		yes = leads(f, n->k[0]);
		if (yes || f->give_up) {
			*np = ast_number(&f->s->arena, n->loc, yes);
			f->decided = true;
		}
		return;
	}
	if (n->flags & NF_WAITS) {
		bool before = f->decided;
		f->decided = false;
		decide(f, &n->k[0]);
		if (f->decided) {
			n->flags &= ~NF_WAITS;
			names_bind(f->s, f->probe, f->function, np);
		}
		f->decided |= before;
		return;
	}
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			decide(f, &n->k[i]);
}

/* ---- paths become fetches ---- */

static void replace(struct follow *f, struct node **np);

/* What stands in a path: its subscripts and its base. */
static void replace_parts(struct follow *f, struct node **base)
{
	while (target_step(*base)) {
		for (unsigned i = 1; i < (*base)->nk; i++)
			replace(f, &(*base)->k[i]);
		base = &(*base)->k[0];
	}
	replace(f, base);
}

/* A subscript of a variable without a C type: said when types are inferred. */
static bool is_no_array(struct node *n)
{
	const struct node *base = target_base(n);

	return n->kind == N_INDEX && base->kind == N_NAME && !base->sym->dtype;
}

/* p->x = v and the like. */
static void replace_store(struct follow *f, struct node **np)
{
	struct node *n = *np, *bound;

	replace_parts(f, &n->k[0]);
	if (n->kind == N_ASSIGN)
		replace(f, &n->k[1]);
	bound = store_bind(f->s, &f->s->diags, f->probe, n);
	*np = bound ? bound : ast_number(&f->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

/* @enumname of an expression whose type is known now, or not at all. */
static void replace_enumname(struct follow *f, struct node **np)
{
	struct node *n = *np, *bound;
	struct known k = learn(f, n->k[0]);

	replace(f, &n->k[0]);
	n->k[0]->dtype = k.type;
	bound = enumname_bind(f->s, &f->s->diags, f->probe, n);
	*np = bound ? bound : ast_number(&f->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

static void replace(struct follow *f, struct node **np)
{
	struct diags own = {.arena = &f->s->arena, .sources = &f->s->sources};
	struct node *n = *np, *bound;

	if ((n->kind == N_ASSIGN || n->kind == N_INCDEC) && target_step(n->k[0]) && !is_no_array(n->k[0])) {
		replace_store(f, np);
		return;
	}
	if (n->kind == N_ATOP) { /* an @enumname: the others are bound */
		replace_enumname(f, np);
		return;
	}
	if (!target_step(n)) {
		for (unsigned i = 0; i < n->nk; i++)
			if (n->k[i])
				replace(f, &n->k[i]);
		return;
	}
	replace_parts(f, np);
	if (is_no_array(n))
		return;
	bound = target_bind(f->s, &own, f->probe, n);
	if (!bound)
		bound = badvars_skip(f->s, &own, n);
	diag_move(&f->s->diags, &own);
	*np = bound ? bound : ast_number(&f->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

/* ---- all of the program ---- */

static void each_tree(struct follow *f, void (*visit)(struct follow *f, struct node **np))
{
	struct program *prog = &f->s->prog;

	for (size_t i = 0; i < prog->function_list.n; i++) {
		f->function = prog->function_list.v[i];
		f->probe = f->function->probe;
		visit(f, &f->function->body);
	}
	f->function = NULL;
	for (size_t i = 0; i < prog->probes.n; i++) {
		f->probe = prog->probes.v[i];
		visit(f, &f->probe->body);
		for (size_t k = 0; k < f->probe->entries.n; k++)
			visit(f, &f->probe->entries.v[k]->value);
	}
	f->probe = NULL;
}

static void learn_tree(struct follow *f, struct node **np)
{
	learn(f, *np);
}

void follow_all(struct session *s)
{
	struct follow f = {.s = s};

	do {
		do {
			f.changed = false;
			each_tree(&f, learn_tree);
		} while (f.changed);
		f.decided = f.give_up = false;
		each_tree(&f, decide);
		if (!f.decided) {
			f.give_up = true;
			each_tree(&f, decide);
		}
	} while (f.decided);
	each_tree(&f, replace);
}
