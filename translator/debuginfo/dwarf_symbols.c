/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The symbols of functions and objects that go with DWARF, in its own addresses.  A module's file has no addresses: libdwfl places its sections,
 * for its symbols as for its DWARF.
 */
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/dwarf_private.h"

static int by_address(const void *x, const void *y)
{
	const struct dwarf_symbol *a = x, *b = y;

	return a->address != b->address ? (a->address < b->address ? -1 : 1) : strcmp(a->name, b->name);
}

/* The name of a section; "": it has none. */
static const char *section_name(Elf *elf, GElf_Word section)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	size_t strings;
	GElf_Shdr h;
	const char *name = scn && gelf_getshdr(scn, &h) && elf_getshdrstrndx(elf, &strings) == 0 ? elf_strptr(elf, strings, h.sh_name) : NULL;

	return name ? name : "";
}

static void sort(dwarf_symbols *all)
{
	if (all->n > 1)
		qsort(all->v, all->n, sizeof *all->v, by_address);
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

		s.name = dwfl_module_getsym_info(d->module, i, &sym, &address, &section, &elf, &bias);
		if (!s.name || !s.name[0] || section == SHN_UNDEF || section >= SHN_LORESERVE)
			continue;
		s.address = elf == d->program ? address - d->program_bias - d->shift : address - d->bias;
		s.size = sym.st_size;
		s.section = section;
		if (!strcmp(s.name, "_stext"))
			d->text = s.address;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC && GELF_ST_TYPE(sym.st_info) != STT_OBJECT)
			continue;
		/* What runs once, when the kernel or the module starts, is no longer there then. */
		s.kept = strncmp(section_name(elf, section), ".init.", 6) != 0;
		s.percpu = !strcmp(section_name(elf, section), ".data..percpu");
		vec_push(d->dtypes.arena, GELF_ST_TYPE(sym.st_info) == STT_FUNC ? &d->functions : &d->objects, s);
	}
	sort(&d->functions);
	sort(&d->objects);
}

static unsigned count_namesakes(const dwarf_symbols *all, const char *name)
{
	unsigned n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += !strcmp(all->v[i].name, name);
	return n;
}

/* The last that begins at or before the address. */
static const struct dwarf_symbol *before(const dwarf_symbols *all, uint64_t address)
{
	size_t low = 0, high = all->n;

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (all->v[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low ? &all->v[low - 1] : NULL;
}

static void describe(const struct dwarf_file *d, const dwarf_symbols *all, const struct dwarf_symbol *s, struct dwarf_symbol *out)
{
	*out = *s;
	out->address += d->shift;
	out->namesakes = count_namesakes(all, s->name);
	out->distance = (int64_t)(s->address - d->text);
}

bool dwarf_symbol_at(struct dwarf_file *d, uint64_t address, const char *name, struct dwarf_symbol *out)
{
	const struct dwarf_symbol *s, *best;

	if (!d->symbols_read)
		read_symbols(d);
	s = best = before(&d->functions, address - d->shift);
	if (!s || address - d->shift - s->address >= (s->size ? s->size : 1))
		return false;
	for (; s >= d->functions.v && s->address == best->address; s--)
		if (!strcmp(s->name, name))
			best = s;
	describe(d, &d->functions, best, out);
	return true;
}

bool dwarf_object_at(struct dwarf_file *d, uint64_t address, struct dwarf_symbol *out)
{
	const struct dwarf_symbol *s, *own;

	if (!d->symbols_read)
		read_symbols(d);
	s = own = before(&d->objects, address - d->shift);
	if (!s || address - d->shift - s->address >= (s->size ? s->size : 1) || !s->kept)
		return false;
	for (; s >= d->objects.v && s->section == own->section; s--)
		if (count_namesakes(&d->objects, s->name) + count_namesakes(&d->functions, s->name) == 1) {
			describe(d, &d->objects, s, out);
			return true;
		}
	return false;
}

/* The first function of a section whose name is its own, with what follows of the section; after the section. */
static size_t add_piece(struct dwarf_file *d, dwarf_symbols *out, size_t i)
{
	const struct dwarf_symbol *f = d->functions.v;
	unsigned section = f[i].section;
	struct dwarf_symbol s = {0};

	for (; i < d->functions.n && f[i].section == section; i++) {
		if (!s.name && f[i].kept && count_namesakes(&d->functions, f[i].name) == 1)
			describe(d, &d->functions, &f[i], &s);
		if (s.name && f[i].address + d->shift + f[i].size > s.address + s.size)
			s.size = f[i].address + d->shift + f[i].size - s.address;
	}
	if (s.name)
		vec_push(d->dtypes.arena, out, s);
	return i;
}

size_t dwarf_pieces(struct dwarf_file *d, const struct dwarf_symbol **pieces)
{
	dwarf_symbols out = {0};

	if (!d->symbols_read)
		read_symbols(d);
	for (size_t i = 0; d->name && i < d->functions.n;)
		i = add_piece(d, &out, i);
	if (!d->name && d->text) {
		struct dwarf_symbol all = {.name = "_stext", .address = d->text + d->shift, .size = UINT32_MAX, .kept = true, .namesakes = 1};
		vec_push(d->dtypes.arena, &out, all);
	}
	*pieces = out.v;
	return out.n;
}

/* --- code --- */

unsigned dwarf_call_before(struct dwarf_file *d, Dwarf_Addr end, bool jump)
{
	enum { MOST = 16 };
	Dwarf_Addr at = end - MOST + d->shift + d->program_bias, bias;
	Elf_Scn *scn = dwfl_module_address_section(d->module, &at, &bias);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;

	/* Now it counts from the beginning of the section. */
	if (!data || !data->d_buf || !d->target->call_at_end || data->d_size < MOST || at > data->d_size - MOST)
		return 0;
	return d->target->call_at_end((const unsigned char *)data->d_buf + at, MOST, jump);
}

bool dwarf_has_clone(struct dwarf_file *d, const char *name)
{
	size_t n = strlen(name);

	if (!d->symbols_read)
		read_symbols(d);
	for (size_t i = 0; i < d->functions.n; i++) {
		const char *other = d->functions.v[i].name;

		if (!strncmp(other, name, n) && other[n] == '.' && strncmp(other + n, ".cold", 5) != 0)
			return true;
	}
	return false;
}
