/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a program: names from symbol tables and DWARF, made into one function per address. */
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/demangle.h"
#include "translator/debuginfo/elf_image.h"
#include "translator/debuginfo/scoped.h"
#include "translator/debuginfo/servers.h"

struct index_entry {
	const char *name;
	struct elf_function *f;
};

struct elf_index {
	struct elf_function **functions; /* by name */
	size_t n;
	struct index_entry *names; /* every name of every function, sorted */
	size_t nnames;
	const char **inlined; /* functions without code of their own, sorted */
	size_t ninlined;
};

struct builder {
	struct elf_image *e;
	struct arena scratch; /* for what the index does not keep */
	elf_names names;
	VEC(struct elf_function *) functions;
	VEC(struct index_entry) entries;
	VEC(const char *) inlined;
};

/* --- names --- */

/* ".isra.0" and the like: the compiler changed how it is called, but it is still the function.  "" if the name has none. */
static const char *clone_suffix(const char *name)
{
	static const char *const marks[] = {".isra.", ".constprop.", ".llvm.", ".lto_priv.", ".localalias"};
	const char *first = NULL, *at;
	size_t i;

	for (i = 0; i < sizeof marks / sizeof *marks; i++) {
		at = strstr(name, marks[i]);
		if (at && at != name && (!first || at < first))
			first = at;
	}
	return first && !strstr(name, ".part.") ? first : "";
}

/* A part of a function that was split off; its DWARF has the name of the whole. */
static bool is_part(const char *name)
{
	return strstr(name, ".part.") != NULL;
}

/* What the compiler changed in its interface. */
static unsigned change_of(const char *name)
{
	if (str_glob("*.abi0", name))
		return DWARF_ON_STACK;
	if (is_part(name) || strstr(name, ".isra."))
		return DWARF_CHANGED | DWARF_MAY_RETURN_NOTHING;
	return strstr(name, ".constprop.") ? DWARF_CHANGED : 0;
}

static unsigned underscores(const char *name)
{
	unsigned n = 0;

	while (name[n] == '_')
		n++;
	return n;
}

/* The order of names for one function, best first: not mangled, not a clone, fewest leading underscores, global, the source's, short. */
static int better(const struct elf_name *x, const struct elf_name *y)
{
	bool mx = strncmp(x->name, "_Z", 2) == 0 || strncmp(x->name, "_R", 2) == 0;
	bool my = strncmp(y->name, "_Z", 2) == 0 || strncmp(y->name, "_R", 2) == 0;
	bool dx = strchr(x->name, '.'), dy = strchr(y->name, '.');
	size_t lx = strlen(x->name), ly = strlen(y->name);

	if (mx != my)
		return mx - my;
	if (dx != dy)
		return dx - dy;
	if (underscores(x->name) != underscores(y->name))
		return underscores(x->name) < underscores(y->name) ? -1 : 1;
	if (x->global != y->global)
		return y->global - x->global;
	if (x->weak != y->weak)
		return x->weak - y->weak;
	if (x->dwarf != y->dwarf)
		return y->dwarf - x->dwarf;
	if (lx != ly)
		return lx < ly ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int by_address(const void *x, const void *y)
{
	const struct elf_name *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	return better(a, b);
}

static int by_text(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static int by_entry(const void *x, const void *y)
{
	const struct index_entry *a = x, *b = y;
	int r = strcmp(a->name, b->name);

	return r ? r : (a->f->entry > b->f->entry) - (a->f->entry < b->f->entry);
}

static int by_name(const void *x, const void *y)
{
	const struct elf_function *a = *(struct elf_function *const *)x,
				  *b = *(struct elf_function *const *)y;
	int r = strcmp(a->name, b->name);

	return r ? r : (a->entry > b->entry) - (a->entry < b->entry);
}

/* --- building --- */

static void sort(void *v, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n > 1)
		qsort(v, n, size, compare);
}

static void add_dwarf(void *ctx, const struct dwarf_function *d)
{
	struct builder *b = ctx;

	if (!d->has_code) {
		vec_push(&b->scratch, &b->inlined, d->name);
		if (d->base != d->name)
			vec_push(&b->scratch, &b->inlined, d->base);
		return;
	}
	vec_push(&b->scratch, &b->names,
		 ((struct elf_name){.name = d->name,
				    .base = d->base,
				    .linkage_name = d->linkage_name,
				    .addr = d->entry,
				    .size = d->size,
				    .ref = d->ref,
				    .line = d->line,
				    .global = d->external,
				    .inlined = d->inlined,
				    .dwarf = true}));
}

/* Where there is no debug information, the names of the source are in mangled symbols. */
static void add_demangled(struct builder *b)
{
	size_t n = b->names.n, budget = 64 << 20;

	for (size_t i = 0; i < n; i++) {
		struct elf_name name = b->names.v[i];
		const char *suffix = clone_suffix(name.name), *arguments = NULL;
		const char *whole = suffix[0] ? arena_strndup(&b->scratch, name.name, strlen(name.name) - strlen(suffix)) : name.name;
		const char *text = strchr(whole, '.') ? NULL : demangle(b->e->arena, whole, &arguments, &budget);

		if (!text)
			continue;
		name.name = text;
		name.base = scoped_last(text);
		name.linkage_name = b->names.v[i].name;
		name.arguments = arguments;
		vec_push(&b->scratch, &b->names, name);
	}
}

static void add_entry(struct builder *b, const char *name, struct elf_function *f)
{
	vec_push(&b->scratch, &b->entries, ((struct index_entry){name, f}));
}

/* Takes over everything but the name, which comes from the first of the group. */
static void take(struct elf_function *f, const struct elf_name *n)
{
	f->global |= n->global;
	f->exported |= n->global && !n->dwarf;
	f->ifunc |= n->ifunc;
	f->size = n->size > f->size ? n->size : f->size;
	if (n->arguments && !f->arguments)
		f->arguments = n->arguments;
	if (!n->dwarf && n->linkage_name && !f->linkage_name)
		f->linkage_name = n->linkage_name;
	if (!n->dwarf || f->has_proto)
		return;
	f->has_proto = true;
	f->handle = n->ref;
	f->line = n->line;
	f->inlined = n->inlined;
	f->linkage_name = n->linkage_name;
}

/* Uses the function again if an earlier question has made it. */
static bool add_known(struct builder *b, uint64_t entry)
{
	struct elf_function *f;
	size_t i, k;

	for (i = 0; i < b->e->known.n; i++) {
		f = b->e->known.v[i];
		if (f->entry != entry)
			continue;
		add_entry(b, f->name, f);
		for (k = 0; k < f->naliases; k++)
			add_entry(b, f->aliases[k], f);
		vec_push(&b->scratch, &b->functions, f);
		return true;
	}
	return false;
}

/* The names v[0..n) of one address, the best first. */
static void add_function(struct builder *b, struct elf_name *v, size_t n)
{
	struct arena *a = b->e->arena;
	struct elf_function *f;
	VEC(const char *) aliases = {0};
	uint64_t off;
	size_t i;
	bool part = false;

	if (!elf_offset(b->e, v[0].addr, true, &off) || add_known(b, v[0].addr))
		return;
	for (i = 0; i < n; i++)
		part |= !v[i].dwarf && is_part(v[i].name);
	f = arena_new(a, struct elf_function);
	f->entry = v[0].addr;
	f->file_off = off;
	for (i = 0; i < n; i++) {
		const char *suffix = v[i].dwarf ? "" : clone_suffix(v[i].name);

		take(f, &v[i]);
		if (part && v[i].dwarf)
			continue;
		if (!f->name) {
			f->name = suffix[0] ? arena_strndup(a, v[i].name, strlen(v[i].name) - strlen(suffix))
					    : v[i].name;
			add_entry(b, f->name, f);
		}
		if (strcmp(f->name, v[i].name) != 0)
			vec_push(a, &aliases, v[i].name);
		if (v[i].base && v[i].base != v[i].name)
			vec_push(a, &aliases, v[i].base);
		if (v[i].base && scoped_plain(a, v[i].base) != v[i].base)
			vec_push(a, &aliases, scoped_plain(a, v[i].base));
	}
	if (!f->name)
		return;
	if (f->linkage_name && strcmp(f->linkage_name, f->name) != 0)
		vec_push(a, &aliases, f->linkage_name);
	sort(aliases.v, aliases.n, sizeof *aliases.v, by_text);
	for (i = 0; i < aliases.n; i++)
		if (i == 0 || strcmp(aliases.v[f->naliases - 1], aliases.v[i]) != 0) {
			aliases.v[f->naliases++] = aliases.v[i];
			add_entry(b, aliases.v[i], f);
		}
	f->aliases = aliases.v;
	vec_push(&b->scratch, &b->functions, f);
}

/* Functions from the names collected; gives the scratch memory back. */
static struct elf_index *finish(struct builder *b)
{
	struct arena *a = b->e->arena;
	struct elf_index *index = arena_new(a, struct elf_index);
	size_t i, k;

	sort(b->names.v, b->names.n, sizeof *b->names.v, by_address);
	for (i = 0; i < b->names.n; i = k) {
		for (k = i + 1; k < b->names.n && b->names.v[k].addr == b->names.v[i].addr; k++)
			;
		add_function(b, b->names.v + i, k - i);
	}
	sort(b->functions.v, b->functions.n, sizeof *b->functions.v, by_name);
	sort(b->entries.v, b->entries.n, sizeof *b->entries.v, by_entry);
	sort(b->inlined.v, b->inlined.n, sizeof *b->inlined.v, by_text);
	index->functions = arena_memdup(a, b->functions.v, b->functions.n * sizeof *b->functions.v);
	index->names = arena_memdup(a, b->entries.v, b->entries.n * sizeof *b->entries.v);
	index->inlined = arena_memdup(a, b->inlined.v, b->inlined.n * sizeof *b->inlined.v);
	index->n = b->functions.n;
	index->nnames = b->entries.n;
	index->ninlined = b->inlined.n;
	arena_free(&b->scratch);
	return index;
}

static struct elf_index *index_of(struct elf_image *e)
{
	struct builder b = {.e = e};

	if (e->index)
		return e->index;
	elf_symbols(e, &b.scratch, &b.names);
	if (elf_has_dwarf(e))
		dwarf_functions(e->dwarf, add_dwarf, &b);
	else
		add_demangled(&b);
	e->index = finish(&b);
	return e->index;
}

static bool is_known(const struct elf_image *e, const struct elf_function *f)
{
	size_t i;

	for (i = 0; i < e->known.n; i++)
		if (e->known.v[i] == f)
			return true;
	return false;
}

static bool is_named(const char *symbol, const char *name)
{
	size_t len = strlen(name);

	return strncmp(symbol, name, len) == 0 && (!symbol[len] || symbol + len == clone_suffix(symbol));
}

/* Keeps only the names of addresses that have this name; false if there are none or too many. */
static bool keep_addresses_of(struct builder *b, const char *name)
{
	enum { MANY = 64 };
	uint64_t addresses[MANY];
	size_t n = 0, kept = 0, i, k;

	for (i = 0; i < b->names.n; i++) {
		if (!is_named(b->names.v[i].name, name))
			continue;
		for (k = 0; k < n && addresses[k] != b->names.v[i].addr; k++)
			;
		if (k == MANY)
			return false;
		addresses[k] = b->names.v[i].addr;
		n += k == n;
	}
	for (i = 0; i < b->names.n; i++) {
		for (k = 0; k < n && addresses[k] != b->names.v[i].addr; k++)
			;
		if (k < n)
			b->names.v[kept++] = b->names.v[i];
	}
	b->names.n = kept;
	return n > 0;
}

static bool add_dwarf_at_addresses(struct builder *b)
{
	size_t n = b->names.n, i, k;
	struct dwarf_function f;

	for (i = 0; i < n; i++) {
		for (k = 0; k < i && b->names.v[k].addr != b->names.v[i].addr; k++)
			;
		if (k < i)
			continue;
		if (!dwarf_function_at(b->e->dwarf, b->names.v[i].addr, &f))
			return false;
		add_dwarf(b, &f);
	}
	return true;
}

/*
 * An index that has all functions of one name.  A symbol of the name, and DWARF's index of addresses, avoid a walk over all of the
 * DWARF, which takes 10 ms for each of its megabytes.
 */
static struct elf_index *index_for(struct elf_image *e, const char *name)
{
	struct builder b = {.e = e};
	struct elf_index *index;
	size_t i;

	if (e->index || !elf_has_dwarf(e))
		return index_of(e);
	elf_symbols(e, &b.scratch, &b.names);
	if (!keep_addresses_of(&b, name) || !add_dwarf_at_addresses(&b)) {
		arena_free(&b.scratch);
		return index_of(e);
	}
	index = finish(&b);
	for (i = 0; i < index->n; i++)
		if (!is_known(e, index->functions[i]))
			vec_push(e->arena, &e->known, index->functions[i]);
	return index;
}

/* --- answers --- */

/* First entry of exactly the name, or n if there is none. */
static size_t find(const struct elf_index *index, const char *name)
{
	size_t low = 0, high = index->nnames;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (strcmp(index->names[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low < index->nnames && strcmp(index->names[low].name, name) == 0 ? low : index->nnames;
}

static bool matches(const struct elf_function *f, const char *glob)
{
	size_t i;

	if (scoped_matches(glob, f->name))
		return true;
	for (i = 0; i < f->naliases && strncmp(glob, "::", 2); i++) /* aliases have no scopes in their names, but their functions may be in one */
		if (scoped_matches(glob, f->aliases[i]))
			return true;
	return false;
}

static long exactly(struct elf_image *e, const char *name,
		    bool (*cb)(void *ctx, const struct elf_function *f), void *ctx)
{
	struct elf_index *index = index_for(e, name);
	const struct elf_function *last = NULL;
	long reported = 0;
	size_t i;

	for (i = find(index, name); i < index->nnames && strcmp(index->names[i].name, name) == 0; i++) {
		if (index->names[i].f == last)
			continue;
		last = index->names[i].f;
		reported++;
		if (!cb(ctx, last))
			break;
	}
	return reported;
}

/* A pattern for mangled names, as a hint for a program of which nothing else is known. */
static const char *mangled_hint(struct elf_image *e, const char *name)
{
	const char *mangled = e->facts.has_dwarf || !scoped_is(name) || demangle_works() ? NULL : scoped_mangled(e->arena, name);

	if (!mangled)
		return NULL;
	return arena_printf(e->arena, "without debug information only mangled names are known: function(\"%s\")", mangled);
}

long elf_functions(struct elf_image *e, const char *glob, bool (*cb)(void *ctx, const struct elf_function *f),
		   void *ctx, struct problem *why)
{
	bool exact = !str_has_glob(glob);
	struct elf_index *index;
	long reported = exact ? exactly(e, glob, cb, ctx) : 0;
	size_t i;

	if (reported)
		return reported;
	index = index_of(e);
	if (index->n == 0) {
		problem_set(why, e->arena, PROBLEM_NO_SYMBOLS,
			    "\"%s\" has neither function symbols nor debug information", e->facts.path);
		if (why)
			why->hint = e->facts.lack ? e->facts.lack :
				    servers_advice(e->arena, e->facts.build_id, "use a program that is not stripped, install its -dbgsym package");
		return -1;
	}
	if (!exact && find(index, glob) < index->nnames)
		return exactly(e, glob, cb, ctx); /* "operator*" */
	for (i = 0; i < index->n && (!exact || scoped_is(glob)); i++)
		if (matches(index->functions[i], glob)) {
			reported++;
			if (!cb(ctx, index->functions[i]))
				break;
		}
	if (!reported && mangled_hint(e, glob)) {
		problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "no function of %s matches \"%s\"", e->facts.path, glob);
		if (why)
			why->hint = mangled_hint(e, glob);
	}
	return reported;
}

static bool take_first(void *ctx, const struct elf_function *f)
{
	*(const struct elf_function **)ctx = f;
	return false;
}

/* Functions of the name in other scopes or of other types: "there is space::list<int>::insert, ..."; NULL: there are none. */
static const char *elsewhere(struct elf_image *e, const char *name)
{
	enum { MOST = 4 };
	const struct elf_index *index = index_of(e);
	const char *last = scoped_last(name), *before = "";
	struct sb out = {0};
	unsigned n = 0;
	char *text;

	for (size_t i = 0; i < index->nnames && n <= MOST; i++) {
		const char *other = index->names[i].name;

		if (strcmp(index->names[i].f->name, other) != 0 || !strcmp(other, before) || strcmp(scoped_last(other), last) != 0)
			continue;
		before = other;
		sb_printf(&out, n == MOST ? ", ..." : "%s%s", n ? ", " : "there is ", other);
		n++;
	}
	text = n ? arena_strdup(e->arena, out.s) : NULL;
	sb_free(&out);
	return text;
}

/* Adds to the list. */
static unsigned add_go_names(struct elf_image *e, const char *name, bool of_main, bool any_case, const char *list[], unsigned n, unsigned most)
{
	const struct elf_index *index = index_of(e);

	for (size_t i = 0; i < index->nnames && n < most; i++) {
		const char *other = index->names[i].name;

		if (!strncmp(other, "main.", 5) == of_main && elf_go_is_called(other, name, any_case) && (!n || strcmp(list[n - 1], other) != 0))
			list[n++] = other;
	}
	return n;
}

/* In a program of Go, the functions of this name in any package, first in the program's own: as nearest names.  NULL: there are none. */
static const char *go_names(struct elf_image *e, const char *name)
{
	enum { MOST = 5 };
	const char *list[MOST], *text = NULL;
	unsigned n = 0;

	elf_go_table(e);
	for (unsigned any_case = 0; e->is_go && !n && any_case < 2; any_case++) {
		n = add_go_names(e, name, true, any_case, list, n, MOST);
		n = add_go_names(e, name, false, any_case, list, n, MOST);
	}
	for (unsigned i = 0; i < n; i++)
		text = arena_printf(e->arena, "%s%s\"%s\"", text ? text : "", !i ? "" : i + 1 == n ? " or " : ", ", list[i]);
	return text;
}

const struct elf_function *elf_function(struct elf_image *e, const char *name, struct problem *why)
{
	const struct elf_function *f = NULL;
	struct elf_index *index;
	struct nearest near;
	size_t i;

	if (exactly(e, name, take_first, &f))
		return f;
	if (scoped_is(name) && !str_has_glob(name) && elf_functions(e, name, take_first, &f, NULL) > 0)
		return f;
	if (elf_functions(e, "*", take_first, &f, why) < 0 || !why)
		return NULL;
	index = index_of(e);
	problem_set(why, e->arena, PROBLEM_NO_FUNCTION, "\"%s\" has no function \"%s\"", e->facts.path, name);
	nearest_init(&near, name);
	for (i = 0; i < index->nnames; i++)
		nearest_add(&near, index->names[i].name);
	why->near = go_names(e, name);
	if (why->near)
		why->hint = "functions of Go are named with their packages, the program's own with \"main.\"";
	else
		why->near = nearest_text(&near, e->arena);
	if (!why->hint)
		why->hint = mangled_hint(e, name);
	if (!why->near && !why->hint && scoped_is(name))
		why->hint = elsewhere(e, name);
	if (!e->facts.has_symtab && !e->facts.has_dwarf && !e->facts.names_of_go)
		why->hint = "it is stripped, so that only the functions it exports are known; its -dbgsym "
			    "package has the others";
	if (elf_only_inlined(e, name))
		why->hint = "the compiler inlined every call of it, so it has no entry to probe";
	return NULL;
}

bool elf_only_inlined(struct elf_image *e, const char *name)
{
	struct elf_index *index = index_of(e);

	return find(index, name) == index->nnames && index->ninlined &&
	       bsearch(&name, index->inlined, index->ninlined, sizeof *index->inlined, by_text);
}

const char *elf_function_file(struct elf_image *e, const struct elf_function *f)
{
	return f->has_proto ? dwarf_function_file(e->dwarf, f->handle) : NULL;
}

const char *elf_function_arguments(struct elf_image *e, const struct elf_function *f)
{
	return f->has_proto ? dwarf_arguments(e->dwarf, f->handle) : f->arguments;
}

bool elf_is_overloaded(struct elf_image *e, const struct elf_function *f)
{
	const char *arguments = NULL, *other;
	struct elf_index *index = index_of(e);

	for (size_t i = find(index, f->name); i < index->nnames && strcmp(index->names[i].name, f->name) == 0; i++) {
		if (index->names[i].f == f)
			continue;
		if (!arguments && !(arguments = elf_function_arguments(e, f)))
			return false;
		other = elf_function_arguments(e, index->names[i].f);
		if (other && strcmp(other, arguments) != 0)
			return true;
	}
	return false;
}

int elf_function_proto(struct elf_image *e, const struct elf_function *f, struct proto *p,
		       struct problem *why)
{
	unsigned about = f->exported ? DWARF_EXPORTED : 0;
	size_t i;

	if (!f->has_proto) {
		elf_types(e, why);
		if (e->dwarf) {
			problem_set(why, e->arena, PROBLEM_NO_DEBUGINFO,
				    "there is no debug information of function \"%s\" in \"%s\"", f->name,
				    e->facts.path);
			if (why)
				why->hint = e->facts.lack;
		}
		return -1;
	}
	for (i = 0; i < f->naliases; i++)
		about |= change_of(f->aliases[i]);
	return dwarf_function_proto(e->dwarf, f->handle, f->entry, about | change_of(f->name), p, why);
}
