/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an expression reads and writes, with the functions that it calls.  Of two expressions that do
 * not conflict, the second, which calls something, may be computed first: that is what lets calls go ahead of a
 * locked region.
 */
#include <string.h>

#include "translator/emit/emit.h"
#include "translator/resolve/embedded.h"

/* Expressions that are bigger, with what they call, are taken to conflict with everything. */
enum { MAX_NODES = 1000 };

struct effects {
	struct emit *e;
	VEC(struct symbol *) reads, writes;
	unsigned stamp;  /* on functions that were looked into */
	unsigned nodes;  /* looked at so far */
	bool fails; /* with an error that its operands do not tell */
	bool acts;  /* prints, or does what only embedded code knows */
};

static void collect(struct effects *x, const struct node *n);
static void touch(struct effects *x, struct symbol *v, bool read, bool write);

static void called(struct effects *x, struct function *f)
{
	for (size_t i = 0; f->embedded && i < f->embedded->uses.n; i++)
		touch(x, f->embedded->uses.v[i].global, f->embedded->uses.v[i].read, f->embedded->uses.v[i].written);
	if (f->embedded) {
		x->acts |= !(f->embedded->tags & EMBEDDED_PURE);
		return; /* of other variables it knows nothing */
	}
	if (f->stamp == x->stamp)
		return;
	f->stamp = x->stamp;
	collect(x, f->body);
}

static void touch(struct effects *x, struct symbol *v, bool read, bool write)
{
	x->acts |= write;
	if (read)
		vec_push(&x->e->s->arena, &x->reads, v);
	if (write)
		vec_push(&x->e->s->arena, &x->writes, v);
}

/* A child, by what its parent does with it.  A variable that is only written is not read; the keys of an element are. */
static void collect_child(struct effects *x, enum ast_role role, const struct node *child)
{
	bool changes = role == ROLE_WRITTEN || role == ROLE_CHANGED || role == ROLE_DROPPED;
	struct symbol *v = changes ? ast_variable(child)->sym : NULL;

	if (v)
		touch(x, v, role != ROLE_WRITTEN, true);
	if (role != ROLE_WRITTEN || child->kind != N_NAME)
		collect(x, child);
}

static bool is_nonzero(const struct node *n)
{
	return n->kind == N_NUMBER && n->num;
}

/* An error of the operator itself: division by 0, a full array, empty statistics. */
static bool may_fail(const struct node *n)
{
	bool divides = n->op == OP_DIV || n->op == OP_MOD;

	if (n->kind == N_BINARY || (n->kind == N_ASSIGN && divides))
		return divides && !is_nonzero(n->kind == N_BINARY ? BINARY_RIGHT(n) : ASSIGN_VALUE(n));
	if (n->kind == N_ASSIGN || n->kind == N_INCDEC)
		return ast_changed(n)->kind == N_INDEX;
	return n->kind == N_STAT && n->op != OP_COUNT && n->op != OP_SUM;
}

static void collect(struct effects *x, const struct node *n)
{
	if (x->nodes++ > MAX_NODES)
		return;
	x->fails |= may_fail(n);
	x->acts |= n->kind == N_PRINT && !(n->flags & NF_FMT_STRING);
	if (n->kind == N_NAME && n->sym)
		touch(x, n->sym, true, false);
	else if (n->kind == N_CALL)
		for (struct function *f = n->sym->function; f; f = function_next(f))
			called(x, f);
	AST_EACH(child, n)
		collect_child(x, ast_role(n, child), *child);
}

static struct effects effects_of(struct emit *e, const struct node *n)
{
	struct effects x = {.e = e, .stamp = ++e->stamp};

	collect(&x, n);
	return x;
}

/* Does a write what b reads or writes? */
static bool meet(const struct effects *a, const struct effects *b)
{
	unsigned stamp = ++a->e->stamp;

	for (size_t i = 0; i < a->writes.n; i++)
		a->writes.v[i]->stamp = stamp;
	for (size_t i = 0; a->writes.n && i < b->reads.n; i++)
		if (b->reads.v[i]->stamp == stamp)
			return true;
	for (size_t i = 0; a->writes.n && i < b->writes.n; i++)
		if (b->writes.v[i]->stamp == stamp)
			return true;
	return false;
}

/*
 * The second may fail where it calls: then what the first does must have been done.  And of an expression that may fail, nothing
 * may be seen of what stands behind it.
 */
bool emit_conflict(struct emit *e, const struct node *first, const struct node *second)
{
	struct effects a, b;

	if (first->kind == N_NUMBER || first->kind == N_STRING)
		return false;
	a = effects_of(e, first);
	b = effects_of(e, second);
	if (a.nodes > MAX_NODES || b.nodes > MAX_NODES)
		return true;
	return meet(&a, &b) || meet(&b, &a) || (a.fails && b.acts) || a.acts;
}

bool emit_changes_condition(struct emit *e, const struct node *n)
{
	struct effects x = effects_of(e, n);

	for (size_t i = 0; i < x.writes.n; i++)
		if (x.writes.v[i]->arms)
			return true;
	return x.nodes > MAX_NODES;
}
