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
	return !n || n->kind == N_EMPTY || (n->kind == N_BLOCK && !n->nk);
}

/* Is there a break for the loop that n is in? */
static bool breaks(const struct node *n)
{
	if (n->kind == N_BREAK)
		return true;
	if (n->kind == N_FOR || n->kind == N_FOREACH)
		return false;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && breaks(n->k[i]))
			return true;
	return false;
}

/* The statements that count, those of inner blocks among them; true if the end is never reached. */
static bool block(struct opt *o, struct node *n)
{
	struct node *out = ast_new(&o->s->arena, N_BLOCK, n->loc, 0);
	unsigned before = n->nk;
	bool ends = false;

	for (unsigned i = 0; i < n->nk && !ends; i++) {
		struct node *k;
		ends = dead(o, &n->k[i]);
		k = n->k[i];
		if (is_nothing(k))
			continue;
		if (k->kind != N_BLOCK) {
			ast_add(&o->s->arena, out, k);
			continue;
		}
		o->changed = true;
		for (unsigned j = 0; j < k->nk; j++)
			ast_add(&o->s->arena, out, k->k[j]);
	}
	o->changed |= out->nk != before;
	n->k = out->k;
	n->nk = out->nk;
	n->room = 0;
	return ends;
}

static bool choice(struct opt *o, struct node **np)
{
	struct node *n = *np, *c = n->k[0];
	bool then_ends, else_ends;

	if (c->kind == N_NUMBER) {
		replace(o, np, n->k[c->num ? 1 : 2]);
		return dead(o, np);
	}
	then_ends = dead(o, &n->k[1]);
	else_ends = n->k[2] && dead(o, &n->k[2]);
	if (n->k[2] && is_nothing(n->k[2])) {
		n->k[2] = NULL;
		o->changed = true;
	}
	if (n->k[2] || !is_nothing(n->k[1]))
		return then_ends && else_ends;
	replace(o, np, ast_new(&o->s->arena, N_EXPR, n->loc, 1)); /* the condition alone */
	(*np)->k[0] = c;
	return false;
}

static bool loop(struct opt *o, struct node **np)
{
	struct node *n = *np, *c = n->k[1], *init = n->k[0];

	if (c && c->kind == N_NUMBER && !c->num) {
		replace(o, np, init ? ast_new(&o->s->arena, N_EXPR, init->loc, 1) : NULL);
		if (init)
			(*np)->k[0] = init;
		return false;
	}
	dead(o, &n->k[3]);
	return (!c || c->kind == N_NUMBER) && !breaks(n->k[3]);
}

static bool attempt(struct opt *o, struct node **np)
{
	struct node *n = *np;
	bool body_ends = block(o, n->k[0]), handler_ends = block(o, n->k[2]);

	if (!n->k[0]->nk)
		replace(o, np, NULL);
	return n->k[0]->nk && body_ends && handler_ends;
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
		dead(o, &n->k[3]);
		return false;
	case N_TRY:
		return attempt(o, np);
	case N_RETURN:
	case N_BREAK:
	case N_CONTINUE:
	case N_NEXT:
		return true;
	default: /* not a statement that holds others */
		return false;
	}
}

void opt_dead(struct opt *o, struct node *body)
{
	block(o, body);
}
