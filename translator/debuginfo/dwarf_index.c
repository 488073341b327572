/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An index of DWARF that is too long to be walked for each question: of the kernel.  It has the names of functions that have code or are inlined,
 * of variables that have a place, and of types, each with the units that define it (of a type only one of each kind), and the units' own names.
 * It is made by one walk over the top of all units, and is then a file that is mapped.
 *
 *	struct header, struct unit[], struct name[] in the order of their texts, uint32_t[] (numbers of units), texts
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fcntl.h>

#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"

#define MAGIC "spileDI1"

struct header {
	char magic[8];
	uint32_t nunits, nnames, nlist, ntexts;
};

struct unit {
	uint64_t offset; /* of its DIE */
	uint32_t text;
	uint32_t zero;
};

struct name {
	uint32_t text, first, n; /* of the list */
};

/* --- making --- */

struct entry {
	const char *text;
	unsigned kinds; /* of types that it has already */
	VEC(uint32_t) units;
};

struct maker {
	struct arena scratch;
	struct map by_text; /* text in the file -> struct entry *: equal texts are mostly one */
	VEC(struct entry *) all;
	VEC(struct unit) units;
	VEC(const char *) unit_names;
};

static bool is_declared_only(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_declaration);
}

/* A bit for each kind of type; 0: functions and variables; -1: it is not wanted. */
static int kind_of(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		return dwarf_hasattr(die, DW_AT_inline) || dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges) ? 0 : -1;
	case DW_TAG_variable:
		return dwarf_hasattr(die, DW_AT_location) ? 0 : -1;
	case DW_TAG_structure_type:
		return is_declared_only(die) ? -1 : 1;
	case DW_TAG_union_type:
		return is_declared_only(die) ? -1 : 2;
	case DW_TAG_enumeration_type:
		return is_declared_only(die) ? -1 : 4;
	case DW_TAG_typedef:
		return 8;
	case DW_TAG_base_type:
		return 16;
	default:
		return -1;
	}
}

static void add_name(struct maker *m, Dwarf_Die *die, uint32_t unit)
{
	int kind = kind_of(die);
	const char *text = kind < 0 ? NULL : dwarf_diename(die);
	struct entry *e;

	if (!text)
		return;
	e = map_get(&m->by_text, text);
	if (!e) {
		e = arena_new(&m->scratch, struct entry);
		e->text = arena_strdup(&m->scratch, text); /* short ones are within what is forgotten */
		map_set(&m->scratch, &m->by_text, text, e);
		vec_push(&m->scratch, &m->all, e);
	}
	if (kind ? e->kinds & (unsigned)kind : e->units.n && e->units.v[e->units.n - 1] == unit)
		return;
	e->kinds |= (unsigned)kind;
	if (!e->units.n || e->units.v[e->units.n - 1] != unit)
		vec_push(&m->scratch, &e->units, unit);
}

/* Gives back the memory of what was read of a mapped file: 170 MB are not needed at once. */
static void forget(Elf *elf, const void *from, const void *to)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = ((uintptr_t)from + page - 1) & ~(page - 1), last = (uintptr_t)to & ~(page - 1);
	const char *file;
	size_t size;

	file = elf_rawfile(elf, &size);
	if (file && (uintptr_t)file <= first && last <= (uintptr_t)file + size && first < last)
		madvise((void *)first, last - first, MADV_DONTNEED);
}

static void walk(struct maker *m, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL, *before;
	const void *start = NULL;
	Dwarf_Die unit, die;
	uint8_t kind;

	for (;;) {
		const char *name;

		before = cu;
		if (dwarf_get_units(dwarf, before, &cu, NULL, &kind, &unit, NULL) != 0)
			return;
		if (kind != DW_UT_compile || !(name = dwarf_diename(&unit)))
			name = "";
		vec_push(&m->scratch, &m->units, ((struct unit){.offset = dwarf_dieoffset(&unit)}));
		vec_push(&m->scratch, &m->unit_names, arena_strdup(&m->scratch, name));
		if (start && (const char *)unit.addr - (const char *)start > (8 << 20)) {
			forget(dwarf_getelf(dwarf), start, unit.addr);
			start = NULL;
		}
		start = start ? start : unit.addr;
		if (!dwarf_first(&unit, &die))
			continue;
		do
			add_name(m, &die, (uint32_t)m->units.n - 1);
		while (dwarf_next(&die));
	}
}

static int by_text(const void *x, const void *y)
{
	return strcmp((*(struct entry *const *)x)->text, (*(struct entry *const *)y)->text);
}

static uint32_t put_text(struct sb *texts, const char *text)
{
	uint32_t at = (uint32_t)texts->n;

	sb_putn(texts, text, strlen(text) + 1);
	return at;
}

static void write_names(struct maker *m, struct sb *names, struct sb *list, struct sb *texts, uint32_t *n)
{
	if (m->all.n > 1)
		qsort(m->all.v, m->all.n, sizeof *m->all.v, by_text);
	for (size_t i = 0; i < m->all.n;) {
		struct name out = {.text = put_text(texts, m->all.v[i]->text), .first = (uint32_t)(list->n / sizeof(uint32_t))};
		const char *text = m->all.v[i]->text;

		for (; i < m->all.n && !strcmp(m->all.v[i]->text, text); i++) {
			sb_putn(list, (const char *)m->all.v[i]->units.v, m->all.v[i]->units.n * sizeof(uint32_t));
			out.n += (uint32_t)m->all.v[i]->units.n;
		}
		sb_putn(names, (const char *)&out, sizeof out);
		++*n;
	}
}

static void write_all(struct maker *m, struct sb *out)
{
	struct header h = {.magic = MAGIC, .nunits = (uint32_t)m->units.n};
	struct sb names = {0}, list = {0}, texts = {0};

	for (size_t i = 0; i < m->units.n; i++)
		m->units.v[i].text = put_text(&texts, m->unit_names.v[i]);
	write_names(m, &names, &list, &texts, &h.nnames);
	h.nlist = (uint32_t)(list.n / sizeof(uint32_t));
	h.ntexts = (uint32_t)texts.n;
	sb_putn(out, (const char *)&h, sizeof h);
	sb_putn(out, (const char *)m->units.v, m->units.n * sizeof *m->units.v);
	sb_putn(out, names.s, names.n);
	sb_putn(out, list.s, list.n);
	sb_putn(out, texts.s, texts.n);
	sb_free(&names);
	sb_free(&list);
	sb_free(&texts);
}

Dwarf *dwarf_read_again(struct dwarf_file *d)
{
	Dwarf *before = d->dwarf, *again = dwarf_getalt(before) ? NULL : dwarf_begin_elf(dwarf_getelf(before), DWARF_C_READ, NULL);

	if (again)
		d->dwarf = again;
	return before;
}

/* The file is linked, so nothing was written to the memory that is mapped of it. */
void dwarf_read_before(struct dwarf_file *d, Dwarf *before)
{
	Elf *elf = dwarf_getelf(before);
	const char *file;
	size_t size;

	if (d->dwarf == before)
		return;
	dwarf_end(d->dwarf);
	d->dwarf = before;
	file = elf_rawfile(elf, &size);
	if (file)
		forget(elf, file, file + size);
}

bool dwarf_index_make(const char *path, struct sb *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Dwarf *dwarf = fd < 0 ? NULL : dwarf_begin(fd, DWARF_C_READ);
	struct maker m = {0};

	if (dwarf) {
		walk(&m, dwarf);
		if (m.all.n)
			write_all(&m, out);
		dwarf_end(dwarf);
	}
	arena_free(&m.scratch);
	if (fd >= 0)
		close(fd);
	return out->n > 0;
}

/* --- asking --- */

struct dwarf_index {
	const struct header *h;
	const struct unit *units;
	const struct name *names;
	const uint32_t *list;
	const char *texts;
};

static bool is_whole(const struct dwarf_index *x, size_t n)
{
	const struct header *h = x->h;
	uint64_t all = sizeof *h + (uint64_t)h->nunits * sizeof *x->units +
		       (uint64_t)h->nnames * sizeof *x->names + (uint64_t)h->nlist * sizeof *x->list +
		       h->ntexts;

	return all == n && h->ntexts && !((const char *)h)[n - 1];
}

bool dwarf_use_index(struct dwarf_file *d, const unsigned char *p, size_t n)
{
	struct dwarf_index *x = arena_new(d->dtypes.arena, struct dwarf_index);

	x->h = (const void *)p;
	if (n < sizeof *x->h || memcmp(x->h->magic, MAGIC, sizeof x->h->magic) != 0 || !is_whole(x, n))
		return false;
	x->units = (const void *)(p + sizeof *x->h);
	x->names = (const void *)(x->units + x->h->nunits);
	x->list = (const void *)(x->names + x->h->nnames);
	x->texts = (const void *)(x->list + x->h->nlist);
	d->index = x;
	return true;
}

static const char *text_of(const struct dwarf_index *x, uint32_t text)
{
	return text < x->h->ntexts ? x->texts + text : "";
}

/* A mark for each unit that has the name. */
static void mark(const struct dwarf_index *x, const struct name *name, bool *marks)
{
	if (name->first > x->h->nlist || name->n > x->h->nlist - name->first)
		return;
	for (uint32_t i = 0; i < name->n; i++)
		if (x->list[name->first + i] < x->h->nunits)
			marks[x->list[name->first + i]] = true;
}

static void mark_name(const struct dwarf_index *x, const char *text, bool *marks)
{
	size_t low = 0, high = x->h->nnames;

	while (low < high) {
		size_t mid = (low + high) / 2;
		int r = strcmp(text_of(x, x->names[mid].text), text);

		if (!r) {
			mark(x, &x->names[mid], marks);
			return;
		}
		if (r < 0)
			low = mid + 1;
		else
			high = mid;
	}
}

static void mark_names(const struct dwarf_index *x, const char *pattern, bool *marks)
{
	if (!str_has_glob(pattern)) {
		mark_name(x, pattern, marks);
		return;
	}
	for (size_t i = 0; i < x->h->nnames; i++)
		if (str_glob(pattern, text_of(x, x->names[i].text)))
			mark(x, &x->names[i], marks);
}

/*
 * Of the marked units those whose own file it is; all, if it is none's: then it is a header, or not there.  That is for patterns, which would
 * mean too many units.
 */
static void keep_file(const struct dwarf_index *x, const char *file, bool *marks)
{
	bool any = false;

	for (size_t i = 0; i < x->h->nunits && !any; i++)
		any = lines_is_file(file, text_of(x, x->units[i].text));
	for (size_t i = 0; any && i < x->h->nunits; i++)
		marks[i] = marks[i] && lines_is_file(file, text_of(x, x->units[i].text));
}

static void take_marked(const struct dwarf_file *d, const bool *marks, struct dwarf_units *out)
{
	VEC(uint64_t) found = {0};

	for (size_t i = 0; i < d->index->h->nunits; i++)
		if (marks[i])
			vec_push(d->dtypes.arena, &found, d->index->units[i].offset);
	*out = (struct dwarf_units){found.v, found.n};
}

bool dwarf_index_units(const struct dwarf_file *d, const char *pattern, const char *file, struct dwarf_units *out)
{
	const struct dwarf_index *x = d->index;
	bool *marks;

	if (!x)
		return false;
	marks = arena_array(d->dtypes.arena, bool, x->h->nunits);
	memset(marks, !strcmp(pattern, "*"), x->h->nunits * sizeof *marks);
	if (strcmp(pattern, "*") != 0)
		mark_names(x, pattern, marks);
	if (file && str_has_glob(pattern))
		keep_file(x, file, marks);
	take_marked(d, marks, out);
	return true;
}

static int by_offset(const void *key, const void *unit)
{
	uint64_t offset = *(const uint64_t *)key, there = ((const struct unit *)unit)->offset;

	return (offset > there) - (offset < there);
}

bool dwarf_index_units_of(const struct dwarf_file *d, const char *const *names, size_t n, const struct dwarf_units *also, struct dwarf_units *out)
{
	const struct dwarf_index *x = d->index;
	bool *marks;

	if (!x)
		return false;
	marks = arena_array(d->dtypes.arena, bool, x->h->nunits);
	for (size_t i = 0; i < n; i++)
		mark_name(x, names[i], marks);
	for (size_t i = 0; i < also->n; i++) {
		const struct unit *unit = bsearch(&also->v[i], x->units, x->h->nunits, sizeof *x->units, by_offset);

		if (unit)
			marks[unit - x->units] = true;
	}
	take_marked(d, marks, out);
	return true;
}

void dwarf_index_names(const struct dwarf_file *d, void (*cb)(void *ctx, const char *name), void *ctx)
{
	for (size_t i = 0; d->index && i < d->index->h->nnames; i++)
		cb(ctx, text_of(d->index, d->index->names[i].text));
}
