/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Global and file-local variables of a program, and static ones of its functions, by name. */
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"

struct search {
	struct dwarf_file *d;
	const char *name, *file;
	struct fetch *found;
	enum location location; /* of the best that has the name */
	bool named, of_thread;
	struct nearest *near;
};

enum { MAX_BLOCKS = 32 }; /* within each other */

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

/* The first operation of the location, if there is one for all addresses; 0. */
static unsigned first_operation(Dwarf_Attribute *location, size_t *n)
{
	Dwarf_Op *ops;

	return dwarf_getlocation(location, &ops, n) == 0 && *n ? ops[0].atom : 0;
}

/* A thread's own variable: an offset in the thread's area. */
static bool is_of_thread(Dwarf_Attribute *location)
{
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_getlocation(location, &ops, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (ops[i].atom == DW_OP_form_tls_address || ops[i].atom == DW_OP_GNU_push_tls_address)
			return true;
	return false;
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
	s->of_thread |= is_of_thread(&attr);
	l = dwarf_location(s->d, NULL, &attr, 0, s->found);
	if (l > s->location)
		s->location = l;
	if (l != LOCATION_OK)
		return true;
	s->found->type = dtype_new(&s->d->dtypes, dwarf_type_ref(s->d, die));
	return false;
}

/* Static variables in the function or block; other locals have no address of their own. */
static bool match_static(struct search *s, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Attribute attr;
	Dwarf_Die die;
	size_t n;

	if (depth == MAX_BLOCKS || !dwarf_first(parent, &die))
		return true;
	do {
		int tag = dwarf_tag(&die);
		if ((tag == DW_TAG_lexical_block || tag == DW_TAG_subprogram) && !match_static(s, &die, depth + 1))
			return false;
		if (tag != DW_TAG_variable || !dwarf_attr(&die, DW_AT_location, &attr))
			continue;
		unsigned atom = first_operation(&attr, &n);
		if ((atom == DW_OP_addr || atom == DW_OP_addrx) && n == 1 && !match(s, &die))
			return false;
	} while (dwarf_next(&die));
	return true;
}

static bool match_in_function(void *ctx, Dwarf_Die *die)
{
	return dwarf_tag(die) != DW_TAG_subprogram || match_static(ctx, die, 0);
}

static void add_near(void *ctx, const char *name)
{
	const struct search *s = ctx;

	if (strcmp(name, s->name) != 0)
		nearest_add(s->near, name);
}

int dwarf_variable(struct dwarf_file *d, const char *name, const char *file, struct fetch *f, struct problem *why)
{
	struct arena *a = d->dtypes.arena;
	struct nearest near;
	struct search s = {.d = d, .name = name, .file = file, .found = f, .near = &near};

	nearest_init(&near, name);
	if (dwarf_walk_for(d, name, match, &s) && !s.named && !d->index)
		dwarf_walk(d, match_in_function, &s);
	if (s.location == LOCATION_OK)
		return 0;
	if (s.of_thread) {
		problem_set(why, a, PROBLEM_NOT_PLACED, "\"%s\" is a variable that each thread has of its own, which cannot be read", name);
		if (why)
			why->hint = "read it where a function has its address as a parameter, or copy it to a plain variable in the program";
		return -1;
	}
	if (s.location == LOCATION_COMPLEX)
		return problem_set(why, a, PROBLEM_NOT_PLACED,
				   "\"%s\" has no fixed address: it is in several parts", name);
	if (s.named)
		return problem_set(why, a, PROBLEM_NOT_PLACED, "\"%s\" was optimised away, or is defined elsewhere", name);
	problem_set(why, a, PROBLEM_NO_MEMBER, "there is no variable \"%s\"%s%s%s", name, file[0] ? " in \"" : "", file,
		    file[0] ? "\"" : "");
	if (!why)
		return -1;
	dwarf_index_names(d, add_near, &s);
	why->near = nearest_text(&near, a);
	return -1;
}
