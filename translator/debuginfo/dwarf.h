/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: the DWARF of one program or library, wherever libdwfl finds it. */
#ifndef DEBUGINFO_DWARF_H
#define DEBUGINFO_DWARF_H

#include "base/str.h"
#include "translator/debuginfo/dtype.h"
#include "translator/debuginfo/lines.h"
#include "translator/debuginfo/proto.h"
#include "translator/debuginfo/target.h"

struct dwarf_file;

/* What was found, also where it cannot be used. */
struct dwarf_found {
	const char *separate; /* the separate file that has it, or NULL */
	const char *lack;     /* the hint of messages, if some or all of it is in yet other files that are missing or not read; or NULL */
};

/*
 * NULL if there is none, neither in the file nor in a separate one, or none that can be used.  pie: addresses need FETCH_BIAS.  alone: no file is
 * opened by a name that the file has, only its debug file by the build-id.
 */
struct dwarf_file *dwarf_file_open(struct arena *a, const struct target *target, const char *path, bool pie, bool alone,
				   struct dwarf_found *found);
/* Where the program's block of variables that each thread has of its own begins, counted from the thread pointer. */
void dwarf_use_program_block(struct dwarf_file *d, int64_t distance);
/* The same of a library, which the dynamic linker places: struct elf_blocks. */
void dwarf_use_library_blocks(struct dwarf_file *d, uint32_t list, uint32_t offset);
/* The same for a kernel or one of its modules (NULL: the kernel), whose addresses are the kernel's; *lack is left alone if nothing lacks. */
struct dwarf_file *dwarf_file_open_kernel(struct arena *a, const struct target *target, const char *path, const char *module,
					  const char **lack);
/* The path of the file with the debug information of a build (hex), where a debuginfod server has one; NULL: none is asked, or none has it. */
const char *dwarf_file_of_server(struct arena *a, const char *build_id);
void dwarf_file_close(struct dwarf_file *d);
struct dtypes *dwarf_file_types(struct dwarf_file *d);
/* What has the file's .debug_frame, and what is to be added to its addresses for those of the program file. */
struct Dwarf *dwarf_file_dwarf(struct dwarf_file *d, uint64_t *shift);

/* The bytes of an index of the file's names (dwarf_index.c); false: it has no DWARF. */
bool dwarf_index_make(const char *path, struct sb *out);
/* Has questions about names answered by it; it stays the caller's.  False: it is not one. */
bool dwarf_use_index(struct dwarf_file *d, const unsigned char *p, size_t n);

struct dwarf_function {
	const char *name; /* with the namespaces and classes that it is in: "space::list<int>::insert" */
	const char *base; /* without them */
	const char *linkage_name; /* or NULL */
	uint64_t entry, size;
	unsigned line;
	bool external;
	bool inlined;  /* may have been inlined somewhere */
	bool has_code; /* false: an abstract instance, entry and size are 0 */
	uint64_t ref;
};

/* Every function of the program's own units, in their order. */
void dwarf_functions(struct dwarf_file *d, void (*cb)(void *ctx, const struct dwarf_function *f), void *ctx);
/* The one with this entry, by the index of address ranges: false if it is not there; a walk may still find it. */
bool dwarf_function_at(struct dwarf_file *d, uint64_t entry, struct dwarf_function *f);
const char *dwarf_function_file(struct dwarf_file *d, uint64_t ref);
/* The types of its parameters, as the source has them: "int, space::pair const&"; NULL: the DWARF is damaged. */
const char *dwarf_arguments(struct dwarf_file *d, uint64_t ref);
/* What the function's symbols say about it. */
enum {
	DWARF_CHANGED = 1,            /* its interface is not the source's: a clone such as ".isra.0" */
	DWARF_MAY_RETURN_NOTHING = 2, /* its result may not be the source's either */
	DWARF_EXPORTED = 4,           /* other objects can call it */
	DWARF_ON_STACK = 8,           /* of Go: it is passed all on the stack, as assembly is */
};

/* The symbol of a function or an object. */
struct dwarf_symbol {
	const char *name;
	uint64_t address, size;
	unsigned section;
	bool percpu;        /* of an object: each CPU has one */
	bool kept;          /* its code stays in memory: it is not for the start only */
	unsigned namesakes; /* functions of the name, this one too */
	int64_t distance;   /* from the kernel's _stext */
};
/* The one whose code has the address; of several at one place that of the name, if it is among them. */
bool dwarf_symbol_at(struct dwarf_file *d, uint64_t address, const char *name, struct dwarf_symbol *out);

/*
 * A symbol by which the kernel finds the object at the address: its own, or if others have that name, one at a fixed distance before it.  False:
 * there is none.
 */
bool dwarf_object_at(struct dwarf_file *d, uint64_t address, struct dwarf_symbol *out);

/*
 * Where pieces of code that stay in memory begin, by ascending addresses: a module's sections, which are placed one by one, and all of the
 * kernel from its _stext on.  Each is a symbol that no other function has; size is that of the rest of the piece.
 */
size_t dwarf_pieces(struct dwarf_file *d, const struct dwarf_symbol **pieces);

/* Did the compiler make a function of it that may have other parameters, such as "name.isra.0"? */
bool dwarf_has_clone(struct dwarf_file *d, const char *name);

/* Is its unit one of Go? */
bool dwarf_function_is_go(struct dwarf_file *d, uint64_t ref);
/* Parameters at the entry address, and the return value. */
int dwarf_function_proto(struct dwarf_file *d, uint64_t ref, uint64_t entry, unsigned about, struct proto *p,
			 struct problem *why);

/* The same of a function that is called, if its code is here. */
bool dwarf_callee_proto(struct dwarf_file *d, uint64_t ref, struct proto *p);

/*
 * Where a variable of all or one of the source files (file, "" = all) is.  -1: there is none (nearest names), or it has no
 * fixed address.
 */
int dwarf_variable(struct dwarf_file *d, const char *name, const char *file, struct fetch *f, struct problem *why);

/* The function of this name that has code; 0: there is none, or *several. */
uint64_t dwarf_function_named(struct dwarf_file *d, const char *name, bool *several);

/*
 * The one that the name means in the function, of those that are in no function.  -1: there is none, or it has no fixed address; why: if that
 * is of a thread.  1: the function's source declares it, but this file does not define it.
 */
int dwarf_variable_in_scope(struct dwarf_file *d, uint64_t ref, const char *name, struct fetch *f, struct problem *why);

/* The one of the name that all units see; false: there is none, or it has no fixed address. */
bool dwarf_variable_external(struct dwarf_file *d, const char *name, struct fetch *f);

/* Statements, in all units or in those that begin at the offsets given.  Only addresses in the DWARF's own terms are known to be code. */
struct dwarf_units {
	const uint64_t *v;
	size_t n;
};
void dwarf_statements(struct dwarf_file *d, const struct lines_wanted *w, const struct dwarf_units *units, struct statements *out);
/* What is at the address; false: no function with debug information.  Its line is 0 if that is not known. */
bool dwarf_statement_at(struct dwarf_file *d, uint64_t address, struct statement *out);
/* At the entry of a function, parameters are left out: dwarf_function_proto() has them. */
void dwarf_statement_variables(struct dwarf_file *d, const struct statement *t, struct statement_variables *out);
/* Of a statement that calls a function with this prototype: what it will be called with.  Registers have it already, as at its entry. */
void dwarf_call_variables(struct dwarf_file *d, const struct statement *t, const struct proto *p, struct statement_variables *out);

/*
 * All rows of the line tables by ascending addresses, each of them once.  file: as the compiler was given it, interned; NULL: the code has no line,
 * or ends there.
 */
struct dwarf_row {
	uint64_t address; /* as linked */
	const char *file;
	unsigned line;
};
void dwarf_rows(struct dwarf_file *d, void (*add)(void *ctx, const struct dwarf_row *row), void *ctx);

#endif
