/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads procedure linkage tables.  See plt.h. */
#include "translator/debuginfo/plt.h"

#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/elf_image.h"

/* A word that the dynamic linker sets to the address of a function or variable of this name. */
struct slot {
	uint64_t address;
	const char *name;
};

struct slots {
	VEC(struct slot) v;
};

/* Of the n-th dynamic symbol, or NULL. */
static const char *symbol_name(const struct elf_image *e, uint64_t n)
{
	const unsigned char *symbols, *names;
	size_t nsymbols, nnames;
	Elf64_Sym s;

	if (!unpack_section(&e->file, ".dynsym", &symbols, &nsymbols) || !unpack_section(&e->file, ".dynstr", &names, &nnames) ||
	    n >= nsymbols / sizeof s)
		return NULL;
	memcpy(&s, symbols + n * sizeof s, sizeof s);
	if (s.st_name >= nnames || !names[s.st_name] || !memchr(names + s.st_name, 0, nnames - s.st_name))
		return NULL;
	return (const char *)names + s.st_name;
}

static void read_slots(struct elf_image *e, const char *section, struct slots *out)
{
	const unsigned char *p;
	Elf64_Rela r;
	size_t n;

	if (!unpack_section(&e->file, section, &p, &n))
		return;
	for (size_t i = 0; i < n / sizeof r; i++) {
		memcpy(&r, p + i * sizeof r, sizeof r);
		const char *name = ELF64_R_SYM(r.r_info) ? symbol_name(e, ELF64_R_SYM(r.r_info)) : NULL;
		if (name)
			vec_push(e->arena, &out->v, ((struct slot){r.r_offset, name}));
	}
}

static int by_address(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Entries have 8 or 16 bytes. */
static void read_entries(struct elf_image *e, const char *section, const struct slots *slots, struct plt_entries *out)
{
	const unsigned char *code;
	uint64_t address;
	size_t n;

	if (!unpack_section(&e->file, section, &code, &n) || !unpack_section_address(&e->file, section, &address))
		return;
	for (size_t at = 0; at < n; at += 8) {
		struct plt_entry entry = {.address = address + at};
		struct slot key, *slot;

		if (!e->target->plt_slot(code + at, n - at, entry.address, &key.address) ||
		    !elf_offset(e, entry.address, true, &entry.file_off))
			continue;
		slot = bsearch(&key, slots->v.v, slots->v.n, sizeof key, by_address);
		if (!slot)
			continue;
		entry.name = slot->name;
		entry.no_return = elf_no_return(e, &(struct elf_function){.name = slot->name, .entry = entry.address});
		vec_push(e->arena, &out->v, entry);
	}
}

const struct plt_entries *plt_entries(struct elf_image *e)
{
	struct plt_entries *all;
	struct slots slots = {0};

	if (e->plt)
		return e->plt;
	e->plt = all = arena_new(e->arena, struct plt_entries);
	read_slots(e, ".rela.plt", &slots);
	read_slots(e, ".rela.dyn", &slots);
	if (!slots.v.n)
		return all;
	qsort(slots.v.v, slots.v.n, sizeof *slots.v.v, by_address);
	read_entries(e, ".plt", &slots, all);
	read_entries(e, ".plt.got", &slots, all);
	read_entries(e, ".plt.sec", &slots, all);
	return all;
}
