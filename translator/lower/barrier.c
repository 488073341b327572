/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may not happen under a lock: calls, prints, statistics being fed, matches, walks over arrays. */
#include "base/intern.h"
#include "translator/lower/private.h"
#include "translator/regex/regex.h"
#include "translator/resolve/embedded.h"
#include "translator/types/pattern.h"

/* Its value, or, where that is not used, only its effect. */
static struct node *finish(struct lower *l, struct node *value, bool wanted)
{
	if (wanted && value->type != T_VOID) {
		l->nstrings += value->type == T_STRING;
		return lower_let(l, value);
	}
	lower_do(l, value);
	return NULL;
}

/* ---- calls ---- */

static bool can_fail(const struct function *f)
{
	return !f->embedded || f->gives_way || embedded_can_fail(f);
}

static void call(struct lower *l, struct node *n, bool wanted)
{
	struct function *f = n->sym->function;
	struct node *made = lower_new(l, N_CALL, n, CALL_ARGS(n)), *statement;

	lower_children(l, n);
	made->name = n->name;
	made->sym = n->sym;
	made->type = n->sym->type;
	for (unsigned i = 0; i < CALL_ARGS(n); i++)
		CALL_ARG(made, i) = CALL_ARG(n, i)->value;
	n->value = finish(l, made, wanted);
	if (wanted && made->type == T_VOID && n->type != T_VOID)
		n->value = n->type == T_STRING ? lower_op(l, n, L_EMPTY, NULL) : lower_number(l, n, 0);
	if (!can_fail(f))
		return;
	statement = BLOCK_STATEMENT(l->block, BLOCK_STATEMENTS(l->block) - 1);
	statement->flags |= NF_PLACED | (f->body->kind == N_EMBEDDED ? 0u : NF_CALLS); /* errors of C are reported at the call */
	statement->label = l->error;
	l->error->used = true;
}

/* ---- statistics ---- */

static void feed(struct lower *l, struct node *n, bool wanted)
{
	const struct node *to = ASSIGN_TO(n);
	const struct symbol *v = ast_variable(to)->sym;
	struct node *value = ASSIGN_VALUE(n);
	node_list operands = {0};

	lower_add_keys(l, to, &operands);
	vec_push(l->a, &operands, value);
	lower_group(l, operands.v, operands.n);
	if (to->kind == N_INDEX)
		lower_do(l, lower_op_of(l, n, L_FEED_ELEMENT, v, lower_keys(l, to, NULL), value->value));
	else
		lower_do(l, lower_op_of(l, n, L_FEED, v, value->value));
	n->value = wanted ? lower_let(l, value->value) : NULL;
}

/* The keys of the element whose statistics are meant, or NULL. */
static struct node *keys_of_statistics(struct lower *l, const struct node *of)
{
	if (of->kind != N_INDEX)
		return NULL;
	lower_keys_ahead(l, of);
	return lower_keys(l, of, NULL);
}

static void bucket(struct lower *l, struct node *n, bool wanted)
{
	const struct node *of = STAT_OF(INDEX_BASE(n));
	const struct symbol *v = ast_variable(of)->sym;
	struct node *keys, *number;
	node_list operands = {0};

	lower_add_keys(l, of, &operands);
	vec_push(l->a, &operands, INDEX_KEY(n, 0));
	lower_group(l, operands.v, operands.n);
	keys = of->kind == N_INDEX ? lower_keys(l, of, NULL) : NULL;
	number = INDEX_KEY(n, 0)->value;
	n->value = finish(l, keys ? lower_op_of(l, n, L_BUCKET_ELEMENT, v, keys, number) : lower_op_of(l, n, L_BUCKET, v, number), wanted);
}

static void histogram(struct lower *l, struct node *n)
{
	const struct node *of = STAT_OF(PRINT_VALUE(n, 0));
	struct node *keys = keys_of_statistics(l, of);
	enum lower_op op = n->flags & NF_FMT_STRING ? (keys ? L_SPRINT_HIST_ELEMENT : L_SPRINT_HIST)
						    : (keys ? L_PRINT_HIST_ELEMENT : L_PRINT_HIST);

	n->value = finish(l, lower_op_of(l, n, op, ast_variable(of)->sym, keys), true);
}

static void slice(struct lower *l, struct node *n)
{
	unsigned fixed;
	struct node *keys;

	lower_keys_ahead(l, n);
	keys = lower_keys(l, n, &fixed);
	n->value = lower_let(l, lower_with_num(lower_op_of(l, n, L_HAS_SLICE, IN_ARRAY(n)->sym, keys), fixed));
}

/* Looks at the values of all CPUs. */
static void percentile(struct lower *l, struct node *n)
{
	node_list operands = {0};

	lower_add_keys(l, STAT_OF(n), &operands);
	if (n->op == OP_QUANTILE)
		vec_push(l->a, &operands, STAT_PARAMETER(n, 0));
	lower_group(l, operands.v, operands.n);
	n->value = lower_statistic(l, n);
}

/* ---- prints ---- */

/* Texts go to the output as they are, however long a string may be. */
void lower_print_values(struct lower *l, struct node *n)
{
	AST_EACH(value, n)
		if ((*value)->kind == N_STRING)
			(*value)->value = *value;
	lower_children(l, n);
}

/* The others print each value as it is, with a delimiter between and perhaps a newline at the end: a format too. */
static const char *format_of(struct node *n)
{
	struct sb b = {0};
	size_t len = n->flags & NF_FMT_DELIM ? intern_len(n->text) : 0;

	if (n->flags & NF_FMT_FORMAT)
		return n->text;
	for (unsigned i = 0; i < PRINT_VALUES(n); i++) {
		for (size_t k = 0; i && k < len; k++) {
			sb_putc(&b, n->text[k]);
			if (n->text[k] == '%')
				sb_putc(&b, '%');
		}
		sb_puts(&b, PRINT_VALUE(n, i)->type == T_STRING ? "%s" : "%d");
	}
	if (n->flags & NF_FMT_NEWLINE)
		sb_putc(&b, '\n');
	const char *text = intern_n(b.s ? b.s : "", b.n);
	sb_free(&b);
	return text;
}

static void print(struct lower *l, struct node *n)
{
	unsigned count = PRINT_VALUES(n);
	struct node **values = arena_array(l->a, struct node *, count + 1), *format, *args;

	if (count == 1 && opt_is_histogram(PRINT_VALUE(n, 0))) {
		histogram(l, n);
		return;
	}
	lower_print_values(l, n);
	format = lower_table(l, n, TABLE_FORMAT);
	format->text = format_of(n);
	for (unsigned i = 0; i < count; i++)
		values[i] = PRINT_VALUE(n, i)->value;
	args = lower_array(l, N_VALUES, n, values, count);
	n->value = finish(l, lower_op(l, n, n->flags & NF_FMT_STRING ? L_SPRINTF : L_PRINTF, format, args), true);
}

/* ---- matches, names of constants, what is shown ---- */

/* A barrier too, since matched() depends on the order of matches. */
static void regex(struct lower *l, struct node *n, bool wanted)
{
	bool captures = n->regex->captures && pattern_groups_asked(l->s) >= 0;
	struct node *table = lower_table(l, n, TABLE_REGEX), *value;

	table->regex = n->regex;
	table->flags = captures ? NF_CAPTURES : 0;
	value = lower_op(l, n, captures ? L_REGEX_MATCH : L_REGEX_TEST, table, lower_whole(l, REGEX_SUBJECT(n)));
	if (captures && n->regex->ngroups > l->s->prog.needs.groups)
		l->s->prog.needs.groups = n->regex->ngroups;
	if (n->op == OP_NOMATCH)
		value = lower_op(l, n, L_IS_ZERO, value);
	n->value = finish(l, value, wanted);
}

static void enum_name(struct lower *l, struct node *n)
{
	struct node *table = lower_table(l, n, TABLE_ENUM);

	table->dtype = n->dtype;
	n->value = finish(l, lower_op(l, n, L_ENUM_NAME, table, lower_whole(l, ENUM_NAME_VALUE(n))), true);
}

static void show(struct lower *l, struct node *n)
{
	unsigned count = SHOW_INPUTS(n);
	struct node **values = arena_array(l->a, struct node *, count + 1), *table = lower_table(l, n, TABLE_SHOW);

	lower_children(l, n);
	table->show = n->show;
	for (unsigned i = 0; i < count; i++)
		values[i] = SHOW_INPUT(n, i)->value;
	n->value = finish(l, lower_op(l, n, L_SHOW, table, lower_array(l, N_WORDS, n, values, count)), true);
}

void lower_barrier(struct lower *l, struct node *n, bool wanted)
{
	if (n->value)
		return;
	if (n->kind == N_CALL)
		call(l, n, wanted);
	else if (n->kind == N_FETCH)
		lower_fetch(l, n);
	else if (n->kind == N_ENUM_NAME)
		enum_name(l, n);
	else if (n->kind == N_STORE)
		lower_store(l, n);
	else if (n->kind == N_SHOW)
		show(l, n);
	else if (n->kind == N_ASSIGN)
		feed(l, n, wanted);
	else if (n->kind == N_REGEX)
		regex(l, n, wanted);
	else if (n->kind == N_IN)
		slice(l, n);
	else if (n->kind == N_STAT)
		percentile(l, n);
	else if (n->kind == N_INDEX)
		bucket(l, n, wanted);
	else
		print(l, n);
}
