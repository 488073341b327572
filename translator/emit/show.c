/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pretty-printing: a table for the runtime, and the inputs of its rows. */
#include <inttypes.h>

#include "base/intern.h"
#include "translator/emit/emit.h"
#include "translator/resolve/show.h"

static void row(struct sb *b, const struct show_piece *p)
{
	sb_puts(b, "\t{.text = RT_TEXT(");
	sb_put_c_string(b, p->text, intern_len(p->text));
	sb_puts(b, ")");
	if (p->conv)
		sb_printf(b, ", .conv = '%c', .input = %u", p->conv, p->input);
	if (p->in_memory)
		sb_printf(b, ", .in_memory = 1, .off = %" PRIu64 "u, .bit_off = %u, .width = %u", p->off, p->bit_off, p->width);
	if (p->n)
		sb_printf(b, ", .n = %" PRIu64 "u", p->n < UINT32_MAX ? p->n : UINT32_MAX);
	sb_printf(b, "%s%s},\n", p->is_signed ? ", .is_signed = 1" : "", p->space == FETCH_USER ? ", .space = RT_USER" : "");
}

void emit_show(struct emit *e, struct node *n)
{
	struct sb b = {0};
	const char *table, *inputs;

	emit_children(e, n);
	sb_puts(&b, "{\n");
	for (unsigned i = 0; i < n->show->n; i++)
		row(&b, &n->show->v[i]);
	sb_putc(&b, '}');
	table = emit_table(e, "show", "struct rt_show_piece", "[]", b.s);
	sb_free(&b);
	inputs = emit_tmp(e);
	emit_line(e, "rt_u64 %s[%u];", inputs, SHOW_INPUTS(n) ? SHOW_INPUTS(n) : 1);
	for (unsigned i = 0; i < SHOW_INPUTS(n); i++)
		emit_line(e, "%s[%u] = (rt_u64)%s;", inputs, i, SHOW_INPUT(n, i)->value);
	emit_loc(e, n);
	n->value = emit_value(e, T_STRING, emit_text(e, "rt_show(c, %s, %u, %s)", table, n->show->n, inputs));
	e->nstrings++;
	emit_check(e);
}
