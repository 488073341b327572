/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String locals that loops assign: what was made in a turn is given back before the next, so they need a buffer of their own. */
#include "translator/opt/opt.h"

static void in_loops(struct node *n, bool loop)
{
	loop |= n->kind == N_FOR || n->kind == N_FOREACH;
	AST_EACH(child, n) {
		if (loop && ast_sets(n, child) && n->kind != N_DELETE && (*child)->kind == N_NAME)
			(*child)->sym->assigned_in_loop = true;
		in_loops(*child, loop);
	}
}

void opt_loops(struct session *s)
{
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->body->kind != N_EMBEDDED)
			in_loops(s->prog.function_list.v[i]->body, false);
	for (size_t i = 0; i < s->prog.probes.n; i++)
		in_loops(s->prog.probes.v[i]->body, false);
}
