/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packages of .dwo files (PROGRAM.dwp), which libdw before 0.191 does not read.  It does read .dwo files, by the names that the skeleton units
 * of a program have for theirs.  So a second view of the program is made, whose skeletons all name one descriptor of ours.  While libdw
 * looks for the unit of a skeleton, that descriptor is a file in memory: the pieces of the package that are this unit's, put together as the
 * .dwo file that they were made from.  A unit that the package does not have is taken from its .dwo file.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "translator/debuginfo/dwarf_private.h"
#include "translator/debuginfo/sections.h"

/* Columns of an index: their numbers in version 2 (DWARF 4) and 5, and the sections that they are pieces of. */
static const struct column {
	unsigned char v2, v5;
	const char *section;
} columns[] = {
	{1, 1, ".debug_info.dwo"},
	{3, 3, ".debug_abbrev.dwo"},
	{4, 4, ".debug_line.dwo"},
	{5, 0, ".debug_loc.dwo"},
	{0, 5, ".debug_loclists.dwo"},
	{0, 8, ".debug_rnglists.dwo"},
	{6, 6, ".debug_str_offsets.dwo"},
};
enum { NCOLUMNS = sizeof columns / sizeof *columns, STRING_OFFSETS = NCOLUMNS - 1, STRINGS = NCOLUMNS, NSECTIONS };

struct bytes {
	const unsigned char *p;
	size_t n;
};

struct dwarf_package {
	const char *path;
	Elf *elf;
	int fd;
	unsigned version;
	struct bytes sections[NSECTIONS];
	struct bytes index, types;
	uint32_t ncolumns, nunits, nslots;
	const unsigned char *hashes, *rows, *ids, *offsets, *sizes; /* in the index */
};

static uint32_t u32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

static uint64_t u64(const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* --- the package --- */

static struct bytes contents(Elf *elf, const char *name)
{
	Elf_Scn *scn = sections_next(elf, name, NULL);
	Elf_Data *data;
	GElf_Shdr h;

	if (!scn || !gelf_getshdr(scn, &h) || h.sh_type == SHT_NOBITS || ((h.sh_flags & SHF_COMPRESSED) && elf_compress(scn, 0, 0) < 0))
		return (struct bytes){0};
	data = elf_rawdata(scn, NULL);
	return data && data->d_buf ? (struct bytes){data->d_buf, data->d_size} : (struct bytes){0};
}

static void find_sections(struct dwarf_package *p)
{
	for (size_t i = 0; i < NCOLUMNS; i++)
		p->sections[i] = contents(p->elf, columns[i].section);
	p->sections[STRINGS] = contents(p->elf, ".debug_str.dwo");
	p->index = contents(p->elf, ".debug_cu_index");
	p->types = contents(p->elf, ".debug_tu_index");
}

enum { HEADER = 16, AT_NUNITS = 8 };

/* The tables of an index, in their order: identities, rows, columns, and for each unit the places of its pieces, then their sizes. */
static bool read_index(struct dwarf_package *p)
{
	const unsigned char *at = p->index.p;
	uint64_t cells;

	if (p->index.n < HEADER)
		return false;
	p->version = u32(at) & 0xffff; /* 4 bytes of version 2; of version 5 two, and two of padding */
	p->ncolumns = u32(at + 4);
	p->nunits = u32(at + AT_NUNITS);
	p->nslots = u32(at + 12);
	cells = (uint64_t)p->ncolumns * p->nunits;
	if ((p->version != 2 && p->version != 5) || p->ncolumns > 16 || p->nslots > p->index.n || p->nunits > p->index.n ||
	    HEADER + 12 * (uint64_t)p->nslots + 4 * (uint64_t)p->ncolumns + 8 * cells > p->index.n)
		return false;
	p->hashes = at + HEADER;
	p->rows = p->hashes + 8 * (size_t)p->nslots;
	p->ids = p->rows + 4 * (size_t)p->nslots;
	p->offsets = p->ids + 4 * (size_t)p->ncolumns;
	p->sizes = p->offsets + 4 * cells;
	return true;
}

static const char *open_package(struct dwarf_package *p)
{
	GElf_Ehdr h;

	p->elf = elf_begin(p->fd, ELF_C_READ_MMAP, NULL);
	if (!p->elf || elf_kind(p->elf) != ELF_K_ELF || !gelf_getehdr(p->elf, &h) || h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_ident[EI_DATA] != ELFDATA2LSB)
		return "is not an ELF file of this machine";
	find_sections(p);
	if (!read_index(p))
		return "has no index that can be read";
	if (p->types.n >= HEADER && u32(p->types.p + AT_NUNITS))
		return "has sections of types: compile without -fdebug-types-section";
	return NULL;
}

/* The number of the unit's row from 0, or -1. */
static int64_t row_of(const struct dwarf_package *p, uint64_t id)
{
	uint32_t mask = p->nslots - 1, slot = (uint32_t)id & mask, step = ((uint32_t)(id >> 32) & mask) | 1, row;

	for (uint32_t i = 0; i < p->nslots; i++, slot = (slot + step) & mask) {
		row = u32(p->rows + 4 * (size_t)slot);
		if (!row)
			return -1;
		if (u64(p->hashes + 8 * (size_t)slot) == id)
			return row <= p->nunits ? (int64_t)row - 1 : -1;
	}
	return -1;
}

/* The pieces of a unit; false: one is outside its section. */
static bool pieces_of(const struct dwarf_package *p, int64_t row, struct bytes pieces[NSECTIONS])
{
	for (uint32_t c = 0; c < p->ncolumns; c++) {
		size_t cell = 4 * ((size_t)row * p->ncolumns + c);
		uint32_t id = u32(p->ids + 4 * (size_t)c), offset = u32(p->offsets + cell), size = u32(p->sizes + cell);

		for (size_t i = 0; i < NCOLUMNS; i++) {
			if (id != (p->version == 2 ? columns[i].v2 : columns[i].v5))
				continue;
			if (offset > p->sections[i].n || size > p->sections[i].n - offset)
				return false;
			pieces[i] = (struct bytes){p->sections[i].p + offset, size};
		}
	}
	return pieces[0].n > 0;
}

/*
 * The strings of a package are those of all units: of one unit, those that it refers to are copied, one after the other.  In version 5 a header
 * comes before the references.
 */
static bool own_strings(struct arena *a, const struct dwarf_package *p, struct bytes pieces[NSECTIONS], struct sb *text)
{
	const struct bytes *all = &p->sections[STRINGS];
	size_t n = pieces[STRING_OFFSETS].n, first = p->version == 2 ? 0 : 8;
	unsigned char *table = n ? arena_memdup(a, pieces[STRING_OFFSETS].p, n) : NULL;

	for (size_t at = first; at + 4 <= n; at += 4) {
		uint32_t from = u32(table + at), to = (uint32_t)text->n;
		const unsigned char *end = from < all->n ? memchr(all->p + from, 0, all->n - from) : NULL;

		if (!end || text->n > INT32_MAX)
			return false;
		sb_putn(text, (const char *)all->p + from, (size_t)(end + 1 - (all->p + from)));
		memcpy(table + at, &to, sizeof to);
	}
	pieces[STRING_OFFSETS].p = table;
	pieces[STRINGS] = (struct bytes){(const unsigned char *)text->s, text->n};
	return true;
}

/* --- a .dwo file --- */

static void pad(struct sb *out)
{
	while (out->n % 8)
		sb_putc(out, 0);
}

/* An ELF file of these sections. */
static void put_file(struct sb *out, const struct dwarf_package *p, const struct bytes pieces[NSECTIONS])
{
	Elf64_Shdr headers[NSECTIONS + 2] = {0}, *h = headers + 1;
	Elf64_Ehdr head = {0};
	struct sb names = {0};

	memcpy(&head, elf_getident(p->elf, NULL), sizeof head); /* the size was checked by libelf: it is an ELF64 file */
	sb_putc(&names, 0);
	sb_putn(out, (const char *)&head, sizeof head);
	for (size_t i = 0; i < NSECTIONS; i++) {
		if (!pieces[i].n)
			continue;
		pad(out);
		*h++ = (Elf64_Shdr){.sh_name = (Elf64_Word)names.n,
				    .sh_type = SHT_PROGBITS,
				    .sh_offset = out->n,
				    .sh_size = pieces[i].n,
				    .sh_addralign = 1};
		sb_puts(&names, i == STRINGS ? ".debug_str.dwo" : columns[i].section);
		sb_putc(&names, 0);
		sb_putn(out, (const char *)pieces[i].p, pieces[i].n);
	}
	*h++ = (Elf64_Shdr){.sh_type = SHT_STRTAB, .sh_offset = out->n, .sh_size = names.n, .sh_addralign = 1};
	sb_putn(out, names.s, names.n);
	sb_free(&names);
	pad(out);
	head.e_type = ET_REL;
	head.e_phoff = head.e_phnum = 0;
	head.e_shoff = out->n;
	head.e_shentsize = sizeof *headers;
	head.e_shnum = (Elf64_Half)(h - headers);
	head.e_shstrndx = (Elf64_Half)(head.e_shnum - 1);
	sb_putn(out, (const char *)headers, head.e_shnum * sizeof *headers);
	memcpy(out->s, &head, sizeof head);
}

/* The .dwo file of a unit in memory; -1: the package does not have it, or only a damaged one. */
static int file_of(const struct dwarf_package *p, uint64_t id)
{
	struct bytes pieces[NSECTIONS] = {0};
	struct sb text = {0}, out = {0};
	struct arena scratch = {0};
	int64_t row = row_of(p, id);
	int fd = -1;

	if (row >= 0 && pieces_of(p, row, pieces) && own_strings(&scratch, p, pieces, &text)) {
		put_file(&out, p, pieces);
		fd = memfd_create("dwo", MFD_CLOEXEC);
		if (fd >= 0 && file_put(fd, out.s, out.n) != 0) {
			close(fd);
			fd = -1;
		}
	}
	sb_free(&text);
	sb_free(&out);
	arena_free(&scratch);
	return fd;
}

/* --- the program --- */

struct patch {
	size_t at; /* in the section */
	bool offsets; /* of .debug_str_offsets, not .debug_info */
};

/* Where the reference to the name of a skeleton's .dwo file is. */
static bool place_of(Dwarf_Die *unit, const unsigned char *info, size_t noffsets, struct patch *out)
{
	static const unsigned char widths[] = {1, 2, 3, 4};
	Dwarf_Attribute attr, base;
	Dwarf_Word first = 0;
	uint64_t i = 0;

	if (!dwarf_attr(unit, DW_AT_dwo_name, &attr) && !dwarf_attr(unit, DW_AT_GNU_dwo_name, &attr))
		return false;
	if (attr.form == DW_FORM_strp) {
		*out = (struct patch){(size_t)(attr.valp - info), false};
		return true;
	}
	if (attr.form < DW_FORM_strx1 || attr.form > DW_FORM_strx4)
		return false;
	memcpy(&i, attr.valp, widths[attr.form - DW_FORM_strx1]);
	if (dwarf_attr(unit, DW_AT_str_offsets_base, &base) && dwarf_formudata(&base, &first) != 0)
		return false;
	*out = (struct patch){first + 4 * i, true};
	return noffsets >= 4 && out->at <= noffsets - 4;
}

/* Replaces its contents by a copy with n bytes more. */
static unsigned char *copied(struct arena *a, Elf_Data *data, size_t n)
{
	unsigned char *copy = arena_alloc(a, data->d_size + n);

	memcpy(copy, data->d_buf, data->d_size);
	data->d_buf = copy;
	data->d_size += n;
	return copy;
}

/* Has all skeletons name one file.  Their own names are kept, by the places of the units. */
static bool redirect(struct dwarf_file *d, Elf *elf, const char *to)
{
	Elf_Data *info = sections_data(elf, ".debug_info"), *text = sections_data(elf, ".debug_str");
	Elf_Data *offsets = sections_data(elf, ".debug_str_offsets");
	struct arena *a = d->dtypes.arena;
	VEC(struct patch) patches = {0};
	Dwarf_CU *cu = NULL, *before;
	uint32_t at;
	Dwarf_Die unit;
	uint8_t kind;

	if (!info || !text || text->d_size > INT32_MAX)
		return false;
	while (before = cu, dwarf_get_units(d->dwarf, before, &cu, NULL, &kind, &unit, NULL) == 0) {
		struct patch p;

		if (kind != DW_UT_skeleton || !place_of(&unit, info->d_buf, offsets ? offsets->d_size : 0, &p))
			continue;
		vec_push(a, &patches, p);
		map_set(a, &d->dwo_names, dwarf_place_of_unit(&unit), (void *)(uintptr_t)dwarf_dwo_name(d, &unit));
	}
	if (!patches.n)
		return false;
	at = (uint32_t)text->d_size;
	memcpy(copied(a, text, strlen(to) + 1) + at, to, strlen(to) + 1);
	copied(a, info, 0);
	if (offsets && offsets->d_buf)
		copied(a, offsets, 0);
	for (size_t i = 0; i < patches.n; i++)
		memcpy((unsigned char *)(patches.v[i].offsets ? offsets : info)->d_buf + patches.v[i].at, &at, sizeof at);
	return true;
}

/* The .dwo file itself. */
static int open_dwo(struct dwarf_file *d, const char *program, Dwarf_Die *unit)
{
	const char *slash = strrchr(program, '/'), *name = dwarf_dwo_name(d, unit);
	struct arena *a = d->dtypes.arena;
	int fd = -1;

	if (name && name[0] != '/' && slash)
		fd = open(arena_printf(a, "%.*s/%s", (int)(slash - program), program, name), O_RDONLY | O_CLOEXEC);
	return fd >= 0 || !name ? fd : open(dwarf_dwo_path(d, unit), O_RDONLY | O_CLOEXEC);
}

/* Has libdw look for the unit of each skeleton, while the descriptor is the file that has it. */
static void link_units(struct dwarf_file *d, const struct dwarf_package *p, const char *program, int shown)
{
	Dwarf_CU *cu = NULL, *before;
	Dwarf_Die unit, split;
	uint8_t kind;
	uint64_t id;

	while (before = cu, dwarf_get_units(d->dwarf, before, &cu, NULL, &kind, &unit, NULL) == 0) {
		int fd;

		if (kind != DW_UT_skeleton || dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &id, NULL, NULL) != 0)
			continue;
		fd = file_of(p, id);
		if (fd < 0)
			fd = open_dwo(d, program, &unit);
		if (fd < 0)
			continue;
		if (dup2(fd, shown) == shown)
			dwarf_cu_info(cu, NULL, NULL, NULL, &split, NULL, NULL, NULL);
		close(fd);
	}
}

void dwarf_package_use(struct dwarf_file *d, const char *program)
{
	struct arena *a = d->dtypes.arena;
	struct dwarf_package p = {.path = arena_printf(a, "%s.dwp", program)};
	int shown = open("/dev/null", O_RDONLY | O_CLOEXEC);
	Elf *elf = dwarf_getelf(d->dwarf);

	p.fd = open(p.path, O_RDONLY | O_CLOEXEC);
	if (p.fd >= 0 && shown >= 0) {
		d->package = p.path;
		d->package_problem = open_package(&p);
		if (!d->package_problem && redirect(d, elf, arena_printf(a, "/proc/self/fd/%d", shown)) &&
		    (d->own = dwarf_begin_elf(elf, DWARF_C_READ, NULL))) {
			d->dwarf = d->own;
			link_units(d, &p, program, shown);
		}
	}
	if (p.elf)
		elf_end(p.elf);
	if (p.fd >= 0)
		close(p.fd);
	if (shown >= 0)
		close(shown);
}
