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

const char *emit_show(struct emit *e, const struct node *table)
{
	struct sb b = {0};
	const char *name;

	sb_puts(&b, "{\n");
	for (unsigned i = 0; i < table->show->n; i++)
		row(&b, &table->show->v[i]);
	sb_putc(&b, '}');
	name = emit_table(e, "show", "struct rt_show_piece", "[]", b.s);
	sb_free(&b);
	return emit_text(e, "%s, %u", name, table->show->n);
}
