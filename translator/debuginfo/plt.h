/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Procedure linkage tables: where a program or library calls functions of other files.  Each of them has an entry, a few instructions that
 * jump to where a word (a slot) of the file's data says, which the dynamic linker sets.  Code that is compiled with -fno-plt calls without.
 */
#ifndef DEBUGINFO_PLT_H
#define DEBUGINFO_PLT_H

#include "base/vec.h"
#include "translator/debuginfo/elf.h"

struct plt_entry {
	const char *name;      /* of the function, without a version */
	uint64_t address;      /* link-time */
	uint64_t file_off;     /* what inode uprobes take */
	const char *no_return; /* why the return cannot be probed; NULL: it can */
};

struct plt_entries {
	VEC(struct plt_entry) v;
};

/* All of the image, by address; a name may have several.  What is damaged is left out. */
const struct plt_entries *plt_entries(struct elf_image *e);

#endif
