/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What arms that are left out say about types; see dropped.h. */
#include "translator/types/dropped.h"

/* The type that is evident from the form of an expression; names and calls show none. */
static enum type looks(const struct node *n)
{
	if (n->kind == N_STRING || (n->kind == N_PRINT && n->flags & NF_FMT_STRING) ||
	    (n->kind == N_BINARY && n->op == OP_CAT))
		return T_STRING;
	if (n->kind == N_NUMBER || n->kind == N_UNARY || n->kind == N_BINARY || n->kind == N_INCDEC || n->kind == N_REGEX ||
	    n->kind == N_IN)
		return T_LONG;
	return T_UNKNOWN;
}

static enum type assigned(const struct node *n)
{
	if (n->kind == N_INCDEC)
		return T_LONG;
	if (n->op == OP_STAT_ADD)
		return T_STATS;
	return n->op == OP_SET ? looks(ASSIGN_VALUE(n)) : n->op == OP_CAT ? T_STRING : T_LONG;
}

static void note(struct session *s, struct dropped said, const char *name, enum type type, struct node *at)
{
	if (type == T_UNKNOWN)
		return;
	said.name = name;
	said.type = type;
	said.at = at;
	vec_push(&s->arena, &s->prog.dropped, said);
}

static void search(struct session *s, struct dropped in, struct node *n)
{
	if (n->kind == N_ASSIGN || n->kind == N_INCDEC) {
		const struct node *to = ast_variable(ast_changed(n));
		if (to->kind == N_NAME)
			note(s, in, to->name, assigned(n), n);
	} else if (n->kind == N_RETURN && RETURN_VALUE(n) && in.function) {
		note(s, in, NULL, looks(RETURN_VALUE(n)), n);
	}
	AST_EACH(child, n)
		search(s, in, *child);
}

void dropped_note(struct session *s, struct probe *p, struct function *f, struct node *arm)
{
	if (arm)
		search(s, (struct dropped){.scope = p ? &p->scope : &f->scope, .function = f}, arm);
}

static struct symbol *meant(const struct session *s, const struct dropped *d)
{
	struct symbol *v;

	if (!d->name)
		return d->function->sym;
	v = map_get(d->scope, d->name);
	return v ? v : map_get(&s->prog.globals, d->name);
}

bool dropped_settle(struct session *s)
{
	bool changed = false;

	for (size_t i = 0; i < s->prog.dropped.n; i++) {
		const struct dropped *d = &s->prog.dropped.v[i];
		struct symbol *v = meant(s, d);
		if (!v || v->type != T_UNKNOWN || (d->type == T_STATS && v->kind != SYM_GLOBAL))
			continue;
		v->type = d->type;
		v->type_origin = d->at;
		changed = true;
	}
	return changed;
}

bool dropped_returns(const struct session *s, const struct function *f)
{
	for (size_t i = 0; i < s->prog.dropped.n; i++)
		if (!s->prog.dropped.v[i].name && s->prog.dropped.v[i].function == f)
			return true;
	return false;
}
