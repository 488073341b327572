/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lines of source files the code of a program or library is of. */
#include "translator/debuginfo/elf_image.h"
#include "translator/debuginfo/pclntab.h"

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

/* The pieces of a function's code of the same file and line. */
static void add_go_function(struct making *m, const struct pclntab *t, const struct pclntab_function *f)
{
	struct pclntab_piece file, line;
	struct dwarf_row row = {.address = f->entry};

	pclntab_first(t, f, PCLNTAB_FILE, &file);
	pclntab_first(t, f, PCLNTAB_LINE, &line);
	while (row.address < f->end) {
		if (file.end <= row.address && !pclntab_next(t, f, &file))
			break;
		if (line.end <= row.address && !pclntab_next(t, f, &line))
			break;
		row.file = line.value > 0 ? pclntab_file(t, f, file.value) : NULL;
		row.line = row.file ? (unsigned)line.value : 0;
		add(m, &row);
		row.address = file.end < line.end ? file.end : line.end;
	}
	add(m, &(struct dwarf_row){.address = row.address});
}

/* Go's runtime prints lines in its own stacks, so that also stripped programs have them. */
static void add_go(struct making *m)
{
	const struct pclntab *t = elf_go_table(m->e);
	struct pclntab_function f;

	for (size_t i = 0; t && pclntab_function(t, i, &f); i++)
		add_go_function(m, t, &f);
}

const struct line_table *elf_lines(struct elf_image *e)
{
	struct making m = {.e = e};
	struct problem ignored = {0};

	if (e->lines)
		return e->lines;
	m.t = line_table_new(e->arena);
	if (elf_types(e, &ignored))
		dwarf_rows(e->dwarf, add, &m);
	else
		add_go(&m);
	return e->lines = m.t->rows.n ? m.t : NULL;
}
