/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lines of source files the code of the kernel or of a module is of.  Places are distances from symbols that are found when it runs. */
#include "translator/debuginfo/kernel_private.h"

struct making {
	struct kernel_lines *v;
	size_t n, at; /* at: the piece of the last row */
};

static void add(void *ctx, const struct dwarf_row *row)
{
	struct making *m = ctx;
	const struct kernel_lines *l;

	while (m->at + 1 < m->n && row->address >= m->v[m->at + 1].address)
		line_table_stop(m->v[m->at++].table);
	l = &m->v[m->at];
	if (row->address >= l->address && row->address - l->address <= l->size)
		line_table_add(l->table, row->address - l->address, row->address - l->address < l->size ? row->file : NULL, row->line);
}

int kernel_lines(struct kernel_info *k, const char *module, const struct kernel_lines **out, size_t *n, struct problem *why)
{
	const struct kernel_dwarf *d = kernel_dwarf_of(k, module, why);
	const struct dwarf_symbol *pieces;
	struct making m = {0};

	*n = 0;
	if (!d)
		return -1;
	m.n = dwarf_pieces(d->file, &pieces);
	m.v = arena_array(k->arena, struct kernel_lines, m.n);
	for (size_t i = 0; i < m.n; i++)
		m.v[i] = (struct kernel_lines){arena_strdup(k->arena, pieces[i].name), pieces[i].address, pieces[i].size, line_table_new(k->arena)};
	if (m.n)
		dwarf_rows(d->file, add, &m);
	*out = m.v;
	*n = m.n;
	return 0;
}
