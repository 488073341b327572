/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements.  Labels carry the number of their construct: brkN, contN leave and repeat loop N; iterrN ends the snapshot of
 * foreach N on the way to the outer error label; catchN receives the errors of try N.
 */
#include "translator/emit/emit.h"

static void leave_region(struct emit *e)
{
	if (e->locked)
		emit_line(e, "rt_unlock(c);");
}

static void leave_iterators(struct emit *e)
{
	for (const struct emit_scope *s = e->scope; s; s = s->outer)
		if (s->is_iter)
			emit_line(e, "rt_iter_end(c, &it%u);", s->id);
}

/* break and continue end the foreach loops in between by jumping to labels that do. */
static void jump(struct emit *e, const char *label)
{
	const struct emit_scope *s = e->scope;

	while (s && !s->is_loop)
		s = s->outer;
	leave_region(e);
	if (s)
		emit_line(e, "goto %s%u;", label, s->id);
}

static unsigned weight(const struct node *n)
{
	unsigned w = n->kind == N_EXPR || n->kind == N_DELETE || n->kind == N_IF || n->kind == N_RETURN;

	AST_EACH(child, n)
		w += weight(*child);
	return w;
}

static void charge(struct emit *e, const struct node *body)
{
	emit_loc(e, body);
	e->error_used = true;
	emit_line(e, "if (rt_charge(c, %u))", weight(body) + 1);
	emit_line(e, "\tgoto %s;", e->error_label);
}

static void condition(struct emit *e, struct node *n, unsigned id)
{
	if (!n)
		return;
	emit_open(e);
	emit_line(e, "if (!(%s))", emit_whole(e, n));
	emit_line(e, "\tgoto brk%u;", id);
	emit_close(e);
}

/* Where "continue" leads to. */
static void end_of_round(struct emit *e, size_t begin, unsigned id)
{
	if (emit_jumps(e, begin, emit_text(e, "cont%u", id)))
		sb_printf(e->out, "cont%u:;\n", id);
}

static void loop(struct emit *e, struct node *n)
{
	struct emit_scope scope = {.outer = e->scope, .id = e->nlabel++, .is_loop = true};
	size_t begin = e->out->n;

	emit_open(e);
	if (FOR_INIT(n)) {
		emit_open(e);
		emit_effect(e, FOR_INIT(n));
		emit_close(e);
	}
	emit_line(e, "char *mark%u = rt_mark(c);", scope.id);
	emit_line(e, "for (;;) {");
	e->indent++;
	emit_line(e, "rt_release(c, mark%u);", scope.id);
	condition(e, FOR_CONDITION(n), scope.id);
	charge(e, FOR_BODY(n));
	e->scope = &scope;
	emit_body(e, FOR_BODY(n));
	e->scope = scope.outer;
	end_of_round(e, begin, scope.id);
	if (FOR_STEP(n)) {
		emit_open(e);
		emit_effect(e, FOR_STEP(n));
		emit_close(e);
	}
	emit_close(e);
	emit_label(e, begin, emit_text(e, "brk%u", scope.id));
	emit_line(e, "rt_release(c, mark%u);", scope.id);
	emit_close(e);
}

static void set_loop_variable(struct emit *e, struct node *n, const char *place)
{
	emit_set_local(e, n->sym, emit_text(e, "%s.%s", place, n->sym->type == T_STRING ? "s" : "l"));
}

/* A key or value variable may be a global too: that takes its lock. */
static void set_variable(struct emit *e, struct node *n, const char *place)
{
	bool locked;

	if (n->sym->kind == SYM_LOCAL) {
		set_loop_variable(e, n, place);
		return;
	}
	locked = emit_lock_one(e, n->sym);
	if (n->sym->type == T_STRING)
		emit_line(e, "rt_strvar_set(c, (struct rt_strvar *)&%s, %s.s);", emit_global(e, n->sym), place);
	else
		emit_line(e, "%s = %s.l;", emit_global(e, n->sym), place);
	if (locked)
		emit_unlock(e);
}

static const char *order(struct emit *e, struct node *n, unsigned id)
{
	const char *limit = FOREACH_LIMIT(n) ? emit_whole(e, FOREACH_LIMIT(n)) : "-1";

	if (FOREACH_LIMIT(n))
		limit = emit_text(e, "(%s) < 0 ? 0 : (%s)", limit, limit);
	emit_line(e, "struct rt_order order%u = {%s, %d, %lld, %s, %s, %d};", id, limit, n->op == OP_UP ? 1 : n->op == OP_DOWN ? -1 : 0,
		  (long long)n->num, emit_stat_op(n->sort_stat), emit_permille(n->sort_stat), !!(n->flags & NF_BOUNDED));
	return emit_text(e, "&order%u", id);
}

static void foreach(struct emit *e, struct node *n)
{
	const struct node *array = FOREACH_ARRAY(n);
	struct symbol *v = ast_variable(array)->sym;
	struct emit_scope scope = {.outer = e->scope, .id = e->nlabel++, .is_loop = true, .is_iter = true};
	unsigned id = scope.id, fixed = 0;
	const char *values = FOREACH_VALUE(n) ? emit_text(e, "&v%u", id) : "0";
	const char *outer_error = e->error_label, *by, *fixed_keys = "0";
	size_t begin = e->out->n;

	emit_open(e);
	emit_line(e, "struct rt_iter it%u;", id);
	emit_line(e, "union rt_val k%u[%u], v%u;", id, FOREACH_KEYS(n), id);
	emit_line(e, "char *mark%u;", id);
	emit_line(e, "rt_bool more%u;", id);
	emit_line(e, "(void)v%u;", id);
	by = order(e, n, id);
	if (array->kind == N_INDEX) {
		emit_keys_ahead(e, array);
		fixed_keys = emit_keys(e, array, &fixed);
	}
	emit_loc(e, n);
	emit_line(e, "rt_iter_begin(c, &it%u, %s, %s, %s, %u);", id, emit_global(e, v), by, fixed_keys, fixed);
	emit_check(e);
	emit_line(e, "mark%u = rt_mark(c);", id);
	e->error_label = emit_text(e, "iterr%u", id);
	emit_line(e, "for (;;) {");
	e->indent++;
	emit_line(e, "rt_release(c, mark%u);", id);
	emit_loc(e, n);
	emit_line(e, "more%u = rt_iter_next(c, &it%u, k%u, %s);", id, id, id, values);
	emit_check(e);
	emit_line(e, "if (!more%u)", id);
	emit_line(e, "\tbreak;");
	for (unsigned i = 0; i < FOREACH_KEYS(n); i++)
		set_variable(e, FOREACH_KEY(n, i), emit_text(e, "k%u[%u]", id, i));
	if (FOREACH_VALUE(n))
		set_variable(e, FOREACH_VALUE(n), emit_text(e, "v%u", id));
	if (!(n->flags & NF_BOUNDED))
		charge(e, FOREACH_BODY(n));
	e->scope = &scope;
	emit_body(e, FOREACH_BODY(n));
	e->scope = scope.outer;
	end_of_round(e, begin, id);
	emit_close(e);
	emit_label(e, begin, emit_text(e, "brk%u", id));
	emit_line(e, "rt_release(c, mark%u);", id);
	emit_line(e, "rt_iter_end(c, &it%u);", id);
	emit_line(e, "goto done%u;", id);
	sb_printf(e->out, "iterr%u:\n", id); /* rt_iter_next() may fail */
	emit_line(e, "rt_unlock(c);");
	emit_line(e, "rt_iter_end(c, &it%u);", id);
	emit_line(e, "goto %s;", outer_error);
	sb_printf(e->out, "done%u:;\n", id);
	emit_close(e);
	e->error_label = outer_error;
	e->error_used = true;
}

static void try(struct emit *e, struct node *n)
{
	size_t begin = e->out->n;
	unsigned id = e->nlabel++;
	const char *outer_error = e->error_label;

	emit_open(e);
	e->error_label = emit_text(e, "catch%u", id);
	emit_body(e, TRY_BODY(n));
	e->error_label = outer_error;
	e->error_used = true;
	emit_line(e, "goto tried%u;", id);
	emit_label(e, begin, emit_text(e, "catch%u", id));
	emit_line(e, "rt_unlock(c);");
	emit_open(e);
	emit_line(e, "struct rt_str text%u;", id);
	emit_line(e, "if (!rt_catch(c, &text%u))", id);
	emit_line(e, "\tgoto %s;", outer_error);
	if (TRY_VARIABLE(n))
		set_variable(e, TRY_VARIABLE(n), emit_text(e, "((union rt_val){.s = text%u})", id));
	emit_close(e);
	emit_body(e, TRY_HANDLER(n));
	sb_printf(e->out, "tried%u:;\n", id);
	emit_close(e);
}

static void delete(struct emit *e, struct node *n)
{
	const struct node *what = DELETE_WHAT(n);
	struct symbol *v = ast_variable(what)->sym;
	const char *keys;
	unsigned fixed;
	bool locked;

	if (v->kind == SYM_LOCAL) {
		emit_set_local(e, v, v->type == T_STRING ? "RT_EMPTY" : "0");
		return;
	}
	if (v->type == T_STATS && !v->is_array) {
		emit_line(e, "rt_stat_clear(c, %s);", emit_global(e, v));
		return;
	}
	if (what->kind == N_INDEX)
		emit_keys_ahead(e, what);
	if (opt_is_slice(what)) { /* it takes the lock by itself, again and again */
		keys = emit_keys(e, what, &fixed);
		emit_loc(e, n);
		emit_line(e, "rt_map_delete_slice(c, %s, %s, %u);", emit_global(e, v), keys, fixed);
		emit_check(e);
		return;
	}
	locked = emit_lock_one(e, v);
	if (what->kind == N_INDEX) {
		keys = emit_keys(e, what, &fixed);
		emit_line(e, "rt_map_delete(c, %s, %s);", emit_global(e, v), keys);
	} else if (v->is_array) {
		emit_line(e, "rt_map_clear(c, %s);", emit_global(e, v));
	} else if (v->type == T_STRING) {
		emit_line(e, "rt_strvar_set(c, (struct rt_strvar *)&%s, RT_EMPTY);", emit_global(e, v));
	} else {
		emit_line(e, "__atomic_store_n(&%s, 0, __ATOMIC_RELAXED);", emit_global(e, v));
	}
	if (locked)
		emit_unlock(e);
}

/* What the first statement of a region cannot do in it. */
static void first_ahead(struct emit *e, struct node *n)
{
	if (n->kind == N_DELETE && DELETE_WHAT(n)->kind == N_INDEX)
		emit_keys_ahead(e, DELETE_WHAT(n));
	else if (n->kind == N_EXPR && !opt_is_barrier(EXPR_VALUE(n)))
		emit_effect_ahead(e, EXPR_VALUE(n));
	else if (n->kind == N_IF)
		emit_ahead(e, IF_CONDITION(n));
	else if (n->kind == N_RETURN && RETURN_VALUE(n))
		emit_ahead(e, RETURN_VALUE(n));
}

/* A print at the end waits until its values are read and the locks given back. */
static void region(struct emit *e, struct node *n)
{
	unsigned statements = BLOCK_STATEMENTS(n);
	struct node *last = BLOCK_STATEMENT(n, statements - 1);
	bool prints = last->kind == N_EXPR && EXPR_VALUE(last)->kind == N_PRINT, locked;

	emit_open(e);
	if (n->flags & NF_AHEAD)
		first_ahead(e, BLOCK_STATEMENT(n, 0));
	locked = emit_lock(e, &n, 1);
	for (unsigned i = 0; i < statements - prints; i++)
		emit_statement(e, BLOCK_STATEMENT(n, i));
	if (prints)
		emit_print_values(e, EXPR_VALUE(last));
	if (locked)
		emit_unlock(e);
	if (prints)
		emit_statement(e, last);
	emit_close(e);
}

static void block(struct emit *e, struct node *n)
{
	if (n->flags & NF_ATOMIC) {
		region(e, n);
		return;
	}
	emit_open(e);
	emit_body(e, n);
	emit_close(e);
}

void emit_body(struct emit *e, struct node *n)
{
	if (n->kind != N_BLOCK || (n->flags & NF_ATOMIC)) {
		emit_statement(e, n);
		return;
	}
	for (unsigned i = 0; i < BLOCK_STATEMENTS(n); i++)
		emit_statement(e, BLOCK_STATEMENT(n, i));
}

static void if_else(struct emit *e, struct node *n)
{
	emit_open(e);
	emit_line(e, "if (%s) {", emit_whole(e, IF_CONDITION(n)));
	e->indent++;
	emit_body(e, IF_THEN(n));
	if (IF_ELSE(n)) {
		e->indent--;
		emit_line(e, "} else {");
		e->indent++;
		emit_body(e, IF_ELSE(n));
	}
	emit_close(e);
	emit_close(e);
}

void emit_statement(struct emit *e, struct node *n)
{
	switch (n->kind) {
	case N_BLOCK:
		block(e, n);
		return;
	case N_EXPR:
		emit_open(e);
		emit_effect(e, EXPR_VALUE(n));
		emit_close(e);
		return;
	case N_IF:
		if_else(e, n);
		return;
	case N_FOR:
		loop(e, n);
		return;
	case N_FOREACH:
		foreach(e, n);
		return;
	case N_RETURN:
		emit_open(e);
		if (RETURN_VALUE(n))
			emit_line(e, "ret = %s;", emit_whole(e, RETURN_VALUE(n)));
		leave_region(e);
		leave_iterators(e);
		emit_line(e, "goto out;");
		emit_close(e);
		return;
	case N_NEXT:
		leave_region(e);
		leave_iterators(e);
		if (e->function)
			emit_line(e, "*next = 1;");
		emit_line(e, "goto out;");
		return;
	case N_BREAK:
		jump(e, "brk");
		return;
	case N_CONTINUE:
		jump(e, "cont");
		return;
	case N_DELETE:
		emit_open(e);
		delete(e, n);
		emit_close(e);
		return;
	case N_TRY:
		try(e, n);
		return;
	case N_EMPTY:
	case N_EMBEDDED:
	CASES_OF_EXPRESSIONS:
	CASES_OF_DECLARATIONS:
	CASES_UNTIL_BIND:
	case NODE_KINDS:
		return;
	}
}
