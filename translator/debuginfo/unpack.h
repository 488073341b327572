/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: mapped files, and the compressed forms that kernels and modules come in. */
#ifndef DEBUGINFO_UNPACK_H
#define DEBUGINFO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "translator/debuginfo/problem.h"

struct bytes {
	const unsigned char *p;
	size_t n;
	size_t mapped; /* bytes to unmap by bytes_free(); p is then within a mapping that starts at map */
	void *map;
};

/* The whole file; read into memory where it cannot be mapped (sysfs).  -1 with why. */
int bytes_of_file(struct arena *a, const char *path, struct bytes *out, struct problem *why);
/* Of an open file. */
int bytes_of_fd(struct arena *a, int fd, const char *name, struct bytes *out, struct problem *why);
void bytes_free(struct bytes *b);

/* True if it begins like one of the formats that unpack() knows. */
bool unpack_is_packed(const unsigned char *p, size_t n);
/*
 * Unpacks xz, gzip, zstd, lzma or lz4 (legacy frames, as the kernel uses), recognised by the first bytes, into a nameless temporary
 * file, which is mapped: so 70 MB of kernel do not count as memory of ours.  Bytes after the packed data are ignored.
 */
int unpack(struct arena *a, const unsigned char *p, size_t n, const char *name, struct bytes *out,
	   struct problem *why);

/* The machine that an ELF file is for, by its number; 0: it is not an ELF file. */
unsigned unpack_machine(const struct bytes *file);
/* The BTF in a kernel: a section, or in an image without sections bytes that have its form. */
bool unpack_btf(const struct bytes *kernel, const unsigned char **data, size_t *len);
/* A section of a 64-bit little-endian ELF file; false if it is not such a file or has no such section. */
bool unpack_section(const struct bytes *elf, const char *name, const unsigned char **data, size_t *len);
/* The link-time address of such a section. */
bool unpack_section_address(const struct bytes *elf, const char *name, uint64_t *address);
/* The value that the dynamic linker will put at the link-time address where; false if it puts no address of the file itself there. */
bool unpack_relocated(const struct bytes *elf, uint64_t where, uint64_t *value);
/* Adds the build-id in a section of notes, in hex, if there is one. */
void unpack_build_id(const unsigned char *notes, size_t n, struct sb *out);
/* The len bytes that an ELF file has for this address when it is loaded; NULL: not all of them are in it. */
const unsigned char *unpack_at(const struct bytes *elf, uint64_t address, uint64_t len);

#endif
