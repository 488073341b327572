/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of the pass "points": $variables of a probe point that are no memory, but texts or numbers of the hit. */
#include <string.h>

#include "base/intern.h"
#include "translator/probes/forms.h"
#include "translator/resolve/select.h"
#include "translator/resolve/values.h"

static bool is_any(const struct probe_value *v)
{
	return !strcmp(v->name, "*");
}

static const struct probe_value *value_of(const struct site *t, const struct node *n)
{
	if (!n || n->kind != N_TARGET)
		return NULL;
	for (const struct probe_value *v = t->values; v->name; v++)
		if (!strcmp(n->name + 1, v->name) || (is_any(v) && n->name[1] != '$'))
			return v;
	return NULL;
}

/* Of a function of the value that target, a $variable, means; argument: another one of it, or NULL. */
static struct node *call(struct session *s, const struct site *t, const struct probe_value *v, const struct node *target, const char *function,
			 struct node *argument)
{
	struct node *n = ast_new(&s->arena, N_CALL, target->loc, 0);

	n->name = intern(function);
	if (t->guard)
		ast_add(&s->arena, n, ast_number(&s->arena, n->loc, t->guard->handle));
	if (argument)
		ast_add(&s->arena, n, argument);
	if (is_any(v))
		ast_add(&s->arena, n, ast_string(&s->arena, n->loc, target->name + 1, strlen(target->name + 1)));
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
		return call(s, t, v, ASSIGN_TO(n), function, ASSIGN_VALUE(n));
	}
	s_error(s, ast_changed(n)->loc, E_READ_ONLY,
		v->set ? "%s is a text: = sets it and .= adds to it" : "%s is what came with the hit: it can only be read", ast_changed(n)->name);
	return ast_number(&s->arena, n->loc, 0);
}

/* That of which n asks for a member, an element, the address or all members as a text; NULL: n does not. */
static const struct node *asked_of(const struct node *n)
{
	return n->kind == N_MEMBER ? MEMBER_BASE(n) : n->kind == N_INDEX ? INDEX_BASE(n) : n->kind == N_ADDRESS ? ADDRESS_OF(n) :
	       n->kind == N_PRETTY ? PRETTY_OF(n) : NULL;
}

/* Values have no parts: @defined() of one is 0, and the use of one is an error.  False: *np is no part of a value. */
static bool refuse_part(struct session *s, const struct site *t, struct node **np)
{
	bool defined = (*np)->kind == N_DEFINED;
	const struct node *whole = asked_of(defined ? DEFINED_WHAT(*np) : *np);

	if (!value_of(t, whole))
		return false;
	if (!defined)
		s_error(s, (*np)->loc, E_UNTYPED, "%s is a text or a number of the hit: it has no members, elements or address", whole->name);
	*np = ast_number(&s->arena, (*np)->loc, 0);
	return true;
}

static void bind(struct session *s, const struct site *t, struct node **np)
{
	struct node *n = *np;
	const struct probe_value *v = value_of(t, n);

	if (refuse_part(s, t, np))
		return;
	if (v) {
		*np = call(s, t, v, n, v->get, NULL);
		return;
	}
	if (n->kind == N_DEFINED && (v = value_of(t, DEFINED_WHAT(n)))) {
		*np = v->defined ? call(s, t, v, DEFINED_WHAT(n), v->defined, NULL) : ast_number(&s->arena, n->loc, 1);
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

struct node *values_guard(struct session *s, const struct site *t, struct node *body)
{
	struct node *call, *n;

	if (!t->guard)
		return body;
	call = ast_new(&s->arena, N_CALL, body->loc, 0);
	call->name = intern(t->guard->function);
	ast_add(&s->arena, call, ast_number(&s->arena, body->loc, t->guard->handle));
	for (const char *const *text = t->guard->texts; *text; text++)
		ast_add(&s->arena, call, ast_string(&s->arena, body->loc, *text, strlen(*text)));
	n = ast_new(&s->arena, N_IF, body->loc, 3);
	IF_CONDITION(n) = call;
	IF_THEN(n) = body;
	return n;
}

void values_ask(struct session *s)
{
	for (unsigned i = 0; i < probe_nfamilies; i++)
		for (const struct probe_value *v = probe_families[i]->values; v && v->name; v++)
			for (const char *const *f = (const char *const[]){v->get, v->set, v->append, NULL}; *f; f++)
				select_asked(s->select, *f, strlen(*f));
}
