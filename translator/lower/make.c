/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nodes of a lowered tree. */

#include "translator/lower/private.h"

const struct lower_op_row lower_ops[LOWER_OPS] = {
#define LOWER_OP(id, result, how, text) [id] = {#id, result, how, text},
#include "translator/lower/ops.def"
#undef LOWER_OP
};

struct node *lower_new(struct lower *l, enum node_kind kind, const struct node *n, unsigned children)
{
	return ast_new(l->a, kind, n->loc, children);
}

struct node *lower_add(struct lower *l, struct node *statement)
{
	ast_add(l->a, l->block, statement);
	return statement;
}

/* ---- expressions ---- */

struct node *lower_op4(struct lower *l, const struct node *n, enum lower_op op, struct node *const args[4])
{
	unsigned count = 0;

	while (count < 4 && args[count])
		count++;
	struct node *made = lower_new(l, N_OP, n, count);
	made->run = op;
	made->op = n->op;
	made->type = lower_ops[op].result == R_STRING ? T_STRING : lower_ops[op].result == R_NOTHING ? T_VOID : T_LONG;
	for (unsigned i = 0; i < count; i++)
		OP_ARG(made, i) = args[i];
	return made;
}

struct node *lower_with_sym(struct node *op, const struct symbol *v)
{
	op->sym = (struct symbol *)v;
	return op;
}

struct node *lower_with_num(struct node *op, int64_t num)
{
	op->num = num;
	return op;
}

struct node *lower_number(struct lower *l, const struct node *n, int64_t num)
{
	struct node *made = ast_number(l->a, n->loc, num);

	made->type = T_LONG;
	return made;
}

struct node *lower_table(struct lower *l, const struct node *n, enum lower_table table)
{
	struct node *made = lower_new(l, N_TABLE, n, 0);

	made->num = table;
	return made;
}

/* ---- statements ---- */

/* Adds to an operation that may fail its place, and where it goes then. */
static struct node *guarded(struct lower *l, struct node *statement, const struct node *value)
{
	unsigned how = value && value->kind == N_OP ? lower_ops[value->run].how : SURE;

	if (value && value->kind == N_FETCH)
		how = fetch_op_fails(value->fetch->ops[0].code) ? PLACED | FAILS : SURE;
	if (how & PLACED)
		statement->flags |= NF_PLACED;
	if (how & FAILS) {
		statement->label = l->error;
		l->error->used = true;
	}
	return statement;
}

static struct node *temp(struct lower *l, const struct node *declared)
{
	struct node *made = lower_new(l, N_TEMP, declared, 0);

	made->num = declared->num;
	made->type = declared->type;
	return made;
}

static struct node *new_temp(struct lower *l, enum node_kind kind, const struct node *n, unsigned children)
{
	struct node *made = lower_new(l, kind, n, children);

	made->num = l->ntemps++;
	return made;
}

/* Can nothing change it any more? */
static bool is_settled(const struct node *value)
{
	return value->kind == N_TEMP || value->kind == N_NUMBER || value->kind == N_STRING;
}

struct node *lower_let(struct lower *l, struct node *value)
{
	struct node *made;

	if (is_settled(value))
		return value;
	made = new_temp(l, N_LET, value, 1);

	LET_VALUE(made) = value;
	made->type = value->type;
	lower_add(l, guarded(l, made, value));
	return temp(l, made);
}

struct node *lower_do(struct lower *l, struct node *value)
{
	struct node *made = lower_new(l, N_EXPR, value, 1);

	EXPR_VALUE(made) = value;
	return lower_add(l, guarded(l, made, value));
}

struct node *lower_declare(struct lower *l, const struct node *n, enum type type)
{
	struct node *made = new_temp(l, N_LET, n, 1);

	made->type = type;
	return temp(l, lower_add(l, made));
}

struct node *lower_put(struct lower *l, struct node *to, struct node *value, unsigned flags)
{
	struct node *made = lower_new(l, N_PUT, value, 1);

	made->num = to->num;
	made->flags = flags;
	PUT_VALUE(made) = value;
	return lower_add(l, guarded(l, made, value));
}

struct node *lower_array(struct lower *l, enum node_kind kind, const struct node *n, struct node *const *v, unsigned count)
{
	struct node *made = new_temp(l, kind, n, 0);

	for (unsigned i = 0; i < count; i++)
		ast_add(l->a, made, v[i]);
	return temp(l, lower_add(l, made));
}

struct node *lower_copy(struct lower *l, const struct node *n, struct node *value)
{
	struct node *made = new_temp(l, N_LET, n, 1), *t;

	LET_VALUE(made) = value;
	made->type = T_STRING;
	t = temp(l, lower_add(l, made));
	lower_put(l, t, lower_op(l, n, L_STR_COPY, t), 0);
	l->nstrings++;
	return t;
}

/* ---- blocks ---- */

/* The next statements go there. */
static struct node *go_on_in(struct lower *l, struct node *block)
{
	struct node *outer = l->block;

	l->block = block;
	return outer;
}

struct node *lower_open(struct lower *l, const struct node *n)
{
	return go_on_in(l, lower_add(l, lower_new(l, N_BLOCK, n, 0)));
}

struct node *lower_loop(struct lower *l, const struct node *n)
{
	struct node *made = lower_add(l, lower_new(l, N_LOOP, n, 1));

	return go_on_in(l, LOOP_BODY(made) = lower_new(l, N_BLOCK, n, 0));
}

struct node *lower_if(struct lower *l, const struct node *n, struct node *condition)
{
	struct node *made = lower_add(l, lower_new(l, N_IF, n, 3));

	IF_CONDITION(made) = condition;
	return go_on_in(l, IF_THEN(made) = lower_new(l, N_BLOCK, n, 0));
}

/* The "if" is the last statement of the block that it stands in. */
void lower_else(struct lower *l, struct node *outer)
{
	struct node *made = BLOCK_STATEMENT(outer, BLOCK_STATEMENTS(outer) - 1);

	go_on_in(l, IF_ELSE(made) = lower_new(l, N_BLOCK, made, 0));
}

void lower_close(struct lower *l, struct node *outer)
{
	go_on_in(l, outer);
}

/* ---- labels ---- */

struct label *lower_label(struct lower *l, const char *stem, int id)
{
	struct label *made = arena_new(l->a, struct label);

	made->stem = stem;
	made->id = id;
	return made;
}

void lower_place(struct lower *l, const struct node *n, struct label *label)
{
	lower_add(l, lower_new(l, N_LABEL, n, 0))->label = label;
}

struct node *lower_goto(struct lower *l, const struct node *n, struct label *label, struct node *condition, unsigned flags)
{
	struct node *made = lower_add(l, lower_new(l, N_GOTO, n, 1));

	made->label = label;
	made->flags = flags;
	label->used = true;
	GOTO_CONDITION(made) = condition;
	if (condition && condition->kind == N_OP && (lower_ops[condition->run].how & PLACED))
		made->flags |= NF_PLACED;
	return made;
}
