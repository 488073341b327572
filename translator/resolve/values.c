/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of the pass "points": $variables of a probe point that are no memory, but texts or numbers of the hit. */
#include <string.h>

#include "base/intern.h"
#include "translator/probes/forms.h"
#include "translator/resolve/select.h"
#include "translator/resolve/values.h"

static const struct probe_value *value_of(const struct site *t, const struct node *n)
{
	if (!n || n->kind != N_TARGET)
		return NULL;
	for (const struct probe_value *v = t->values; v->name; v++)
		if (!strcmp(n->name + 1, v->name))
			return v;
	return NULL;
}

static struct node *call(struct session *s, const struct node *at, const char *function, struct node *argument)
{
	struct node *n = ast_new(&s->arena, N_CALL, at->loc, 0);

	n->name = intern(function);
	if (argument)
		ast_add(&s->arena, n, argument);
	return n;
}

static void bind(struct session *s, const struct site *t, struct node **np);

/* An assignment to the value v. */
static struct node *change(struct session *s, const struct site *t, const struct probe_value *v, struct node *n)
{
	enum op op = n->kind == N_ASSIGN ? n->op : OP_NONE;
	const char *function = op == OP_SET ? v->set : op == OP_CAT ? v->append : NULL;

	if (function) {
		bind(s, t, &ASSIGN_VALUE(n));
		return call(s, n, function, ASSIGN_VALUE(n));
	}
	s_error(s, ast_changed(n)->loc, E_READ_ONLY,
		v->set ? "$%s is a text: = sets it and .= adds to it" : "$%s is what came with the hit: it can only be read", v->name);
	return ast_number(&s->arena, n->loc, 0);
}

static void bind(struct session *s, const struct site *t, struct node **np)
{
	struct node *n = *np;
	const struct probe_value *v = value_of(t, n);

	if (v) {
		*np = call(s, n, v->get, NULL);
		return;
	}
	if (n->kind == N_DEFINED && value_of(t, DEFINED_WHAT(n))) {
		*np = ast_number(&s->arena, n->loc, 1);
		return;
	}
	if ((n->kind == N_ASSIGN || n->kind == N_INCDEC) && (v = value_of(t, ast_changed(n)))) {
		*np = change(s, t, v, n);
		return;
	}
	AST_EACH(child, n)
		bind(s, t, child);
}

void values_bind(struct session *s, const struct site *t, struct node *body)
{
	if (t->values)
		AST_EACH(child, body)
			bind(s, t, child);
}

void values_ask(struct session *s)
{
	for (unsigned i = 0; i < probe_nfamilies; i++)
		for (const struct probe_value *v = probe_families[i]->values; v && v->name; v++)
			for (const char *const *f = (const char *const[]){v->get, v->set, v->append, NULL}; *f; f++)
				select_asked(s->select, *f, strlen(*f));
}
