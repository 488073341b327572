/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the kernel and of its modules, where they are when it runs, and what can be named there. */
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/kernel_private.h"

static int by_place(const void *x, const void *y)
{
	const struct statement *a = x, *b = y;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->line != b->line ? (a->line < b->line ? -1 : 1) : strcmp(a->function, b->function);
}

/* A line that several units have once. */
static void keep_once(struct statements *all)
{
	size_t kept = 0;

	if (all->v.n > 1)
		qsort(all->v.v, all->v.n, sizeof *all->v.v, by_place);
	for (size_t i = 0; i < all->v.n; i++)
		if (!kept || by_place(&all->v.v[i], &all->v.v[kept - 1]))
			all->v.v[kept++] = all->v.v[i];
	all->v.n = kept;
}

int kernel_statements(struct kernel_info *k, const char *module, const struct lines_wanted *w, struct statements *out, struct problem *why)
{
	const struct kernel_dwarf *d = kernel_dwarf_of(k, module, why);

	*out = (struct statements){0};
	if (!d)
		return -1;
	dwarf_statements(d->file, w, NULL, out);
	if (out->too_deep)
		return lines_too_deep(k->arena, w, out, why);
	keep_once(out);
	return 0;
}

int kernel_statement_proto(struct kernel_info *k, const char *module, const struct statement *t, struct proto *p, struct problem *why)
{
	struct dwarf_file *file = kernel_dwarf_of(k, module, NULL)->file;
	struct dwarf_symbol symbol;
	bool clone = dwarf_symbol_at(file, t->entry, t->function, &symbol) && strchr(symbol.name, '.');

	return dwarf_function_proto(file, t->code, t->entry, clone ? DWARF_CHANGED : 0, p, why);
}

static void add_arguments(struct kernel_info *k, const char *module, const struct statement *t, struct statement_variables *out)
{
	struct dwarf_file *file = kernel_dwarf_of(k, module, NULL)->file;
	struct proto p;

	/* Another file, or the kernel, may have a static function of the name: the one that is called is asked first. */
	if (dwarf_callee_proto(file, t->scope, &p) || !kernel_function(k, module, t->function, &p, NULL) ||
	    !kernel_function(k, NULL, t->function, &p, NULL))
		dwarf_call_variables(file, t, &p, out);
}

void kernel_statement_variables(struct kernel_info *k, const char *module, const struct statement *t, struct statement_variables *out)
{
	struct proto p;

	*out = (struct statement_variables){0};
	if (t->is_call) {
		add_arguments(k, module, t, out);
		return;
	}
	/* Where a function begins, its parameters are where a probe of the function finds them. */
	if (t->address == t->entry && !t->inlined && !kernel_statement_proto(k, module, t, &p, NULL))
		for (size_t i = 0; i < p.nparams; i++)
			if (p.params[i].name[0])
				vec_push(k->arena, &out->v, ((struct statement_variable){.parameter = true, .value = p.params[i]}));
	dwarf_statement_variables(kernel_dwarf_of(k, module, NULL)->file, t, out);
}

/*
 * The kernel is laid out as it was linked, so a piece of a function that is elsewhere is at a known distance.  The loader of modules places
 * each section as it likes: there a piece in another section is found by its own symbol.
 */
int kernel_statement_place(struct kernel_info *k, const char *module, const struct statement *t, struct kernel_statement_place *out,
			   struct problem *why)
{
	struct dwarf_file *file = kernel_dwarf_of(k, module, NULL)->file;
	struct dwarf_symbol entry, piece;

	/* A kprobe's offset is not negative: a piece before the function is found by its own symbol, too. */
	if (!dwarf_symbol_at(file, t->entry, t->function, &entry) || !dwarf_symbol_at(file, t->address, entry.name, &piece))
		return problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "no symbol says where its code is");
	if (!piece.kept)
		return problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "it runs only while the %s starts",
				   kernel_is_module(module) ? "module" : "kernel");
	if ((kernel_is_module(module) && piece.section != entry.section) || t->address < entry.address)
		entry = piece;
	if (kernel_is_module(module) && entry.namesakes > 1)
		return problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "%u functions of the module have the name %s", entry.namesakes, entry.name);
	*out = (struct kernel_statement_place){entry.name, t->address - entry.address, kernel_is_module(module) ? 0 : entry.distance};
	return 0;
}

int kernel_variable_in_dwarf(struct kernel_info *k, const char *module, const char *name, const char *file, struct fetch *f, struct problem *why)
{
	struct kernel_dwarf *d = kernel_dwarf_of(k, module, why);

	return d ? dwarf_variable(d->file, name, file, f, why) : -1;
}

/* A module's source declares variables of the kernel, and of other modules. */
static int of_the_kernel(struct kernel_info *k, const char *module, const char *name, struct fetch *f, struct problem *why)
{
	struct kernel_dwarf *d = kernel_dwarf_of(k, NULL, NULL);

	if (d && dwarf_variable_external(d->file, name, f))
		return 0;
	problem_set(why, k->arena, PROBLEM_NOT_PLACED, "\"%s\" is not a variable of the module \"%s\", which only declares it", name, module);
	if (why)
		why->hint = arena_printf(k->arena, "if it is the kernel's: @var(\"%s\", \"kernel\")%s", name,
					 d ? "" : ", which needs the kernel's debug information, unless each CPU has one");
	return -1;
}

static int several_functions(struct kernel_info *k, const char *function, const char *name, struct problem *why)
{
	problem_set(why, k->arena, PROBLEM_NOT_PLACED, "several functions have the name %s, so what \"%s\" is there is not certain", function, name);
	if (why)
		why->hint = arena_printf(k->arena, "name its file in the probe point, function(\"%s@FILE\"), or the variable's: @var(\"%s@FILE\")",
					 function, name);
	return -1;
}

/* Looked at first, since most unknown names are of no variable, and opening debug information, or asking a server for it, takes long. */
static bool may_be_variable(struct kernel_info *k, const char *module, const char *name)
{
	struct nearest ignored;

	nearest_init(&ignored, name);
	return kernel_has_object(k, name) || (kernel_is_module(module) && kernel_module_has_symbol(k->arena, &k->places, module, name, &ignored));
}

/* What the function has is the better answer to most names: this is only a hint.  BTF has the types of variables of which each CPU has one. */
static int without_dwarf(struct kernel_info *k, const char *module, const char *name, struct problem *why)
{
	bool typed = kernel_variable(k, kernel_is_module(module) ? module : NULL, name, NULL) != NULL;

	if (why)
		why->hint = arena_printf(k->arena, "a variable outside of functions has its name only with debug information: here it is "
					 "%s@var(\"%s\", \"%s\")%s", typed ? "" : "@cast(&", name,
					 kernel_is_module(module) ? module : "kernel", typed ? "" : ", \"TYPE\")");
	return -1;
}

int kernel_variable_in_scope(struct kernel_info *k, const char *module, uint64_t scope, const char *function, const char *name, struct fetch *f,
			     struct problem *why)
{
	struct kernel_dwarf *d;
	bool several = false;
	int rc;

	if (!may_be_variable(k, module, name))
		return -1;
	d = kernel_dwarf_of(k, module, NULL);
	if (!d)
		return without_dwarf(k, module, name, why);
	if (!scope) /* a clone, "name.part.0", is of the same source */
		scope = dwarf_function_named(d->file, arena_strndup(k->arena, function, strcspn(function, ".")), &several);
	if (several && !dwarf_variable(d->file, name, "", f, NULL))
		return several_functions(k, function, name, why);
	rc = scope ? dwarf_variable_in_scope(d->file, scope, name, f, why) : -1;
	if (rc == 1 && kernel_is_module(module))
		return of_the_kernel(k, module, name, f, why);
	return rc ? -1 : 0;
}
