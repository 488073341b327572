/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Autocast: -> and [] on expressions whose C type is known: variables that were assigned from $variables or casts, values of
 * functions, ternaries.  The last part of pass "bind".  First the C types are passed along assignments, arguments and results until
 * nothing changes.  Then each @defined() that waited for a type is decided, and what depends on it is bound.  At the end each path
 * becomes a fetch program, or an error.
 *
 * Only pointers and enums are passed along, never numbers.  A variable that is assigned pointers of two types has no C type.
 */
#include "translator/resolve/resolve.h"

/* State of a walk through a tree. */
struct follow {
	struct session *s;
	struct view view;          /* what $variables mean in it */
	struct function *function; /* whose body it is, or NULL */
	bool changed;
	bool give_up;              /* a @defined() that is not decided yet is false */
	bool decided;
};

/* A C type that is passed along. */
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

/* At n, v is assigned a value of this type. */
static void join(struct follow *f, struct symbol *v, struct known k, const struct node *n)
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

/* The type that a path of members and subscripts leads to. */
static struct known learn_path(struct follow *f, struct node *n)
{
	struct diags quiet = {.is_question = true, .arena = &f->s->arena, .sources = &f->s->sources};
	struct node *base = target_base(n), *to;
	struct known k;

	for (struct node *c = n; c != base; c = *target_from(c))
		for (unsigned i = 0; i < target_subscripts(c); i++)
			learn(f, INDEX_KEY(c, i));
	k = learn(f, base);
	base->dtype = k.type;
	base->in_user = k.in_user;
	to = k.type ? target_bind(f->s, &quiet, f->view, n) : NULL;
	return to ? (struct known){to->dtype, to->in_user} : (struct known){0};
}

static struct known learn_children(struct follow *f, const struct node *n)
{
	AST_EACH(child, n)
		learn(f, *child);
	return (struct known){0};
}

static struct known learn_index(struct follow *f, const struct node *n)
{
	for (unsigned i = 0; i < INDEX_KEYS(n); i++)
		learn(f, INDEX_KEY(n, i));
	return INDEX_BASE(n)->kind == N_NAME ? of_symbol(INDEX_BASE(n)->sym) : learn(f, INDEX_BASE(n));
}

static struct known learn_call(struct follow *f, const struct node *n)
{
	for (unsigned i = 0; i < CALL_ARGS(n); i++) {
		struct known k = learn(f, CALL_ARG(n, i));
		for (struct function *g = n->sym ? n->sym->function : NULL; g; g = function_next(g))
			join(f, g->params.v[i], k, CALL_ARG(n, i));
	}
	return of_symbol(n->sym);
}

static struct known learn_assign(struct follow *f, const struct node *n)
{
	const struct node *variable = ast_variable(ASSIGN_TO(n));
	struct known k = learn(f, ASSIGN_VALUE(n));

	learn(f, ASSIGN_TO(n));
	if (n->op != OP_SET)
		return (struct known){0};
	if (variable->kind == N_NAME)
		join(f, variable->sym, k, ASSIGN_VALUE(n));
	return k;
}

static struct known learn_ternary(struct follow *f, const struct node *n)
{
	struct known a, b;

	learn(f, TERNARY_CONDITION(n));
	a = learn(f, TERNARY_THEN(n));
	b = learn(f, TERNARY_ELSE(n));
	if (a.type && b.type && (a.in_user != b.in_user || !dtype_same(&f->s->arena, a.type, b.type)))
		return (struct known){0};
	return a.type ? a : b;
}

static struct known learn_foreach(struct follow *f, const struct node *n)
{
	const struct node *array = ast_variable(FOREACH_ARRAY(n));

	learn_children(f, n);
	if (FOREACH_VALUE(n) && array->kind == N_NAME)
		join(f, FOREACH_VALUE(n)->sym, of_symbol(array->sym), array);
	return (struct known){0};
}

/* Of a node that waits for a @defined(): the child that contains it and decides whether the others are used. */
static struct node **decider(const struct node *n)
{
	if (n->kind == N_IF)
		return &IF_CONDITION(n);
	if (n->kind == N_TERNARY)
		return &TERNARY_CONDITION(n);
	return n->kind == N_UNARY ? &UNARY_OPERAND(n) : &BINARY_LEFT(n);
}

static struct known learn(struct follow *f, struct node *n)
{
	if (n->flags & NF_WAITS) {
		learn(f, *decider(n));
		return (struct known){0};
	}
	if (target_step(n))
		return learn_path(f, n);
	switch (n->kind) {
	case N_NAME:
		return of_symbol(n->sym);
	case N_INDEX:
		return learn_index(f, n);
	case N_ASSIGN:
		return learn_assign(f, n);
	case N_TERNARY:
		return learn_ternary(f, n);
	case N_CALL:
		return learn_call(f, n);
	case N_FOREACH:
		return learn_foreach(f, n);
	case N_RETURN:
		if (RETURN_VALUE(n) && f->function)
			join(f, f->function->first->sym, learn(f, RETURN_VALUE(n)), RETURN_VALUE(n));
		return (struct known){0};
	case N_ENTRY_VALUE:
		return f->view.probe ? learn(f, f->view.probe->entries.v[n->num]->value) : (struct known){n->dtype, n->in_user};
	case N_NUMBER:
	case N_FETCH:
		learn_children(f, n);
		return (struct known){n->dtype, n->in_user};
	case N_BLOCK:
	case N_EMPTY:
	case N_EXPR:
	case N_IF:
	case N_FOR:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
	case N_DELETE:
	case N_TRY:
	case N_EMBEDDED:
	case N_STRING:
	case N_STAR:
	case N_UNARY:
	case N_BINARY:
	case N_REGEX:
	case N_INCDEC:
	case N_IN:
	case N_PRINT:
	case N_STAT:
	case N_PERF:
	case N_STORE:
	case N_SHOW:
	case N_ENUM_NAME:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
		return learn_children(f, n);
	CASES_OF_DECLARATIONS:
	case NODE_KINDS:
		break;
	}
	return (struct known){0};
}

/* ---- @defined() of paths ---- */

/* Does everything exist that the paths in the expression name? */
static bool leads(struct follow *f, struct node *n)
{
	struct diags quiet = {.is_question = true, .arena = &f->s->arena, .sources = &f->s->sources};

	if (target_step(n)) {
		learn(f, n);
		return target_bind(f->s, &quiet, f->view, n);
	}
	AST_EACH(child, n)
		if (!leads(f, *child))
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
		yes = leads(f, DEFINED_WHAT(n));
		if (yes || f->give_up) {
			*np = ast_number(&f->s->arena, n->loc, yes);
			f->decided = true;
		}
		return;
	}
	if (n->flags & NF_WAITS) {
		bool before = f->decided;
		f->decided = false;
		decide(f, decider(n));
		if (f->decided) {
			n->flags &= ~NF_WAITS;
			names_bind(f->s, f->view, f->function, np);
		}
		f->decided |= before;
		return;
	}
	AST_EACH(child, n)
		decide(f, child);
}

/* ---- paths become fetches ---- */

static void replace(struct follow *f, struct node **np);

/* The parts of a path: its subscripts and its base. */
static void replace_parts(struct follow *f, struct node **base)
{
	while (target_step(*base)) {
		for (unsigned i = 0; i < target_subscripts(*base); i++)
			replace(f, &INDEX_KEY(*base, i));
		base = target_from(*base);
	}
	replace(f, base);
}

/* A subscript of a variable without a C type: reported when types are inferred. */
static bool is_no_array(struct node *n)
{
	const struct node *base = target_base(n);

	return n->kind == N_INDEX && base->kind == N_NAME && !base->sym->dtype;
}

/* p->x = v and the like. */
static void replace_store(struct follow *f, struct node **np)
{
	struct node *n = *np, *bound;

	replace_parts(f, n->kind == N_ASSIGN ? &ASSIGN_TO(n) : &INCDEC_OF(n));
	if (n->kind == N_ASSIGN)
		replace(f, &ASSIGN_VALUE(n));
	bound = assign_bind(f->s, &f->s->diags, f->view, n);
	*np = bound ? bound : ast_number(&f->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

/* @enumname of an expression whose type is known now or never. */
static void replace_enumname(struct follow *f, struct node **np)
{
	struct node *n = *np, *bound;
	struct known k = learn(f, ATOP_ARG(n, 0));

	replace(f, &ATOP_ARG(n, 0));
	ATOP_ARG(n, 0)->dtype = k.type;
	bound = enumname_bind(f->s, &f->s->diags, f->view.probe, n);
	*np = bound ? bound : ast_number(&f->s->arena, n->loc, 0);
	if (!bound)
		(*np)->type = T_ERROR;
}

static void replace(struct follow *f, struct node **np)
{
	struct diags own = {.arena = &f->s->arena, .sources = &f->s->sources};
	struct node *n = *np, *to = n->kind == N_DELETE ? NULL : ast_changed(n), *bound;

	if (to && target_step(to) && !is_no_array(to)) {
		replace_store(f, np);
		return;
	}
	if (n->kind == N_ATOP) { /* an @enumname: the others are bound */
		replace_enumname(f, np);
		return;
	}
	if (!target_step(n)) {
		AST_EACH(child, n)
			replace(f, child);
		return;
	}
	replace_parts(f, np);
	if (is_no_array(n))
		return;
	bound = target_bind(f->s, &own, f->view, n);
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
		f->view = (struct view){f->function->probe, f->function->moment};
		visit(f, &f->function->body);
	}
	f->function = NULL;
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];
		f->view = view_of(p);
		visit(f, &p->body);
		f->view.moment = MOMENT_ENTRY;
		for (size_t k = 0; k < p->entries.n; k++)
			visit(f, &p->entries.v[k]->value);
	}
	f->view = (struct view){0};
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
