/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions whose calls are wanted because others call them, for .callees(N).  They are searched by levels, the smallest first, so each of them
 * is searched once, and a function that calls itself ends.
 */
#include "base/intern.h"
#include "translator/debuginfo/dwarf_private.h"

struct wanted_caller {
	unsigned level;   /* the smallest at which it is called */
	const char *name; /* of a function that other units see: as the index has it */
	uint64_t unit;    /* of another one: the only unit that can have its code */
};

static const char *linked_name(const char *name, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *linkage = dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ? dwarf_formstring(&attr) : NULL;

	return linkage ? linkage : name;
}

/* The DIE that all others of the function refer to: its declaration, and each copy and piece of its code. */
static Dwarf_Die origin_of(Dwarf_Die *die)
{
	enum { MOST_ORIGINS = 8 };
	Dwarf_Die at = *die, origin;
	Dwarf_Attribute attr;

	for (int i = 0; i < MOST_ORIGINS; i++) {
		if (!dwarf_attr(&at, DW_AT_abstract_origin, &attr) && !dwarf_attr(&at, DW_AT_specification, &attr))
			break;
		if (!dwarf_formref_die(&attr, &origin))
			break;
		at = origin;
	}
	return at;
}

/*
 * An external function is known by its name, since the unit that calls it may only declare it.  Another one is known by the place of its DIE, as
 * other units may have one of that name.  key: for the map that it is or will be in.
 */
static struct wanted_caller *find(const struct dwarf_callers *c, const char *name, Dwarf_Die *die, const char **key)
{
	Dwarf_Die origin;

	if (dwarf_is_external(die)) {
		*key = intern(linked_name(name, die));
		return map_get(&c->external, *key);
	}
	origin = origin_of(die);
	*key = (const char *)(uintptr_t)(dwarf_ref(c->file, &origin) + 1);
	return map_get(&c->own, *key);
}

void dwarf_callers_want(struct dwarf_callers *c, const char *name, Dwarf_Die *die, unsigned level)
{
	struct arena *a = c->file->dtypes.arena;
	Dwarf_Die unit;
	const char *key;
	struct wanted_caller *known = find(c, name, die, &key);

	if (known) {
		known->level = level < known->level ? level : known->level;
		return;
	}
	if (level > c->deepest)
		c->deepest = level;
	known = arena_new(a, struct wanted_caller);
	known->level = level;
	if (dwarf_is_external(die)) {
		known->name = intern(dwarf_diename(die) ? dwarf_diename(die) : name);
		map_set(a, &c->external, key, known);
		return;
	}
	if (dwarf_diecu(die, &unit, NULL, NULL))
		known->unit = dwarf_dieoffset(&unit);
	map_set(a, &c->own, key, known);
}

bool dwarf_callers_has(const struct dwarf_callers *c, const char *name, Dwarf_Die *die, unsigned level)
{
	const char *key;
	const struct wanted_caller *known = dwarf_tag(die) == DW_TAG_subprogram ? find(c, name, die, &key) : NULL;

	return known && known->level == level;
}

bool dwarf_callers_units(const struct dwarf_callers *c, unsigned level, struct dwarf_units *out)
{
	struct arena *a = c->file->dtypes.arena;
	VEC(const char *) names = {0};
	VEC(uint64_t) units = {0};

	for (size_t i = 0; i < c->external.n; i++) {
		const struct wanted_caller *at = c->external.entries[i].value;

		if (at->level == level)
			vec_push(a, &names, at->name);
	}
	for (size_t i = 0; i < c->own.n; i++) {
		const struct wanted_caller *at = c->own.entries[i].value;

		if (at->level == level)
			vec_push(a, &units, at->unit);
	}
	return dwarf_index_units_of(c->file, names.v, names.n, &(struct dwarf_units){units.v, units.n}, out);
}
