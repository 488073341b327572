// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nodes of declarations and statements, and of simple expressions.  What is wrong with one construct alone is
 * reported here; a node is always returned, so that the parser goes on.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "parser/grammar.h"
#include "parser/stages.h"

static bool from_tapset(struct parser *p, struct loc loc)
{
	const struct source *src = source_by_id(p->env->sources, loc.source);

	return src && src->is_tapset;
}

struct node *make_list(struct parser *p, struct node *list, struct node *item)
{
	if (!list)
		list = ast_new(p->arena, N_LIST, item->loc, 0);
	ast_add(p->arena, list, item);
	return list;
}

struct node *make_list_node(struct parser *p, enum node_kind kind, struct loc loc, struct node *list)
{
	struct node *n = ast_new(p->arena, kind, loc, 0);

	ast_add_items(p->arena, n, list);
	return n;
}

/* ---- statements ---- */

struct node *make_bare(struct parser *p, enum node_kind kind, struct loc loc)
{
	return ast_new(p->arena, kind, loc, 0);
}

struct node *make_expression(struct parser *p, struct node *value)
{
	struct node *n = ast_new(p->arena, N_EXPR, value->loc, 1);

	EXPR_VALUE(n) = value;
	return n;
}

struct node *make_return(struct parser *p, struct loc loc, struct node *value)
{
	struct node *n = ast_new(p->arena, N_RETURN, loc, 1);

	RETURN_VALUE(n) = value;
	return n;
}

struct node *make_if(struct parser *p, struct loc loc, struct node *cond, struct node *then, struct node *otherwise)
{
	struct node *n = ast_new(p->arena, N_IF, loc, 3);

	IF_CONDITION(n) = cond;
	IF_THEN(n) = then;
	IF_ELSE(n) = otherwise;
	return n;
}

struct node *make_try(struct parser *p, struct loc loc, struct node *body, struct node *variable, struct node *handler)
{
	struct node *n = ast_new(p->arena, N_TRY, loc, 3);

	TRY_BODY(n) = body;
	TRY_VARIABLE(n) = variable;
	TRY_HANDLER(n) = handler;
	return n;
}

struct node *make_for(struct parser *p, struct loc loc, struct node *init, struct node *cond,
		      struct node *step, struct node *body)
{
	struct node *n = ast_new(p->arena, N_FOR, loc, 4);

	FOR_INIT(n) = init;
	FOR_CONDITION(n) = cond;
	FOR_STEP(n) = step;
	FOR_BODY(n) = body;
	return n;
}

struct node *make_while(struct parser *p, struct loc loc, struct node *cond, struct node *body)
{
	struct node *n = make_for(p, loc, NULL, cond, NULL, body);

	n->flags |= NF_WHILE;
	return n;
}

/* The order is kept in the node that is sorted by until make_foreach() takes it. */
struct node *make_order(struct parser *p, struct token sign)
{
	struct node *n = ast_new(p->arena, N_STAR, sign.loc, 0);

	n->op = sign.kind == '+' ? OP_UP : OP_DOWN;
	return n;
}

static enum op stat_op(const char *name)
{
	for (enum op op = OP_COUNT; op <= OP_HIST_LINEAR; op++)
		if (!strcmp(op_text(op), name))
			return op;
	return OP_COUNT;
}

/* An order of keys or array is an item of its own after them, which make_foreach() takes away. */
struct node *make_sorted(struct parser *p, struct node *n, const struct token *stat, struct node *order)
{
	struct node *sorted = make_list(p, NULL, n);

	if (order)
		make_list(p, sorted, order);
	if (stat)
		sorted->sort_stat = stat_op(stat->text);
	if (sorted->sort_stat == OP_QUANTILE) {
		struct diag *d = diag_report(p->env->diags, stat->loc, E_OPERATOR_ARGS,
					     "a loop cannot be sorted by @quantile, which needs its thousandths");

		diag_hint(p->env->diags, d, "sort by @p50, @p90 or @p99");
	}
	return sorted;
}

/* Takes the order from one of the parts of a foreach; only one may have one. */
static struct node *take_order(struct parser *p, struct node *loop, struct node *sorted, int64_t key)
{
	struct node *order = LIST_ITEMS(sorted) > 1 ? LIST_ITEM(sorted, 1) : NULL;

	if (order && loop->op) {
		diag_report(p->env->diags, order->loc, E_SORTED_TWICE, "the loop is sorted by two things");
	} else if (order) {
		loop->op = order->op;
		loop->num = key;
		loop->sort_stat = sorted->sort_stat ? sorted->sort_stat : OP_COUNT;
	}
	return LIST_ITEM(sorted, 0);
}

/* The value and the keys of an element are different variables. */
static void check_keys(struct parser *p, const struct node *loop)
{
	for (unsigned i = 0; i < FOREACH_KEYS(loop); i++) {
		const struct node *key = FOREACH_KEY(loop, i), *value = FOREACH_VALUE(loop);
		bool again = value && value->name == key->name;

		for (unsigned k = 0; k < i; k++)
			again |= FOREACH_KEY(loop, k)->name == key->name;
		if (again)
			diag_report(p->env->diags, key->loc, E_KEY_TWICE, "the loop has \"%s\" for two parts of an element", key->name);
	}
}

struct node *make_foreach(struct parser *p, struct token keyword, struct node *value, struct node *keys,
			  struct node *array, struct node *limit, struct node *body)
{
	struct node *n = ast_new(p->arena, N_FOREACH, keyword.loc, 4);

	n->sort_stat = OP_COUNT;
	FOREACH_VALUE(n) = value ? take_order(p, n, value, 0) : NULL;
	for (unsigned i = 0; i < LIST_ITEMS(keys); i++)
		ast_add(p->arena, n, take_order(p, n, LIST_ITEM(keys, i), i + 1));
	check_keys(p, n);
	FOREACH_ARRAY(n) = take_order(p, n, array, 0);
	FOREACH_LIMIT(n) = limit;
	FOREACH_BODY(n) = body;
	return n;
}

struct node *make_embedded(struct parser *p, struct token code)
{
	struct node *n = ast_new(p->arena, N_EMBEDDED, code.loc, 0);

	n->text = code.text;
	if (!p->env->guru && !from_tapset(p, code.loc)) {
		struct diag *d = diag_report(
			p->env->diags, (struct loc){code.loc.source, 2, code.loc.off, code.loc.expansion},
			E_GURU, "embedded C code needs guru mode");

		diag_hint(p->env->diags, d, "give the option -g if you trust the script with the kernel");
	}
	return n;
}

/* ---- globals and functions ---- */

struct node *make_global(struct parser *p, struct token name, bool wrap, struct node *size, struct node *init)
{
	struct node *n = ast_new(p->arena, N_GLOBAL, name.loc, 1);

	n->name = name.text;
	n->flags = (wrap ? NF_WRAP : 0u) | (size ? NF_SIZED : 0u);
	GLOBAL_VALUE(n) = init;
	if (size) {
		n->num = size->num;
		if (size->num < 1 || size->num > INT_MAX)
			diag_report(p->env->diags, size->loc, E_ARRAY_SIZE,
				    "the size of an array is from 1 to %d", INT_MAX);
	}
	if (init && (size || wrap))
		diag_report(p->env->diags, init->loc, E_ARRAY_INIT,
			    "the array \"%s\" cannot be given a value here", name.text);
	return n;
}

struct node *make_type(struct parser *p, struct token name)
{
	struct node *n = ast_new(p->arena, N_EMPTY, name.loc, 0);

	if (!strcmp(name.text, "long")) {
		n->type = T_LONG;
	} else if (!strcmp(name.text, "string")) {
		n->type = T_STRING;
	} else {
		struct diag *d =
			diag_report(p->env->diags, name.loc, E_TYPE_NAME, "\"%s\" is not a type", name.text);

		diag_hint(p->env->diags, d, "the types are \"long\" (numbers of any size) and \"string\"");
		n->type = T_ERROR;
	}
	return n;
}

struct node *make_param(struct parser *p, struct token name, struct node *type)
{
	struct node *n = ast_new(p->arena, N_PARAM, name.loc, 0);

	n->name = name.text;
	n->type = type ? type->type : T_UNKNOWN;
	return n;
}

static void check_parameters(struct parser *p, const struct node *function)
{
	for (unsigned i = 1; i < FUNCTION_PARAMS(function); i++) {
		const struct node *param = FUNCTION_PARAM(function, i);

		for (unsigned j = 0; j < i; j++) {
			const struct node *other = FUNCTION_PARAM(function, j);

			if (param->name != other->name)
				continue;

			struct diag *d = diag_report(p->env->diags, param->loc, E_PARAMETER_TWICE,
						     "there is a parameter \"%s\" already", param->name);

			diag_note(p->env->diags, d, other->loc, "first here");
			break;
		}
	}
}

struct node *make_function(struct parser *p, struct token name, struct node *type, struct node *params,
			   struct node *priority, struct node *body)
{
	struct node *n = ast_new(p->arena, N_FUNCTION, name.loc, 1);

	n->name = name.text;
	n->type = type ? type->type : T_UNKNOWN;
	n->num = priority ? priority->num : -1;
	FUNCTION_BODY(n) = body;
	ast_add_items(p->arena, n, params);
	check_parameters(p, n);
	if (priority && (priority->num < 1 || priority->num > INT_MAX))
		diag_report(p->env->diags, priority->loc, E_PRIORITY, "a priority is from 1 (first) to %d",
			    INT_MAX);
	return n;
}

void make_private(struct node *declarations)
{
	declarations->flags |= NF_PRIVATE;
	if (declarations->kind == N_LIST)
		for (unsigned i = 0; i < LIST_ITEMS(declarations); i++)
			LIST_ITEM(declarations, i)->flags |= NF_PRIVATE;
}

void make_declared(struct parser *p, struct node *declaration)
{
	if (declaration->kind == N_LIST) {
		for (unsigned i = 0; i < LIST_ITEMS(declaration); i++)
			make_declared(p, LIST_ITEM(declaration, i));
		return;
	}
	if (from_tapset(p, declaration->loc))
		declaration->flags |= NF_TAPSET;
	if (shape_check(p, declaration))
		ast_add(p->arena, p->file, declaration);
}

/* ---- simple expressions ---- */

struct node *make_number(struct parser *p, struct token digits, bool negative)
{
	char *end;

	errno = 0;

	uint64_t value = strtoull(digits.text, &end, 0);
	struct diag *d;

	if (*end) {
		d = diag_report(p->env->diags, digits.loc, E_BAD_NUMBER, "\"%s\" is not a number",
				digits.text);
		if (digits.text[0] == '0' && isdigit((unsigned char)*end))
			diag_hint(p->env->diags, d, "a number that begins with 0 is octal: digits 0 to 7");
		else if (strspn(end, "uUlL") == strlen(end))
			diag_hint(p->env->diags, d, "numbers have no suffixes; all have 64 bits");
		else
			diag_hint(p->env->diags, d, "write it out, without a unit or an exponent: 1000, 0x3e8");
	} else if (errno == ERANGE || (negative && value > (uint64_t)INT64_MAX + 1)) {
		diag_report(p->env->diags, digits.loc, E_BAD_NUMBER, "%s%s does not fit into 64 bits",
			    negative ? "-" : "", digits.text);
	}
	return ast_number(p->arena, digits.loc, (int64_t)(negative ? 0 - value : value));
}

struct node *make_string(struct parser *p, struct token t)
{
	struct node *n = ast_new(p->arena, N_STRING, t.loc, 0);

	n->text = t.text;
	return n;
}

struct node *make_name(struct parser *p, struct token t)
{
	struct node *n = ast_new(p->arena, N_NAME, t.loc, 0);

	n->name = t.text;
	return n;
}

struct node *make_target(struct parser *p, struct token t)
{
	struct node *n = ast_new(p->arena, N_TARGET, t.loc, 0);

	n->name = t.text;
	return n;
}

struct node *make_star(struct parser *p, struct token t)
{
	return ast_new(p->arena, N_STAR, t.loc, 0);
}
