/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What arms say that are left out; see dropped.h. */
#include "translator/types/dropped.h"

/* What an expression is by its looks; names and calls say nothing. */
static enum type looks(const struct node *n)
{
	switch ((int)n->kind) {
	case N_STRING:
		return T_STRING;
	case N_PRINT:
		return n->flags & NF_FMT_STRING ? T_STRING : T_UNKNOWN;
	case N_BINARY:
		return n->op == OP_CAT ? T_STRING : T_LONG;
	case N_NUMBER:
	case N_UNARY:
	case N_INCDEC:
	case N_REGEX:
	case N_IN:
		return T_LONG;
	}
	return T_UNKNOWN;
}

static enum type assigned(const struct node *n)
{
	if (n->kind == N_INCDEC)
		return T_LONG;
	if (n->op == OP_STAT_ADD)
		return T_STATS;
	return n->op == OP_SET ? looks(n->k[1]) : n->op == OP_CAT ? T_STRING : T_LONG;
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
		const struct node *to = n->k[0]->kind == N_INDEX ? n->k[0]->k[0] : n->k[0];
		if (to->kind == N_NAME)
			note(s, in, to->name, assigned(n), n);
	} else if (n->kind == N_RETURN && n->k[0] && in.function) {
		note(s, in, NULL, looks(n->k[0]), n);
	}
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			search(s, in, n->k[i]);
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
