/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds sections by their names.  A section of a separate debug file may have the place of one that is in another file: it has nothing. */
#include "translator/debuginfo/sections.h"

#include <string.h>

Elf_Scn *sections_next(Elf *elf, const char *name, Elf_Scn *after)
{
	const char *its_name;
	size_t names;
	GElf_Shdr h;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((after = elf_nextscn(elf, after)))
		if (gelf_getshdr(after, &h) && (its_name = elf_strptr(elf, names, h.sh_name)) && !strcmp(its_name, name))
			return after;
	return NULL;
}

Elf_Data *sections_data(Elf *elf, const char *name)
{
	Elf_Scn *scn = sections_next(elf, name, NULL);
	Elf_Data *data;
	GElf_Shdr h;

	if (!scn || !gelf_getshdr(scn, &h) || h.sh_type == SHT_NOBITS)
		return NULL;
	data = elf_getdata(scn, NULL);
	return data && data->d_buf ? data : NULL;
}
