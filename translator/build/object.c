/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the build must know of ELF objects: where the module name is, and which symbols are undefined. */
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "translator/build/private.h"

/* Looks in the sections that have the name at run time: __this_module and .modinfo. */
int object_find_name(const char *image, size_t len, const char *name, size_t *offsets, int max)
{
	size_t n = strlen(name), shstr;
	Elf_Scn *scn = NULL;
	int found = 0;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image, len);
	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getshdrstrndx(elf, &shstr)) {
		elf_end(elf);
		return -1;
	}
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		const char *section = gelf_getshdr(scn, &sh) ? elf_strptr(elf, shstr, sh.sh_name) : NULL;
		const char *p, *end;

		if (!section || sh.sh_type != SHT_PROGBITS || sh.sh_offset > len ||
		    sh.sh_size > len - sh.sh_offset)
			continue;
		if (strcmp(section, ".gnu.linkonce.this_module") && strcmp(section, ".modinfo"))
			continue;
		p = image + sh.sh_offset;
		end = p + sh.sh_size;
		for (; (p = memmem(p, (size_t)(end - p), name, n)); p += n)
			if (found < max)
				offsets[found++] = (size_t)(p - image);
	}
	elf_end(elf);
	return found;
}

/* The symbol in one table of them: its section and offset, or false. */
static bool find_script(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, GElf_Sym *sym)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (size_t i = 1; i < n; i++) {
		const char *name = gelf_getsym(data, (int)i, sym) ? elf_strptr(elf, sh->sh_link, sym->st_name) : NULL;

		if (name && !strcmp(name, "rt_script") && sym->st_shndx != SHN_UNDEF)
			return true;
	}
	return false;
}

int object_find_script(const char *image, size_t len, size_t *at)
{
	Elf_Scn *scn = NULL;
	int rc = -1;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)image, len);
	while (rc && elf && elf_kind(elf) == ELF_K_ELF && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh, in;
		GElf_Sym sym;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB || !find_script(elf, scn, &sh, &sym) ||
		    !gelf_getshdr(elf_getscn(elf, sym.st_shndx), &in) || in.sh_type != SHT_PROGBITS ||
		    in.sh_offset + sym.st_value + sym.st_size > len)
			continue;
		*at = in.sh_offset + sym.st_value;
		rc = 0;
	}
	elf_end(elf);
	return rc;
}

static void take_symbols(struct build *b, Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, bool undefined,
			 struct map *out)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;

	for (size_t i = 1; i < n; i++) {
		GElf_Sym sym;
		const char *name;

		if (!gelf_getsym(data, (int)i, &sym) || GELF_ST_BIND(sym.st_info) == STB_LOCAL)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name && *name && (sym.st_shndx == SHN_UNDEF) == undefined)
			map_set(b->arena, out, intern(name), (void *)intern(name));
	}
}

int object_symbols(struct build *b, const char *path, bool undefined, struct map *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *scn = NULL;
	int rc = -1;
	Elf *elf;

	if (fd < 0)
		return -1;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && elf_kind(elf) == ELF_K_ELF && (scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;

		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB) {
			take_symbols(b, elf, scn, &sh, undefined, out);
			rc = 0;
		}
	}
	elf_end(elf);
	close(fd);
	return rc;
}
