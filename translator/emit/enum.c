/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of enum constants: a table for each type, sorted by value; of equal values the first gives the name. */
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/types.h"
#include "translator/emit/emit.h"

struct row {
	struct dtype_enumerator e;
	size_t order;
};

static int by_value(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->e.value != y->e.value)
		return x->e.value < y->e.value ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static const char *table(struct emit *e, const struct dtype *t, size_t *count)
{
	const struct dtype_enumerator *v;
	size_t n = dtype_enumerators(&e->s->arena, t, &v);
	struct row *rows = arena_array(&e->s->arena, struct row, n + 1);
	size_t max = (size_t)session_limit(e->s, "MAXSTRINGLEN") - 1;
	struct sb b = {0};

	for (size_t i = 0; i < n; i++)
		rows[i] = (struct row){v[i], i};
	qsort(rows, n, sizeof *rows, by_value);
	*count = 0;
	sb_puts(&b, "{\n");
	for (size_t i = 0; i < n; i++) {
		if (i && rows[i].e.value == rows[i - 1].e.value)
			continue;
		sb_printf(&b, "\t{.value = %s, .name = RT_TEXT(", emit_number(e, rows[i].e.value));
		sb_put_c_string(&b, rows[i].e.name, strnlen(rows[i].e.name, max));
		sb_puts(&b, ")},\n");
		++*count;
	}
	sb_puts(&b, "}");
	const char *name = *count ? emit_table(e, "enum", "struct rt_enum_name", "[]", b.s) : "0";
	sb_free(&b);
	return name;
}

const char *emit_enum(struct emit *e, const struct node *of)
{
	size_t count;
	const char *names = table(e, of->dtype, &count);

	return emit_text(e, "%s, %zu", names, count);
}
