/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that the translator may ask about a program and its debug information, wherever that is. */
#ifndef TESTSUITE_ELF_ASK_H
#define TESTSUITE_ELF_ASK_H

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "testsuite/fuzz/fuzz.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/overload.h"
#include "translator/debuginfo/plt.h"
#include "translator/debuginfo/scoped.h"
#include "translator/debuginfo/unwind.h"
#include "translator/debuginfo/usdt.h"

enum { ASK_FUNCTIONS = 64, ASK_STATEMENTS = 24, ASK_VARIABLES = 12 };

struct ask {
	struct arena *a;
	struct elf_image *e;
	struct dwarf_file *d; /* ask_kernel() */
	size_t n;
};

/* What the programs of the corpus have, and what none has. */
static const char *const ask_names[] = {"hidden", "per_thread", "space::level", "level", "shape::made", "total::calls", "nothing"};

static void ask_variables(struct ask *c, uint64_t scope)
{
	const struct dtype *type;
	struct problem why;
	uint64_t address;
	struct fetch f;

	for (size_t i = 0; i < sizeof ask_names / sizeof *ask_names; i++) {
		if (scope) {
			if (elf_variable_in_scope(c->e, scope, ask_names[i], &f, &why) == 0)
				fuzz_fetch(c->a, &f);
			continue;
		}
		if (elf_variable(c->e, ask_names[i], i % 2 ? "*.cc" : "", &f, &why) == 0)
			fuzz_fetch(c->a, &f);
		if (elf_object(c->e, ask_names[i], "", &address, &type, &why) == 0)
			fuzz_type(c->a, type);
	}
}

static void ask_proto(struct ask *c, const struct elf_function *f)
{
	struct problem why;
	struct proto p;

	if (elf_function_proto(c->e, f, &p, &why) == 0)
		fuzz_proto(c->a, &p);
}

/* "space::area(int, space::pair const&)" */
static void ask_overload(struct ask *c, const struct elf_function *f)
{
	const char *arguments = elf_function_arguments(c->e, f), *name = arena_printf(c->a, "%s(%s)", f->name, arguments ? arguments : "*");
	const char *cut = overload_arguments(c->a, &name);

	if (cut && arguments)
		overload_matches(cut, arguments);
	scoped_matches(scoped_plain(c->a, f->name), f->name);
	scoped_mangled(c->a, scoped_last(f->name));
}

/* Instructions of a function.  Where one begins, the next byte is in the middle of it, or begins another. */
static void ask_instructions(struct ask *c, const struct elf_function *f)
{
	enum { BYTES = 24 };
	struct statement_variables vars;
	struct problem why;
	struct statement t;
	bool has_scope;

	for (uint64_t at = f->entry; at - f->entry < f->size && at - f->entry < BYTES; at++) {
		if (elf_instruction(c->e, at, &t, &has_scope, &why))
			continue;
		if (t.address != at || !t.function || (has_scope && !t.scope))
			abort();
		elf_statement_offset(c->e, &t);
		if (!has_scope)
			continue;
		elf_statement_variables(c->e, &t, &vars);
		for (size_t i = 0; i < vars.v.n && i < ASK_VARIABLES; i++)
			if (vars.v.v[i].value.placed)
				fuzz_fetch(c->a, &vars.v.v[i].value.fetch);
	}
}

static bool ask_function(void *ctx, const struct elf_function *f)
{
	struct ask *c = ctx;
	const uint64_t *returns;
	struct problem why;
	const char *why_not;

	elf_function_file(c->e, f);
	elf_only_inlined(c->e, f->name);
	elf_no_return(c->e, f);
	if (elf_function_begin(c->e, f) - f->entry >= f->size && f->size)
		abort();
	for (size_t i = elf_return_instructions(c->e, f, &returns, &why_not); i > 0; i--)
		if (returns[i - 1] - f->entry >= f->size)
			abort();
	if (elf_function(c->e, f->name, &why) == NULL)
		abort(); /* it was listed */
	ask_proto(c, f);
	ask_overload(c, f);
	if (c->n < ASK_VARIABLES)
		ask_instructions(c, f);
	if (f->has_proto)
		ask_variables(c, f->handle);
	return ++c->n < ASK_FUNCTIONS;
}

static void ask_markers(struct ask *c)
{
	const struct usdt_markers *all = usdt_markers(c->e);
	struct proto p;

	for (size_t i = 0; i < all->v.n && i < ASK_FUNCTIONS; i++) {
		usdt_arguments(c->e, &all->v.v[i], &p);
		fuzz_proto(c->a, &p);
	}
}

/* Rows ascend, from the beginning of the file on, and name rules that are there. */
static void ask_unwind(struct elf_image *e)
{
	const struct unwind_table *t = elf_unwind(e);

	for (size_t i = 0; t && i < t->nrows; i++)
		if (t->rule[i] >= t->nrules || (i ? t->at[i] <= t->at[i - 1] : t->at[i] != 0))
			abort();
	for (size_t i = 0; t && i < t->nrules; i++)
		if (t->rules[i].reg >= UNWIND_REGISTERS)
			abort();
	elf_interpreter(e);
}

/* Rows ascend, and name files that are there. */
static void ask_lines(struct elf_image *e)
{
	const struct line_table *t = elf_lines(e);

	for (size_t i = 0; t && i < t->rows.n; i++)
		if ((i && t->rows.v[i].off <= t->rows.v[i - 1].off) || t->rows.v[i].file >= t->files.n)
			abort();
}

static const struct lines_wanted ask_wanted[] = {
	{.function = "*", .which = LINES_ALL},
	{.function = "*", .which = LINES_ENTRY, .file = "*.c*"},
	{.function = "total", .which = LINES_AFTER, .after = 1, .nearest = true},
	{.function = "*", .which = LINES_LABEL, .label = "*"},
	{.function = "*", .which = LINES_CALLEES, .label = "*"},
	{.function = "m*", .which = LINES_CALLEES, .label = "*", .depth = 5},
	{.function = "*", .which = LINES_CALLEES, .label = "squared", .inlined_only = true},
	{.function = "nothing", .which = LINES_ENTRY},
};

static void ask_statement(struct ask *c, const struct statement *t)
{
	struct statement_variables known;

	elf_statement_offset(c->e, t);
	elf_statement_variables(c->e, t, &known);
	for (size_t i = 0; i < known.v.n && i < ASK_VARIABLES; i++)
		if (known.v.v[i].value.placed)
			fuzz_fetch(c->a, &known.v.v[i].value.fetch);
	if (!t->is_call)
		ask_variables(c, t->scope);
}

static void ask_statements(struct ask *c)
{
	struct lines_wanted lines = {.function = "*", .which = LINES_GIVEN, .nearest = true};
	struct statements all;
	struct problem why;

	vec_push(c->a, &lines.v, ((struct lines_range){5, 12}));
	vec_push(c->a, &lines.v, ((struct lines_range){30, 30}));
	elf_statements(c->e, &lines, &all, &why);
	for (size_t i = 0; i < sizeof ask_wanted / sizeof *ask_wanted; i++) {
		if (elf_statements(c->e, &ask_wanted[i], &all, &why) < 0)
			return;
		for (size_t k = 0; k < all.v.n && k < ASK_STATEMENTS; k++)
			ask_statement(c, &all.v.v[k]);
	}
}

static void ask_types(struct ask *c)
{
	struct problem why;
	struct dtypes *types = elf_types(c->e, &why);
	int64_t value;

	if (!types)
		return;
	dtypes_find(types, "struct nod", &why);
	if (dtypes_find(types, "node", &why))
		fuzz_type(c->a, dtypes_find(types, "node", &why));
	if (dtypes_find(types, "space::shape", &why))
		fuzz_type(c->a, dtypes_find(types, "space::shape", &why));
	dtypes_enumerator(types, "RED", &value);
}

static void ask_of_kernel(void *ctx, const struct dwarf_function *f)
{
	struct ask *c = ctx;
	struct dwarf_symbol s;
	struct problem why;
	struct proto p;

	if (++c->n > ASK_FUNCTIONS)
		return;
	dwarf_symbol_at(c->d, f->entry, f->name, &s);
	dwarf_has_clone(c->d, f->name);
	if (dwarf_function_proto(c->d, f->ref, f->entry, DWARF_CHANGED, &p, &why) == 0)
		fuzz_proto(c->a, &p);
}

static void ask_pieces(struct ask *c)
{
	const struct dwarf_symbol *pieces;
	size_t n = dwarf_pieces(c->d, &pieces);
	struct dwarf_symbol s;

	for (size_t i = 0; i < n; i++)
		dwarf_object_at(c->d, pieces[i].address, &s);
}

/* The file as that of a kernel or module, which has an index of its names. */
static void ask_kernel(struct arena *a, const char *path, const char *module)
{
	struct ask c = {.a = a};
	struct statements all;
	const char *lack = NULL;
	struct problem why;
	struct sb made = {0};
	struct fetch f;

	c.d = dwarf_file_open_kernel(a, &target_x86_64, path, module, &lack);
	if (!c.d)
		return;
	if (dwarf_index_make(path, &made) && !dwarf_use_index(c.d, (const unsigned char *)made.s, made.n))
		abort(); /* it was just made */
	dwarf_functions(c.d, ask_of_kernel, &c);
	ask_pieces(&c);
	for (size_t i = 0; i < sizeof ask_names / sizeof *ask_names; i++)
		if (dwarf_variable(c.d, ask_names[i], "", &f, &why) == 0)
			fuzz_fetch(a, &f);
	for (size_t i = 0; i < sizeof ask_wanted / sizeof *ask_wanted; i++) {
		all = (struct statements){0};
		dwarf_statements(c.d, &ask_wanted[i], NULL, &all);
	}
	dwarf_file_close(c.d);
	sb_free(&made);
}

static void ask_program(struct arena *a, const char *path)
{
	struct ask c = {.a = a};
	const char *const *needed;
	const struct elf_code *code;
	struct problem why;

	c.e = elf_open(a, &target_x86_64, path, &why);
	if (!c.e)
		return;
	elf_needed(c.e, &needed);
	elf_code(c.e, &code);
	ask_unwind(c.e);
	elf_functions(c.e, "*", ask_function, &c, &why);
	elf_functions(c.e, "space::*", ask_function, &c, &why);
	elf_function(c.e, "no_such_name", &why);
	ask_markers(&c);
	plt_entries(c.e);
	ask_types(&c);
	ask_variables(&c, 0);
	ask_lines(c.e);
	ask_statements(&c);
	elf_close(c.e);
}

/* All of it. */
static void ask_all(const char *path)
{
	struct arena a = {0};

	ask_program(&a, path);
	ask_kernel(&a, path, NULL);
	ask_kernel(&a, path, "module");
	arena_free(&a);
	intern_reset();
}

static void ask_write(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

#endif
