/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a user-space executable or shared library: its functions, where to put probes on them, and
 * with DWARF (its own, or from a separate debug file) their parameters and types.
 */
#ifndef DEBUGINFO_ELF_H
#define DEBUGINFO_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "translator/debuginfo/lines.h"
#include "translator/debuginfo/problem.h"
#include "translator/debuginfo/proto.h"
#include "translator/debuginfo/target.h"
#include "translator/debuginfo/types.h"

struct elf_image;
struct unwind_table;

struct elf_facts {
	const char *path;       /* absolute, symbolic links resolved: the one that the kernel needs */
	const char *given;      /* as asked for */
	const char *script;     /* path of the "#!" script whose interpreter path is, or NULL */
	const char *build_id;   /* hex, or NULL */
	const char *debug_file; /* the separate file that has the DWARF, or NULL */
	bool executable;        /* has an interpreter or is ET_EXEC; false: a shared library */
	bool pie;               /* position independent: addresses move with FETCH_BIAS */
	bool has_dwarf;         /* after elf_functions() or another question that needs it */
	const char *lack;       /* the same: why some or all debug information is missing, for hints; or NULL */
	bool has_symtab;        /* .symtab, its own or in the debug file */
	bool names_of_go;       /* no .symtab, but .gopclntab: all functions are known */
};

/* Do two paths lead to one file? */
bool elf_same_file(const char *a, const char *b);

/* Opens a program or library of the target.  A name without '/' is looked up in $PATH, then in the current folder.  NULL with why. */
struct elf_image *elf_open(struct arena *a, const struct target *target, const char *path, struct problem *why);
/*
 * The same for what may be anybody's: the file at this very path, which is no script, and whose symbols have names of ELF_NAME_MOST bytes at most.
 * No other file is opened by a name that it has: its debug file is found by the build-id.
 */
enum { ELF_NAME_MOST = 4096 };
struct elf_image *elf_open_alone(struct arena *a, const struct target *target, const char *path, struct problem *why);
void elf_close(struct elf_image *e);
/* The path, as in struct elf_facts, of a 32-bit program that kernels of the target run too; NULL: it is none. */
const char *elf_32_bit_program(struct arena *a, const struct target *target, const char *path);
/* Cheap: reads headers only. */
const struct elf_facts *elf_facts(const struct elf_image *e);
/* Looks for DWARF if that was not done yet (may ask debuginfod if DEBUGINFOD_URLS is set); true if there is any. */
bool elf_has_dwarf(struct elf_image *e);
/* Is debug information of this build where builds are known by their ids: in the folders of debug files, or on the servers of DEBUGINFOD_URLS? */
bool elf_is_served(struct elf_image *e, struct problem *why);
/* The dynamic linker that the kernel is to start it with, or NULL. */
const char *elf_interpreter(const struct elf_image *e);
/* Its segments with code: where in the file, and at which link-time address. */
struct elf_code {
	uint64_t off, size, address;
};
size_t elf_code(struct elf_image *e, const struct elf_code **code);
/* Names in DT_NEEDED order of the libraries that it is linked with: "libc.so.6". */
size_t elf_needed(struct elf_image *e, const char *const **names);
/* The folders, between ':', in which the dynamic linker looks for them first: DT_RUNPATH, or else DT_RPATH.  NULL: none.
   *is_rpath: they are of DT_RPATH; false with NULL. */
const char *elf_run_path(struct elf_image *e, bool *is_rpath);

struct elf_function {
	const char *name;           /* the canonical one */
	const char *const *aliases; /* other names of the same address, sorted; the linkage name too */
	size_t naliases;
	const char *linkage_name; /* mangled name of C++ (and others), or NULL */
	const char *arguments;    /* private: of a symbol that was demangled */
	uint64_t entry;           /* link-time virtual address */
	uint64_t file_off;        /* in the file: what inode uprobes take */
	uint64_t size;            /* bytes, 0 = unknown */
	unsigned line;            /* of its declaration, 0 = unknown; elf_function_file() is the file */
	bool global;              /* visible to other objects */
	bool exported;            /* its symbol is: the linker did not make it local */
	bool ifunc;      /* an IFUNC resolver: called once by the dynamic linker, not the function itself */
	bool inlined;    /* has inlined instances too, whose calls a probe at entry does not see */
	bool has_proto;  /* elf_function_proto() can answer */
	uint64_t handle; /* private */
};

/*
 * Calls back for each function of which the name, an alias or the linkage name matches, sorted by name, each
 * address once; stops when cb returns false.  Only functions with code in the file.  Returns how many were
 * reported, -1 with why. The struct lives as long as the image.
 */
long elf_functions(struct elf_image *e, const char *glob, bool (*cb)(void *ctx, const struct elf_function *f),
		   void *ctx, struct problem *why);
/* The function of exactly this name; -1 with why and the nearest names.  Of several static functions the first. */
const struct elf_function *elf_function(struct elf_image *e, const char *name, struct problem *why);
/* Why its return cannot be probed without harm to the program; NULL: it can. */
const char *elf_no_return(struct elf_image *e, const struct elf_function *f);
/*
 * Where a probe of its beginning is hit once for each call, with all as it was at the call: the entry, or in Go behind the question whether there is
 * room on the stack.
 */
uint64_t elf_function_begin(struct elf_image *e, const struct elf_function *f);
/* Are returns of the program's functions probed at their own instructions (elf_go.c), since return addresses must stay as they are? */
bool elf_returns_by_instruction(struct elf_image *e);
/* Is it written in Go?  A program of Go may have functions of C too. */
bool elf_is_go_function(struct elf_image *e, const struct elf_function *f);
/* The addresses of all instructions by which it returns; 0, with why: they are not known, or there are none. */
size_t elf_return_instructions(struct elf_image *e, const struct elf_function *f, const uint64_t **found, const char **why);
/* Is the instruction in a restartable sequence (rseq) that the file describes?  To probe it would break what the sequence is for. */
bool elf_is_restartable(struct elf_image *e, uint64_t address);
/* Source file of its declaration as the compiler was given it, or NULL.  Reads a line table: use it only for what is shown. */
const char *elf_function_file(struct elf_image *e, const struct elf_function *f);
/* The types of its parameters, as the source has them: "int, space::pair const&"; NULL: not known. */
const char *elf_function_arguments(struct elf_image *e, const struct elf_function *f);
/* Has another function its name, but other arguments? */
bool elf_is_overloaded(struct elf_image *e, const struct elf_function *f);
/* True if functions of this name exist only inlined into others (no entry to probe). */
bool elf_only_inlined(struct elf_image *e, const char *name);
/* Its parameters at the entry address and its return value. -1 with why (no DWARF: how to get it). */
int elf_function_proto(struct elf_image *e, const struct elf_function *f, struct proto *p,
		       struct problem *why);

/* How stacks are walked up from its code (unwind.h); NULL: there is no call frame information. */
const struct unwind_table *elf_unwind(struct elf_image *e);

/* Which lines its code is of; NULL: there is no debug information. */
const struct line_table *elf_lines(struct elf_image *e);

/* Types in its DWARF; NULL with why if there is none. */
struct dtypes *elf_types(struct elf_image *e, struct problem *why);

/*
 * A global or file-local variable, or a static one of a function, of the source file unless that is "": an object in memory (FETCH_BIAS when PIE).
 * -1 with why: none of that name (nearest names), no DWARF, no fixed address.
 */
int elf_variable(struct elf_image *e, const char *name, const char *file, struct fetch *f, struct problem *why);
/* Its place by its symbol, without a type; false: there is none of that very name in the file, or several, or its place cannot be known. */
bool elf_variable_symbol(struct elf_image *e, const char *name, struct fetch *f);
/*
 * The same as a fixed address of the file as it is linked, with its type.  -1 with why: also if each thread has one of its own.
 */
int elf_object(struct elf_image *e, const char *name, const char *file, uint64_t *address, const struct dtype **type, struct problem *why);
/* Where its code begins, as it is linked. */
uint64_t elf_code_start(const struct elf_image *e);
/* The values come with a hit, in their order. */
void elf_place_given(struct elf_image *e, struct proto_value *values, size_t n);

/*
 * The variable outside of functions that the name means in the code of a function, its handle or a statement's scope.  -1: there is none;
 * why: if more is known.
 */
int elf_variable_in_scope(struct elf_image *e, uint64_t scope, const char *name, struct fetch *f, struct problem *why);

/* The statement of the instruction at an address, as debug information has it; false without it. */
bool elf_statement_at(struct elf_image *e, uint64_t address, struct statement *out);
/* The statements that are wanted; -1 with why: it has no DWARF.  None may be found: out says what there is. */
int elf_statements(struct elf_image *e, const struct lines_wanted *w, struct statements *out, struct problem *why);
/*
 * The instruction that begins at the address; its function is "" if none is known, and has_scope says whether debug information knows what can be
 * named there.  -1 with why: the address is not that of an instruction for certain.
 */
int elf_instruction(struct elf_image *e, uint64_t address, struct statement *out, bool *has_scope, struct problem *why);
/* In the file. */
uint64_t elf_statement_offset(const struct elf_image *e, const struct statement *t);
void elf_statement_variables(struct elf_image *e, const struct statement *t, struct statement_variables *out);

#endif
