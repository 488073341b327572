/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is computed before what: operands in order, barriers before the locks are taken, arms only when they are chosen. */
#include "translator/lower/private.h"
#include "translator/uses.h"

bool lower_is_logic(const struct node *n)
{
	return n->kind == N_BINARY && (n->op == OP_LAND || n->op == OP_LOR);
}

static struct node *logic(struct lower *l, struct node *n, struct node *(*part)(struct lower *l, struct node *n))
{
	struct node *t = lower_declare(l, n, n->type), *outer = lower_open(l, n);

	lower_put(l, t, part(l, BINARY_LEFT(n)), NF_TRUTH);
	lower_close(l, outer);
	outer = lower_if(l, n, n->op == OP_LOR ? lower_op(l, n, L_IS_ZERO, t) : t);
	lower_put(l, t, part(l, BINARY_RIGHT(n)), NF_TRUTH);
	lower_close(l, outer);
	return t;
}

struct node *lower_choice(struct lower *l, struct node *n, struct node *(*part)(struct lower *l, struct node *n))
{
	struct node *t, *outer;

	if (lower_is_logic(n))
		return logic(l, n, part);
	t = lower_declare(l, n, n->type);
	outer = lower_if(l, n, part(l, TERNARY_CONDITION(n)));
	lower_put(l, t, part(l, TERNARY_THEN(n)), 0);
	lower_else(l, outer);
	lower_put(l, t, part(l, TERNARY_ELSE(n)), 0);
	lower_close(l, outer);
	return t;
}

/* Computes the value now, into a temporary that nothing changes. */
static void settle(struct lower *l, struct node *n)
{
	bool before = l->copy_locals;

	l->copy_locals = true;
	if (lower_whole(l, n))
		n->value = lower_let(l, n->value);
	l->copy_locals = before;
}

/*
 * Operands are computed from left to right.  Those with a barrier go ahead of the locked region; the others wait for the region.  An
 * operand must be settled, that is, computed into a temporary ahead too, if a later one goes ahead and the order of the two
 * matters.
 */
static void ahead(struct lower *l, struct node **v, size_t n)
{
	bool *goes_ahead = arena_alloc(l->a, n + 1), *must_settle = arena_alloc(l->a, n + 1);

	for (size_t i = n; i-- > 0;) {
		must_settle[i] = false;
		for (size_t k = i + 1; k < n && !must_settle[i] && !v[i]->value; k++)
			must_settle[i] = goes_ahead[k] && lower_conflict(l, v[i], v[k]);
		goes_ahead[i] = must_settle[i] || opt_has_barrier(v[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (must_settle[i])
			settle(l, v[i]);
		else
			lower_ahead(l, v[i]);
	}
}

/* The variable or element that n is about: it is not an operand, but its keys are. */
static const struct node *place_of(const struct node *n)
{
	if (n->kind == N_STAT)
		return STAT_OF(n);
	if (n->kind == N_INDEX)
		return INDEX_BASE(n);
	return n->kind == N_IN ? IN_ARRAY(n) : ast_changed(n);
}

void lower_add_keys(struct lower *l, const struct node *n, node_list *out)
{
	if (n->kind != N_INDEX && n->kind != N_IN)
		return;
	for (unsigned i = 0; i < ast_keys(n); i++)
		if (ast_key(n, i)->kind != N_STAR)
			vec_push(l->a, out, ast_key(n, i));
}

static void operands_ahead(struct lower *l, struct node *n)
{
	const struct node *place = place_of(n);
	node_list operands = {0};

	AST_EACH(child, n) {
		if (*child == place)
			lower_add_keys(l, place, &operands);
		else
			vec_push(l->a, &operands, *child);
	}
	if (place && place->kind == N_STAT) /* i in @hist_log(a[k]) */
		lower_add_keys(l, STAT_OF(place), &operands);
	ahead(l, operands.v, operands.n);
}

static struct node *first_operand(const struct node *n)
{
	return n->kind == N_TERNARY ? TERNARY_CONDITION(n) : BINARY_LEFT(n);
}

static bool arms_have_barrier(const struct node *n)
{
	if (n->kind == N_TERNARY)
		return opt_has_barrier(TERNARY_THEN(n)) || opt_has_barrier(TERNARY_ELSE(n));
	return opt_has_barrier(BINARY_RIGHT(n));
}

void lower_ahead(struct lower *l, struct node *n)
{
	if (n->value)
		return;
	if (opt_is_barrier(n)) {
		lower_barrier(l, n, true);
		return;
	}
	if (!lower_is_logic(n) && n->kind != N_TERNARY)
		operands_ahead(l, n);
	else if (arms_have_barrier(n))
		n->value = lower_choice(l, n, lower_whole);
	else
		lower_ahead(l, first_operand(n));
}

static void find_changed_local(struct uses *u, const struct mention *m)
{
	if (m->v->kind == SYM_LOCAL && (m->use & USE_SETS))
		*(bool *)u->ctx = true;
}

bool lower_changes_locals(struct node *n)
{
	bool changes = false;

	uses_walk(&(struct uses){.mention = find_changed_local, .ctx = &changes}, n, false);
	return changes;
}

struct node *lower_whole(struct lower *l, struct node *n)
{
	lower_group(l, &n, 1);
	return n->value;
}

void lower_group(struct lower *l, struct node **v, size_t n)
{
	bool before = l->copy_locals, locked;

	for (size_t i = 0; i < n; i++)
		l->copy_locals |= lower_changes_locals(v[i]);
	ahead(l, v, n);
	locked = lower_lock(l, v, n);
	for (size_t i = 0; i < n; i++)
		if (!v[i]->value)
			v[i]->value = lower_expr(l, v[i]);
	if (locked)
		lower_unlock(l, v[0]);
	l->copy_locals = before;
}

void lower_children(struct lower *l, const struct node *n)
{
	node_list children = {0};

	AST_EACH(child, n)
		vec_push(l->a, &children, *child);
	lower_group(l, children.v, children.n);
}

void lower_keys_ahead(struct lower *l, const struct node *n)
{
	node_list keys = {0};

	lower_add_keys(l, n, &keys);
	lower_group(l, keys.v, keys.n);
}

/* Drops a value that is not used.  Constants cost nothing. */
static void drop(struct lower *l, struct node *value)
{
	if (value && value->kind != N_NUMBER && value->kind != N_STRING)
		lower_do(l, value);
}

void lower_effect_ahead(struct lower *l, struct node *n)
{
	l->copy_locals = lower_changes_locals(n);
	l->dropped = n;
	lower_ahead(l, n);
	l->copy_locals = false;
	l->dropped = NULL;
}

void lower_effect(struct lower *l, struct node *n)
{
	bool locked;

	if (opt_is_barrier(n)) {
		lower_barrier(l, n, false);
		drop(l, n->value);
		return;
	}
	if (n->kind == N_NAME || n->kind == N_NUMBER || n->kind == N_STRING)
		return;
	lower_effect_ahead(l, n);
	l->copy_locals = lower_changes_locals(n);
	l->dropped = n;
	locked = lower_lock(l, &n, 1);
	drop(l, lower_expr(l, n));
	if (locked)
		lower_unlock(l, n);
	l->copy_locals = false;
	l->dropped = NULL;
}
