/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lines of source files the code of a program or library is of. */
#include "base/intern.h"
#include "base/map.h"
#include "translator/debuginfo/elf_image.h"

struct making {
	struct elf_image *e;
	struct line_table *t;
	struct map known; /* file -> its number */
};

static uint32_t number_of(struct making *m, const char *file)
{
	uintptr_t known = (uintptr_t)map_get(&m->known, file);

	if (known)
		return (uint32_t)known;
	vec_push(m->e->arena, &m->t->files, file);
	map_set(m->e->arena, &m->known, file, (void *)(uintptr_t)(m->t->files.n - 1));
	return (uint32_t)(m->t->files.n - 1);
}

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
	struct line_table *t = m->t;
	const struct line_row *last = t->rows.n ? &t->rows.v[t->rows.n - 1] : NULL;
	struct line_row r = {.line = row->line};
	uint64_t off;

	if (find_place(m, row, &off) && off < UINT32_MAX) {
		r.off = (uint32_t)off;
		r.file = row->file ? number_of(m, row->file) : 0;
	} else if (last && last->file) { /* a damaged file: nothing is known from here on */
		r = (struct line_row){.off = last->off + 1};
	} else {
		return;
	}
	if (last && last->off == r.off)
		t->rows.n--; /* one sequence ends where another begins */
	else if (last && (last->off > r.off || (last->file == r.file && last->line == r.line)))
		return;
	vec_push(m->e->arena, &t->rows, r);
}

const struct line_table *elf_lines(struct elf_image *e)
{
	struct making m = {.e = e};
	struct problem ignored = {0};

	if (e->lines || !elf_types(e, &ignored))
		return e->lines;
	m.t = arena_new(e->arena, struct line_table);
	*m.t = (struct line_table){0};
	vec_push(e->arena, &m.t->files, "");
	dwarf_rows(e->dwarf, add, &m);
	return e->lines = m.t->rows.n ? m.t : NULL;
}
