/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where variables are read and written.  See uses.h. */
#include "translator/uses.h"

#include "translator/program.h"
#include "translator/resolve/embedded.h"

static void tree(struct uses *u, struct node *n, bool dropped);

/* A variable, or an element or a slice of one, that is set or used as a whole: only its keys are read.  Anything else is an expression. */
static void place(struct uses *u, struct node *n, const struct node *by, unsigned use)
{
	const struct node *name = ast_variable(n);

	if (name->kind != N_NAME) {
		tree(u, n, false);
		return;
	}
	u->mention(u, &(struct mention){.v = name->sym, .name = name, .by = by, .use = use});
	for (unsigned i = 0; n->kind == N_INDEX && i < INDEX_KEYS(n); i++)
		tree(u, INDEX_KEY(n, i), false);
}

/* dropped: the value of n is not used. */
static void child(struct uses *u, struct node *n, struct node **child, bool dropped)
{
	switch (ast_role(n, child)) {
	case ROLE_PART:
	case ROLE_READ:
	case ROLE_BODY:
		tree(u, *child, ast_discards(n, child));
		return;
	case ROLE_WRITTEN:
		place(u, *child, n, USE_WRITTEN);
		return;
	case ROLE_CHANGED: /* what a statistic holds cannot be read as a value */
		place(u, *child, n, dropped || n->op == OP_STAT_ADD ? USE_CHANGED : USE_CHANGED | USE_READ);
		return;
	case ROLE_DROPPED:
		place(u, *child, n, USE_DROPPED);
		return;
	case ROLE_WALKED:
		place(u, *child, n, USE_READ);
		return;
	}
}

static void call(struct uses *u, const struct node *n)
{
	for (struct function *f = u->function ? n->sym->function : NULL; f; f = function_next(f))
		if (u->function(u, f))
			vec_push(u->arena, &u->todo, f);
}

static void tree(struct uses *u, struct node *n, bool dropped)
{
	if (u->node && !u->node(u, n))
		return;
	if (n->kind == N_NAME)
		u->mention(u, &(struct mention){.v = n->sym, .name = n, .use = USE_READ});
	else if (n->kind == N_CALL)
		call(u, n);
	AST_EACH(c, n)
		child(u, n, c, dropped);
}

/* C code uses what its pragmas declare; it has no tree. */
static void look_into(struct uses *u, struct function *f)
{
	const struct embedded *c = f->embedded;

	for (size_t i = 0; c && i < c->uses.n; i++) {
		unsigned use = (c->uses.v[i].read ? USE_READ : 0) | (c->uses.v[i].written ? USE_WRITTEN : 0);
		u->mention(u, &(struct mention){.v = c->uses.v[i].global, .use = use});
	}
	if (!c)
		tree(u, f->body, false);
}

/* A list instead of recursion, as chains of calls may be long. */
static void follow_calls(struct uses *u)
{
	while (u->done < u->todo.n)
		look_into(u, u->todo.v[u->done++]);
}

void uses_walk(struct uses *u, struct node *n, bool dropped)
{
	tree(u, n, dropped);
	follow_calls(u);
}

void uses_walk_function(struct uses *u, struct function *f)
{
	look_into(u, f);
	follow_calls(u);
}

void uses_walk_probe(struct uses *u, struct probe *p)
{
	for (size_t i = 0; i < p->entries.n; i++)
		tree(u, p->entries.v[i]->value, false);
	tree(u, p->body, false);
	follow_calls(u);
}

/* ---- of one variable ---- */

struct sum {
	const struct symbol *v;
	unsigned use;
};

static void add(struct uses *u, const struct mention *m)
{
	struct sum *sum = u->ctx;

	if (m->v == sum->v)
		sum->use |= m->use;
}

unsigned uses_of(struct node *n, const struct symbol *v)
{
	struct sum sum = {.v = v};
	struct uses u = {.mention = add, .ctx = &sum};

	uses_walk(&u, n, false);
	return sum.use;
}
