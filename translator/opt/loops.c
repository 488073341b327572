/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String locals that loops assign: what was made in a turn is given back before the next, so they need a buffer of their own. */
#include "translator/opt/opt.h"

static void in_loops(struct node *n, bool loop)
{
	struct node *assigned = n->kind == N_ASSIGN ? n->k[0] : n->kind == N_TRY ? n->k[1] : NULL;

	if (assigned && assigned->kind == N_NAME && loop)
		assigned->sym->assigned_in_loop = true;
	if (n->kind == N_FOREACH) {
		for (unsigned i = 4; i < n->nk; i++)
			n->k[i]->sym->assigned_in_loop = true;
		if (n->k[1])
			n->k[1]->sym->assigned_in_loop = true;
	}
	loop |= n->kind == N_FOR || n->kind == N_FOREACH;
	for (unsigned i = 0; i < n->nk; i++)
		if (n->k[i])
			in_loops(n->k[i], loop);
}

void opt_loops(struct session *s)
{
	for (size_t i = 0; i < s->prog.function_list.n; i++)
		if (s->prog.function_list.v[i]->body->kind != N_EMBEDDED)
			in_loops(s->prog.function_list.v[i]->body, false);
	for (size_t i = 0; i < s->prog.probes.n; i++)
		in_loops(s->prog.probes.v[i]->body, false);
}
