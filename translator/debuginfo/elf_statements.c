/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of programs, and what can be named there. */
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/elf_image.h"

static int by_address(const void *x, const void *y)
{
	const struct statement *a = x, *b = y;
	int r = strcmp(a->function, b->function);

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	if (a->is_call != b->is_call)
		return a->is_call ? 1 : -1;
	return a->line != b->line ? (a->line < b->line ? -1 : 1) : r;
}

/* Keeps what is code of the file; a line that several units have there once. */
static void keep_code(struct elf_image *e, struct statements *all)
{
	size_t kept = 0;
	uint64_t off;

	if (all->v.n > 1)
		qsort(all->v.v, all->v.n, sizeof *all->v.v, by_address);
	for (size_t i = 0; i < all->v.n; i++)
		if ((!kept || by_address(&all->v.v[i], &all->v.v[kept - 1])) && elf_offset(e, all->v.v[i].address, true, &off))
			all->v.v[kept++] = all->v.v[i];
	all->v.n = kept;
}

int elf_statements(struct elf_image *e, const struct lines_wanted *w, struct statements *out, struct problem *why)
{
	*out = (struct statements){0};
	if (!elf_types(e, why)) {
		const char *hint = why ? why->hint : NULL;

		problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "\"%s\" has no debug information, which has its lines, labels and inlined "
			    "functions", e->facts.path);
		if (why)
			why->hint = hint;
		return -1;
	}
	dwarf_statements(e->dwarf, w, NULL, out);
	if (out->too_deep)
		return lines_too_deep(e->arena, w, out, why);
	keep_code(e, out);
	return 0;
}

bool elf_statement_at(struct elf_image *e, uint64_t address, struct statement *out)
{
	*out = (struct statement){.function = "", .address = address};
	return elf_types(e, NULL) && dwarf_statement_at(e->dwarf, address, out);
}

uint64_t elf_statement_offset(const struct elf_image *e, const struct statement *t)
{
	uint64_t off = 0;

	elf_offset(e, t->address, true, &off);
	return off;
}

struct at {
	uint64_t entry;
	const struct elf_function *found;
};

static bool find_entry(void *ctx, const struct elf_function *f)
{
	struct at *at = ctx;

	if (f->entry == at->entry)
		at->found = f;
	return !at->found;
}

/* Where a function begins, its parameters are where a probe of the function finds them. */
static void add_parameters(struct elf_image *e, const struct statement *t, struct statement_variables *out)
{
	struct at at = {.entry = t->entry};
	struct proto p;

	if (elf_functions(e, t->function, find_entry, &at, NULL) < 0 || !at.found || elf_function_proto(e, at.found, &p, NULL))
		return;
	for (size_t i = 0; i < p.nparams; i++)
		if (p.params[i].name[0])
			vec_push(e->arena, &out->v, ((struct statement_variable){.parameter = true, .value = p.params[i]}));
}

/* The unit that calls knows what the function takes if it has it, else another one of the file may. */
static bool callee_proto(struct elf_image *e, const struct statement *t, struct proto *p)
{
	const struct elf_function *f;

	if (dwarf_callee_proto(e->dwarf, t->scope, p))
		return true;
	f = t->elsewhere ? elf_function(e, t->function, NULL) : NULL;
	return f && f->global && !elf_is_overloaded(e, f) && !elf_function_proto(e, f, p, NULL);
}

void elf_statement_variables(struct elf_image *e, const struct statement *t, struct statement_variables *out)
{
	struct proto p;

	*out = (struct statement_variables){0};
	if (t->is_call) {
		if (callee_proto(e, t, &p))
			dwarf_call_variables(e->dwarf, t, &p, out);
		return;
	}
	if (t->address == t->entry && !t->inlined)
		add_parameters(e, t, out);
	dwarf_statement_variables(e->dwarf, t, out);
}
