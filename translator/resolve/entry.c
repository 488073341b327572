/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a return probe computes at the function's entry and saves for its handler: @entry() and parameters. */
#include "translator/resolve/resolve.h"

struct node *entry_save(struct session *s, struct probe *p, const struct node *source, struct node *value)
{
	struct node *out = ast_new(&s->arena, N_ENTRY_VALUE, value->loc, 0);
	struct entry *x;
	size_t i = 0;

	while (i < p->entries.n && !ast_equal(p->entries.v[i]->source, source))
		i++;
	if (i == p->entries.n) {
		x = arena_new(&s->arena, struct entry);
		x->source = source;
		x->value = value;
		x->sym = arena_new(&s->arena, struct symbol);
		x->sym->kind = SYM_ENTRY;
		x->sym->name = "@entry";
		x->sym->decl = value;
		vec_push(&s->arena, &p->entries, x);
	}
	out->num = (int64_t)i;
	out->sym = p->entries.v[i]->sym;
	out->dtype = p->entries.v[i]->value->dtype;
	out->in_user = p->entries.v[i]->value->in_user;
	return out;
}

/* Does the site have everything that the expression needs? */
static bool exists(struct session *s, struct view at, const struct node *n)
{
	struct diags quiet = {.arena = &s->arena, .sources = &s->sources};

	if (n->kind != N_ENTRY && target_is(n))
		return target_bind(s, &quiet, at, ast_copy(&s->arena, n)) != NULL;
	AST_EACH(child, n)
		if (!exists(s, at, *child))
			return false;
	return true;
}

bool entry_defined(struct session *s, struct view at, const struct node *n)
{
	return at.moment != MOMENT_HERE && exists(s, (struct view){at.probe, MOMENT_ENTRY}, n);
}
