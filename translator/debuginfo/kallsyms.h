/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: the symbol table that a kernel carries in itself, read from its image, unbooted. */
#ifndef DEBUGINFO_KALLSYMS_H
#define DEBUGINFO_KALLSYMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct kallsyms_symbol {
	uint64_t address; /* as linked: without KASLR */
	char type;        /* as nm prints it: 't', 'T', 'd' ... */
	const char *name;
};

/*
 * The symbols in the bytes of a kernel's .rodata (64 bits, little-endian, kernels from 5.0 on), which is linked at `place', in order of
 * addresses.  The array is in the arena.  Returns how many, 0 if there is no table; never reads outside the bytes, whatever they are.
 */
size_t kallsyms_read(struct arena *a, const unsigned char *rodata, size_t n, uint64_t place, const struct kallsyms_symbol **out);

#endif
