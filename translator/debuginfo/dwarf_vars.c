/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Global and file-local variables of a program, by name. */
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"

struct search {
	struct dwarf_file *d;
	const char *name, *file;
	struct fetch *found;
	enum location location; /* of the best that has the name */
	bool named;
	struct nearest *near;
};

/* A source file is named by its last components, as in "main.c" for "/src/main.c". */
static bool in_file(Dwarf_Die *die, const char *file)
{
	Dwarf_Die unit;
	const char *name = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_diename(&unit) : NULL, *tail;
	size_t n = strlen(file), all = name ? strlen(name) : 0;

	if (!file[0])
		return true;
	if (all < n)
		return false;
	tail = name + (all - n);
	return str_glob(file, name) || (strcmp(tail, file) == 0 && (all == n || tail[-1] == '/'));
}

static bool match(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;
	const char *name = dwarf_tag(die) == DW_TAG_variable ? dwarf_diename(die) : NULL;
	Dwarf_Attribute attr;
	enum location l;

	if (!name)
		return true;
	if (strcmp(name, s->name) != 0 || !in_file(die, s->file)) {
		nearest_add(s->near, name);
		return true;
	}
	s->named = true;
	if (!dwarf_attr(die, DW_AT_location, &attr))
		return true; /* a declaration, or without a place */
	l = dwarf_location(s->d, NULL, &attr, 0, s->found);
	if (l > s->location)
		s->location = l;
	if (l != LOCATION_OK)
		return true;
	s->found->type = dtype_new(&s->d->dtypes, dwarf_type_ref(s->d, die));
	return false;
}

int dwarf_variable(struct dwarf_file *d, const char *name, const char *file, struct fetch *f, struct problem *why)
{
	struct arena *a = d->dtypes.arena;
	struct nearest near;
	struct search s = {.d = d, .name = name, .file = file, .found = f, .near = &near};

	nearest_init(&near, name);
	dwarf_walk(d, match, &s);
	if (s.location == LOCATION_OK)
		return 0;
	if (s.location == LOCATION_COMPLEX)
		return problem_set(why, a, PROBLEM_NOT_PLACED,
				   "\"%s\" has no fixed address: it belongs to a thread, or lies in parts", name);
	if (s.named)
		return problem_set(why, a, PROBLEM_NOT_PLACED, "\"%s\" was optimised away, or is defined elsewhere", name);
	problem_set(why, a, PROBLEM_NO_MEMBER, "there is no variable \"%s\"%s%s%s", name, file[0] ? " in \"" : "", file,
		    file[0] ? "\"" : "");
	if (why)
		why->near = nearest_text(&near, a);
	return -1;
}
