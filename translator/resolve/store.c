/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing to target variables, in guru mode; and @probewrite, which asks whether a handler writes a variable. */
#include "translator/resolve/target.h"

#include "translator/debuginfo/store.h"

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

static bool may_write(struct session *s, struct diags *ds, struct node *n)
{
	const struct node *base = target_base(n);
	const struct source *source = source_by_id(&s->sources, n->loc.source);

	if (n->kind == N_ADDRESS || n->kind == N_PRETTY || (base->kind == N_TARGET && base->name[1] == '$'))
		read_only(ds, n, "it is no variable", NULL);
	else if (base->kind == N_ENTRY || (base == n && n->kind == N_ENTRY_VALUE))
		read_only(ds, n, "it was saved when the function was entered", NULL);
	else if (!s->opt.guru && !(source && source->is_tapset)) {
		struct diag *d = diag_report(ds, n->loc, E_GURU, "writing to target variables changes what the probed program does");
		diag_hint(ds, d, "if that is wanted, give the option -g");
	} else {
		return true;
	}
	return false;
}

struct node *store_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n)
{
	struct node *lvalue = n->k[0], *out;
	struct target_path path;
	struct problem why = {0};
	struct store *store = arena_new(&s->arena, struct store);

	if (n->op == OP_STAT_ADD || n->op == OP_CAT) {
		diag_report(ds, n->loc, E_NOT_ASSIGNABLE, "a target variable is a number: %s does not go with it",
			    n->op == OP_CAT ? ".=" : op_text(n->op));
		return NULL;
	}
	if (!may_write(s, ds, lvalue) || !target_follow(s, ds, p, lvalue, &path))
		return NULL;
	if (path.at_entry) {
		read_only(ds, lvalue, "at the return, only its value from the entry is known", "write it in a probe of the function's entry");
		return NULL;
	}
	if (store_make(&s->arena, &path.to, store, &why)) {
		read_only(ds, lvalue, why.text, why.code == PROBLEM_NOT_SCALAR ? "write its members one by one" : why.hint);
		return NULL;
	}
	out = ast_new(&s->arena, N_STORE, n->loc, 0);
	for (size_t i = 0; i < path.inputs.n; i++)
		ast_add(&s->arena, out, path.inputs.v[i]);
	ast_add(&s->arena, out, n->kind == N_ASSIGN ? n->k[1] : ast_number(&s->arena, n->loc, 1));
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
		lvalue = lvalue->k[0];
	return lvalue->kind == N_NAME && lvalue->name == var->name;
}

static bool writes(const struct node *n, const struct node *var)
{
	bool found = false;

	if (n->kind == N_ASSIGN || n->kind == N_INCDEC || n->kind == N_DELETE)
		found = is_variable(n->k[0], var);
	for (unsigned i = 1; n->kind == N_FOREACH && i < n->nk; i++)
		found |= i != 2 && i != 3 && n->k[i] && is_variable(n->k[i], var);
	if (n->kind == N_TRY && n->k[1])
		found |= is_variable(n->k[1], var);
	for (unsigned i = 0; i < n->nk && !found; i++)
		found = n->k[i] && writes(n->k[i], var);
	return found;
}

static bool asks(const struct node *n)
{
	if (n->kind == N_PROBEWRITE)
		return true;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i] && asks(n->k[i]))
			return true;
	return false;
}

static void answer(struct session *s, struct node **np, const struct node *body)
{
	struct node *n = *np;

	if (n->kind == N_PROBEWRITE) {
		*np = ast_number(&s->arena, n->loc, body && writes(body, n->k[0]));
		return;
	}
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			answer(s, &n->k[i], body);
}

struct node *probewrite_answer(struct session *s, struct node *n, const struct node *body)
{
	if (!n || !asks(n))
		return n;
	n = ast_copy(&s->arena, n);
	answer(s, &n, body);
	return n;
}
