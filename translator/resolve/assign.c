/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing to target variables, in guru mode; and @probewrite, which asks whether a handler writes a variable. */
#include "translator/resolve/target.h"

#include "parser/habit.h"
#include "translator/debuginfo/destination.h"

/* ---- writing ---- */

static void read_only(struct diags *ds, const struct node *n, const char *why, const char *hint)
{
	struct sb text = {0};

	ast_unparse_short(n, &text);
	struct diag *d = diag_report(ds, n->loc, E_READ_ONLY, "%s cannot be written: %s", text.s, why);
	if (hint)
		diag_hint(ds, d, "%s", hint);
	sb_free(&text);
}

static bool is_place(struct diags *ds, struct node *n)
{
	const struct node *base = target_base(n);

	if (n->kind == N_ADDRESS || n->kind == N_PRETTY || (base->kind == N_TARGET && base->name[1] == '$'))
		read_only(ds, n, "it is not a variable", NULL);
	else if (base->kind == N_ENTRY || (base == n && n->kind == N_ENTRY_VALUE))
		read_only(ds, n, "it was saved when the function was entered", NULL);
	else
		return true;
	return false;
}

static bool may_write(struct session *s, struct diags *ds, struct node *n)
{
	if (session_is_trusted(s, n->loc))
		return true;
	struct diag *d = diag_report(ds, n->loc, E_GURU, "writing to target variables changes what the probed program does");
	diag_hint(ds, d, "if that is wanted, give the option -g");
	return false;
}

/* "$x = 1", where the probed code has no $x: in bpftrace that is a variable of the script. */
static void hint_own_variable(struct diags *ds, const struct node *lvalue)
{
	if (lvalue->kind == N_TARGET && ds->last && ds->last->id == E_NO_VARIABLE && ds->last->loc.off == lvalue->loc.off)
		habit_hint(ds, ds->last, HABIT_SIGN, "$x");
}

struct node *assign_bind(struct session *s, struct diags *ds, struct view at, struct node *n)
{
	struct node *lvalue = ast_changed(n), *out;
	struct target_path path;
	struct problem why = {0};
	struct destination *store = arena_new(&s->arena, struct destination);

	if (n->op == OP_STAT_ADD || n->op == OP_CAT) {
		diag_report(ds, n->loc, E_NOT_ASSIGNABLE, "a target variable is a number: %s does not go with it",
			    n->op == OP_CAT ? ".=" : op_text(n->op));
		return NULL;
	}
	if (!is_place(ds, lvalue))
		return NULL;
	if (!target_follow(s, ds, at, lvalue, &path)) {
		hint_own_variable(ds, lvalue);
		return NULL;
	}
	if (!may_write(s, ds, lvalue))
		return NULL;
	if (path.at_entry) {
		read_only(ds, lvalue, "at the return, only its value from the entry is known", "write it in a probe of the function's entry");
		return NULL;
	}
	if (destination_make(&s->arena, &path.to, store, &why)) {
		read_only(ds, lvalue, why.text, why.code == PROBLEM_NOT_SCALAR ? "write its members one by one" : why.hint);
		return NULL;
	}
	out = ast_new(&s->arena, N_STORE, n->loc, 0);
	for (size_t i = 0; i < path.inputs.n; i++)
		ast_add(&s->arena, out, path.inputs.v[i]);
	ast_add(&s->arena, out, n->kind == N_ASSIGN ? ASSIGN_VALUE(n) : ast_number(&s->arena, n->loc, 1));
	out->store = store;
	out->op = n->op;
	out->flags = n->kind == N_INCDEC && !(n->flags & NF_PREFIX) ? NF_OLD_VALUE : 0;
	return out;
}

/* ---- @probewrite ---- */

static bool is_variable(const struct node *lvalue, const struct node *var)
{
	if (var->kind != N_NAME)
		return ast_equal(lvalue, var);
	while (lvalue->kind == N_INDEX)
		lvalue = INDEX_BASE(lvalue);
	return lvalue->kind == N_NAME && lvalue->name == var->name;
}

static bool writes(const struct node *n, const struct node *var)
{
	AST_EACH(child, n)
		if ((ast_sets(n, child) && is_variable(*child, var)) || writes(*child, var))
			return true;
	return false;
}

static bool asks(const struct node *n)
{
	if (n->kind == N_PROBEWRITE)
		return true;
	AST_EACH(child, n)
		if (asks(*child))
			return true;
	return false;
}

static void answer(struct session *s, struct node **np, const struct node *body)
{
	struct node *n = *np;

	if (n->kind == N_PROBEWRITE) {
		*np = ast_number(&s->arena, n->loc, body && writes(body, PROBEWRITE_WHAT(n)));
		return;
	}
	AST_EACH(child, n)
		answer(s, child, body);
}

struct node *probewrite_answer(struct session *s, struct node *n, const struct node *body)
{
	if (!n || !asks(n))
		return n;
	n = ast_copy(&s->arena, n);
	answer(s, &n, body);
	return n;
}
