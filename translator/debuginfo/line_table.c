/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes tables of lines of code, row by row. */
#include "base/map.h"
#include "translator/debuginfo/lines.h"

struct line_table *line_table_new(struct arena *a)
{
	struct line_table *t = arena_new(a, struct line_table);

	*t = (struct line_table){.arena = a};
	vec_push(a, &t->files, "");
	return t;
}

static uint32_t number_of(struct line_table *t, const char *file)
{
	uintptr_t known = file ? (uintptr_t)map_get(&t->known, file) : 0;

	if (known || !file)
		return (uint32_t)known;
	vec_push(t->arena, &t->files, file);
	map_set(t->arena, &t->known, file, (void *)(uintptr_t)(t->files.n - 1));
	return (uint32_t)(t->files.n - 1);
}

void line_table_add(struct line_table *t, uint64_t off, const char *file, unsigned line)
{
	const struct line_row *last = t->rows.n ? &t->rows.v[t->rows.n - 1] : NULL;
	struct line_row r = {(uint32_t)off, file ? line : 0, number_of(t, file)};

	if (off >= UINT32_MAX)
		return;
	if (last && last->off == r.off)
		t->rows.n--; /* one sequence ends where another begins */
	else if (last ? last->off > r.off || (last->file == r.file && last->line == r.line) : !file)
		return;
	vec_push(t->arena, &t->rows, r);
}

void line_table_stop(struct line_table *t)
{
	const struct line_row *last = t->rows.n ? &t->rows.v[t->rows.n - 1] : NULL;

	if (last && last->file)
		line_table_add(t, last->off + 1, NULL, 0);
}
