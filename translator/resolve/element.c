/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach (v = k in s) over statistics: @count(v) in the body means @count(s[k]), and so on.  Whether s holds statistics is not known
 * yet, but nothing else can be asked so.  Where the body changes a key, s[k] would be another element: it is left as it is, and
 * refused with the types.
 */
#include "translator/resolve/resolve.h"

static bool is_name(const struct node *n, const char *name)
{
	return n && n->kind == N_NAME && n->name == name;
}

/* Does the tree give the variable a value? */
static bool sets(const struct node *n, const char *name)
{
	bool direct = (n->kind == N_ASSIGN || n->kind == N_INCDEC || n->kind == N_DELETE) && is_name(n->k[0], name);

	if (n->kind == N_FOREACH)
		for (unsigned i = 1; i < n->nk; i++)
			direct |= (i == 1 || i >= 4) && is_name(n->k[i], name);
	if (n->kind == N_TRY)
		direct |= is_name(n->k[1], name);
	for (unsigned i = 0; i < n->nk && !direct; i++)
		direct = n->k[i] && sets(n->k[i], name);
	return direct;
}

/* array[keys] of the loop, at the place of the variable. */
static struct node *element(struct session *s, const struct node *loop, struct loc at)
{
	struct node *n = ast_new(&s->arena, N_INDEX, at, 1 + loop->nk - 4);
	const struct node *array = loop->k[0]->kind == N_INDEX ? loop->k[0]->k[0] : loop->k[0];

	n->k[0] = ast_name(&s->arena, at, array->name);
	for (unsigned i = 4; i < loop->nk; i++)
		n->k[i - 3] = ast_name(&s->arena, at, loop->k[i]->name);
	return n;
}

static void replace(struct session *s, const struct node *loop, struct node *n)
{
	if (n->kind == N_STAT && is_name(n->k[0], loop->k[1]->name))
		n->k[0] = element(s, loop, n->k[0]->loc);
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			replace(s, loop, n->k[i]);
}

void element_values(struct session *s, struct node *loop)
{
	const struct node *array = loop->k[0]->kind == N_INDEX ? loop->k[0]->k[0] : loop->k[0];

	if (!loop->k[1] || array->kind != N_NAME || sets(loop->k[3], loop->k[1]->name))
		return;
	for (unsigned i = 4; i < loop->nk; i++)
		if (loop->k[i]->sym->kind != SYM_LOCAL || sets(loop->k[3], loop->k[i]->name)) /* anybody may change a global */
			return;
	replace(s, loop, loop->k[3]);
}
