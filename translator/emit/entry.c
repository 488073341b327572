/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What return probes save at the function's entry: written by the entry handler, read by the handler. */
#include "translator/emit/emit.h"

void emit_save_entry(struct emit *e, const struct entry *x)
{
	const char *value = emit_whole(e, x->value);

	if (x->sym->type == T_STRING)
		emit_line(e, "rt_entry_save_str(c, %u, %s);", x->sym->index, value);
	else
		emit_line(e, "c->entry[%u] = (rt_u64)(%s);", x->sym->index, value);
}

const char *emit_entry(struct emit *e, const struct node *n)
{
	if (n->sym->type == T_STRING)
		return emit_text(e, "rt_entry_str(c, %u)", n->sym->index);
	return emit_text(e, "(rt_s64)c->entry[%u]", n->sym->index);
}
