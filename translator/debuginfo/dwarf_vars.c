/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Global and file-local variables of a program, and static ones of its classes and functions, by name.  The name may have scopes, as that of a
 * function has; those of a variable include the function that it is in.
 */
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/scoped.h"

struct search {
	struct dwarf_file *d;
	const char *name, *file;
	const char *last; /* the last part of the name, which DWARF has */
	struct fetch *found;
	enum location location; /* of the best that has the name */
	bool named, of_thread;
	VEC(const char *) elsewhere; /* those that have only the last part */
	bool external; /* only what all units see */
	struct nearest *near;
};

enum { MAX_BLOCKS = 32 }; /* within each other */

/* A source file is named by its last components, as in "main.c" for "/src/main.c", or by a pattern of them. */
static bool in_file(Dwarf_Die *die, const char *file)
{
	Dwarf_Die unit;
	const char *name = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_diename(&unit) : NULL;

	return !file[0] || (name && lines_is_file(file, name));
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

/* Is it the name, or that of an instance of a template of the name? */
static bool is_named(const char *name, const char *wanted)
{
	size_t n = strlen(wanted);

	return strncmp(name, wanted, n) == 0 && (!name[n] || name[n] == '<');
}

static bool in_scope(struct search *s, Dwarf_Die *die)
{
	const char *name;

	if (s->last == s->name)
		return true;
	name = dwarf_variable_name(s->d, die);
	if (scoped_matches(s->name, name))
		return true;
	for (size_t i = 0; i < s->elsewhere.n; i++)
		if (!strcmp(s->elsewhere.v[i], name))
			return false;
	vec_push(s->d->dtypes.arena, &s->elsewhere, name);
	return false;
}

static enum location place(struct search *s, Dwarf_Die *die, const struct dtype *t)
{
	Dwarf_Attribute attr;

	if (dwarf_attr(die, DW_AT_location, &attr)) {
		s->of_thread |= is_of_thread(&attr);
		return dwarf_location(s->d, NULL, &attr, 0, s->found);
	}
	if (dwarf_attr_integrate(die, DW_AT_const_value, &attr)) /* of a class, without a variable in memory */
		return dwarf_constant(s->d, &attr, t, s->found);
	return LOCATION_NONE; /* a declaration */
}

static bool match(void *ctx, Dwarf_Die *die)
{
	struct search *s = ctx;
	int tag = dwarf_tag(die);
	const char *name = tag == DW_TAG_variable || tag == DW_TAG_member ? dwarf_diename(die) : NULL;
	const struct dtype *t;
	enum location l;

	if (!name)
		return true;
	if (!is_named(name, s->last) || !in_file(die, s->file) || (s->external && !dwarf_is_external(die))) {
		if (s->near)
			nearest_add(s->near, name);
		return true;
	}
	if (!in_scope(s, die))
		return true;
	s->named = true;
	t = dtype_new(&s->d->dtypes, dwarf_type_ref(s->d, die));
	l = place(s, die, t);
	if (l > s->location)
		s->location = l;
	if (l != LOCATION_OK)
		return true;
	s->found->type = t;
	return false;
}

/* A variable with an address of its own, unlike other locals; or a constant of a class. */
static bool is_static(Dwarf_Die *die, bool of_class)
{
	Dwarf_Attribute attr;
	unsigned atom;
	size_t n;

	if (of_class)
		return dwarf_hasattr(die, DW_AT_const_value);
	if (dwarf_tag(die) != DW_TAG_variable || !dwarf_attr(die, DW_AT_location, &attr))
		return false;
	atom = first_operation(&attr, &n);
	return ((atom == DW_OP_addr || atom == DW_OP_addrx) && n == 1) || is_of_thread(&attr);
}

static bool has_static(int tag)
{
	switch (tag) {
	case DW_TAG_lexical_block:
	case DW_TAG_subprogram:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		return true;
	default:
		return false;
	}
}

/* Static variables in the function, block or class. */
static bool match_static(struct search *s, Dwarf_Die *parent, unsigned depth)
{
	int tag = dwarf_tag(parent);
	bool of_class = tag != DW_TAG_lexical_block && tag != DW_TAG_subprogram;
	Dwarf_Die die;

	if (depth == MAX_BLOCKS || !dwarf_first(parent, &die))
		return true;
	do {
		if (has_static(dwarf_tag(&die)) && !match_static(s, &die, depth + 1))
			return false;
		if (is_static(&die, of_class) && !match(s, &die))
			return false;
	} while (dwarf_next(&die));
	return true;
}

static bool match_within(void *ctx, Dwarf_Die *die)
{
	return !has_static(dwarf_tag(die)) || match_static(ctx, die, 0);
}

static void add_near(void *ctx, const char *name)
{
	const struct search *s = ctx;

	if (strcmp(name, s->last) != 0)
		nearest_add(s->near, name);
}

/* "there is a::x, b::x"; NULL: the last part is in no scope. */
static const char *elsewhere(const struct search *s)
{
	enum { MOST = 5 };
	struct sb out = {0};
	const char *text;
	size_t i;

	if (!s->elsewhere.n)
		return NULL;
	for (i = 0; i < s->elsewhere.n && i < MOST; i++)
		sb_printf(&out, "%s%s", i ? ", " : "there is ", s->elsewhere.v[i]);
	sb_puts(&out, i < s->elsewhere.n ? ", ..." : "");
	text = arena_strdup(s->d->dtypes.arena, out.s);
	sb_free(&out);
	return text;
}

static int is_of_each_thread(const struct search *s, struct problem *why)
{
	problem_set(why, s->d->dtypes.arena, PROBLEM_NOT_PLACED,
		    "\"%s\" is a variable that each thread has of its own: where those of a library are, only its dynamic linker knows", s->name);
	if (why)
		why->hint = "read it where a function has its address as a parameter or returns it, as __errno_location does";
	return -1;
}

int dwarf_variable(struct dwarf_file *d, const char *name, const char *file, struct fetch *f, struct problem *why)
{
	struct arena *a = d->dtypes.arena;
	struct nearest near;
	struct search s = {.d = d, .name = name, .file = file, .last = scoped_last(name), .found = f, .near = &near};

	nearest_init(&near, s.last);
	if (dwarf_walk_for(d, s.last, match, &s) && (!s.named || s.last != name) && !d->index)
		dwarf_walk(d, match_within, &s);
	if (s.location == LOCATION_OK)
		return 0;
	if (s.of_thread)
		return is_of_each_thread(&s, why);
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
	why->hint = elsewhere(&s);
	why->near = why->hint ? NULL : nearest_text(&near, a);
	return -1;
}

/* --- what a name means in a function --- */

/* Has the function, or a block in it, a variable or parameter of the name? */
static bool has_own(Dwarf_Die *parent, const char *name, unsigned depth)
{
	const char *own;
	Dwarf_Die die;

	if (depth == MAX_BLOCKS || !dwarf_first(parent, &die))
		return depth == MAX_BLOCKS;
	do {
		int tag = dwarf_tag(&die);
		own = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter ? dwarf_diename(&die) : NULL;
		if ((own && !strcmp(own, name)) || (tag == DW_TAG_lexical_block && has_own(&die, name, depth + 1)))
			return true;
	} while (dwarf_next(&die));
	return false;
}

static bool unit_of(struct dwarf_file *d, uint64_t ref, Dwarf_Die *function, Dwarf_Die *unit)
{
	Dwarf_Attribute attr;

	if (!dwarf_die(d, ref, function))
		return false;
	if (dwarf_attr(function, DW_AT_abstract_origin, &attr) && !dwarf_formref_die(&attr, function))
		return false;
	return dwarf_diecu(function, unit, NULL, NULL);
}

struct functions_named {
	struct dwarf_file *d;
	const char *name;
	unsigned n;
	uint64_t ref;
};

static bool count_function(void *ctx, Dwarf_Die *die)
{
	struct functions_named *x = ctx;
	const char *name = dwarf_tag(die) == DW_TAG_subprogram ? dwarf_diename(die) : NULL;
	Dwarf_Addr entry;
	uint64_t size;

	if (!name || strcmp(name, x->name) != 0 || !dwarf_entry(die, &entry, &size))
		return true;
	x->ref = dwarf_ref(x->d, die);
	return ++x->n < 2;
}

uint64_t dwarf_function_named(struct dwarf_file *d, const char *name, bool *several)
{
	struct functions_named x = {.d = d, .name = name};

	dwarf_walk_for(d, name, count_function, &x);
	*several = x.n > 1;
	return x.n == 1 ? x.ref : 0;
}

bool dwarf_variable_external(struct dwarf_file *d, const char *name, struct fetch *f)
{
	struct search s = {.d = d, .name = name, .last = name, .file = "", .found = f, .external = true};

	dwarf_walk_for(d, name, match, &s);
	return s.location == LOCATION_OK;
}

/* The unit's own variable, or that which it declares and another unit has. */
int dwarf_variable_in_scope(struct dwarf_file *d, uint64_t ref, const char *name, struct fetch *f, struct problem *why)
{
	struct search s = {.d = d, .name = name, .last = name, .file = "", .found = f};
	Dwarf_Die function, unit, die;

	if (!unit_of(d, ref, &function, &unit) || has_own(&function, name, 0) || !dwarf_first(&unit, &die))
		return -1;
	while (match(&s, &die) && dwarf_next(&die))
		;
	if (s.named && !s.location) {
		s.external = true;
		dwarf_walk_for(d, name, match, &s);
	}
	if (s.location == LOCATION_OK)
		return 0;
	if (s.of_thread)
		return is_of_each_thread(&s, why);
	return s.external && !s.location ? 1 : -1;
}
