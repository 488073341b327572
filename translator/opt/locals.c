/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drops statements that have no effect and whose value is not used; assignments to locals that nothing reads (an assigned value with
 * an effect stays); and locals that are then unused.  Aliases of the library offer more variables than a handler reads: what is computed
 * for the others is dropped too, unless it has effects besides soft errors.
 */
#include "translator/opt/opt.h"
#include "translator/uses.h"

static struct symbol *local(const struct node *n)
{
	return n->kind == N_NAME && n->sym && n->sym->kind == SYM_LOCAL ? n->sym : NULL;
}

/* A change of a local: x = .., x += .., x++. */
static struct symbol *changed_local(const struct node *n)
{
	const struct node *to = ast_changed(n);

	return to ? local(to) : NULL;
}

/* ---- who reads what ---- */

static void count(struct uses *u, const struct mention *m)
{
	(void)u;
	if (!m->v || m->v->kind != SYM_LOCAL)
		return;
	m->v->reads += !!(m->use & USE_READ);
	m->v->mentions++;
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
	uses_walk(&(struct uses){.mention = count}, body, false);
}

/* ---- what is dropped ---- */

/* An expression whose value is dropped: what must be left of it, or NULL. */
static struct node *left(struct opt *o, struct node *n)
{
	struct symbol *v = changed_local(n);

	if (v && !v->reads && n->op != OP_DIV && n->op != OP_MOD) {
		bool is_offered = o->probe && n->kind == N_ASSIGN && session_in_tapset(o->s, n->loc);

		o->changed = true;
		n = n->kind == N_ASSIGN ? ASSIGN_VALUE(n) : NULL;
		if (is_offered && !opt_has_effect_besides_errors(n))
			n = NULL;
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
	const struct symbol *v = changed_local(n);

	if (n->kind == N_EXPR) {
		EXPR_VALUE(n) = left(o, EXPR_VALUE(n));
		if (!EXPR_VALUE(n))
			*np = ast_new(&o->s->arena, N_EMPTY, n->loc, 0);
		else
			drop(o, &EXPR_VALUE(n));
		return;
	}
	if (n->kind == N_ASSIGN && n->op == OP_SET && v && !v->reads) { /* its value is used */
		*np = ASSIGN_VALUE(n);
		o->changed = true;
		drop(o, np);
		return;
	}
	AST_EACH(child, n) {
		if (ast_discards(n, child))
			*child = left(o, *child);
		if (*child)
			drop(o, child);
	}
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

/* ---- what is saved at a function's entry ---- */

static void mark_entries(const struct node *n)
{
	if (n->kind == N_ENTRY_VALUE && n->sym)
		n->sym->mentions++;
	AST_EACH(child, n)
		if (*child)
			mark_entries(*child);
}

static void forget_entries(const struct probe *p)
{
	for (size_t i = 0; i < p->entries.n; i++)
		p->entries.v[i]->sym->mentions = 0;
}

/* In an alias of the library, what is saved is offered, like other values there. */
static bool is_saved_in_vain(const struct session *s, const struct node *value)
{
	return session_in_tapset(s, value->loc) ? !opt_has_effect_besides_errors(value) : !opt_has_effect(value);
}

/* The slots of the others stay as they are. */
static void drop_entries(const struct session *s, struct probe *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->entries.n; i++)
		if (p->entries.v[i]->sym->mentions || !is_saved_in_vain(s, p->entries.v[i]->value))
			p->entries.v[kept++] = p->entries.v[i];
	p->entries.n = kept;
	if (!kept)
		p->entry_slots = 0;
}

/* A function that has target variables reads them for the probe that calls it. */
void opt_entries(struct session *s)
{
	for (size_t i = 0; i < s->prog.probes.n; i++)
		forget_entries(s->prog.probes.v[i]);
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		mark_entries(s->prog.function_list.v[i]->body);
	for (size_t i = 0; i < s->prog.probes.n; i++) {
		mark_entries(s->prog.probes.v[i]->body);
		drop_entries(s, s->prog.probes.v[i]);
	}
}
