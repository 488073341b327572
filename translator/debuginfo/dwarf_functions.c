/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions in DWARF, with the namespaces and classes that they are in.  A function's code may only refer to the declaration, which
 * is in the scope.  So a first walk notes where declarations are; code that refers to one is looked at after the walk.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "translator/debuginfo/dwarf_private.h"

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return NULL;
}

bool dwarf_is_external(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool value;

	return dwarf_attr_integrate(die, DW_AT_external, &attr) && dwarf_formflag(&attr, &value) == 0 &&
	       value;
}

static bool marked_inline(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr_integrate(die, DW_AT_inline, &attr) && dwarf_formudata(&attr, &value) == 0 &&
	       (value == DW_INL_inlined || value == DW_INL_declared_inlined);
}

/*
 * Where the function begins.  A function in several parts (a hot and a cold one, in different sections) has ranges and no low_pc,
 * nor, from gcc, entry_pc: compilers put the part with the entry first.
 */
bool dwarf_entry(Dwarf_Die *die, Dwarf_Addr *entry, uint64_t *size)
{
	Dwarf_Addr base, low, high;

	*size = 0;
	if (dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_entry_pc)) {
		if (dwarf_entrypc(die, entry) != 0)
			return false;
		if (dwarf_hasattr(die, DW_AT_high_pc) && dwarf_highpc(die, &high) == 0 && high > *entry)
			*size = high - *entry;
		return true;
	}
	if (!dwarf_hasattr(die, DW_AT_ranges) || dwarf_ranges(die, 0, &base, &low, &high) <= 0 || high <= low)
		return false;
	*entry = low;
	*size = high - low;
	return true;
}

/* False if it is not a function that can be probed or was inlined. */
static bool describe(struct dwarf_file *d, Dwarf_Die *die, struct dwarf_function *f)
{
	Dwarf_Addr entry;
	uint64_t size;
	int line;

	memset(f, 0, sizeof *f);
	if (dwarf_tag(die) != DW_TAG_subprogram)
		return false;
	f->name = dwarf_diename(die);
	f->has_code = dwarf_entry(die, &entry, &size);
	f->inlined = marked_inline(die);
	if (!f->name || (!f->has_code && !f->inlined))
		return false;
	if (f->has_code) {
		f->entry = entry + d->shift;
		f->size = size;
		f->external = dwarf_is_external(die);
		f->linkage_name = linkage_name(die);
		f->line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (unsigned)line : 0;
	}
	f->ref = dwarf_ref(d, die);
	return true;
}

/* --- scopes --- */

/* Has the unit's language classes?  If not, functions have no scope.  What dwz has moved to a partial unit may be of any language. */
static bool has_classes(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_Mips_Assembler:
	case DW_LANG_Go:
		return false;
	case -1:
		return dwarf_tag(unit) == DW_TAG_partial_unit;
	default:
		return true;
	}
}

static bool is_class(int tag)
{
	return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

enum { LONGEST = 4096 }; /* bytes of a scope that are used: a damaged file must not take much memory */

/* The scope of a namespace or class within the scope outer (or NULL). */
static const char *inner_scope(struct arena *a, const char *outer, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	if (!name)
		name = dwarf_tag(die) == DW_TAG_namespace ? "(anonymous namespace)" : "(anonymous)";
	if (strlen(name) + (outer ? strlen(outer) : 0) > LONGEST)
		return "...";
	return outer ? arena_printf(a, "%s::%s", outer, name) : name;
}

/* The DIE in which the source declares the function: to which copies of it refer. */
static Dwarf_Die declaration(Dwarf_Die die)
{
	enum { MOST = 4 };
	Dwarf_Attribute attr;
	Dwarf_Die next;
	int i;

	for (i = 0; i < MOST; i++) {
		if (!dwarf_attr(&die, DW_AT_abstract_origin, &attr) && !dwarf_attr(&die, DW_AT_specification, &attr))
			break;
		if (!dwarf_formref_die(&attr, &next))
			break;
		die = next;
	}
	return die;
}

static const char *qualified(struct arena *a, const char *scope, const char *name)
{
	return scope && strlen(name) <= LONGEST ? arena_printf(a, "%s::%s", scope, name) : name;
}

/* --- all functions --- */

struct functions {
	struct dwarf_file *d;
	struct arena scratch;
	struct map scopes; /* by the place of a declaration in memory: its scope */
	VEC(Dwarf_Die) late; /* whose declaration may be anywhere */
	bool shared;         /* in the file that programs share: only declarations */
	void (*cb)(void *ctx, const struct dwarf_function *f);
	void *ctx;
};

static void add_function(struct functions *all, Dwarf_Die *die, const char *scope)
{
	struct dwarf_function f;

	if (all->shared || !describe(all->d, die, &f))
		return;
	f.base = f.name;
	f.name = qualified(all->d->dtypes.arena, scope, f.name);
	all->cb(all->ctx, &f);
}

/* A function in a scope of a language that has classes. */
static void add_scoped(struct functions *all, Dwarf_Die *die, const char *scope)
{
	if (dwarf_hasattr(die, DW_AT_abstract_origin) || dwarf_hasattr(die, DW_AT_specification)) {
		if (!all->shared)
			vec_push(&all->scratch, &all->late, *die);
		return;
	}
	if (scope)
		map_set(&all->scratch, &all->scopes, die->addr, (void *)scope);
	add_function(all, die, scope);
}

static void walk_scope(struct functions *all, Dwarf_Die *parent, const char *scope, bool classes, unsigned depth)
{
	Dwarf_Die die;
	int tag;

	if (depth > DWARF_MAX_SCOPES || !dwarf_first(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_namespace || tag == DW_TAG_module || (classes && is_class(tag)))
			walk_scope(all, &die, inner_scope(&all->scratch, scope, &die), classes, depth + 1);
		else if (tag == DW_TAG_subprogram && classes)
			add_scoped(all, &die, scope);
		else if (tag == DW_TAG_subprogram)
			add_function(all, &die, scope);
	} while (dwarf_next(&die));
}

static void walk_file(struct functions *all, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	uint8_t kind;
	Dwarf_Die unit;

	while (dwarf_unit_after(all->d, dwarf, &cu, &kind, &unit))
		if (kind != DW_UT_skeleton)
			walk_scope(all, &unit, NULL, has_classes(&unit), 0);
}

void dwarf_functions(struct dwarf_file *d, void (*cb)(void *ctx, const struct dwarf_function *f), void *ctx)
{
	struct functions all = {.d = d, .cb = cb, .ctx = ctx};
	size_t i;

	walk_file(&all, d->dwarf);
	all.shared = true;
	if (all.late.n && dwarf_getalt(d->dwarf))
		walk_file(&all, dwarf_getalt(d->dwarf));
	all.shared = false;
	for (i = 0; i < all.late.n; i++)
		add_function(&all, &all.late.v[i], map_get(&all.scopes, declaration(all.late.v[i]).addr));
	arena_free(&all.scratch);
}

/* --- one function --- */

/* The scope of one function: a walk from its unit to its declaration. */
static const char *scope_of(struct arena *a, Dwarf_Die *die)
{
	Dwarf_Die declared = declaration(*die), *scopes = NULL;
	const char *scope = NULL;
	int n = dwarf_getscopes_die(&declared, &scopes), i;

	for (i = n - 1; i > 0; i--) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_namespace || tag == DW_TAG_module || is_class(tag))
			scope = inner_scope(a, scope, &scopes[i]);
	}
	free(scopes);
	return scope;
}

const char *dwarf_function_name(struct dwarf_file *d, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	Dwarf_Die unit;

	if (!name || !dwarf_diecu(die, &unit, NULL, NULL) || !has_classes(&unit))
		return name;
	return qualified(d->dtypes.arena, scope_of(d->dtypes.arena, die), name);
}

const char *dwarf_variable_name(struct dwarf_file *d, Dwarf_Die *die)
{
	Dwarf_Die declared = declaration(*die), *scopes = NULL;
	struct arena *a = d->dtypes.arena;
	const char *scope = NULL, *name = dwarf_diename(die);
	int n = dwarf_getscopes_die(&declared, &scopes), i;

	for (i = n - 1; i > 0; i--) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag == DW_TAG_subprogram)
			scope = dwarf_function_name(d, &scopes[i]);
		else if (tag == DW_TAG_namespace || tag == DW_TAG_module || is_class(tag))
			scope = inner_scope(a, scope, &scopes[i]);
	}
	free(scopes);
	return qualified(a, scope, name ? name : "");
}

struct at {
	struct dwarf_file *d;
	Dwarf_Addr entry;
	Dwarf_Die found;
};

static bool find_at(struct at *at, Dwarf_Die *parent, unsigned depth)
{
	Dwarf_Addr entry;
	Dwarf_Die die;
	uint64_t size;
	int tag;

	if (depth > DWARF_MAX_SCOPES || !dwarf_first(parent, &die))
		return false;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
			if (find_at(at, &die, depth + 1))
				return true;
		} else if (tag == DW_TAG_subprogram && dwarf_entry(&die, &entry, &size) && entry == at->entry) {
			at->found = die;
			return true;
		}
	} while (dwarf_next(&die));
	return false;
}

bool dwarf_function_at(struct dwarf_file *d, uint64_t entry, struct dwarf_function *f)
{
	struct at at = {.d = d, .entry = entry - d->shift};
	Dwarf_Die unit;
	uint8_t kind;

	if (!dwarf_addrdie(d->dwarf, at.entry, &unit))
		return false;
	if (!dwarf_cu_info(unit.cu, NULL, &kind, NULL, NULL, NULL, NULL, NULL))
		dwarf_use_split(d, &kind, &unit);
	if ( !find_at(&at, &unit, 0) || !describe(d, &at.found, f))
		return false;
	f->base = f->name;
	if (f->linkage_name)
		f->name = qualified(d->dtypes.arena, scope_of(d->dtypes.arena, &at.found), f->name);
	return true;
}

const char *dwarf_function_file(struct dwarf_file *d, uint64_t ref)
{
	Dwarf_Die die;

	return dwarf_die(d, ref, &die) ? dwarf_file_of(&die) : NULL;
}
