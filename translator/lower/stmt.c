/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements.  Labels have the number of their construct: brkN and contN leave and repeat loop N; iterrN gives back the snapshot of
 * foreach N on the way to the outer error label, doneN is after that; catchN receives the errors of try N, triedN is after both.
 * Errors that are not caught go to err; all else that leaves the body goes to out.
 */
#include "translator/lower/private.h"

static void plain(struct lower *l, const struct node *n, enum lower_op op, int64_t num)
{
	lower_do(l, lower_op_num(l, n, op, num, NULL));
}

static void leave_region(struct lower *l, const struct node *n)
{
	if (l->locked)
		plain(l, n, L_UNLOCK, 0);
}

static void leave_iterators(struct lower *l, const struct node *n)
{
	for (const struct lower_scope *s = l->scope; s; s = s->outer)
		if (s->is_iter)
			plain(l, n, L_ITER_END, s->id);
}

/* break goes to brkN, where a foreach gives its snapshot back; continue to contN, the end of the turn. */
static void leave_loop(struct lower *l, const struct node *n)
{
	leave_region(l, n);
	if (l->scope)
		lower_goto(l, n, n->kind == N_BREAK ? l->scope->leave : l->scope->repeat, NULL, 0);
}

static void leave_body(struct lower *l, const struct node *n)
{
	struct node *outer = n->kind == N_RETURN ? lower_open(l, n) : NULL;

	if (n->kind == N_RETURN && RETURN_VALUE(n))
		lower_do(l, lower_op(l, n, L_RESULT, lower_whole(l, RETURN_VALUE(n))));
	leave_region(l, n);
	leave_iterators(l, n);
	if (n->kind == N_NEXT && l->function)
		plain(l, n, L_GIVE_WAY, 0);
	lower_goto(l, n, l->out, NULL, 0);
	if (outer)
		lower_close(l, outer);
}

static void charge(struct lower *l, const struct node *body)
{
	lower_goto(l, body, l->error, lower_op_num(l, body, L_CHARGE, lower_weight(body) + 1, NULL), 0);
}

/* ---- loops ---- */

static struct lower_scope new_scope(struct lower *l, bool is_iter)
{
	int id = l->nids++;

	return (struct lower_scope){.outer = l->scope, .id = id, .is_iter = is_iter, .leave = lower_label(l, "brk", id),
				    .repeat = lower_label(l, "cont", id)};
}

/* What is done in each round, and where "continue" leads to. */
static void round_of(struct lower *l, struct node *body, struct lower_scope *scope)
{
	l->scope = scope;
	lower_body(l, body);
	l->scope = scope->outer;
	lower_place(l, body, scope->repeat);
}

static void effect(struct lower *l, struct node *n)
{
	struct node *outer;

	if (!n)
		return;
	outer = lower_open(l, n);
	lower_effect(l, n);
	lower_close(l, outer);
}

static void condition(struct lower *l, struct node *n, struct label *leave)
{
	struct node *outer;

	if (!n)
		return;
	outer = lower_open(l, n);
	lower_goto(l, n, leave, lower_whole(l, n), NF_UNLESS);
	lower_close(l, outer);
}

static void loop(struct lower *l, struct node *n)
{
	struct lower_scope scope = new_scope(l, false);
	struct node *outer = lower_open(l, n), *inside;

	effect(l, FOR_INIT(n));
	plain(l, n, L_MARK, scope.id);
	inside = lower_loop(l, n);
	plain(l, n, L_RELEASE, scope.id);
	condition(l, FOR_CONDITION(n), scope.leave);
	charge(l, FOR_BODY(n));
	round_of(l, FOR_BODY(n), &scope);
	effect(l, FOR_STEP(n));
	lower_close(l, inside);
	lower_place(l, n, scope.leave);
	plain(l, n, L_RELEASE, scope.id);
	lower_close(l, outer);
}

/* A key, value or caught error, given to a variable; that may be a global too, which takes its lock. */
static void set_variable(struct lower *l, struct node *n, struct node *value)
{
	bool locked;

	if (n->sym->kind == SYM_LOCAL) {
		lower_set_local(l, n, n->sym, value);
		return;
	}
	locked = lower_lock_one(l, n, n->sym);
	lower_do(l, lower_op_of(l, n, n->sym->type == T_STRING ? L_STORE_STR : L_STORE_LOCKED, n->sym, value));
	if (locked)
		lower_unlock(l, n);
}

static void set_loop_variables(struct lower *l, struct node *n, int id)
{
	for (unsigned i = 0; i < FOREACH_KEYS(n); i++) {
		struct node *key = FOREACH_KEY(n, i);
		enum lower_op op = key->sym->type == T_STRING ? L_ITER_KEY_STR : L_ITER_KEY;
		set_variable(l, key, lower_op_num(l, key, op, id, lower_number(l, key, i)));
	}
	if (FOREACH_VALUE(n)) {
		struct node *value = FOREACH_VALUE(n);
		set_variable(l, value, lower_op_num(l, value, value->sym->type == T_STRING ? L_ITER_VALUE_STR : L_ITER_VALUE, id, NULL));
	}
}

/* The keys of a slice and the limit, in the order of the script. */
static void compute_foreach(struct lower *l, const struct node *n)
{
	node_list operands = {0};

	lower_add_keys(l, FOREACH_ARRAY(n), &operands);
	if (FOREACH_LIMIT(n))
		vec_push(l->a, &operands, FOREACH_LIMIT(n));
	lower_group(l, operands.v, operands.n);
}

static void order(struct lower *l, struct node *n, int id)
{
	struct node *limit = FOREACH_LIMIT(n) ? lower_op(l, n, L_LIMIT, FOREACH_LIMIT(n)->value) : lower_op(l, n, L_NO_LIMIT, NULL);
	struct node *made = lower_op_num(l, n, L_ITER_ORDER, id, limit, lower_number(l, n, n->op == OP_UP ? 1 : n->op == OP_DOWN ? -1 : 0),
					 lower_number(l, n, n->num), lower_number(l, n, !!(n->flags & NF_BOUNDED)));

	made->op = n->sort_stat;
	lower_do(l, made);
}

/* The snapshot, and what belongs to it. */
static void begin_foreach(struct lower *l, struct node *n, int id)
{
	const struct node *array = FOREACH_ARRAY(n);
	struct node *keys = NULL;
	unsigned fixed = 0;

	plain(l, n, L_ITER, id);
	lower_do(l, lower_op_num(l, n, L_ITER_VALUES, id, lower_number(l, n, FOREACH_KEYS(n))));
	plain(l, n, L_ITER_MARK, id);
	plain(l, n, L_ITER_MORE, id);
	plain(l, n, L_ITER_UNUSED, id);
	compute_foreach(l, n);
	order(l, n, id);
	if (array->kind == N_INDEX)
		keys = lower_keys(l, array, &fixed);
	lower_do(l, lower_with_num(lower_op_of(l, n, L_ITER_BEGIN, ast_variable(array)->sym, keys ? keys : lower_op(l, n, L_NULL, NULL),
					       lower_number(l, n, fixed)), id));
	plain(l, n, L_ITER_SET_MARK, id);
}

/* Ways out: at the end of the walk, and at an error in it. */
static void end_foreach(struct lower *l, struct node *n, struct lower_scope *scope, struct label *failed, struct label *outer_error)
{
	struct label *done = lower_label(l, "done", scope->id);

	lower_place(l, n, scope->leave);
	plain(l, n, L_RELEASE, scope->id);
	plain(l, n, L_ITER_END, scope->id);
	lower_goto(l, n, done, NULL, 0);
	lower_place(l, n, failed);
	plain(l, n, L_UNLOCK, 0);
	plain(l, n, L_ITER_END, scope->id);
	lower_goto(l, n, outer_error, NULL, 0);
	lower_place(l, n, done);
}

static void foreach(struct lower *l, struct node *n)
{
	struct lower_scope scope = new_scope(l, true);
	struct label *outer_error = l->error, *failed = lower_label(l, "iterr", scope.id);
	struct node *outer = lower_open(l, n), *inside;

	begin_foreach(l, n, scope.id);
	l->error = failed;
	inside = lower_loop(l, n);
	plain(l, n, L_RELEASE, scope.id);
	plain(l, n, FOREACH_VALUE(n) ? L_ITER_NEXT_VALUE : L_ITER_NEXT, scope.id);
	lower_goto(l, n, scope.leave, lower_op_num(l, n, L_ITER_HAS, scope.id, NULL), NF_UNLESS);
	set_loop_variables(l, n, scope.id);
	if (!(n->flags & NF_BOUNDED))
		charge(l, FOREACH_BODY(n));
	round_of(l, FOREACH_BODY(n), &scope);
	lower_close(l, inside);
	end_foreach(l, n, &scope, failed, outer_error);
	lower_close(l, outer);
	l->error = outer_error;
}

/* ---- try ---- */

static void try(struct lower *l, struct node *n)
{
	int id = l->nids++;
	struct label *outer_error = l->error, *caught = lower_label(l, "catch", id), *tried = lower_label(l, "tried", id);
	struct node *outer = lower_open(l, n), *inside;

	l->error = caught;
	lower_body(l, TRY_BODY(n));
	l->error = outer_error;
	lower_goto(l, n, tried, NULL, 0);
	lower_place(l, n, caught);
	plain(l, n, L_UNLOCK, 0);
	inside = lower_open(l, n);
	plain(l, n, L_CATCH_TEXT, id);
	lower_goto(l, n, outer_error, lower_op_num(l, n, L_CATCH, id, NULL), NF_UNLESS);
	if (TRY_VARIABLE(n))
		set_variable(l, TRY_VARIABLE(n), lower_op_num(l, n, L_CAUGHT, id, NULL));
	lower_close(l, inside);
	lower_body(l, TRY_HANDLER(n));
	lower_place(l, n, tried);
	lower_close(l, outer);
}

/* ---- delete ---- */

static void delete_local(struct lower *l, const struct node *n, struct symbol *v)
{
	lower_set_local(l, n, v, v->type == T_STRING ? lower_op(l, n, L_EMPTY, NULL) : lower_number(l, n, 0));
}

static void delete_locked(struct lower *l, const struct node *n, const struct node *what, const struct symbol *v)
{
	if (what->kind == N_INDEX)
		lower_do(l, lower_op_of(l, n, lower_is_shared(v) ? L_DELETE_SHARED : L_DELETE, v, lower_keys(l, what, NULL)));
	else if (v->is_array)
		lower_do(l, lower_op_of(l, n, lower_is_shared(v) ? L_CLEAR_SHARED : L_CLEAR, v, NULL));
	else if (v->type == T_STRING)
		lower_do(l, lower_op_of(l, n, L_STORE_STR, v, lower_op(l, n, L_EMPTY, NULL)));
	else
		lower_do(l, lower_op_of(l, n, L_STORE, v, lower_number(l, n, 0)));
}

static void delete(struct lower *l, struct node *n)
{
	const struct node *what = DELETE_WHAT(n);
	struct symbol *v = ast_variable(what)->sym;
	struct node *keys;
	unsigned fixed;
	bool locked;

	if (v->kind == SYM_LOCAL) {
		delete_local(l, n, v);
		return;
	}
	if (v->type == T_STATS && !v->is_array) {
		lower_do(l, lower_op_of(l, n, L_CLEAR_STAT, v, NULL));
		return;
	}
	if (opt_is_slice(what)) { /* it takes the lock by itself, again and again */
		lower_keys_ahead(l, what);
		keys = lower_keys(l, what, &fixed);
		lower_do(l, lower_with_num(lower_op_of(l, n, L_DELETE_SLICE, v, keys), fixed));
		return;
	}
	lower_effect_ahead(l, n);
	locked = lower_lock(l, &n, 1);
	l->copy_locals = lower_changes_locals(n);
	delete_locked(l, n, what, v);
	l->copy_locals = false;
	if (locked)
		lower_unlock(l, n);
}

/* ---- blocks ---- */

/* Computes what the first statement of a region cannot do inside it. */
static void first_ahead(struct lower *l, struct node *n)
{
	if (n->kind == N_DELETE)
		lower_effect_ahead(l, n);
	else if (n->kind == N_EXPR && !opt_is_barrier(EXPR_VALUE(n)))
		lower_effect_ahead(l, EXPR_VALUE(n));
	else if (n->kind == N_IF)
		lower_ahead(l, IF_CONDITION(n));
	else if (n->kind == N_RETURN && RETURN_VALUE(n))
		lower_ahead(l, RETURN_VALUE(n));
}

/* A print at the end waits until its values are read and the locks given back. */
static void region(struct lower *l, struct node *n)
{
	unsigned statements = BLOCK_STATEMENTS(n);
	struct node *last = BLOCK_STATEMENT(n, statements - 1), *outer = lower_open(l, n);
	bool prints = last->kind == N_EXPR && EXPR_VALUE(last)->kind == N_PRINT, locked;

	if (n->flags & NF_AHEAD)
		first_ahead(l, BLOCK_STATEMENT(n, 0));
	locked = lower_lock(l, &n, 1);
	for (unsigned i = 0; i < statements - prints; i++)
		lower_statement(l, BLOCK_STATEMENT(n, i));
	if (prints)
		lower_print_values(l, EXPR_VALUE(last));
	if (locked)
		lower_unlock(l, n);
	if (prints)
		lower_statement(l, last);
	lower_close(l, outer);
}

static void block(struct lower *l, struct node *n)
{
	struct node *outer;

	if (n->flags & NF_ATOMIC) {
		region(l, n);
		return;
	}
	outer = lower_open(l, n);
	lower_body(l, n);
	lower_close(l, outer);
}

void lower_body(struct lower *l, struct node *n)
{
	if (n->kind != N_BLOCK || (n->flags & NF_ATOMIC)) {
		lower_statement(l, n);
		return;
	}
	for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++)
		lower_statement(l, BLOCK_STATEMENT(n, i));
}

static void if_else(struct lower *l, struct node *n)
{
	struct node *outer = lower_open(l, n), *inside = lower_if(l, n, lower_whole(l, IF_CONDITION(n)));

	lower_body(l, IF_THEN(n));
	if (IF_ELSE(n)) {
		lower_else(l, inside);
		lower_body(l, IF_ELSE(n));
	}
	lower_close(l, inside);
	lower_close(l, outer);
}

void lower_statement(struct lower *l, struct node *n)
{
	struct node *outer;

	switch (n->kind) {
	case N_BLOCK:
		block(l, n);
		return;
	case N_EXPR:
		effect(l, EXPR_VALUE(n));
		return;
	case N_IF:
		if_else(l, n);
		return;
	case N_FOR:
		loop(l, n);
		return;
	case N_FOREACH:
		foreach(l, n);
		return;
	case N_RETURN:
	case N_NEXT:
		leave_body(l, n);
		return;
	case N_BREAK:
	case N_CONTINUE:
		leave_loop(l, n);
		return;
	case N_DELETE:
		outer = lower_open(l, n);
		delete(l, n);
		lower_close(l, outer);
		return;
	case N_TRY:
		try(l, n);
		return;
	case N_EMPTY:
	case N_EMBEDDED:
	CASES_OF_EXPRESSIONS:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	CASES_LOWERED:
	case NODE_KINDS:
		return;
	}
}
