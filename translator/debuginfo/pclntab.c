/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the table of a Go program's functions (pclntab.h).  After a header come lists of names, of files, of the files of each unit, bytes with
 * values of pieces of code, and the list of functions, each entry of which leads to a record.  Nothing of it is trusted: each place is checked
 * where it is read.  The forms are those of Go's runtime/symtab.go (struct pcHeader), and of struct _func in its runtime/runtime2.go.
 */
#include "translator/debuginfo/pclntab.h"

#include <string.h>

#include "base/intern.h"
#include "translator/debuginfo/elf_image.h"

enum { MAGIC_1_16 = 0xfffffffa, MAGIC_1_18 = 0xfffffff0, MAGIC_1_20 = 0xfffffff1 };
enum { HEADER_PART = 8, LONGEST_NAME = 4096, LONGEST_PATH = 4096, TOP_OF_STACK = 1, BEGINS = -1 };

/* Header: words with counts, from 1.18 on the text address, then the offsets of the parts. */
static const struct form {
	uint32_t magic;
	unsigned parts; /* the word where these begin */
	unsigned field, flags_at; /* see struct pclntab */
} forms[] = {
	{MAGIC_1_16, 2, 8, 41},
	{MAGIC_1_18, 3, 4, 37},
	{MAGIC_1_20, 3, 4, 41},
};

/*
 * struct _func: where its fields are, counted from the end of the first one, which is the function's address and has t->field bytes.  The
 * byte of flags (flag; padding in 1.16), whose place differs, is counted from the beginning: struct form has it.
 */
enum { FUNC_NAME = 0, FUNC_STACK = 12, FUNC_FILE = 16, FUNC_LINE = 20, FUNC_UNIT = 28 };

static bool word_at(const struct pclntab *t, size_t at, unsigned size, uint64_t *value)
{
	*value = 0;
	if (at > t->n || size > t->n - at)
		return false;
	memcpy(value, t->p + at, size);
	return true;
}

static bool string_at(const struct pclntab *t, size_t part, uint64_t off, size_t longest, const char **text)
{
	size_t left = off < t->n - part ? t->n - part - (size_t)off : 0;

	*text = (const char *)t->p + part + (left ? off : 0);
	return left && memchr(*text, 0, left < longest ? left : longest);
}

/* ---- the header ---- */

static bool part_offset(const struct pclntab *t, unsigned word, size_t *out)
{
	uint64_t value;

	if (!word_at(t, HEADER_PART + 8 * (size_t)word, 8, &value) || value >= t->n)
		return false;
	*out = (size_t)value;
	return true;
}

static bool read_header(struct pclntab *t)
{
	const struct form *form = NULL;
	uint64_t magic, n;

	if (!word_at(t, 0, 4, &magic) || !word_at(t, HEADER_PART, 8, &n))
		return false;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (magic == forms[i].magic)
			form = &forms[i];
	t->quantum = t->p[6];
	if (!form || t->p[4] || t->p[5] || (t->quantum != 1 && t->quantum != 4) || t->p[7] != 8)
		return false;
	t->field = form->field;
	t->flags_at = form->flags_at;
	if (!part_offset(t, form->parts, &t->names) || !part_offset(t, form->parts + 1, &t->units) || !part_offset(t, form->parts + 2, &t->files) ||
	    !part_offset(t, form->parts + 3, &t->values) || !part_offset(t, form->parts + 4, &t->functions))
		return false;
	t->nfunctions = n;
	return n && n < (t->n - t->functions) / (2 * t->field); /* an address more ends the list */
}

/* Is the program's first instruction that of a function as Go's linker puts it there? */
static bool begins_there(const struct elf_image *e, const struct pclntab *t)
{
	struct pclntab_function f;

	for (size_t i = 0; i < t->nfunctions && pclntab_function(t, i, &f); i++)
		if (f.entry == e->entry)
			return !strncmp(f.name, "_rt0_", 5);
	return false;
}

/* Programs that may be at any address have the address of their code for the dynamic linker; from Go 1.26 on none has it. */
static bool find_text(struct elf_image *e, struct pclntab *t, uint64_t address)
{
	enum { TEXT = HEADER_PART + 2 * 8 };

	if (t->field == 8)
		return true; /* the list has whole addresses */
	if (unpack_relocated(&e->file, address + TEXT, &t->text) || (word_at(t, TEXT, 8, &t->text) && t->text))
		return true;
	return unpack_section_address(&e->file, ".text", &t->text) && begins_there(e, t);
}

static bool read_table(struct elf_image *e, struct pclntab *t, uint64_t address)
{
	struct pclntab_function f;
	uint64_t off;

	return read_header(t) && find_text(e, t, address) && pclntab_function(t, 0, &f) && elf_offset(e, f.entry, true, &off);
}

bool pclntab_open(struct elf_image *e, struct pclntab *t)
{
	static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab"};
	const unsigned char *p, *at, *end;
	uint64_t address;
	size_t n;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!unpack_section(&e->file, names[i], &p, &n) || !unpack_section_address(&e->file, names[i], &address))
			continue;
		*t = (struct pclntab){.p = p, .n = n};
		if (read_table(e, t, address))
			return true;
	}
	/* Other linkers join it with what else is read-only after it was relocated. */
	if (!unpack_section(&e->file, ".data.rel.ro", &p, &n) || !unpack_section_address(&e->file, ".data.rel.ro", &address))
		return false;
	for (at = p, end = p + n; (at = memmem(at, (size_t)(end - at), "\xff\xff\xff\0\0", 5)) != NULL; at++) {
		if (at == p)
			continue;
		*t = (struct pclntab){.p = at - 1, .n = (size_t)(end - at) + 1};
		if (read_table(e, t, address + (uint64_t)(at - 1 - p)))
			return true;
	}
	return false;
}

/* ---- functions ---- */

bool pclntab_function(const struct pclntab *t, size_t i, struct pclntab_function *f)
{
	size_t at = t->functions + i * 2 * t->field;
	uint64_t entry, end, record, name, flags;

	if (i >= t->nfunctions || !word_at(t, at, t->field, &entry) || !word_at(t, at + t->field, t->field, &record) ||
	    !word_at(t, at + 2 * t->field, t->field, &end) || end <= entry || record >= t->n - t->functions)
		return false;
	*f = (struct pclntab_function){.entry = t->text + entry, .end = t->text + end, .record = t->functions + (size_t)record};
	if (!word_at(t, f->record + t->field + FUNC_NAME, 4, &name) || !word_at(t, f->record + t->flags_at, 1, &flags))
		return false;
	f->outermost = flags & TOP_OF_STACK;
	return string_at(t, t->names, name, LONGEST_NAME, &f->name);
}

/* ---- pieces of code ---- */

/* A varint as in Go: seven bits in each byte, the lowest first; false: it does not end. */
static bool varint(const struct pclntab *t, size_t *at, uint32_t *value)
{
	unsigned shift = 0;

	for (*value = 0; *at < t->n && shift < 32; shift += 7) {
		unsigned char byte = t->p[(*at)++];

		*value |= (uint32_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

void pclntab_first(const struct pclntab *t, const struct pclntab_function *f, enum pclntab_what what, struct pclntab_piece *p)
{
	static const unsigned char places[] = {[PCLNTAB_STACK] = FUNC_STACK, [PCLNTAB_FILE] = FUNC_FILE, [PCLNTAB_LINE] = FUNC_LINE};
	uint64_t off;

	*p = (struct pclntab_piece){.begin = f->entry, .end = f->entry, .value = BEGINS};
	p->more = word_at(t, f->record + t->field + places[what], 4, &off) && off && off < t->n - t->values;
	p->next = t->values + (size_t)(p->more ? off : 0);
}

/* Numbers in pairs: how much the value differs from that of the last piece, the lowest bit being its sign, and how long the piece is. */
bool pclntab_next(const struct pclntab *t, const struct pclntab_function *f, struct pclntab_piece *p)
{
	uint32_t by, length;
	bool is_first = p->end == f->entry;

	if (!p->more || p->end >= f->end || !varint(t, &p->next, &by) || (!by && !is_first) || !varint(t, &p->next, &length) || !length) {
		p->more = false;
		return false;
	}
	p->value = (int32_t)((uint32_t)p->value + (by & 1 ? ~(by >> 1) : by >> 1));
	p->begin = p->end;
	p->end += (uint64_t)length * t->quantum;
	if (p->end > f->end)
		p->end = f->end;
	return true;
}

const char *pclntab_file(const struct pclntab *t, const struct pclntab_function *f, int32_t value)
{
	enum { NONE = UINT32_MAX };
	uint64_t unit, off;
	const char *path;

	if (value < 0 || !word_at(t, f->record + t->field + FUNC_UNIT, 4, &unit) ||
	    !word_at(t, t->units + (size_t)(unit + (uint64_t)value) * 4, 4, &off) || off == NONE || !string_at(t, t->files, off, LONGEST_PATH, &path))
		return NULL;
	return *path ? intern(path) : NULL;
}
