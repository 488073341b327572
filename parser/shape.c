// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules about where things may be, checked on each finished declaration: break only in loops, return only in functions, "*" only
 * in slices, histograms only where they can be used, what a condition may hold.  Reads the tree only.  A declaration that nests
 * too deeply is refused whole, so that no other pass needs to care.
 */
#include <string.h>

#include "parser/stages.h"

struct shape {
	struct parser *p;
	unsigned depth;
	bool too_deep;
	bool in_function;
	bool in_condition;
	unsigned loops;
	unsigned tries;  /* that catch errors */
};

enum allow { ALLOW_PLAIN = 0, ALLOW_SLICE = 1, ALLOW_HISTOGRAM = 2 };

static void check(struct shape *s, const struct node *n, unsigned allow);

static bool is_histogram(const struct node *n)
{
	return n->kind == N_STAT && (n->op == OP_HIST_LOG || n->op == OP_HIST_LINEAR);
}

static void check_children(struct shape *s, const struct node *n)
{
	AST_EACH(child, n)
		check(s, *child, ALLOW_PLAIN);
}

static void check_loop_control(struct shape *s, const struct node *n)
{
	if (s->loops)
		return;

	struct diag *d = diag_report(s->p->env->diags, n->loc, E_OUTSIDE_LOOP,
				     "\"%s\" is outside of any loop", node_text(n->kind));

	if (!s->in_function)
		diag_hint(s->p->env->diags, d, "\"next\" leaves the handler");
}

static void check_return(struct shape *s, const struct node *n)
{
	if (!s->in_function) {
		struct diag *d = diag_report(s->p->env->diags, n->loc, E_OUTSIDE_FUNCTION,
					     "\"return\" is outside of a function");

		diag_hint(s->p->env->diags, d, "\"next\" leaves the handler of a probe");
	}
	check_children(s, n);
}

/* A "break" in it has a loop to leave. */
static void check_body(struct shape *s, const struct node *body)
{
	s->loops++;
	check(s, body, ALLOW_PLAIN);
	s->loops--;
}

static void check_foreach(struct shape *s, const struct node *n)
{
	const struct node *array = FOREACH_ARRAY(n);

	check(s, array, ALLOW_SLICE | ALLOW_HISTOGRAM);
	if (FOREACH_LIMIT(n))
		check(s, FOREACH_LIMIT(n), ALLOW_PLAIN);
	if (n->num == 0 && n->op && is_histogram(array) && !FOREACH_VALUE(n))
		diag_report(s->p->env->diags, array->loc, E_HISTOGRAM,
			    "the buckets of a histogram cannot be sorted");
	check_body(s, FOREACH_BODY(n));
}

/* In place of what cannot be assigned to, which was reported. */
static bool is_made_up(const struct node *n)
{
	return n->kind == N_NAME && !strcmp(n->name, "?");
}

/* A condition that is an assignment: of a number, or, where nothing loops, of a variable.  (A string is no condition.) */
static void check_assigned(struct shape *s, const struct node *cond, bool loops)
{
	struct diag *d;

	while (cond && cond->kind == N_UNARY && cond->op == OP_NOT)
		cond = UNARY_OPERAND(cond);
	if (cond && cond->kind == N_BINARY && (cond->op == OP_LAND || cond->op == OP_LOR)) {
		check_assigned(s, BINARY_LEFT(cond), loops);
		check_assigned(s, BINARY_RIGHT(cond), loops);
	}
	if (!cond || cond->kind != N_ASSIGN || cond->op != OP_SET || is_made_up(ASSIGN_TO(cond)))
		return;
	enum node_kind value = ASSIGN_VALUE(cond)->kind;
	if (value != N_NUMBER && (loops || (value != N_NAME && value != N_TARGET)))
		return;
	d = diag_report(s->p->env->diags, cond->loc, W_ASSIGNED_CONDITION, "this condition assigns");
	diag_hint(s->p->env->diags, d, "comparing is \"==\"; if it is meant so, compare the value: (... = ...) != 0");
}

static void check_division(struct shape *s, const struct node *n)
{
	const struct node *by = n->kind == N_BINARY ? BINARY_RIGHT(n) : ASSIGN_VALUE(n);
	struct diag *d;

	if ((n->op != OP_DIV && n->op != OP_MOD) || by->kind != N_NUMBER || by->num || s->tries)
		return;
	d = diag_report(s->p->env->diags, ast_span(by), W_ZERO_DIVISION, "this divides by 0");
	diag_hint(s->p->env->diags, d, "that ends the session when it happens, unless it is within try { ... } catch (message) { ... }");
}

static void check_try(struct shape *s, const struct node *n)
{
	AST_EACH(child, n) {
		s->tries += child == &TRY_BODY(n);
		check(s, *child, ALLOW_PLAIN);
		s->tries -= child == &TRY_BODY(n);
	}
}

static void check_for(struct shape *s, const struct node *n)
{
	check_assigned(s, FOR_CONDITION(n), true);
	AST_EACH(child, n)
		if (child == &FOR_BODY(n))
			check_body(s, *child);
		else
			check(s, *child, ALLOW_PLAIN);
}

static void check_index(struct shape *s, const struct node *n, unsigned allow)
{
	check(s, INDEX_BASE(n), ALLOW_HISTOGRAM);
	for (unsigned i = 0; i < INDEX_KEYS(n); i++) {
		const struct node *key = INDEX_KEY(n, i);

		if (key->kind != N_STAR)
			check(s, key, ALLOW_PLAIN);
		else if (!(allow & ALLOW_SLICE))
			diag_report(s->p->env->diags, key->loc, E_SLICE,
				    "\"*\" as a key means many elements, and one is needed here");
	}
}

static void check_in(struct shape *s, const struct node *n)
{
	check(s, IN_ARRAY(n), ALLOW_HISTOGRAM);
	for (unsigned i = 0; i < IN_KEYS(n); i++)
		if (IN_KEY(n, i)->kind != N_STAR)
			check(s, IN_KEY(n, i), ALLOW_PLAIN);
}

static void check_print(struct shape *s, const struct node *n)
{
	bool whole = !(n->flags & (NF_FMT_FORMAT | NF_FMT_DELIM)) && PRINT_VALUES(n) == 1;

	for (unsigned i = 0; i < PRINT_VALUES(n); i++)
		check(s, PRINT_VALUE(n, i), whole ? ALLOW_HISTOGRAM : ALLOW_PLAIN);
}

static void check_stat(struct shape *s, const struct node *n, unsigned allow)
{
	if (is_histogram(n) && !(allow & ALLOW_HISTOGRAM))
		diag_report(s->p->env->diags, n->loc, E_HISTOGRAM,
			    "a histogram can be printed alone, indexed, or walked by foreach; it has no "
			    "value of its own");
	check_children(s, n);
}

/* "int x" parses as two statements, each the name of a variable; "do" as one. */
static void check_expression(struct shape *s, const struct node *n)
{
	const struct node *e = EXPR_VALUE(n);

	if (e->kind == N_NAME && !strcmp(e->name, "do")) {
		diag_report(s->p->env->diags, e->loc, E_SYNTAX,
			    "there is no \"do\" loop; the loops are while, for and foreach");
		return;
	}
	if (e->kind == N_NAME && make_is_c_type(e->name)) {
		struct diag *d = diag_report(s->p->env->diags, e->loc, E_C_DECLARATION,
					     "\"%s\" does not declare anything here", e->name);

		diag_hint(s->p->env->diags, d,
			  "variables are not declared: leave the type out; it is inferred");
		return;
	}
	check(s, e, ALLOW_PLAIN);
}

static void check_condition(struct shape *s, const struct node *n)
{
	struct diags *ds = s->p->env->diags;
	struct diag *d;

	if (!s->in_condition)
		return;
	d = diag_report(ds, n->loc, E_CONDITION,
			"the condition of a probe point can only compare global variables");
	diag_hint(ds, d, "keep what it depends on in a global, or check it in the handler: if (...) { ... }");
}

static void check_operation(struct shape *s, const struct node *n)
{
	if (n->kind != N_BINARY)
		check_condition(s, n);
	if (n->kind == N_BINARY || n->kind == N_ASSIGN)
		check_division(s, n);
}

static void check_point(struct shape *s, const struct node *n)
{
	if (POINT_CONDITION(n)) {
		s->in_condition = true;
		check(s, POINT_CONDITION(n), ALLOW_PLAIN);
		s->in_condition = false;
	}
	for (unsigned i = 0; i < POINT_COMPONENTS(n); i++)
		check(s, POINT_COMPONENT(n, i), ALLOW_PLAIN);
}

/* No default: a new kind must be thought of here.  Long, since each kind has its line. */
static void check_kind(struct shape *s, const struct node *n, unsigned allow)
{
	switch (n->kind) {
	case N_BREAK:
	case N_CONTINUE:
		check_loop_control(s, n);
		return;
	case N_RETURN:
		check_return(s, n);
		return;
	case N_FOREACH:
		check_foreach(s, n);
		return;
	case N_FOR:
		check_for(s, n);
		return;
	case N_DELETE:
		check(s, DELETE_WHAT(n), ALLOW_SLICE);
		return;
	case N_INDEX:
		check_index(s, n, allow);
		return;
	case N_IN:
		check_in(s, n);
		return;
	case N_PRINT:
		check_print(s, n);
		return;
	case N_STAT:
		check_stat(s, n, allow);
		return;
	case N_EXPR:
		check_expression(s, n);
		return;
	case N_POINT:
		check_point(s, n);
		return;
	case N_IF:
	case N_TERNARY:
		check_assigned(s, n->kind == N_IF ? IF_CONDITION(n) : TERNARY_CONDITION(n), false);
		check_children(s, n);
		return;
	case N_TRY:
		check_try(s, n);
		return;
	case N_BINARY:
	case N_ASSIGN:
	case N_INCDEC:
	case N_CALL:
	case N_EMBEDDED:
		check_operation(s, n);
		check_children(s, n);
		return;
	case N_STAR:
		diag_report(s->p->env->diags, n->loc, E_SLICE,
			    "\"*\" as a key means many elements, and one is needed here");
		return;
	case N_FILE:
	case N_GLOBAL:
	case N_FUNCTION:
	case N_PARAM:
	case N_PROBE:
	case N_ALIAS:
	case N_COMPONENT:
	case N_LIST:
	case N_BLOCK:
	case N_EMPTY:
	case N_NEXT:
	case N_NUMBER:
	case N_STRING:
	case N_NAME:
	CASES_UNTIL_BIND:
	case N_UNARY:
	case N_REGEX:
	case N_PERF:
	case N_FETCH:
	case N_ENTRY_VALUE:
	case N_STORE:
	case N_SHOW:
	case N_ENUM_NAME:
	CASES_LOWERED:
		check_children(s, n);
		return;
	case NODE_KINDS:
		return;
	}
}

static void check(struct shape *s, const struct node *n, unsigned allow)
{
	if (s->depth >= PARSE_MAX_DEPTH) {
		if (!s->too_deep)
			diag_report(s->p->env->diags, n->loc, E_TOO_DEEP,
				    "this nests more than %d levels deep", PARSE_MAX_DEPTH);
		s->too_deep = true;
		return;
	}
	s->depth++;
	check_kind(s, n, allow);
	s->depth--;
}

bool shape_check(struct parser *p, struct node *declaration)
{
	struct shape s = {.p = p, .in_function = declaration->kind == N_FUNCTION, .loops = p->reported_switch};

	check(&s, declaration, ALLOW_PLAIN);
	return !s.too_deep;
}
