/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of functions that go with DWARF, in its own addresses.  A module's file has no addresses: libdwfl places its sections, for its
 * symbols as for its DWARF.
 */
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/dwarf_private.h"

static int by_address(const void *x, const void *y)
{
	const struct dwarf_symbol *a = x, *b = y;

	return a->address != b->address ? (a->address < b->address ? -1 : 1) : strcmp(a->name, b->name);
}

/* Where code stays: what runs once, when the kernel or the module starts or ends, is no longer there or was never loaded. */
static bool is_kept(Elf *elf, GElf_Word section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	size_t strings;
	GElf_Shdr h;
	const char *name = scn && gelf_getshdr(scn, &h) && elf_getshdrstrndx(elf, &strings) == 0 ? elf_strptr(elf, strings, h.sh_name) : NULL;

	return name && strncmp(name, ".init.", 6) != 0;
}

static void read_symbols(struct dwarf_file *d)
{
	int n = dwfl_module_getsymtab(d->module);

	d->symbols_read = true;
	for (int i = 1; i < n; i++) {
		struct dwarf_symbol s = {0};
		GElf_Word section = SHN_UNDEF;
		GElf_Addr address;
		GElf_Sym sym;
		Dwarf_Addr bias;
		Elf *elf;
		const char *name = dwfl_module_getsym_info(d->module, i, &sym, &address, &section, &elf, &bias);

		if (!name || !name[0] || section == SHN_UNDEF || section >= SHN_LORESERVE)
			continue;
		if (!strcmp(name, "_stext"))
			d->text = address;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC)
			continue;
		s.name = name;
		s.address = address - d->bias;
		s.size = sym.st_size;
		s.kept = is_kept(elf, section);
		s.section = section;
		vec_push(d->dtypes.arena, &d->symbols, s);
	}
	if (d->symbols.n > 1)
		qsort(d->symbols.v, d->symbols.n, sizeof *d->symbols.v, by_address);
}

static unsigned count_namesakes(const struct dwarf_file *d, const char *name)
{
	unsigned n = 0;

	for (size_t i = 0; i < d->symbols.n; i++)
		n += !strcmp(d->symbols.v[i].name, name);
	return n;
}

/* The last that begins at or before the address. */
static const struct dwarf_symbol *before(const struct dwarf_file *d, uint64_t address)
{
	size_t low = 0, high = d->symbols.n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (d->symbols.v[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &d->symbols.v[low - 1] : NULL;
}

bool dwarf_symbol_at(struct dwarf_file *d, uint64_t address, const char *name, struct dwarf_symbol *out)
{
	const struct dwarf_symbol *s, *best;

	if (!d->symbols_read)
		read_symbols(d);
	s = best = before(d, address - d->shift);
	if (!s || address - d->shift - s->address >= (s->size ? s->size : 1))
		return false;
	for (; s >= d->symbols.v && s->address == best->address; s--)
		if (!strcmp(s->name, name))
			best = s;
	*out = *best;
	out->address += d->shift;
	out->namesakes = count_namesakes(d, best->name);
	out->distance = (int64_t)(best->address + d->bias - d->text);
	return true;
}
