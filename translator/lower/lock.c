/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which globals a region locks: in the order of their numbers, which all bodies keep. */
#include <stdlib.h>

#include "translator/lower/private.h"
#include "translator/uses.h"

typedef VEC(const struct symbol *) symbol_list;

struct locks {
	struct lower *l;
	symbol_list *out;
};

static void add_lock(struct uses *u, const struct mention *m)
{
	const struct locks *x = u->ctx;

	if (!opt_needs_lock(m->v) || x->l->lock_set[m->v->index])
		return;
	x->l->lock_set[m->v->index] = true;
	vec_push(x->l->a, x->out, m->v);
}

/* The globals that the expression looks at, without parts that are already computed, each once. */
static void touched(struct lower *l, struct node *n, symbol_list *out)
{
	struct locks x = {l, out};

	uses_walk(&(struct uses){.mention = add_lock, .node = opt_asks_values, .ctx = &x}, n, false);
}

static int by_index(const void *a, const void *b)
{
	unsigned x = (*(struct symbol *const *)a)->index, y = (*(struct symbol *const *)b)->index;

	return x < y ? -1 : x > y;
}

static struct node *names(struct lower *l, const struct node *n, const symbol_list *list)
{
	struct node *table = lower_table(l, n, TABLE_LOCKS);

	for (size_t i = 0; i < list->n; i++) {
		struct node *name = ast_name(l->a, n->loc, list->v[i]->name);
		name->sym = (struct symbol *)list->v[i];
		ast_add(l->a, table, name);
	}
	return table;
}

static void lock(struct lower *l, const struct node *n, struct node *operation)
{
	lower_goto(l, n, l->error, operation, NF_UNLESS);
	l->locked = true;
}

bool lower_lock(struct lower *l, struct node **v, size_t n)
{
	symbol_list list = {0};

	if (!l->lock_set)
		l->lock_set = arena_array(l->a, bool, l->s->prog.global_list.n + 1);
	for (size_t i = 0; i < n; i++)
		touched(l, v[i], &list);
	for (size_t i = 0; i < list.n; i++)
		l->lock_set[list.v[i]->index] = false;
	if (!list.n || l->locked)
		return false;
	qsort(list.v, list.n, sizeof list.v[0], by_index);
	if (list.n == 1)
		lock(l, v[0], lower_op_of(l, v[0], L_LOCK, list.v[0], NULL));
	else
		lock(l, v[0], lower_op(l, v[0], L_LOCKS, names(l, v[0], &list)));
	return true;
}

bool lower_lock_one(struct lower *l, const struct node *n, const struct symbol *v)
{
	if (l->locked || !opt_needs_lock(v))
		return false;
	lock(l, n, lower_op_of(l, n, L_LOCK, v, NULL));
	return true;
}

void lower_unlock(struct lower *l, const struct node *n)
{
	if (l->locked)
		lower_do(l, lower_op(l, n, L_UNLOCK, NULL));
	l->locked = false;
}
