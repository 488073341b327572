/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the dynamic linker keeps, for each thread, the blocks of variables of libraries.  The C library describes its structures for debuggers, as
 * data that it exports: numbers of bits, of elements, and of bytes before.  All that does not vary must be as it has always been.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/rt/thread_layout.h"
#include "translator/debuginfo/elf_image.h"

static const struct known_offset {
	const char *name;
	uint32_t offset;
} fixed[] = {
	{"_thread_db_pthread_dtvp", RT_THREAD_VECTOR},
	{"_thread_db_dtv_dtv", 0},       /* the vector begins with its first entry, */
	{"_thread_db_dtv_t_counter", 0}, /* and that with the generation */
	{"_thread_db_dtv_t_pointer_val", RT_THREAD_BLOCK},
	{"_thread_db_dtv_slotinfo_gen", RT_THREAD_SLOT_GENERATION},
	{"_thread_db_dtv_slotinfo_map", RT_THREAD_SLOT_MODULE},
	{"_thread_db_dtv_slotinfo_list_len", RT_THREAD_LIST_LENGTH},
	{"_thread_db_dtv_slotinfo_list_next", RT_THREAD_LIST_NEXT},
	{"_thread_db_dtv_slotinfo_list_slotinfo", RT_THREAD_LIST_SLOTS},
};

/* What the C library says, as bytes from the beginning of the structure. */
static bool read_offset(struct elf_image *libc, const char *name, uint32_t *offset)
{
	uint32_t words[3];
	uint64_t addr, at;

	if (!elf_own_symbol(libc, name, &addr) || !elf_offset(libc, addr, false, &at) || at + sizeof words > libc->file.n)
		return false;
	memcpy(words, libc->file.p + at, sizeof words);
	*offset = words[2];
	return true;
}

static bool has_known_layout(struct elf_image *libc)
{
	uint32_t offset;

	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		if (!read_offset(libc, fixed[i].name, &offset) || offset != fixed[i].offset)
			return false;
	return true;
}

static bool find_layout(struct elf_image *linker, struct elf_image *libc, struct elf_blocks *out)
{
	uint32_t list, offset, number;
	uint64_t global;

	if (!has_known_layout(libc) || !elf_own_symbol(linker, "_rtld_global", &global) ||
	    !read_offset(libc, "_thread_db_rtld_global__dl_tls_dtv_slotinfo_list", &list) ||
	    !read_offset(libc, "_thread_db_link_map_l_tls_offset", &offset) || !read_offset(libc, "_thread_db_link_map_l_tls_modid", &number))
		return false;
	*out = (struct elf_blocks){.list = (uint32_t)(global + list), .offset = offset};
	return global + list < INT32_MAX && number == offset + libc->target->word && offset < INT16_MAX;
}

bool elf_thread_blocks(const struct target *target, struct elf_blocks *out)
{
	char *linker_path = target->linker ? realpath(target->linker, NULL) : NULL, *slash = linker_path ? strrchr(linker_path, '/') : NULL;
	struct arena scratch = {0};
	struct problem ignored = {0};
	struct elf_image *linker, *libc;
	bool found = false;

	if (!slash)
		return false;
	linker = elf_open(&scratch, target, linker_path, &ignored);
	libc = elf_open(&scratch, target, arena_printf(&scratch, "%.*s/libc.so.6", (int)(slash - linker_path), linker_path), &ignored);
	free(linker_path);
	if (linker && libc)
		found = find_layout(linker, libc, out);
	if (linker)
		elf_close(linker);
	if (libc)
		elf_close(libc);
	arena_free(&scratch);
	return found;
}
