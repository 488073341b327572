/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dead code: arms and loops whose condition is constant, what follows a statement that does not end, blocks within blocks.
 * A slot for a statement may hold N_EMPTY afterwards, blocks hold none.
 */
#include "translator/opt/opt.h"

static bool dead(struct opt *o, struct node **np);

static void replace(struct opt *o, struct node **np, struct node *with)
{
	*np = with ? with : ast_new(&o->s->arena, N_EMPTY, (*np)->loc, 0);
	o->changed = true;
}

static bool is_nothing(const struct node *n)
{
	return !n || n->kind == N_EMPTY || (n->kind == N_BLOCK && !BLOCK_STATEMENTS(n));
}

/* Is there a break for the loop that n is in? */
static bool breaks(const struct node *n)
{
	if (n->kind == N_BREAK)
		return true;
	if (n->kind == N_FOR || n->kind == N_FOREACH)
		return false;
	AST_EACH(child, n)
		if (breaks(*child))
			return true;
	return false;
}

/* The statements that count, those of inner blocks among them; true if the end is never reached. */
static bool block(struct opt *o, struct node *n)
{
	VEC(struct node *) kept = {0};
	bool ends = false;

	for (unsigned i = 0; i < BLOCK_STATEMENTS(n) && !ends; i++) {
		struct node *statement;
		ends = dead(o, &BLOCK_STATEMENT(n, i));
		statement = BLOCK_STATEMENT(n, i);
		if (is_nothing(statement))
			continue;
		if (statement->kind != N_BLOCK) {
			vec_push(&o->s->arena, &kept, statement);
			continue;
		}
		o->changed = true;
		for (unsigned j = 0; j < BLOCK_STATEMENTS(statement); j++)
			vec_push(&o->s->arena, &kept, BLOCK_STATEMENT(statement, j));
	}
	o->changed |= kept.n != BLOCK_STATEMENTS(n);
	ast_splice(&o->s->arena, n, 0, BLOCK_STATEMENTS(n), kept.v, (unsigned)kept.n);
	return ends;
}

/* Makes a statement of an expression. */
static struct node *alone(struct opt *o, struct node *value, struct loc loc)
{
	struct node *n = ast_new(&o->s->arena, N_EXPR, loc, 1);

	EXPR_VALUE(n) = value;
	return n;
}

static bool choice(struct opt *o, struct node **np)
{
	struct node *n = *np, *c = IF_CONDITION(n);
	bool then_ends, else_ends;

	if (c->kind == N_NUMBER) {
		replace(o, np, c->num ? IF_THEN(n) : IF_ELSE(n));
		return dead(o, np);
	}
	then_ends = dead(o, &IF_THEN(n));
	else_ends = IF_ELSE(n) && dead(o, &IF_ELSE(n));
	if (IF_ELSE(n) && is_nothing(IF_ELSE(n))) {
		IF_ELSE(n) = NULL;
		o->changed = true;
	}
	if (IF_ELSE(n) || !is_nothing(IF_THEN(n)))
		return then_ends && else_ends;
	replace(o, np, alone(o, c, n->loc));
	return false;
}

static bool loop(struct opt *o, struct node **np)
{
	struct node *n = *np, *c = FOR_CONDITION(n), *init = FOR_INIT(n);

	if (c && c->kind == N_NUMBER && !c->num) {
		replace(o, np, init ? alone(o, init, init->loc) : NULL);
		return false;
	}
	dead(o, &FOR_BODY(n));
	return (!c || c->kind == N_NUMBER) && !breaks(FOR_BODY(n));
}

static bool attempt(struct opt *o, struct node **np)
{
	struct node *n = *np, *body = TRY_BODY(n);
	bool body_ends = block(o, body), handler_ends = block(o, TRY_HANDLER(n));

	if (is_nothing(body))
		replace(o, np, NULL);
	return !is_nothing(body) && body_ends && handler_ends;
}

/* True if what follows the statement is never reached. */
static bool dead(struct opt *o, struct node **np)
{
	struct node *n = *np;

	switch (n->kind) {
	case N_BLOCK:
		return block(o, n);
	case N_IF:
		return choice(o, np);
	case N_FOR:
		return loop(o, np);
	case N_FOREACH:
		dead(o, &FOREACH_BODY(n));
		return false;
	case N_TRY:
		return attempt(o, np);
	case N_RETURN:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
		return true;
	case N_EMPTY:
	case N_EXPR:
	case N_DELETE:
	case N_EMBEDDED:
	CASES_OF_EXPRESSIONS:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		break;
	}
	return false;
}

void opt_dead(struct opt *o, struct node *body)
{
	block(o, body);
}
