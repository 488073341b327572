/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections by their names, in files that libelf has opened.  unpack_section() is for files that are only in memory. */
#ifndef DEBUGINFO_SECTIONS_H
#define DEBUGINFO_SECTIONS_H

#include <gelf.h>

/* The next one of the name after that one, or with NULL the first; NULL: there is none. */
Elf_Scn *sections_next(Elf *elf, const char *name, Elf_Scn *after);
/* What is in the first one of the name; NULL: nothing, or the file has none. */
Elf_Data *sections_data(Elf *elf, const char *name);

#endif
