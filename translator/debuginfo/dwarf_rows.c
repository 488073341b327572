/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Line tables as a whole: which line each instruction is of.  A unit has them in sequences, one for each piece of code; what the linker
 * has left out begins at address 0.  Of several rows of one instruction the last one holds, as for addr2line.
 */
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "translator/debuginfo/dwarf_private.h"

/* Rows first .. end - 1 of all; the last one has no line: the code ends there. */
struct sequence {
	Dwarf_Addr from, to;
	size_t first, end;
};

struct making {
	struct arena scratch;
	VEC(struct sequence) sequences;
	VEC(struct dwarf_row) rows;
	struct map tables; /* those that were read, as libdw has them: several units may share one */
	const char *file, *path; /* of the last row: as libdw has it, and as it is given */
};

/* Names relative to the folder where the compiler ran begin with that. */
static const char *file_of(struct making *m, const char *folder, Dwarf_Line *l)
{
	const char *file = dwarf_linesrc(l, NULL, NULL);

	if (!file || file == m->file)
		return file ? m->path : NULL;
	m->file = file;
	return m->path = intern(folder && *file != '/' ? arena_printf(&m->scratch, "%s/%s", folder, file) : file);
}

static void add_sequence(struct making *m, size_t first)
{
	const struct dwarf_row *rows = m->rows.v;
	struct sequence s = {rows[first].address, rows[m->rows.n - 1].address, first, m->rows.n};

	if (s.from && s.to > s.from)
		vec_push(&m->scratch, &m->sequences, s);
}

static bool has_code(Dwarf_Die *unit, Dwarf_Addr address)
{
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &from, &to)) > 0)
		if (address >= from && address < to)
			return true;
	return false;
}

/*
 * libdw sorts the rows of a unit by address, an end first.  A row where a sequence ends may be the last one of that, of no bytes, which
 * compilers write after a call that does not return, or of the next one: taken for that if there is code of the unit, and a statement begins.
 */
static bool is_stray(Dwarf_Die *unit, Dwarf_Line *l, Dwarf_Addr address)
{
	bool is_statement = false;

	return dwarf_linebeginstatement(l, &is_statement) || !is_statement || !has_code(unit, address);
}

static void add_unit(struct making *m, Dwarf_Die *unit)
{
	size_t n, first = m->rows.n;
	Dwarf_Addr ended = 0;
	Dwarf_Attribute attr;
	const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	Dwarf_Lines *lines;

	m->file = NULL;
	if (dwarf_getsrclines(unit, &lines, &n) != 0 || map_set(&m->scratch, &m->tables, (const char *)lines, lines))
		return;
	for (size_t i = 0; i < n; i++) {
		Dwarf_Line *l = dwarf_onesrcline(lines, i);
		struct dwarf_row r = {0};
		bool end = false;
		int line = 0;

		if (dwarf_lineaddr(l, &r.address) || dwarf_lineendsequence(l, &end) || (end && first == m->rows.n) ||
		    (!end && r.address == ended && is_stray(unit, l, r.address)))
			continue;
		if (!end && dwarf_lineno(l, &line) == 0 && line > 0 && (r.file = file_of(m, folder, l)))
			r.line = (unsigned)line;
		vec_push(&m->scratch, &m->rows, r);
		if (!end)
			continue;
		ended = r.address;
		add_sequence(m, first);
		first = m->rows.n;
	}
	m->rows.n = first; /* a damaged end */
}

static int by_address(const void *x, const void *y)
{
	const struct sequence *a = x, *b = y;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

void dwarf_rows(struct dwarf_file *d, void (*add)(void *ctx, const struct dwarf_row *row), void *ctx)
{
	struct making m = {0};
	Dwarf_CU *cu = NULL, *before;
	Dwarf_Addr end = 0;
	uint8_t kind;
	Dwarf_Die unit;

	for (;;) {
		before = cu;
		if (dwarf_get_units(d->dwarf, before, &cu, NULL, &kind, &unit, NULL) != 0)
			break;
		if (kind == DW_UT_compile || kind == DW_UT_skeleton)
			add_unit(&m, &unit);
	}
	if (m.sequences.n > 1)
		qsort(m.sequences.v, m.sequences.n, sizeof *m.sequences.v, by_address);
	for (size_t i = 0; i < m.sequences.n; i++) {
		const struct sequence *s = &m.sequences.v[i];

		if (s->from < end) /* code that the linker found to be the same as other code */
			continue;
		for (size_t k = s->first; k < s->end; k++) {
			struct dwarf_row r = m.rows.v[k];
			r.address += d->shift;
			if (k + 1 == s->end || m.rows.v[k + 1].address > m.rows.v[k].address)
				add(ctx, &r);
		}
		end = s->to;
	}
	arena_free(&m.scratch);
}
