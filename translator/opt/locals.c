/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements whose value nobody wants and that have no effect; assignments to locals that nothing reads (what is assigned
 * stays if it has an effect); locals that are left without any use.
 */
#include "translator/opt/opt.h"

/* A change of a local whose value is dropped: x = .., x += .., x++. */
static struct symbol *changed_local(const struct node *n)
{
	struct symbol *v;

	if ((n->kind != N_ASSIGN && n->kind != N_INCDEC) || n->k[0]->kind != N_NAME)
		return NULL;
	v = n->k[0]->sym;
	return v && v->kind == SYM_LOCAL ? v : NULL;
}

/* ---- who reads what ---- */

static void count(struct node *n, bool dropped)
{
	bool write = false;

	if (n->kind == N_NAME && n->sym && n->sym->kind == SYM_LOCAL) {
		n->sym->reads++;
		n->sym->mentions++;
	}
	if (n->kind == N_FOREACH || n->kind == N_TRY) {
		for (unsigned i = 0; i < n->nk; i++) {
			bool variable = n->kind == N_TRY ? i == 1 : i == 1 || i > 3;
			if (n->k[i] && variable && n->k[i]->sym)
				n->k[i]->sym->mentions++;
			else if (n->k[i])
				count(n->k[i], false);
		}
		return;
	}
	if (changed_local(n)) {
		write = dropped || (n->kind == N_ASSIGN && n->op == OP_SET);
		n->k[0]->sym->mentions++;
		n->k[0]->sym->reads += !write;
	}
	if (n->kind == N_DELETE && n->k[0]->kind == N_NAME && n->k[0]->sym) {
		n->k[0]->sym->mentions++;
		write = true;
	}
	for (unsigned i = changed_local(n) || write; i < n->nk; i++)
		if (n->k[i])
			count(n->k[i], n->kind == N_EXPR || (n->kind == N_FOR && (i == 0 || i == 2)));
}

static void recount(struct opt *o, struct node *body)
{
	struct probe *p = o->probe;
	struct function *f = o->function;

	for (size_t i = 0; p && i < p->locals.n; i++)
		p->locals.v[i]->reads = p->locals.v[i]->mentions = 0;
	for (size_t i = 0; f && i < f->locals.n; i++)
		f->locals.v[i]->reads = f->locals.v[i]->mentions = 0;
	for (size_t i = 0; f && i < f->params.n; i++)
		f->params.v[i]->reads = f->params.v[i]->mentions = 0;
	count(body, false);
}

/* ---- what goes ---- */

/* An expression whose value is dropped: what must be left of it, or NULL. */
static struct node *left(struct opt *o, struct node *n)
{
	struct symbol *v = changed_local(n);

	if (v && !v->reads && n->op != OP_DIV && n->op != OP_MOD) {
		o->changed = true;
		n = n->kind == N_ASSIGN ? n->k[1] : NULL;
	}
	if (n && !opt_has_effect(n)) {
		o->changed = true;
		n = NULL;
	}
	return n;
}

static void drop(struct opt *o, struct node **np)
{
	struct node *n = *np;

	if (n->kind == N_EXPR) {
		n->k[0] = left(o, n->k[0]);
		if (!n->k[0])
			*np = ast_new(&o->s->arena, N_EMPTY, n->loc, 0);
		else
			drop(o, &n->k[0]);
		return;
	}
	if (n->kind == N_FOR)
		for (unsigned i = 0; i < 3; i += 2)
			if (n->k[i])
				n->k[i] = left(o, n->k[i]);
	if (n->kind == N_ASSIGN && n->op == OP_SET && changed_local(n) && !n->k[0]->sym->reads) { /* its value is wanted */
		*np = n->k[1];
		o->changed = true;
		drop(o, np);
		return;
	}
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			drop(o, &n->k[i]);
}

void opt_locals(struct opt *o, struct node *body)
{
	size_t kept = 0;

	recount(o, body);
	drop(o, &body);
	recount(o, body);
	if (o->probe) {
		for (size_t i = 0; i < o->probe->locals.n; i++)
			if (o->probe->locals.v[i]->mentions)
				o->probe->locals.v[kept++] = o->probe->locals.v[i];
		o->probe->locals.n = kept;
	} else {
		for (size_t i = 0; i < o->function->locals.n; i++)
			if (o->function->locals.v[i]->mentions)
				o->function->locals.v[kept++] = o->function->locals.v[i];
		o->function->locals.n = kept;
	}
}
