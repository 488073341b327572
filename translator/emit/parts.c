/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Big scripts in parts.  The C compiler's time grows with the text, and it uses one CPU.  Above a size the bodies are divided into
 * parts of about equal size, which are compiled at the same time, all from the one text, by RT_PART (rt/script.h).
 * How many parts there are depends on the text alone, so equal scripts are equal modules everywhere.
 */
#include "translator/emit/emit.h"

enum {
	PART_SIZE = 64 * 1024,  /* for a smaller part, reading the text once more takes longer than it saves */
	MAX_PARTS = 8,
};

void emit_parts_cut(struct emit *e)
{
	vec_push(&e->s->arena, &e->cuts, e->out->n);
}

static unsigned parts_of(size_t size)
{
	unsigned parts = 1;

	while (parts < MAX_PARTS && size / (parts * 2) >= PART_SIZE)
		parts *= 2;
	return parts;
}

static void put(struct emit *e, const char *text, size_t n, unsigned part)
{
	struct sb *out = &e->s->c_text;

	if (!n)
		return;
	if (e->s->c_parts > 1)
		sb_printf(out, "\n#if RT_IN_PART(%u)\n", part);
	else
		sb_putc(out, '\n');
	sb_putn(out, text, n);
	if (e->s->c_parts > 1)
		sb_puts(out, "#endif\n");
}

void emit_parts_join(struct emit *e, const struct sb *first, const struct sb *bodies, const struct sb *tables)
{
	size_t size = first->n + bodies->n, from = 0, next = 0;
	unsigned parts = e->s->c_parts = parts_of(size);

	put(e, first->s, first->n, 0);
	for (unsigned i = 0; i < parts; i++) {
		size_t want = size / parts * (i + 1), to = from;
		while (next < e->cuts.n && (i + 1 == parts || e->cuts.v[next] + first->n <= want))
			to = e->cuts.v[next++];
		put(e, bodies->s + from, to - from, i);
		from = to;
	}
	put(e, tables->s, tables->n, 0);
}
