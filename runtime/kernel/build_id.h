/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The build-id of an ELF file. */
#ifndef KERNEL_BUILD_ID_H
#define KERNEL_BUILD_ID_H

struct file;

#define BUILD_ID_HEX 80 /* longest as hex digits, without the NUL */
#define BUILD_ID_NOTE 3 /* the type of its note, NT_GNU_BUILD_ID */

/* Writes the id as lower-case hex digits.  0, -ENOENT: the file has none, -ENOEXEC: not an ELF file, other -errno. */
int build_id_read(struct file *file, char hex[BUILD_ID_HEX + 1]);
/* The same of an ELF file that current's program has mapped whole at that address. */
int build_id_read_mapped(unsigned long start, char hex[BUILD_ID_HEX + 1]);

#endif
