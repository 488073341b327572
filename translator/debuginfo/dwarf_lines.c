/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements from DWARF.  In each unit, the functions with code are looked at as they are placed: as such, and inlined into others.  An
 * address is in a chain of them.  The function whose line is there is the one whose declaration in the line's file is the last before
 * the line, as functions follow each other in a source.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/scoped.h"

enum { DEEPEST = 64, MOST = 1 << 20 }; /* instances of functions, and their ranges, so that a damaged file ends and does not take all memory */

/* A function as placed in code. */
struct instance {
	Dwarf_Die die;
	const char *name, *file; /* of its declaration */
	unsigned line;
	bool inlined, fits;
	size_t parent;           /* the function that it is in, perhaps inlined itself; SIZE_MAX: none */
	size_t code;             /* the function whose code it is in: itself, unless inlined */
	size_t ranges, nranges;
	unsigned depth;
};

struct range {
	Dwarf_Addr from, to;
};

/* A place where a line begins. */
struct row {
	size_t instance;
	size_t range; /* of the instance: the first one has its entry, later ones were moved away */
	const char *file;
	unsigned line;
	Dwarf_Addr address;
};

struct search {
	struct dwarf_file *d;
	const struct lines_wanted *w;
	struct statements *out;
	struct dwarf_callers callers;
	unsigned level;       /* of the callers that are looked for: 1: those that are wanted, 2: those that these call */
	struct arena scratch; /* of a unit */
	VEC(struct instance) all;
	VEC(struct range) ranges;
	VEC(struct row) rows;
};

/* --- functions of a unit --- */

static bool fits(struct search *s, const char *name, Dwarf_Die *die)
{
	const char *pattern = s->w->function, *linkage;
	Dwarf_Attribute attr;

	if (s->level > 1)
		return dwarf_callers_has(&s->callers, name, die, s->level);
	if (!strcmp(pattern, "*") || scoped_matches(pattern, name))
		return true;
	if (strncmp(pattern, "_Z", 2) != 0 || !dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		return false;
	linkage = dwarf_formstring(&attr);
	return linkage && str_glob(pattern, linkage);
}

/* SIZE_MAX: it has no code. */
static size_t add_instance(struct search *s, Dwarf_Die *die, size_t parent, unsigned depth)
{
	struct instance i = {.die = *die, .ranges = s->ranges.n, .depth = depth, .inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine};
	Dwarf_Addr base, from, to;
	ptrdiff_t at = 0;
	int line;

	while ((at = dwarf_ranges(die, at, &base, &from, &to)) > 0)
		if (to > from && s->ranges.n < MOST)
			vec_push(&s->scratch, &s->ranges, ((struct range){from, to}));
	i.nranges = s->ranges.n - i.ranges;
	i.name = i.nranges && s->all.n < MOST ? dwarf_function_name(s->d, die) : NULL;
	if (!i.name)
		return SIZE_MAX;
	i.file = dwarf_file_of(die);
	i.line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (unsigned)line : 0;
	i.parent = parent;
	i.code = i.inlined ? s->all.v[parent].code : s->all.n;
	i.fits = fits(s, i.name, die);
	vec_push(&s->scratch, &s->all, i);
	return s->all.n - 1;
}

/* parent: the function that the DIE is, or is in. */
static void collect(struct search *s, Dwarf_Die *outer, size_t parent, unsigned depth)
{
	Dwarf_Die die;
	size_t i;

	if (depth > DEEPEST || !dwarf_first(outer, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			i = add_instance(s, &die, SIZE_MAX, depth);
			if (i != SIZE_MAX)
				collect(s, &die, i, depth + 1);
			break;
		case DW_TAG_inlined_subroutine:
			i = parent == SIZE_MAX ? parent : add_instance(s, &die, parent, depth);
			if (i != SIZE_MAX)
				collect(s, &die, i, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_module:
			collect(s, &die, parent, depth + 1);
			break;
		default:
			break;
		}
	} while (dwarf_next(&die));
}

/* The first range of the instance that has the address, or SIZE_MAX. */
static size_t range_with(const struct search *s, const struct instance *i, Dwarf_Addr address)
{
	for (size_t k = 0; k < i->nranges; k++)
		if (address >= s->ranges.v[i->ranges + k].from && address < s->ranges.v[i->ranges + k].to)
			return k;
	return SIZE_MAX;
}

static bool is_declared_in(const struct instance *i, const char *file)
{
	return i->file && !strcmp(i->file, file);
}

/* The file has functions of its own here, so its lines are not those of another file's functions that include it. */
static bool has_functions(const struct search *s, const char *file)
{
	for (size_t k = 0; k < s->all.n; k++)
		if (is_declared_in(&s->all.v[k], file))
			return true;
	return false;
}

/* The innermost instance at the address, or SIZE_MAX. */
static size_t innermost_at(const struct search *s, Dwarf_Addr address)
{
	size_t best = SIZE_MAX;

	for (size_t k = 0; k < s->all.n; k++)
		if (range_with(s, &s->all.v[k], address) != SIZE_MAX && (best == SIZE_MAX || s->all.v[k].depth > s->all.v[best].depth))
			best = k;
	return best;
}

/*
 * The instance whose line is at the address, or SIZE_MAX.  Optimised code of a line may be outside of what the compiler calls the
 * inlined function; then whose variables are there is not known.
 */
static size_t owner_of(const struct search *s, Dwarf_Addr address, const char *file, unsigned line)
{
	const struct instance *best = NULL;

	for (size_t k = 0; k < s->all.n; k++) {
		const struct instance *i = &s->all.v[k];

		if (range_with(s, i, address) == SIZE_MAX || !is_declared_in(i, file) || i->line > line)
			continue;
		if (!best || i->line > best->line || (i->line == best->line && i->depth > best->depth))
			best = i;
	}
	if (best)
		return (size_t)(best - s->all.v);
	return has_functions(s, file) ? SIZE_MAX : innermost_at(s, address);
}

/* --- answers --- */

static bool entry_of(const struct search *s, const struct instance *i, Dwarf_Addr *entry)
{
	uint64_t size;
	Dwarf_Die die = i->die;

	if (!i->inlined)
		return dwarf_entry(&die, entry, &size);
	/* Without an entry_pc the first range has the entry. */
	if (!dwarf_hasattr(&die, DW_AT_entry_pc) || dwarf_entrypc(&die, entry) || range_with(s, i, *entry) == SIZE_MAX)
		*entry = s->ranges.v[i->ranges].from;
	return true;
}

static bool add(struct search *s, const struct row *r, const char *label)
{
	const struct instance *i = &s->all.v[r->instance], *code = &s->all.v[i->code];
	struct arena *a = s->d->dtypes.arena;
	Dwarf_Die die = i->die, outer = code->die;
	Dwarf_Addr entry;

	if (!entry_of(s, code, &entry) || (s->w->inlined_only && !i->inlined))
		return false;
	vec_push(a, &s->out->v, ((struct statement){.function = arena_strdup(a, i->name), .label = label ? arena_strdup(a, label) : NULL,
		.file = r->file ? arena_strdup(a, r->file) : NULL, .line = r->line, .inlined = i->inlined,
		.exported = !i->inlined && dwarf_is_external(&die), .address = r->address + s->d->shift,
		.entry = entry + s->d->shift, .scope = dwarf_ref(s->d, &die), .code = dwarf_ref(s->d, &outer)}));
	return true;
}

static bool is_in_file(const struct search *s, const char *file)
{
	return !s->w->file || (file && lines_is_file(s->w->file, file));
}

static void know(struct search *s, const struct instance *i)
{
	if (!s->out->known_function) {
		s->out->known_function = arena_strdup(s->d->dtypes.arena, i->name);
		s->out->known_file = i->file ? arena_strdup(s->d->dtypes.arena, i->file) : NULL;
	}
}

static void add_entries(struct search *s)
{
	for (size_t k = 0; k < s->all.n; k++) {
		const struct instance *i = &s->all.v[k];
		struct row r = {.instance = k, .file = i->file, .line = i->line};

		if (!i->fits)
			continue;
		know(s, i);
		if (is_in_file(s, i->file) && entry_of(s, i, &r.address))
			add(s, &r, NULL);
	}
}

static void add_labels_in(struct search *s, size_t instance, Dwarf_Die *parent, unsigned depth)
{
	struct row r = {.instance = instance};
	const char *name;
	Dwarf_Die die;
	int tag, line;

	if (depth > DEEPEST || !dwarf_first(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_lexical_block)
			add_labels_in(s, instance, &die, depth + 1);
		name = tag == DW_TAG_label ? dwarf_diename(&die) : NULL;
		if (!name || !str_glob(s->w->label, name) || dwarf_lowpc(&die, &r.address))
			continue;
		r.file = dwarf_file_of(&die);
		r.line = dwarf_decl_line(&die, &line) == 0 && line > 0 ? (unsigned)line : 0;
		add(s, &r, name);
	} while (dwarf_next(&die));
}

static void add_labels(struct search *s)
{
	for (size_t k = 0; k < s->all.n; k++) {
		Dwarf_Die die = s->all.v[k].die;

		if (!s->all.v[k].fits)
			continue;
		know(s, &s->all.v[k]);
		if (is_in_file(s, s->all.v[k].file))
			add_labels_in(s, k, &die, 0);
	}
}

/* --- callees --- */

static void add_callees_of(struct search *s, size_t caller, unsigned level);

/* What is inlined is a caller only here, not where it is inlined into others. */
static void add_inlined_callees(struct search *s, size_t caller, unsigned level)
{
	/* What is in a function comes after it, deeper. */
	for (size_t k = caller + 1; k < s->all.n && s->all.v[k].depth > s->all.v[caller].depth; k++) {
		const struct instance *i = &s->all.v[k];
		struct row r = {.instance = k, .file = i->file, .line = i->line};

		if (i->parent != caller || !str_glob(s->w->label, i->name) || !entry_of(s, i, &r.address))
			continue;
		if (add(s, &r, NULL))
			s->out->v.v[s->out->v.n - 1].caller = arena_strdup(s->d->dtypes.arena, s->all.v[caller].name);
		if (level < s->w->depth)
			add_callees_of(s, k, level + 1);
	}
}

static bool is_tail_call(Dwarf_Die *call)
{
	return dwarf_hasattr(call, DW_AT_call_tail_call) || dwarf_hasattr(call, DW_AT_GNU_tail_call);
}

/* The address of the instruction that calls: debug information has where it ends. */
static bool call_address(struct search *s, Dwarf_Die *call, Dwarf_Addr *address)
{
	Dwarf_Attribute attr;
	Dwarf_Addr end;
	unsigned n;

	if (!dwarf_attr(call, DW_AT_call_return_pc, &attr) && !dwarf_attr(call, DW_AT_low_pc, &attr))
		return false;
	if (dwarf_formaddr(&attr, &end) != 0)
		return false;
	n = dwarf_call_before(s->d, end, is_tail_call(call));
	*address = end - n;
	return n;
}

static const char *callee_of(struct search *s, Dwarf_Die *call, Dwarf_Die *callee)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr(call, DW_AT_call_origin, &attr) && !dwarf_attr(call, DW_AT_abstract_origin, &attr))
		return NULL;
	return dwarf_formref_die(&attr, callee) ? dwarf_function_name(s->d, callee) : NULL;
}

static void add_calls_in(struct search *s, size_t caller, Dwarf_Die *parent, unsigned depth, unsigned level)
{
	struct row r = {.instance = caller};
	Dwarf_Die die, callee;
	const char *name;
	int tag, line;

	if (depth > DEEPEST || !dwarf_first(parent, &die))
		return;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_lexical_block)
			add_calls_in(s, caller, &die, depth + 1, level);
		name = tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site ? callee_of(s, &die, &callee) : NULL;
		if (!name || !str_glob(s->w->label, name) || !call_address(s, &die, &r.address))
			continue;
		if (level < s->w->depth)
			dwarf_callers_want(&s->callers, name, &callee, level + 1);
		r.file = dwarf_file_of(&callee);
		r.line = dwarf_decl_line(&callee, &line) == 0 && line > 0 ? (unsigned)line : 0;
		if (!add(s, &r, NULL))
			continue;
		struct statement *t = &s->out->v.v[s->out->v.n - 1];
		t->caller = t->function;
		t->function = arena_strdup(s->d->dtypes.arena, name);
		t->is_call = true;
		t->elsewhere = dwarf_is_external(&callee) && dwarf_hasattr(&callee, DW_AT_declaration);
		t->scope = dwarf_ref(s->d, &callee);
	} while (dwarf_next(&die));
}

static void add_callees_of(struct search *s, size_t caller, unsigned level)
{
	Dwarf_Die die = s->all.v[caller].die;

	add_inlined_callees(s, caller, level);
	add_calls_in(s, caller, &die, 0, level);
}

static void add_callees(struct search *s)
{
	for (size_t k = 0; k < s->all.n; k++) {
		if (!s->all.v[k].fits)
			continue;
		know(s, &s->all.v[k]);
		if (!is_in_file(s, s->all.v[k].file))
			continue;
		if (s->w->depth > 1 && !s->all.v[k].inlined)
			dwarf_callers_want(&s->callers, s->all.v[k].name, &s->all.v[k].die, s->level);
		add_callees_of(s, k, s->level);
	}
}

/* --- lines --- */

/* Notes the nearest line with code, of those that are not wanted. */
static void note_nearest(struct search *s, unsigned line, unsigned wanted)
{
	if (line < wanted && line > s->out->below)
		s->out->below = line;
	if (line > wanted && (!s->out->above || line < s->out->above))
		s->out->above = line;
}

static bool is_wanted(struct search *s, const struct instance *i, unsigned line)
{
	const struct lines_wanted *w = s->w;

	if (w->which == LINES_ALL)
		return true;
	if (w->which == LINES_AFTER) {
		note_nearest(s, line, i->line + w->after);
		return line == i->line + w->after;
	}
	for (size_t k = 0; k < w->v.n; k++)
		if (line >= w->v.v[k].first && line <= w->v.v[k].last)
			return true;
	note_nearest(s, line, w->v.v[0].first);
	return false;
}

static void look_at_line(struct search *s, Dwarf_Line *l)
{
	struct row r = {0};
	bool is_statement, is_end;
	int line;

	if (dwarf_linebeginstatement(l, &is_statement) || !is_statement || dwarf_lineendsequence(l, &is_end) || is_end ||
	    dwarf_lineno(l, &line) || line <= 0 || dwarf_lineaddr(l, &r.address))
		return;
	r.file = dwarf_linesrc(l, NULL, NULL);
	r.line = (unsigned)line;
	if (!r.file || !is_in_file(s, r.file))
		return;
	r.instance = owner_of(s, r.address, r.file, r.line);
	if (r.instance == SIZE_MAX || !s->all.v[r.instance].fits)
		return;
	know(s, &s->all.v[r.instance]);
	if (!is_wanted(s, &s->all.v[r.instance], r.line))
		return;
	r.range = range_with(s, &s->all.v[r.instance], r.address);
	vec_push(&s->scratch, &s->rows, r);
}

static int by_place(const void *x, const void *y)
{
	const struct row *a = x, *b = y;

	if (a->instance != b->instance)
		return a->instance < b->instance ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->range != b->range)
		return a->range < b->range ? -1 : 1;
	return (a->address > b->address) - (a->address < b->address);
}

static void add_lines(struct search *s, Dwarf_Die *unit)
{
	Dwarf_Lines *lines;
	size_t n;

	if (dwarf_getsrclines(unit, &lines, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++)
		look_at_line(s, dwarf_onesrcline(lines, i));
	if (s->rows.n > 1)
		qsort(s->rows.v, s->rows.n, sizeof *s->rows.v, by_place);
	for (size_t i = 0; i < s->rows.n; i++)
		if (!i || s->rows.v[i].instance != s->rows.v[i - 1].instance || s->rows.v[i].line != s->rows.v[i - 1].line)
			add(s, &s->rows.v[i], NULL);
}

/* --- units --- */

static bool has_file(const struct search *s, Dwarf_Die *unit)
{
	Dwarf_Files *files;
	const char *name;
	size_t n;

	if (!s->w->file)
		return true;
	if (dwarf_getsrcfiles(unit, &files, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((name = dwarf_filesrc(files, i, NULL, NULL)) && lines_is_file(s->w->file, name))
			return true;
	return false;
}

static void search_unit(struct search *s, Dwarf_Die *unit)
{
	bool any = false;

	if (s->out->too_deep || !has_file(s, unit))
		return;
	s->scratch = (struct arena){0};
	memset(&s->all, 0, sizeof s->all);
	memset(&s->ranges, 0, sizeof s->ranges);
	memset(&s->rows, 0, sizeof s->rows);
	collect(s, unit, SIZE_MAX, 0);
	for (size_t i = 0; i < s->all.n && !any; i++)
		any = s->all.v[i].fits;
	if (any && s->w->which == LINES_ENTRY)
		add_entries(s);
	else if (any && s->w->which == LINES_LABEL)
		add_labels(s);
	else if (any && s->w->which == LINES_CALLEES)
		add_callees(s);
	else if (any)
		add_lines(s, unit);
	arena_free(&s->scratch);
	if (s->w->depth > 1 && s->out->v.n > LINES_MOST_CALLEES)
		s->out->too_deep = s->level;
}

/* Of a kernel: perhaps all of its 2,400 units, so memory is given back after some of them. */
static void search_indexed(struct search *s, const struct dwarf_units *units)
{
	enum { SOME = 128 };
	Dwarf_Die unit;

	for (size_t i = 0; i < units->n;) {
		Dwarf *before = units->n > SOME || s->level > 1 ? dwarf_read_again(s->d) : s->d->dwarf;

		for (size_t k = 0; k < SOME && i < units->n; k++, i++)
			if (dwarf_die(s->d, units->v[i], &unit))
				search_unit(s, &unit);
		dwarf_read_before(s->d, before);
	}
}

static void search_units(struct search *s, const struct dwarf_units *units)
{
	struct dwarf_units indexed;
	Dwarf_CU *cu = NULL;
	uint8_t kind;
	Dwarf_Die unit;

	if (!units && dwarf_index_units(s->d, s->w->function, s->w->file, &indexed))
		units = &indexed;
	if (units) {
		search_indexed(s, units);
		return;
	}
	while (dwarf_unit_after(s->d, s->d->dwarf, &cu, &kind, &unit))
		if (kind == DW_UT_compile)
			search_unit(s, &unit);
}

static void add_near(void *ctx, const char *name)
{
	nearest_add(ctx, name);
}

static void add_near_function(void *ctx, const struct dwarf_function *f)
{
	nearest_add(ctx, f->base);
}

/* Nothing was found: is the function in another file, or is there one of a similar name? */
static void look_elsewhere(struct dwarf_file *d, const struct lines_wanted *w, struct statements *out)
{
	struct lines_wanted anywhere = {.function = w->function, .which = LINES_ENTRY};
	struct statements there = {0};
	struct search s = {.d = d, .w = &anywhere, .out = &there, .level = 1};
	struct nearest near;

	if (w->file)
		search_units(&s, NULL);
	out->known_function = there.known_function;
	out->known_file = there.known_file;
	if (out->known_function || str_has_glob(w->function))
		return;
	nearest_init(&near, w->function);
	if (d->index)
		dwarf_index_names(d, add_near, &near);
	else
		dwarf_functions(d, add_near_function, &near);
	out->near = nearest_text(&near, d->dtypes.arena);
}

/* Later rounds look for the code of what the callers of the round before call.  Without an index that may be in any unit. */
static void search_callees(struct search *s)
{
	const struct lines_wanted *first = s->w;
	struct lines_wanted deeper = *first;
	struct dwarf_units units;

	deeper.file = NULL;
	s->w = &deeper;
	while (s->level < s->callers.deepest && !s->out->too_deep) {
		s->level++;
		search_units(s, dwarf_callers_units(&s->callers, s->level, &units) ? &units : NULL);
	}
	s->w = first;
}

void dwarf_statements(struct dwarf_file *d, const struct lines_wanted *w, const struct dwarf_units *units, struct statements *out)
{
	struct lines_wanted nearest = *w;
	struct search s = {.d = d, .w = w, .out = out, .callers.file = d, .level = 1};
	struct lines_range one;

	search_units(&s, units);
	search_callees(&s);
	if (!out->known_function && !units)
		look_elsewhere(d, w, out);
	if (out->v.n || !w->nearest || !(out->below || out->above))
		return;
	unsigned wanted = w->which == LINES_GIVEN ? w->v.v[0].first : 0;
	one.first = !out->below || (out->above && out->above - wanted <= wanted - out->below) ? out->above : out->below;
	one.last = one.first;
	nearest.which = LINES_GIVEN;
	memset(&nearest.v, 0, sizeof nearest.v);
	vec_push(d->dtypes.arena, &nearest.v, one);
	s.w = &nearest;
	search_units(&s, units);
}

/* --- an address --- */

/* The unit with the address.  Not all compilers write the index of addresses. */
static bool unit_at(struct dwarf_file *d, Dwarf_Addr address, Dwarf_Die *unit)
{
	Dwarf_CU *cu = NULL;
	uint8_t kind;

	if (dwarf_addrdie(d->dwarf, address, unit)) {
		if (!dwarf_cu_info(unit->cu, NULL, &kind, NULL, NULL, NULL, NULL, NULL))
			dwarf_use_split(d, &kind, unit);
		return true;
	}
	while (dwarf_unit_after(d, d->dwarf, &cu, &kind, unit))
		if (kind == DW_UT_compile && dwarf_haspc(unit, address) > 0)
			return true;
	return false;
}

/* The row of the line table that the address is in; its instance is that whose line it is, or else the innermost. */
static struct row row_at(struct search *s, Dwarf_Die *unit, Dwarf_Addr address)
{
	struct row r = {.instance = SIZE_MAX, .address = address};
	Dwarf_Line *l = dwarf_getsrc_die(unit, address);
	int line;

	if (l && dwarf_lineno(l, &line) == 0 && line > 0 && (r.file = dwarf_linesrc(l, NULL, NULL))) {
		r.line = (unsigned)line;
		r.instance = owner_of(s, address, r.file, r.line);
	}
	if (r.instance == SIZE_MAX)
		r.instance = innermost_at(s, address);
	return r;
}

bool dwarf_statement_at(struct dwarf_file *d, uint64_t address, struct statement *out)
{
	struct lines_wanted any = {.function = "*"};
	struct statements found = {0};
	struct search s = {.d = d, .w = &any, .out = &found};
	Dwarf_Addr at = address - d->shift;
	Dwarf_Die unit;
	struct row r;

	if (!unit_at(d, at, &unit))
		return false;
	collect(&s, &unit, SIZE_MAX, 0);
	r = row_at(&s, &unit, at);
	if (r.instance != SIZE_MAX)
		add(&s, &r, NULL);
	if (found.v.n)
		*out = found.v.v[0];
	arena_free(&s.scratch);
	return found.v.n;
}
