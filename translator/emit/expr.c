/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expressions: values, assignments, array elements, and the locked regions around them. */
#include <stdlib.h>
#include <string.h>

#include "translator/emit/emit.h"
#include "translator/resolve/resolve.h"
#include "translator/uses.h"

/* The value of n, in a temporary; of the expression that is dropped, nothing but the work. */
static const char *result(struct emit *e, const struct node *n, const char *value)
{
	if (n != e->dropped)
		return emit_value(e, n->type, value);
	emit_line(e, "(void)%s;", value);
	return "";
}

/* ---- which locks ---- */

typedef VEC(unsigned) index_list;

struct locks {
	struct emit *e;
	index_list *out;
};

static void add_lock(struct uses *u, const struct mention *m)
{
	const struct locks *l = u->ctx;

	if (!opt_needs_lock(m->v) || l->e->lock_set[m->v->index])
		return;
	l->e->lock_set[m->v->index] = true;
	vec_push(&l->e->s->arena, l->out, m->v->index);
}

static bool is_not_computed(struct uses *u, struct node *n)
{
	(void)u;
	return !n->value;
}

/* The globals of the expression that are not computed ahead yet, each once. */
static void touched(struct emit *e, struct node *n, index_list *out)
{
	struct locks l = {e, out};

	uses_walk(&(struct uses){.mention = add_lock, .node = is_not_computed, .ctx = &l}, n, false);
}

static int by_index(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

static const char *lock_table(struct emit *e, const index_list *list)
{
	struct sb b = {0};

	for (size_t i = 0; i < list->n; i++)
		sb_printf(&b, "%s%u", i ? ", " : "{", list->v[i]);
	sb_putc(&b, '}');
	const char *name = emit_table(e, "locks", "rt_u32", "[]", b.s);
	sb_free(&b);
	return name;
}

bool emit_lock(struct emit *e, struct node **v, size_t n)
{
	index_list list = {0};

	if (!e->lock_set)
		e->lock_set = arena_array(&e->s->arena, bool, e->s->prog.global_list.n + 1);
	for (size_t i = 0; i < n; i++)
		touched(e, v[i], &list);
	for (size_t i = 0; i < list.n; i++)
		e->lock_set[list.v[i]] = false;
	if (!list.n || e->locked)
		return false;
	qsort(list.v, list.n, sizeof list.v[0], by_index);
	e->error_used = true;
	if (list.n == 1)
		emit_line(e, "if (!rt_lock1(c, %u))", list.v[0]);
	else
		emit_line(e, "if (!rt_lock(c, %s, %zu))", lock_table(e, &list), list.n);
	emit_line(e, "\tgoto %s;", e->error_label);
	e->locked = true;
	return true;
}

bool emit_lock_one(struct emit *e, const struct symbol *v)
{
	if (e->locked || !opt_needs_lock(v))
		return false;
	e->error_used = true;
	emit_line(e, "if (!rt_lock1(c, %u))", v->index);
	emit_line(e, "\tgoto %s;", e->error_label);
	e->locked = true;
	return true;
}

void emit_unlock(struct emit *e)
{
	if (e->locked)
		emit_line(e, "rt_unlock(c);");
	e->locked = false;
}

/* ---- what must be computed ahead ---- */

static bool is_logic(const struct node *n)
{
	return n->kind == N_BINARY && (n->op == OP_LAND || n->op == OP_LOR);
}

/* && || ?: by control flow; part() computes a sub-expression. */
static const char *choice(struct emit *e, struct node *n, const char *(*part)(struct emit *e, struct node *n))
{
	const char *tmp = emit_tmp(e);

	emit_line(e, "%s %s;", emit_ctype(n->type), tmp);
	if (is_logic(n)) {
		emit_open(e);
		emit_line(e, "%s = (%s) != 0;", tmp, part(e, BINARY_LEFT(n)));
		emit_close(e);
		emit_line(e, "if (%s%s) {", n->op == OP_LOR ? "!" : "", tmp);
		e->indent++;
		emit_line(e, "%s = (%s) != 0;", tmp, part(e, BINARY_RIGHT(n)));
		emit_close(e);
		return tmp;
	}
	emit_line(e, "if (%s) {", part(e, TERNARY_CONDITION(n)));
	e->indent++;
	emit_line(e, "%s = %s;", tmp, part(e, TERNARY_THEN(n)));
	e->indent--;
	emit_line(e, "} else {");
	e->indent++;
	emit_line(e, "%s = %s;", tmp, part(e, TERNARY_ELSE(n)));
	emit_close(e);
	return tmp;
}

/* The value now, in a temporary that nothing changes. */
static void settle(struct emit *e, struct node *n)
{
	bool before = e->copy_locals;

	e->copy_locals = true;
	emit_whole(e, n);
	if (*n->value && n->kind != N_NUMBER && n->kind != N_STRING)
		n->value = emit_value(e, n->type, n->value);
	e->copy_locals = before;
}

/*
 * Operands in order: what a later one that does not stay for the locked region would change, or what changes things under it, is
 * settled before.  A later one does not stay if it has a barrier, or is settled itself.  The rest stays.
 */
static void ahead(struct emit *e, struct node **v, size_t n)
{
	bool *goes = arena_alloc(&e->s->arena, n + 1), *settled = arena_alloc(&e->s->arena, n + 1);

	for (size_t i = n; i-- > 0;) {
		settled[i] = false;
		for (size_t k = i + 1; k < n && !settled[i] && !v[i]->value; k++)
			settled[i] = goes[k] && emit_conflict(e, v[i], v[k]);
		goes[i] = settled[i] || opt_has_barrier(v[i]);
	}
	for (size_t i = 0; i < n; i++) {
		if (settled[i])
			settle(e, v[i]);
		else
			emit_ahead(e, v[i]);
	}
}

/* The variable or element that n is about: it is no operand, but its keys are. */
static const struct node *place_of(const struct node *n)
{
	if (n->kind == N_STAT)
		return STAT_OF(n);
	if (n->kind == N_INDEX)
		return INDEX_BASE(n);
	return n->kind == N_IN ? IN_ARRAY(n) : ast_changed(n);
}

static void operands_ahead(struct emit *e, struct node *n)
{
	const struct node *place = place_of(n);
	expr_list operands = {0};

	AST_EACH(child, n) {
		if (*child == place)
			emit_add_keys(e, place, &operands);
		else
			vec_push(&e->s->arena, &operands, *child);
	}
	ahead(e, operands.v, operands.n);
}

/* && || ?: */
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

void emit_ahead(struct emit *e, struct node *n)
{
	if (n->value)
		return;
	if (opt_is_barrier(n)) {
		emit_barrier(e, n, true);
		return;
	}
	if (!is_logic(n) && n->kind != N_TERNARY)
		operands_ahead(e, n);
	else if (arms_have_barrier(n))
		n->value = choice(e, n, emit_whole);
	else
		emit_ahead(e, first_operand(n));
}

static void find_changed_local(struct uses *u, const struct mention *m)
{
	if (m->v->kind == SYM_LOCAL && (m->use & USE_SETS))
		*(bool *)u->ctx = true;
}

/* Then values read before must be copies. */
static bool changes_locals(struct node *n)
{
	bool changes = false;

	uses_walk(&(struct uses){.mention = find_changed_local, .ctx = &changes}, n, false);
	return changes;
}

const char *emit_whole(struct emit *e, struct node *n)
{
	emit_group(e, &n, 1);
	return n->value;
}

void emit_group(struct emit *e, struct node **v, size_t n)
{
	bool before = e->copy_locals, locked;

	for (size_t i = 0; i < n; i++)
		e->copy_locals |= changes_locals(v[i]);
	ahead(e, v, n);
	locked = emit_lock(e, v, n);
	for (size_t i = 0; i < n; i++)
		if (!v[i]->value)
			v[i]->value = emit_expr(e, v[i]);
	if (locked)
		emit_unlock(e);
	e->copy_locals = before;
}

void emit_children(struct emit *e, const struct node *n)
{
	expr_list children = {0};

	AST_EACH(child, n)
		vec_push(&e->s->arena, &children, *child);
	emit_group(e, children.v, children.n);
}

static void dropped(struct emit *e, const char *value)
{
	if (value && *value)
		emit_line(e, "(void)(%s);", value);
}

void emit_effect_ahead(struct emit *e, struct node *n)
{
	e->copy_locals = changes_locals(n);
	e->dropped = n;
	emit_ahead(e, n);
	e->copy_locals = false;
	e->dropped = NULL;
}

void emit_effect(struct emit *e, struct node *n)
{
	bool locked;

	if (opt_is_barrier(n)) {
		emit_barrier(e, n, false);
		dropped(e, n->value);
		return;
	}
	if (n->kind == N_NAME || n->kind == N_NUMBER || n->kind == N_STRING)
		return;
	emit_effect_ahead(e, n);
	e->copy_locals = changes_locals(n);
	e->dropped = n;
	locked = emit_lock(e, &n, 1);
	dropped(e, emit_expr(e, n));
	if (locked)
		emit_unlock(e);
	e->copy_locals = false;
	e->dropped = NULL;
}

/* ---- arrays ---- */

void emit_add_keys(struct emit *e, const struct node *n, expr_list *out)
{
	if (n->kind != N_INDEX && n->kind != N_IN)
		return;
	for (unsigned i = 0; i < ast_keys(n); i++)
		if (ast_key(n, i)->kind != N_STAR)
			vec_push(&e->s->arena, out, ast_key(n, i));
}

void emit_keys_ahead(struct emit *e, const struct node *n)
{
	expr_list keys = {0};

	emit_add_keys(e, n, &keys);
	emit_group(e, keys.v, keys.n);
}

const char *emit_union_member(const struct node *n)
{
	return n->type == T_STRING ? "s" : "l";
}

/* Keys that are all constants are a table, which costs a hit nothing; else NULL. */
static const char *constant_keys(struct emit *e, const struct node *n)
{
	struct sb b = {0};

	for (unsigned i = 0; i < ast_keys(n); i++)
		if (ast_key(n, i)->kind != N_NUMBER && ast_key(n, i)->kind != N_STRING)
			return NULL;
	for (unsigned i = 0; i < ast_keys(n); i++)
		sb_printf(&b, "%s{.%s = %s}", i ? ", " : "{", emit_union_member(ast_key(n, i)), emit_expr(e, ast_key(n, i)));
	sb_putc(&b, '}');
	const char *name = emit_table(e, "keys", "union rt_val", "[]", b.s);
	sb_free(&b);
	return name;
}

const char *emit_keys(struct emit *e, const struct node *n, unsigned *fixed)
{
	unsigned count = ast_keys(n);
	const char **values = arena_array(&e->s->arena, const char *, count + 1);
	const char *keys;

	if (fixed)
		*fixed = (1u << count) - 1;
	keys = count ? constant_keys(e, n) : NULL;
	if (keys)
		return keys;
	if (fixed)
		*fixed = 0;
	for (unsigned i = 0; i < count; i++)
		if (ast_key(n, i)->kind != N_STAR)
			values[i] = emit_expr(e, ast_key(n, i));
	keys = emit_tmp(e);
	emit_line(e, "union rt_val %s[%u];", keys, count ? count : 1);
	for (unsigned i = 0; i < count; i++) {
		if (ast_key(n, i)->kind == N_STAR)
			continue;
		if (fixed)
			*fixed |= 1u << i;
		emit_line(e, "%s[%u].%s = %s;", keys, i, emit_union_member(ast_key(n, i)), values[i]);
	}
	return keys;
}

static const char *element(struct emit *e, struct node *n)
{
	struct symbol *v = INDEX_BASE(n)->sym;
	const char *keys = emit_keys(e, n, NULL), *t;

	emit_loc(e, n);
	if (v->type == T_LONG) {
		t = result(e, n, emit_text(e, "rt_map_get_long(c, %s, %s)", emit_global(e, v), keys));
		if (v->unlocked)
			emit_check(e);
		return t;
	}
	t = result(e, n, emit_text(e, "rt_map_get_str(c, %s, %s)", emit_global(e, v), keys));
	emit_check(e);
	e->nstrings++;
	return t;
}

static const char *in(struct emit *e, struct node *n)
{
	struct node *array = IN_ARRAY(n);

	if (array->kind == N_STAT)
		return emit_text(e, "(rt_s64)((rt_u64)(%s) < %llu)", emit_expr(e, IN_KEY(n, 0)),
				 (unsigned long long)buckets_count(array));
	const char *keys = emit_keys(e, n, NULL);

	return result(e, n, emit_text(e, "rt_map_has(c, %s, %s)", emit_global(e, array->sym), keys));
}

const char *emit_stat_op(enum op op)
{
	static const char *const names[] = {
		[OP_COUNT] = "RT_COUNT", [OP_SUM] = "RT_SUM", [OP_MIN] = "RT_MIN",
		[OP_MAX] = "RT_MAX",	 [OP_AVG] = "RT_AVG", [OP_VARIANCE] = "RT_VARIANCE",
	};

	return op == OP_NONE ? "RT_COUNT" : op >= OP_P50 ? "RT_QUANTILE" : names[op];
}

const char *emit_permille(enum op op)
{
	return op == OP_P50 ? "500" : op == OP_P90 ? "900" : op == OP_P99 ? "990" : "0";
}

const char *emit_statistic(struct emit *e, struct node *n)
{
	const struct node *of = STAT_OF(n);
	bool quantile = n->op >= OP_P50, is_element = of->kind == N_INDEX;
	const char *what, *t = emit_global(e, ast_variable(of)->sym);

	if (is_element)
		t = emit_text(e, "%s, %s", t, emit_keys(e, of, NULL));
	what = n->op == OP_QUANTILE ? emit_expr(e, STAT_PARAMETER(n, 0)) : quantile ? emit_permille(n->op) : emit_stat_op(n->op);
	emit_loc(e, n);
	t = result(e, n, emit_text(e, "rt_%s%s(c, %s, %s)", is_element ? "map_" : "stat_",
				   quantile ? "quantile" : is_element ? "stat_get" : "get", t, what));
	emit_check(e);
	return t;
}

/* ---- operators ---- */

const char *emit_arithmetic(struct emit *e, const struct node *n, enum op op, const char *a, const char *b)
{
	const char *t;

	switch (op) {
	case OP_ADD:
		return emit_text(e, "rt_add(%s, %s)", a, b);
	case OP_SUB:
		return emit_text(e, "rt_sub(%s, %s)", a, b);
	case OP_MUL:
		return emit_text(e, "rt_mul(%s, %s)", a, b);
	case OP_SHL:
		return emit_text(e, "rt_shl(%s, %s)", a, b);
	case OP_SHR:
		return emit_text(e, "rt_shr(%s, %s)", a, b);
	case OP_USHR:
		return emit_text(e, "rt_ushr(%s, %s)", a, b);
	case OP_DIV:
	case OP_MOD:
		emit_loc(e, n);
		t = emit_value(e, T_LONG, emit_text(e, "rt_%s(c, %s, %s)", op == OP_DIV ? "div" : "mod", a, b));
		emit_check(e);
		return t;
	default:
		return emit_text(e, "(%s %s %s)", a, op_text(op), b);
	}
}

static const char *concatenate(struct emit *e, const struct node *n, const char *a, const char *b)
{
	const char *parts = emit_tmp(e), *t;

	emit_line(e, "struct rt_str %s[2] = {%s, %s};", parts, a, b);
	emit_loc(e, n);
	t = emit_value(e, T_STRING, emit_text(e, "rt_str_cat(c, %s, 2)", parts));
	emit_check(e);
	e->nstrings++;
	return t;
}

static const char *binary(struct emit *e, struct node *n)
{
	const char *a, *b;

	if (is_logic(n))
		return choice(e, n, emit_expr);
	a = emit_expr(e, BINARY_LEFT(n));
	b = emit_expr(e, BINARY_RIGHT(n));
	if (n->op == OP_CAT)
		return concatenate(e, n, a, b);
	if (op_kind(n->op) != OPK_CMP)
		return emit_arithmetic(e, n, n->op, a, b);
	if (BINARY_LEFT(n)->type != T_STRING)
		return emit_text(e, "(rt_s64)(%s %s %s)", a, op_text(n->op), b);
	if (n->op == OP_EQ || n->op == OP_NE)
		return emit_text(e, "(rt_s64)(%srt_str_eq(%s, %s))", n->op == OP_NE ? "!" : "", a, b);
	return emit_text(e, "(rt_s64)(rt_str_cmp(%s, %s) %s 0)", a, b, op_text(n->op));
}

static const char *unary(struct emit *e, struct node *n)
{
	const char *a = emit_expr(e, UNARY_OPERAND(n));

	switch (n->op) {
	case OP_NEG:
		return emit_text(e, "rt_neg(%s)", a);
	case OP_NOT:
		return emit_text(e, "(rt_s64)!(%s)", a);
	case OP_BNOT:
		return emit_text(e, "(~(%s))", a);
	default:
		return a;
	}
}

/* ---- variables ---- */

static const char *read_name(struct emit *e, struct node *n)
{
	struct symbol *v = n->sym;
	const char *t;

	if (v->kind == SYM_LOCAL && e->copy_locals && v->type == T_STRING && v->assigned_in_loop)
		return emit_copy(e, n, emit_local(e, v));
	if (v->kind == SYM_LOCAL)
		return e->copy_locals ? emit_value(e, v->type, emit_local(e, v)) : emit_local(e, v);
	if (v->type == T_LONG)
		return emit_value(e, T_LONG, emit_text(e, "__atomic_load_n(&%s, __ATOMIC_RELAXED)", emit_global(e, v)));
	emit_loc(e, n);
	t = emit_value(e, T_STRING, emit_text(e, "rt_strvar_get(c, (struct rt_strvar *)&%s)", emit_global(e, v)));
	emit_check(e);
	e->nstrings++;
	return t;
}

const char *emit_copy(struct emit *e, const struct node *n, const char *value)
{
	const char *t = emit_tmp(e);

	emit_loc(e, n);
	emit_line(e, "struct rt_str %s = %s;", t, value);
	emit_line(e, "%s = rt_str_copy(c, %s.p, %s.n);", t, t, t);
	emit_check(e);
	e->nstrings++;
	return t;
}

void emit_set_local(struct emit *e, struct symbol *v, const char *value)
{
	const char *name = emit_local(e, v);

	if (v->type == T_STRING && v->assigned_in_loop)
		emit_line(e, "%s = rt_local_set(c, b_%s, %s);", name, v->name, value);
	else if (v->type == T_STRING && e->has_buffers && strncmp(value, "RT_", 3))
		emit_line(e, "%s = %s;", name, emit_copy(e, v->decl, value)); /* of what may lie in a buffer */
	else
		emit_line(e, "%s = %s;", name, value);
}

static void set_global(struct emit *e, const struct node *n, struct symbol *v, const char *value)
{
	if (v->type == T_STRING) {
		emit_loc(e, n);
		emit_line(e, "rt_strvar_set(c, (struct rt_strvar *)&%s, %s);", emit_global(e, v), value);
	} else {
		emit_line(e, "__atomic_store_n(&%s, %s, __ATOMIC_RELAXED);", emit_global(e, v), value);
	}
}

/* The new value from the old one and the right-hand side. */
static const char *combine(struct emit *e, const struct node *n, const char *old, const char *value)
{
	if (n->op == OP_SET)
		return value;
	if (n->op == OP_CAT)
		return concatenate(e, n, old, value);
	return emit_arithmetic(e, n, n->op, old, value);
}

/* opt: nobody wants the result, and nothing else of the array is in the statement. */
static const char *add_to_element(struct emit *e, const struct node *n, const struct symbol *v, const char *keys, const char *value)
{
	emit_loc(e, n);
	emit_line(e, n->op == OP_ADD ? "rt_map_add(c, %s, %s, %s);" : "rt_map_add(c, %s, %s, rt_sub(0, %s));", emit_global(e, v), keys,
		  value);
	emit_check(e);
	return "";
}

static const char *assign_element(struct emit *e, struct node *n)
{
	const struct node *to = ASSIGN_TO(n);
	struct symbol *v = INDEX_BASE(to)->sym;
	const char *array = emit_global(e, v), *keys = emit_keys(e, to, NULL), *place;
	const char *value = emit_expr(e, ASSIGN_VALUE(n));

	if (v->unlocked && n->op != OP_SET)
		return add_to_element(e, n, v, keys, value);
	if (v->type == T_LONG && n->op != OP_SET) {
		emit_loc(e, n);
		place = emit_tmp(e);
		emit_line(e, "rt_s64 *%s = rt_map_ref(c, %s, %s);", place, array, keys);
		emit_check(e);
		value = emit_value(e, T_LONG, combine(e, n, emit_text(e, "*%s", place), value));
		emit_line(e, "*%s = %s;", place, value);
		return value;
	}
	if (n->op != OP_SET) {
		emit_loc(e, n);
		const char *old = emit_value(e, T_STRING, emit_text(e, "rt_map_get_str(c, %s, %s)", array, keys));
		emit_check(e);
		value = combine(e, n, old, value);
	}
	value = emit_value(e, v->type, value);
	emit_loc(e, n);
	emit_line(e, "rt_map_set_%s(c, %s, %s, %s);", v->type == T_STRING ? "str" : "long", array, keys, value);
	emit_check(e);
	return value;
}

static const char *assign(struct emit *e, struct node *n)
{
	struct node *to = ASSIGN_TO(n);
	struct symbol *v = to->sym;
	const char *value;

	if (to->kind == N_INDEX)
		return assign_element(e, n);
	value = emit_expr(e, ASSIGN_VALUE(n));
	if (v->kind == SYM_GLOBAL && v->unlocked && n->op != OP_SET) { /* opt: += or -= whose result nobody wants */
		emit_line(e, "__atomic_fetch_%s(&%s, %s, __ATOMIC_RELAXED);", n->op == OP_ADD ? "add" : "sub", emit_global(e, v), value);
		return "";
	}
	if (n->op != OP_SET)
		value = combine(e, n, read_name(e, to), value);
	value = emit_value(e, v->type, value);
	if (v->kind != SYM_LOCAL) {
		set_global(e, n, v, value);
		return value;
	}
	emit_set_local(e, v, value);
	/* the value may have been a part of the buffer that was written */
	return v->type == T_STRING && v->assigned_in_loop && n != e->dropped ? emit_copy(e, n, emit_local(e, v)) : value;
}

static const char *incdec(struct emit *e, struct node *n)
{
	const struct node *of = INCDEC_OF(n);
	struct symbol *v = ast_variable(of)->sym;
	const char *old, *sign = n->op == OP_ADD ? "add" : "sub", *place;

	if (of->kind == N_INDEX) {
		const char *keys = emit_keys(e, of, NULL);
		if (v->unlocked)
			return add_to_element(e, n, v, keys, "1");
		emit_loc(e, n);
		place = emit_tmp(e);
		emit_line(e, "rt_s64 *%s = rt_map_ref(c, %s, %s);", place, emit_global(e, v), keys);
		emit_check(e);
		place = emit_text(e, "*%s", place);
	} else if (v->kind == SYM_GLOBAL && v->unlocked) {
		emit_line(e, "__atomic_fetch_%s(&%s, 1, __ATOMIC_RELAXED);", sign, emit_global(e, v));
		return "";
	} else {
		place = v->kind == SYM_GLOBAL ? emit_global(e, v) : emit_local(e, v);
	}
	old = emit_value(e, T_LONG, place);
	emit_line(e, "%s = rt_%s(%s, 1);", place, sign, old);
	if (n == e->dropped)
		return "";
	return n->flags & NF_PREFIX ? emit_value(e, T_LONG, place) : old;
}

const char *emit_expr(struct emit *e, struct node *n)
{
	if (n->value)
		return n->value;
	switch (n->kind) {
	case N_NUMBER:
		return emit_number(e, n->num);
	case N_STRING:
		return emit_string(e, n->text, (size_t)session_limit(e->s, "MAXSTRINGLEN") - 1);
	case N_NAME:
		return read_name(e, n);
	case N_INDEX:
		return element(e, n);
	case N_UNARY:
		return unary(e, n);
	case N_BINARY:
		return binary(e, n);
	case N_TERNARY:
		return choice(e, n, emit_expr);
	case N_ASSIGN:
		return assign(e, n);
	case N_INCDEC:
		return incdec(e, n);
	case N_IN:
		return in(e, n);
	case N_STAT:
		return emit_statistic(e, n);
	case N_ENTRY_VALUE:
		return emit_entry(e, n);
	case N_CALL: /* barriers: emit_ahead() has computed them */
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
	case NODE_KINDS:
		break;
	}
	s_error(e->s, n->loc, E_INTERNAL, "the emitter met a \"%s\"", node_text(n->kind));
	return "0";
}
