/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Markers (USDT): places that the authors of a program or library have named.  Each place has a note in the section .note.stapsdt, of the
 * type 3: the addresses of its instruction, of the section .stapsdt.base when it was linked, and of its semaphore or 0; and the names of
 * its provider and of the marker, and its arguments, each "N@OPERAND" with the size N in bytes, negative if signed.  A marker may be at
 * several places, as of inlined functions, with other operands at each.
 */
#ifndef DEBUGINFO_USDT_H
#define DEBUGINFO_USDT_H

#include "base/vec.h"
#include "translator/debuginfo/elf.h"

struct usdt_marker {
	const char *provider, *name, *arguments; /* as the note has them */
	uint64_t address;   /* link-time */
	uint64_t file_off;  /* of its instruction */
	uint64_t semaphore; /* offset in the file of a counter of 16 bits; 0: it has none */
	const char *why;    /* it cannot be probed; NULL: it can */
	/*
	 * A part of the file that is mapped before, writable too, has the semaphore's page as well, as lld does where the RELRO part ends: in a
	 * program that begins, the kernel raises what is in that mapping.
	 */
	bool is_twice;
};

struct usdt_markers {
	VEC(struct usdt_marker) v;
};

/* All of the image, by address; damaged notes are left out. */
const struct usdt_markers *usdt_markers(struct elf_image *e);
/* Its arguments as parameters: "arg1" ... */
void usdt_arguments(struct elf_image *e, const struct usdt_marker *m, struct proto *out);

#endif
