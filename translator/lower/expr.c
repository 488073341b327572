/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions within a locked region: variables, elements, statistics, operators, assignments. */
#include "base/intern.h"
#include "translator/lower/private.h"
#include "translator/resolve/resolve.h"

/* The value of n, in a temporary; of the expression whose value is dropped, only the effect. */
static struct node *result(struct lower *l, const struct node *n, struct node *value)
{
	if (n != l->dropped)
		return lower_let(l, value);
	lower_do(l, value);
	return NULL;
}

static struct node *string_result(struct lower *l, const struct node *n, struct node *value)
{
	l->nstrings++;
	return result(l, n, value);
}

/* The value of an assignment: it is computed in any case. */
static struct node *assigned(const struct lower *l, const struct node *n, struct node *value)
{
	return n == l->dropped ? NULL : value;
}

/* ---- constants ---- */

/* Cuts a string to MAXSTRINGLEN - 1 bytes. */
static struct node *string(struct lower *l, struct node *n)
{
	size_t max = (size_t)session_limit(l->s, "MAXSTRINGLEN") - 1;
	struct node *cut;

	if (intern_len(n->text) <= max)
		return n;
	cut = ast_string(l->a, n->loc, n->text, max);
	cut->type = T_STRING;
	return cut;
}

/* ---- arrays ---- */

/* Keys that are all constants are a table, which costs a hit nothing; else NULL. */
static struct node *constant_keys(struct lower *l, const struct node *n)
{
	struct node *table;

	for (unsigned i = 0; i < ast_keys(n); i++)
		if (ast_key(n, i)->kind != N_NUMBER && ast_key(n, i)->kind != N_STRING)
			return NULL;
	table = lower_table(l, n, TABLE_KEYS);
	for (unsigned i = 0; i < ast_keys(n); i++)
		ast_add(l->a, table, lower_expr(l, ast_key(n, i)));
	return table;
}

struct node *lower_keys(struct lower *l, const struct node *n, unsigned *fixed)
{
	unsigned count = ast_keys(n);
	struct node **values = arena_array(l->a, struct node *, count + 1), *keys;

	if (fixed)
		*fixed = (1u << count) - 1;
	keys = count ? constant_keys(l, n) : NULL;
	if (keys)
		return keys;
	for (unsigned i = 0; i < count; i++) {
		bool any = ast_key(n, i)->kind == N_STAR;
		values[i] = any ? ast_key(n, i) : lower_expr(l, ast_key(n, i));
		if (any && fixed)
			*fixed &= ~(1u << i);
	}
	return lower_array(l, N_VALUES, n, values, count);
}

bool lower_is_shared(const struct symbol *v)
{
	return v->unlocked || v->type == T_STATS;
}

static struct node *element(struct lower *l, struct node *n)
{
	struct symbol *v = INDEX_BASE(n)->sym;
	struct node *keys = lower_keys(l, n, NULL);

	if (v->type == T_LONG)
		return result(l, n, lower_op_of(l, n, lower_is_shared(v) ? L_ELEMENT_SHARED : L_ELEMENT, v, keys));
	return string_result(l, n, lower_op_of(l, n, L_ELEMENT_STR, v, keys));
}

static struct node *in(struct lower *l, struct node *n)
{
	struct node *array = IN_ARRAY(n), *of, *key;

	if (array->kind == N_STAT) { /* the buckets are known, but the keys of their array may change something */
		of = STAT_OF(array);
		key = lower_expr(l, IN_KEY(n, 0));
		for (unsigned i = 0; of->kind == N_INDEX && i < ast_keys(of); i++)
			lower_expr(l, ast_key(of, i));
		return lower_op_num(l, n, L_BELOW, (int64_t)buckets_count(array), key);
	}
	return result(l, n, lower_op_of(l, n, lower_is_shared(array->sym) ? L_HAS_SHARED : L_HAS, array->sym, lower_keys(l, n, NULL)));
}

struct node *lower_statistic(struct lower *l, struct node *n)
{
	const struct node *of = STAT_OF(n);
	const struct symbol *v = ast_variable(of)->sym;
	struct node *keys = of->kind == N_INDEX ? lower_keys(l, of, NULL) : NULL, *at;

	if (n->op == OP_QUANTILE) {
		at = lower_expr(l, STAT_PARAMETER(n, 0));
		return result(l, n, keys ? lower_op_of(l, n, L_QUANTILE_ELEMENT, v, keys, at) : lower_op_of(l, n, L_QUANTILE, v, at));
	}
	if (n->op >= OP_P50)
		return result(l, n, lower_op_of(l, n, keys ? L_PERCENTILE_ELEMENT : L_PERCENTILE, v, keys));
	return result(l, n, lower_op_of(l, n, keys ? L_STAT_ELEMENT : L_STAT, v, keys));
}

/* ---- operators ---- */

struct node *lower_arithmetic(struct lower *l, const struct node *n, enum op op, struct node *a, struct node *b)
{
	static const enum lower_op ops[] = {[OP_ADD] = L_ADD, [OP_SUB] = L_SUB, [OP_MUL] = L_MUL,   [OP_DIV] = L_DIV,
					    [OP_MOD] = L_MOD, [OP_SHL] = L_SHL, [OP_SHR] = L_SHR, [OP_USHR] = L_USHR,
					    [OP_AND] = L_BITS, [OP_OR] = L_BITS, [OP_XOR] = L_BITS};
	struct node *made = lower_op(l, n, ops[op], a, b);

	made->op = op;
	return lower_ops[made->run].how & (PLACED | FAILS) ? lower_let(l, made) : made;
}

static struct node *concatenate(struct lower *l, const struct node *n, struct node *a, struct node *b)
{
	l->nstrings++;
	return lower_let(l, lower_op(l, n, L_STR_CAT, a, b));
}

static struct node *binary(struct lower *l, struct node *n)
{
	struct node *a, *b;

	if (lower_is_logic(n))
		return lower_choice(l, n, lower_expr);
	a = lower_expr(l, BINARY_LEFT(n));
	b = lower_expr(l, BINARY_RIGHT(n));
	if (n->op == OP_CAT)
		return concatenate(l, n, a, b);
	if (op_kind(n->op) != OPK_CMP)
		return lower_arithmetic(l, n, n->op, a, b);
	if (BINARY_LEFT(n)->type != T_STRING)
		return lower_op(l, n, L_COMPARE, a, b);
	return lower_op(l, n, n->op == OP_EQ ? L_STR_EQ : n->op == OP_NE ? L_STR_NE : L_STR_COMPARE, a, b);
}

static struct node *unary(struct lower *l, struct node *n)
{
	struct node *a = lower_expr(l, UNARY_OPERAND(n));

	switch (n->op) {
	case OP_NEG:
		return lower_op(l, n, L_NEG, a);
	case OP_NOT:
		return lower_op(l, n, L_NOT, a);
	case OP_BNOT:
		return lower_op(l, n, L_BNOT, a);
	default:
		return a;
	}
}

/* ---- variables ---- */

static struct node *local(struct lower *l, const struct node *n, struct symbol *v)
{
	struct node *made = ast_name(l->a, n->loc, v->name);

	made->sym = v;
	made->type = v->type;
	return made;
}

static struct node *read_name(struct lower *l, struct node *n)
{
	struct symbol *v = n->sym;

	if (v->kind == SYM_LOCAL && l->copy_locals && v->type == T_STRING && v->assigned_in_loop)
		return lower_copy(l, n, local(l, n, v));
	if (v->kind == SYM_LOCAL)
		return l->copy_locals ? lower_let(l, local(l, n, v)) : local(l, n, v);
	if (v->type == T_LONG)
		return lower_let(l, lower_op_of(l, n, L_LOAD, v, NULL));
	l->nstrings++;
	return lower_let(l, lower_op_of(l, n, L_LOAD_STR, v, NULL));
}

static bool is_constant_string(const struct node *n)
{
	return n->kind == N_STRING || (n->kind == N_OP && n->run == L_EMPTY);
}

void lower_set_local(struct lower *l, const struct node *n, struct symbol *v, struct node *value)
{
	if (v->type == T_STRING && v->assigned_in_loop) {
		lower_do(l, lower_op_of(l, n, L_SET_BUFFER, v, value));
		return;
	}
	if (v->type == T_STRING && l->has_buffers && !is_constant_string(value))
		value = lower_copy(l, n, value); /* it may be in a buffer */
	lower_do(l, lower_op_of(l, n, L_SET_LOCAL, v, value));
}

/* The new value from the old one and the right-hand side. */
static struct node *combine(struct lower *l, const struct node *n, struct node *old, struct node *value)
{
	if (n->op == OP_SET)
		return value;
	if (n->op == OP_CAT)
		return concatenate(l, n, old, value);
	return lower_arithmetic(l, n, n->op, old, value);
}

/* opt has made sure that the result is not used and that the statement has nothing else of the array. */
static struct node *add_to_element(struct lower *l, const struct node *n, const struct symbol *v, struct node *keys, struct node *value)
{
	lower_do(l, lower_op_of(l, n, n->op == OP_ADD ? L_ADD_ELEMENT : L_SUB_ELEMENT, v, keys, value));
	return NULL;
}

/* a[i] += 1 and the like: the element is looked up once. */
static struct node *change_element(struct lower *l, const struct node *n, const struct symbol *v, struct node *keys, struct node *value)
{
	struct node *place = lower_let(l, lower_op_of(l, n, L_FIND, v, keys));

	value = lower_let(l, combine(l, n, lower_op(l, n, L_AT, place), value));
	lower_do(l, lower_op(l, n, L_SET_AT, place, value));
	return assigned(l, n, value);
}

static struct node *assign_element(struct lower *l, struct node *n)
{
	const struct node *to = ASSIGN_TO(n);
	struct symbol *v = INDEX_BASE(to)->sym;
	struct node *keys = lower_keys(l, to, NULL), *value = lower_expr(l, ASSIGN_VALUE(n));

	if (v->unlocked && n->op != OP_SET)
		return add_to_element(l, n, v, keys, value);
	if (v->type == T_LONG && n->op != OP_SET)
		return change_element(l, n, v, keys, value);
	if (n->op != OP_SET)
		value = combine(l, n, lower_let(l, lower_op_of(l, n, L_ELEMENT_STR, v, keys)), value);
	value = lower_let(l, value);
	lower_do(l, lower_op_of(l, n, v->type == T_STRING ? L_SET_ELEMENT_STR : L_SET_ELEMENT, v, keys, value));
	return assigned(l, n, value);
}

static struct node *assign(struct lower *l, struct node *n)
{
	struct node *to = ASSIGN_TO(n), *value;
	struct symbol *v = to->sym;

	if (to->kind == N_INDEX)
		return assign_element(l, n);
	value = lower_expr(l, ASSIGN_VALUE(n));
	if (v->kind == SYM_GLOBAL && v->unlocked && n->op != OP_SET) { /* opt: += or -= whose result is not used */
		lower_do(l, lower_op_of(l, n, n->op == OP_ADD ? L_ADD_GLOBAL : L_SUB_GLOBAL, v, value));
		return NULL;
	}
	if (n->op != OP_SET)
		value = combine(l, n, read_name(l, to), value);
	value = lower_let(l, value);
	if (v->kind != SYM_LOCAL) {
		lower_do(l, lower_op_of(l, n, v->type == T_STRING ? L_STORE_STR : L_STORE, v, value));
		return assigned(l, n, value);
	}
	lower_set_local(l, n, v, value);
	/* the value may have been a part of the buffer that was written */
	return v->type == T_STRING && v->assigned_in_loop && n != l->dropped ? lower_copy(l, n, local(l, n, v)) : assigned(l, n, value);
}

static struct node *incdec(struct lower *l, struct node *n)
{
	const struct node *of = INCDEC_OF(n);
	struct symbol *v = ast_variable(of)->sym;
	struct node *old, *place, *keys;

	if (of->kind == N_INDEX) {
		keys = lower_keys(l, of, NULL);
		if (v->unlocked)
			return add_to_element(l, n, v, keys, lower_number(l, n, 1));
		place = lower_op(l, n, L_AT, lower_let(l, lower_op_of(l, n, L_FIND, v, keys)));
	} else if (v->kind == SYM_GLOBAL && v->unlocked) {
		lower_do(l, lower_op_of(l, n, n->op == OP_ADD ? L_ADD_GLOBAL : L_SUB_GLOBAL, v, lower_number(l, n, 1)));
		return NULL;
	} else {
		place = v->kind == SYM_GLOBAL ? lower_op_of(l, n, L_GLOBAL, v, NULL) : local(l, n, v);
	}
	old = lower_let(l, place);
	lower_do(l, lower_op(l, n, n->op == OP_ADD ? L_UP : L_DOWN, place, old));
	if (n == l->dropped)
		return NULL;
	return n->flags & NF_PREFIX ? lower_let(l, place) : old;
}

static struct node *saved_at_entry(struct lower *l, const struct node *n)
{
	return lower_op_num(l, n, n->sym->type == T_STRING ? L_SAVED_STR : L_SAVED, n->sym->index, NULL);
}

struct node *lower_expr(struct lower *l, struct node *n)
{
	if (n->value)
		return n->value;
	switch (n->kind) {
	case N_NUMBER:
		return n;
	case N_STRING:
		return string(l, n);
	case N_NAME:
		return read_name(l, n);
	case N_INDEX:
		return element(l, n);
	case N_UNARY:
		return unary(l, n);
	case N_BINARY:
		return binary(l, n);
	case N_TERNARY:
		return lower_choice(l, n, lower_expr);
	case N_ASSIGN:
		return assign(l, n);
	case N_INCDEC:
		return incdec(l, n);
	case N_IN:
		return in(l, n);
	case N_STAT:
		return lower_statistic(l, n);
	case N_ENTRY_VALUE:
		return saved_at_entry(l, n);
	case N_CALL: /* barriers: lower_ahead() has computed them */
	case N_PRINT:
	case N_FETCH:
	case N_STORE:
	case N_SHOW:
	case N_REGEX:
	case N_ENUM_NAME:
	case N_PERF:
	case N_STAR:
	CASES_OF_STATEMENTS:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		break;
	}
	s_error(l->s, n->loc, E_INTERNAL, "an expression cannot be put in order: \"%s\"", node_text(n->kind));
	return lower_number(l, n, 0);
}
