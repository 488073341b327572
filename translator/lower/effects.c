/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an expression reads and writes, the functions that it calls included.  If two expressions do not conflict, the second may be
 * computed first.  This allows a call to be made before the locks of a region are taken.
 */

#include "translator/lower/private.h"
#include "translator/resolve/embedded.h"
#include "translator/uses.h"

/* Bigger expressions, with what they call, are assumed to conflict with everything. */
enum { MAX_NODES = 1000 };

struct effects {
	struct lower *l;
	VEC(struct symbol *) reads, writes;
	unsigned stamp;  /* on functions that were looked into */
	unsigned nodes;  /* looked at so far */
	bool fails; /* with an error of its own, not of its operands */
	bool acts;  /* has an effect: sets a variable, prints, or calls C that is not pure */
};

/* x++ reads x too, also where its value is not used. */
static void touch(struct uses *u, const struct mention *m)
{
	struct effects *x = u->ctx;
	unsigned reads = m->use & (USE_READ | USE_CHANGED | USE_DROPPED), sets = m->use & USE_SETS;

	if (!m->v)
		return;
	x->acts |= sets != 0;
	if (reads)
		vec_push(x->l->a, &x->reads, m->v);
	if (sets)
		vec_push(x->l->a, &x->writes, m->v);
}

/* C code uses only the globals that it declares, so there is nothing else to look at. */
static bool called(struct uses *u, struct function *f)
{
	struct effects *x = u->ctx;

	x->acts |= f->embedded && !(f->embedded->tags & EMBEDDED_PURE);
	if (f->stamp == x->stamp)
		return false;
	f->stamp = x->stamp;
	return true;
}

static bool is_nonzero(const struct node *n)
{
	return n->kind == N_NUMBER && n->num;
}

/* An error of the operator itself: division by 0, empty statistics.  Assignments already count as acting. */
static bool may_fail(const struct node *n)
{
	if (n->kind == N_BINARY)
		return (n->op == OP_DIV || n->op == OP_MOD) && !is_nonzero(BINARY_RIGHT(n));
	return n->kind == N_STAT && n->op != OP_COUNT && n->op != OP_SUM;
}

static bool enter(struct uses *u, struct node *n)
{
	struct effects *x = u->ctx;

	if (x->nodes++ > MAX_NODES)
		return false;
	x->fails |= may_fail(n);
	x->acts |= n->kind == N_PRINT && !(n->flags & NF_FMT_STRING);
	return true;
}

static struct effects effects_of(struct lower *l, struct node *n)
{
	struct effects x = {.l = l, .stamp = ++l->stamp};
	struct uses u = {.mention = touch, .node = enter, .function = called, .ctx = &x, .arena = l->a};

	uses_walk(&u, n, false);
	return x;
}

/* Does a write what b reads or writes? */
static bool meet(const struct effects *a, const struct effects *b)
{
	unsigned stamp = ++a->l->stamp;

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
 * If the second fails, the effects of the first must have happened; if the first fails, those of the second must not.
 */
bool lower_conflict(struct lower *l, struct node *first, struct node *second)
{
	struct effects a, b;

	if (first->kind == N_NUMBER || first->kind == N_STRING)
		return false;
	a = effects_of(l, first);
	b = effects_of(l, second);
	if (a.nodes > MAX_NODES || b.nodes > MAX_NODES)
		return true;
	return a.acts || meet(&b, &a) || (a.fails && b.acts);
}

bool lower_changes_condition(struct lower *l, struct node *n)
{
	struct effects x = effects_of(l, n);

	for (size_t i = 0; i < x.writes.n; i++)
		if (x.writes.v[i]->arms)
			return true;
	return x.nodes > MAX_NODES;
}
