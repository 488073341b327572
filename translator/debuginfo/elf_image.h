/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by elf*.c: the opened file.  Its bytes are read directly, with every offset checked; libdwfl is for
 * DWARF only. */
#ifndef DEBUGINFO_ELF_IMAGE_H
#define DEBUGINFO_ELF_IMAGE_H

#include <elf.h>

#include "base/vec.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/unpack.h"

/* A name of an address, from a symbol table or from DWARF; several become one function. */
struct elf_name {
	const char *name;
	const char *base, *linkage_name; /* of DWARF, or demangled */
	const char *arguments;           /* demangled; or NULL */
	uint64_t addr, size;
	uint64_t ref; /* DWARF only */
	unsigned line;
	bool global, weak, ifunc, inlined, dwarf;
};

typedef VEC(struct elf_name) elf_names;

struct pclntab;

struct elf_image {
	struct arena *arena;
	const struct target *target;
	struct elf_facts facts;
	struct bytes file;
	struct bytes debug, packed; /* other files with symbols: separate debug file, .gnu_debugdata */
	const Elf64_Phdr *segments; /* copied */
	unsigned nsegments;
	bool alone; /* elf_open_alone() */
	bool dwarf_tried, frames_tried, is_go, pclntab_tried;
	const char *runtime; /* elf_runtime()'s */
	enum {RUNTIME_UNKNOWN, RUNTIME_BY_FILE, RUNTIME_BY_ALL} runtime_known; /* by all symbols: those of debug files too */
	struct elf_sequences {
		const unsigned char *p;
		size_t n;
		uint64_t at;
	} *sequences; /* elf_restartable.c's, or NULL */
	const struct pclntab *pclntab; /* elf_go_table()'s, or NULL */
	uint64_t entry;                   /* where the program begins */
	struct Elf *elf;                  /* elf_returns.c's, with the call frame information or NULL */
	struct Dwarf_CFI_s *frames;
	const struct unwind_table *unwind; /* once it was asked for */
	const struct line_table *lines;    /* the same */
	struct dwarf_file *dwarf;
	struct elf_index *index;          /* of all functions: made when first needed */
	const struct usdt_markers *markers; /* usdt.c's, or NULL */
	const struct plt_entries *plt;    /* plt.c's, or NULL */
	VEC(struct elf_function *) known; /* made before that, for questions about one name */
};

/* Is it the 40 hexadecimal digits of a build-id?  The path of the file that has it; NULL: none is found. */
bool elf_is_build_id(const char *text);
const char *elf_find_build_id(struct arena *a, const struct target *target, const char *text);
/* File offset of an address that is in the file; false otherwise.  executable: only in segments with code. */
bool elf_offset(const struct elf_image *e, uint64_t addr, bool executable, uint64_t *off);
/* The table of functions that a Go program has, or NULL. */
const struct pclntab *elf_go_table(struct elf_image *e);
/* Is this the name of the function without its package, or without the marks of its receiver: "step" or "counter.step" of "main.(*counter).step"? */
bool elf_go_is_called(const char *function, const char *name, bool any_case);
/* Its call frame information, or NULL. */
struct Dwarf_CFI_s *elf_frames(struct elf_image *e);
void elf_returns_close(struct elf_image *e);
/* Function symbols of its own tables, and of those of its separate debug file; the vector grows in scratch.
 */
void elf_symbols(struct elf_image *e, struct arena *scratch, elf_names *names);
/* The link-time address of the function or variable of this name, of the length; false: there is none, or there are several. */
bool elf_symbol(struct elf_image *e, const char *name, size_t length, uint64_t *addr);
/* Calls visit() for the symbols of the file, and of its debug files that are open, until it returns something else than 0; returns that, or 0. */
size_t elf_any_symbol(struct elf_image *e, size_t (*visit)(const char *name, bool defined));
/* The runtime that the file belongs to, if that runtime looks up return addresses on its stacks: "Go", "V8".  NULL: none is recognised. */
const char *elf_runtime(struct elf_image *e);
/* The same of the file alone, without what belongs to it elsewhere. */
bool elf_own_symbol(struct elf_image *e, const char *name, uint64_t *addr);
/* elf_threads.c: where the dynamic linker has the blocks of variables of libraries that each thread has. */
struct elf_blocks {
	uint32_t list;   /* of these libraries, from the linker's own beginning */
	uint32_t offset; /* in its structure for a library: of the place of the block */
};
/* False: the C library does not describe its structures, or they are not those that this code knows. */
bool elf_thread_blocks(const struct target *target, struct elf_blocks *out);

#endif
