/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lines of source files the code of a program or library is of. */
#include "translator/debuginfo/elf_image.h"

struct making {
	struct elf_image *e;
	struct line_table *t;
};

/* The end of a piece of code may be the end of all. */
static bool find_place(struct making *m, const struct dwarf_row *row, uint64_t *off)
{
	if (elf_offset(m->e, row->address, true, off))
		return true;
	if (row->file || !elf_offset(m->e, row->address - 1, true, off))
		return false;
	++*off;
	return true;
}

static void add(void *ctx, const struct dwarf_row *row)
{
	struct making *m = ctx;
	uint64_t off;

	if (find_place(m, row, &off))
		line_table_add(m->t, off, row->file, row->line);
	else
		line_table_stop(m->t); /* a damaged file */
}

const struct line_table *elf_lines(struct elf_image *e)
{
	struct making m = {.e = e};
	struct problem ignored = {0};

	if (e->lines || !elf_types(e, &ignored))
		return e->lines;
	m.t = line_table_new(e->arena);
	dwarf_rows(e->dwarf, add, &m);
	return e->lines = m.t->rows.n ? m.t : NULL;
}
