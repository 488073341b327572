/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String locals that loops assign: string space of one turn is given back before the next, so they need a buffer of their own. */
#include "translator/opt/opt.h"
#include "translator/uses.h"

static void mark(struct uses *u, const struct mention *m)
{
	(void)u;
	if (m->v->kind == SYM_LOCAL && (m->use & USE_SETS))
		m->v->assigned_in_loop = true;
}

static void find_loops(struct node *n)
{
	if (n->kind == N_FOR || n->kind == N_FOREACH)
		uses_walk(&(struct uses){.mention = mark}, n, false);
	else
		AST_EACH(child, n)
			find_loops(*child);
}

void opt_loops(struct session *s)
{
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->body->kind != N_EMBEDDED)
			find_loops(s->prog.function_list.v[i]->body);
	for (size_t i = 0; i < s->prog.probes.n; i++)
		find_loops(s->prog.probes.v[i]->body);
}
