/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach (v = k in s) over statistics: @count(v) in the body means @count(s[k]), and so on.  Whether s holds statistics is not known
 * yet, but @count(v) can mean nothing else.  Where the body changes a key, s[k] would be another element: then the expression is left
 * alone, and refused when types are checked.
 */
#include "translator/resolve/resolve.h"

static bool is_name(const struct node *n, const char *name)
{
	return n->kind == N_NAME && n->name == name;
}

/* Does the tree give the variable a value? */
static bool sets(const struct node *n, const char *name)
{
	AST_EACH(child, n)
		if ((ast_sets(n, child) && is_name(*child, name)) || sets(*child, name))
			return true;
	return false;
}

/* array[keys] of the loop, at the place of the variable. */
static struct node *element(struct session *s, const struct node *loop, struct loc at)
{
	struct node *n = ast_new(&s->arena, N_INDEX, at, 1);

	INDEX_BASE(n) = ast_name(&s->arena, at, ast_variable(FOREACH_ARRAY(loop))->name);
	for (unsigned i = 0; i < FOREACH_KEYS(loop); i++)
		ast_add(&s->arena, n, ast_name(&s->arena, at, FOREACH_KEY(loop, i)->name));
	return n;
}

static void replace(struct session *s, const struct node *loop, struct node *n)
{
	if (n->kind == N_STAT && is_name(STAT_OF(n), FOREACH_VALUE(loop)->name))
		STAT_OF(n) = element(s, loop, STAT_OF(n)->loc);
	AST_EACH(child, n)
		replace(s, loop, *child);
}

void element_values(struct session *s, struct node *loop)
{
	const struct node *value = FOREACH_VALUE(loop);
	struct node *body = FOREACH_BODY(loop);

	if (!value || ast_variable(FOREACH_ARRAY(loop))->kind != N_NAME || sets(body, value->name))
		return;
	for (unsigned i = 0; i < FOREACH_KEYS(loop); i++) {
		const struct node *key = FOREACH_KEY(loop, i);
		if (key->sym->kind != SYM_LOCAL || sets(body, key->name)) /* any probe may change a global */
			return;
	}
	replace(s, loop, body);
}
