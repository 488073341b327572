/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constant folding, with the arithmetic of the runtime: 64 bits that wrap, shift counts masked with 63.  A division by zero
 * is left alone: it is a soft error at its place when it is reached.
 */
#include <string.h>

#include "base/intern.h"
#include "translator/opt/opt.h"

static bool is_number(const struct node *n, int64_t value)
{
	return n->kind == N_NUMBER && n->num == value;
}

static bool is_constant(const struct node *n)
{
	return n->kind == N_NUMBER || n->kind == N_STRING;
}

static void replace(struct opt *o, struct node **np, struct node *with)
{
	*np = with;
	o->changed = true;
}

static void replace_number(struct opt *o, struct node **np, int64_t num)
{
	struct node *n = ast_number(&o->s->arena, (*np)->loc, num);

	n->type = T_LONG;
	replace(o, np, n);
}

/* Bytes of a literal that a string holds: up to a NUL and MAXSTRINGLEN - 1. */
static size_t literal_length(struct opt *o, const struct node *n)
{
	size_t max = (size_t)session_limit(o->s, "MAXSTRINGLEN") - 1, len = strnlen(n->text, intern_len(n->text));

	return len < max ? len : max;
}

/* ---- numbers ---- */

static bool divide(enum op op, int64_t a, int64_t b, int64_t *out)
{
	if (!b)
		return false;
	if (b == -1)
		*out = op == OP_DIV ? (int64_t)(0 - (uint64_t)a) : 0;
	else
		*out = op == OP_DIV ? a / b : a % b;
	return true;
}

/* False: it must be computed at run time. */
static bool arithmetic(enum op op, int64_t a, int64_t b, int64_t *out)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	if (op == OP_DIV || op == OP_MOD)
		return divide(op, a, b, out);
	if (op == OP_MUL)
		x *= y;
	else if (op == OP_ADD)
		x += y;
	else if (op == OP_SUB)
		x -= y;
	else if (op == OP_SHL)
		x <<= y & 63;
	else if (op == OP_SHR)
		x = (uint64_t)(a >> (y & 63));
	else if (op == OP_USHR)
		x >>= y & 63;
	else if (op == OP_AND)
		x &= y;
	else if (op == OP_XOR)
		x ^= y;
	else if (op == OP_OR)
		x |= y;
	else
		return false;
	*out = (int64_t)x;
	return true;
}

/* x + 0, x * 1 and the like are x; x * 0 and x & 0 are 0 if x has no effect. */
static void identity(struct opt *o, struct node **np)
{
	struct node *n = *np, *x = BINARY_LEFT(n), *y = BINARY_RIGHT(n);
	enum op op = n->op;
	bool both_sides = op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR;
	bool zero_neutral = op == OP_ADD || op == OP_SUB || op == OP_OR || op == OP_XOR || op == OP_SHL || op == OP_SHR || op == OP_USHR;
	bool one_neutral = op == OP_MUL || op == OP_DIV;

	if ((zero_neutral && is_number(y, 0)) || (one_neutral && is_number(y, 1))) {
		replace(o, np, x);
	} else if (both_sides && ((zero_neutral && is_number(x, 0)) || (one_neutral && is_number(x, 1)))) {
		replace(o, np, y);
	} else if (op == OP_MUL || op == OP_AND) {
		if ((is_number(y, 0) && !opt_has_effect(x)) || (is_number(x, 0) && !opt_has_effect(y)))
			replace_number(o, np, 0);
	}
}

/* ---- strings ---- */

static struct node *joined(struct opt *o, const struct node *a, const struct node *b, struct loc loc)
{
	size_t n = literal_length(o, a), m = literal_length(o, b);
	char *text = arena_array(&o->s->arena, char, n + m + 1);
	struct node *to;

	memcpy(text, a->text, n);
	memcpy(text + n, b->text, m);
	to = ast_string(&o->s->arena, loc, text, n + m);
	to->type = T_STRING;
	return to;
}

static bool is_cat(const struct node *n)
{
	return n->kind == N_BINARY && n->op == OP_CAT;
}

static void concatenation(struct opt *o, struct node **np)
{
	struct node *n = *np, *a = BINARY_LEFT(n), *b = BINARY_RIGHT(n);

	if (b->kind != N_STRING)
		return;
	if (a->kind == N_STRING) {
		replace(o, np, joined(o, a, b, n->loc));
	} else if (is_cat(a) && BINARY_RIGHT(a)->kind == N_STRING) { /* (x . "a") . "b" */
		BINARY_RIGHT(a) = joined(o, BINARY_RIGHT(a), b, BINARY_RIGHT(a)->loc);
		replace(o, np, a);
	}
}

static int string_order(struct opt *o, const struct node *a, const struct node *b)
{
	size_t n = literal_length(o, a), m = literal_length(o, b);
	int order = memcmp(a->text, b->text, n < m ? n : m);

	return order ? order : n < m ? -1 : n > m;
}

/* ---- logic ---- */

/* x != 0, unless x is 0 or 1 anyway. */
static struct node *truth(struct opt *o, struct node *x, struct loc loc)
{
	enum op_kind kind = x->kind == N_BINARY ? op_kind(x->op) : OPK_NONE;
	struct node *n, *zero;

	if (kind == OPK_CMP || kind == OPK_LOG || x->kind == N_IN || (x->kind == N_UNARY && x->op == OP_NOT))
		return x;
	zero = ast_number(&o->s->arena, loc, 0);
	zero->type = T_LONG;
	n = ast_new(&o->s->arena, N_BINARY, loc, 2);
	n->op = OP_NE;
	n->type = T_LONG;
	BINARY_LEFT(n) = x;
	BINARY_RIGHT(n) = zero;
	return n;
}

static void logic(struct opt *o, struct node **np)
{
	struct node *n = *np, *a = BINARY_LEFT(n), *b = BINARY_RIGHT(n);
	bool is_or = n->op == OP_LOR;

	if (a->kind == N_NUMBER && !!a->num == is_or)
		replace_number(o, np, is_or);
	else if (a->kind == N_NUMBER && b->kind == N_NUMBER)
		replace_number(o, np, !!b->num);
	else if (a->kind == N_NUMBER)
		replace(o, np, truth(o, b, n->loc));
	else if (b->kind == N_NUMBER && !!b->num != is_or)
		replace(o, np, truth(o, a, n->loc));
	else if (b->kind == N_NUMBER && !opt_has_effect(a))
		replace_number(o, np, is_or);
}

static void binary(struct opt *o, struct node **np)
{
	struct node *n = *np, *a = BINARY_LEFT(n), *b = BINARY_RIGHT(n);
	int64_t value;

	switch (op_kind(n->op)) {
	case OPK_BIN:
		if (a->kind != N_NUMBER || b->kind != N_NUMBER)
			identity(o, np);
		else if (arithmetic(n->op, a->num, b->num, &value))
			replace_number(o, np, value);
		return;
	case OPK_CMP:
		if (a->kind == N_NUMBER && b->kind == N_NUMBER)
			replace_number(o, np, op_compares(n->op, a->num < b->num ? -1 : a->num > b->num));
		else if (a->kind == N_STRING && b->kind == N_STRING)
			replace_number(o, np, op_compares(n->op, string_order(o, a, b)));
		return;
	case OPK_CAT:
		concatenation(o, np);
		return;
	case OPK_LOG:
		logic(o, np);
		return;
	case OPK_NONE:
	case OPK_UN:
	case OPK_RE:
	case OPK_ASG:
	case OPK_STAT:
	case OPK_ITER:
		return;
	}
}

static void unary(struct opt *o, struct node **np)
{
	struct node *n = *np, *a = UNARY_OPERAND(n);

	if (n->op == OP_PLUS)
		replace(o, np, a);
	else if (a->kind != N_NUMBER)
		return;
	else if (n->op == OP_NEG)
		replace_number(o, np, (int64_t)(0 - (uint64_t)a->num));
	else if (n->op == OP_NOT)
		replace_number(o, np, !a->num);
	else if (n->op == OP_BNOT)
		replace_number(o, np, ~a->num);
}

void opt_fold(struct opt *o, struct node **np)
{
	struct node *n = *np;

	/* The parameters of statistics are numbers already; the target of an assignment is not a value. */
	AST_EACH(child, n)
		if (!is_constant(*child))
			opt_fold(o, child);
	if (n->kind == N_UNARY)
		unary(o, np);
	else if (n->kind == N_BINARY)
		binary(o, np);
	else if (n->kind == N_TERNARY && TERNARY_CONDITION(n)->kind == N_NUMBER)
		replace(o, np, TERNARY_CONDITION(n)->num ? TERNARY_THEN(n) : TERNARY_ELSE(n));
}
