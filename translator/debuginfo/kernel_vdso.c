/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code that the kernel maps into every program: a shared library, which the image of the kernel has as it is. */
#include <elf.h>
#include <string.h>

#include "translator/debuginfo/kernel_private.h"

#define NAME "linux-vdso.so.1" /* that of 64-bit programs: there are others */
enum { PAGE = 4096, MOST_BYTES = 1 << 20 }; /* it begins a page of the image */

/* Its bytes, if it is the library; 0: it is not. */
static size_t size_at(const unsigned char *p, size_t left)
{
	Elf64_Ehdr e;
	uint64_t size;

	if (left < sizeof e)
		return 0;
	memcpy(&e, p, sizeof e);
	if (memcmp(e.e_ident, ELFMAG, SELFMAG) != 0 || e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_type != ET_DYN)
		return 0;
	size = e.e_shoff + (uint64_t)e.e_shnum * e.e_shentsize; /* the headers of sections are last */
	if (!e.e_shoff || size < e.e_shoff || size > left || size > MOST_BYTES)
		return 0;
	return memmem(p, size, NAME, sizeof NAME) ? size : 0;
}

void kernel_list_vdso(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out)
{
	size_t size = 0;

	(void)k;
	for (size_t at = 0; in->elf && at < in->elf->n && !size; at += PAGE) {
		size = size_at(in->elf->p + at, in->elf->n - at);
		sb_putn(out, (const char *)in->elf->p + at, size);
	}
}
