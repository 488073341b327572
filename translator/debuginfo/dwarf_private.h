/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by dwarf*.c, the only files that know libdw. */
#ifndef DEBUGINFO_DWARF_PRIVATE_H
#define DEBUGINFO_DWARF_PRIVATE_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>

#include "base/map.h"
#include "base/vec.h"
#include "translator/debuginfo/dwarf.h"

/*
 * A reference is the offset of a DIE with marks: the section or file it is in, and the dimension of an array, since libdw describes an
 * array of several dimensions by one DIE.
 */
#define REF_OFFSET (((uint64_t)1 << 48) - 1)
#define REF_DIMENSION_SHIFT 48
#define REF_DIMENSION ((uint64_t)15 << REF_DIMENSION_SHIFT)
#define REF_ALT ((uint64_t)1 << 54)   /* in the supplementary file (dwz) */
#define REF_TYPES ((uint64_t)1 << 55) /* in .debug_types */
#define REF_SPLIT_SHIFT 32            /* number of the .dwo file, with REF_SPLIT; the offset then has 32 bits */
#define REF_SPLIT ((uint64_t)1 << 53)
#define DWARF_MAX_SPLITS ((size_t)1 << 16)

enum { DWARF_MAX_SCOPES = 16 }; /* one within the other */

typedef VEC(struct dwarf_symbol) dwarf_symbols;

struct dwarf_file {
	struct dtypes dtypes; /* first */
	const struct target *target;
	Dwfl *dwfl;
	Dwfl_Module *module;
	Dwarf *dwarf;
	Dwarf_Addr shift; /* from an address in the DWARF to one in the program file */
	Elf *program;     /* libdwfl's: the DWARF may be in another file */
	Dwarf_Addr program_bias; /* from an address in the program file to one of libdwfl's */
	Dwarf_Addr bias;  /* the same for the file with the DWARF, as libdwfl takes it: it may differ from shift + program_bias */
	enum fetch_space space;
	bool pie;
	bool alone; /* dwarf_file_open() */
	struct {
		enum { BLOCK_UNKNOWN, BLOCK_OF_PROGRAM, BLOCK_OF_LIBRARY } kind;
		int64_t distance;      /* of a program: from the thread pointer */
		uint32_t list, offset; /* of a library: struct elf_blocks */
	} thread_block;     /* where the variables are that each thread has of its own */
	struct map defined; /* "struct name" -> struct found *, once looked for */
	dwarf_symbols functions, objects; /* in order of addresses, read when first needed */
	const char *name;   /* of a module; NULL: it is none */
	bool symbols_read;
	const struct dwarf_index *index; /* or NULL */
	struct map split_numbers; /* Dwarf of a .dwo file -> its number from 1 */
	VEC(Dwarf *) splits;
	const char *package;         /* the path of a package of .dwo files, or NULL */
	const char *package_problem; /* why the package is not read, or NULL */
	Dwarf *own;                  /* with a package that is read: dwarf, opened by us and not by libdwfl; else NULL */
	struct map dwo_names;        /* with a package that is read: place of a unit -> the real name of its .dwo file */
	uint64_t text;      /* the address of the kernel's _stext */
};

extern const struct dtypes_ops dwarf_types_ops;

/* The reference of a DIE of the file, of its .dwo files or of the supplementary file of dwz; it stays true when these are read again. */
uint64_t dwarf_ref(const struct dwarf_file *d, Dwarf_Die *die);
/* The DIE of a reference; false: there is none there. */
bool dwarf_die(const struct dwarf_file *d, uint64_t ref, Dwarf_Die *die);
/* As dwarf_decl_file(), which ends the program for units of .dwo files whose lines were read (libdw 0.188). */
const char *dwarf_file_of(Dwarf_Die *die);
/* The place of a unit as a key of maps. */
const char *dwarf_place_of_unit(Dwarf_Die *unit);
/* The name that a skeleton has for its .dwo file, and the path of it; NULL: it has none. */
const char *dwarf_dwo_name(const struct dwarf_file *d, Dwarf_Die *skeleton);
const char *dwarf_dwo_path(const struct dwarf_file *d, Dwarf_Die *skeleton);
/* Reads the package (.dwp) beside the program, if it has one. */
void dwarf_package_use(struct dwarf_file *d, const char *program);
/* The next unit; for one that was split off (-gsplit-dwarf) that of its .dwo file, with the kind DW_UT_compile, if it can be read. */
bool dwarf_unit_after(const struct dwarf_file *d, Dwarf *dwarf, Dwarf_CU **cu, uint8_t *kind, Dwarf_Die *unit);
/* The same for a unit that was read otherwise: of a skeleton whose .dwo file can be read, kind and unit become those there, else they stay. */
void dwarf_use_split(const struct dwarf_file *d, uint8_t *kind, Dwarf_Die *unit);
/* Reference of the DIE's type, 0 = void. */
uint64_t dwarf_type_ref(const struct dwarf_file *d, Dwarf_Die *die);
/* First child and next sibling, strictly forward in the file, so that damaged chains end. */
bool dwarf_first(Dwarf_Die *parent, Dwarf_Die *child);
bool dwarf_next(Dwarf_Die *die);
/* Calls back for the top-level DIEs of all units, and those in namespaces, until cb returns false. */
bool dwarf_walk(struct dwarf_file *d, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx);

/*
 * The same for the units that may define the name: a function, a variable or a type.  Without an index that is all of them.
 */
bool dwarf_walk_for(struct dwarf_file *d, const char *name, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx);
/* The units that have names of the pattern, as far as they are of the file (NULL: any); false: there is no index. */
bool dwarf_index_units(const struct dwarf_file *d, const char *pattern, const char *file, struct dwarf_units *out);
/* The units that have one of n names, and those that begin at the offsets of also, each once. */
bool dwarf_index_units_of(const struct dwarf_file *d, const char *const *names, size_t n, const struct dwarf_units *also, struct dwarf_units *out);
/*
 * libdw keeps what it reads of units, up to 400 MB of a kernel's.  dwarf_read_again() opens a file with an index once more, and
 * dwarf_read_before(), which is given the result, closes that again with all its memory.  DIEs that were read between are gone then; references stay.
 */
Dwarf *dwarf_read_again(struct dwarf_file *d);
void dwarf_read_before(struct dwarf_file *d, Dwarf *before);
/* All names of the index. */
void dwarf_index_names(const struct dwarf_file *d, void (*cb)(void *ctx, const char *name), void *ctx);

/* Functions whose calls are wanted since others call them: level 2 are those that the first ones call, and so on. */
struct dwarf_callers {
	struct dwarf_file *file;
	struct map external; /* name as linked -> struct wanted_caller */
	struct map own;      /* of units: place of the DIE that all pieces of the function come from -> struct wanted_caller */
	unsigned deepest;    /* the greatest level of them */
};
/* A DIE of the function, or of its declaration.  A function keeps the smallest level. */
void dwarf_callers_want(struct dwarf_callers *c, const char *name, Dwarf_Die *die, unsigned level);
/* Is the DIE code of a function of just this level? */
bool dwarf_callers_has(const struct dwarf_callers *c, const char *name, Dwarf_Die *die, unsigned level);
/* The units that have those of a level; false: there is no index. */
bool dwarf_callers_units(const struct dwarf_callers *c, unsigned level, struct dwarf_units *out);

/* Address of the first instruction of a function, and how many bytes from there on are known to be its own. */
bool dwarf_entry(Dwarf_Die *die, Dwarf_Addr *entry, uint64_t *size);

/* Can other files call the function? */
bool dwarf_is_external(Dwarf_Die *die);
/* The name of a function, perhaps inlined, with its scope where its language has such. */
const char *dwarf_function_name(struct dwarf_file *d, Dwarf_Die *die);
/* The name of a variable with its scope: namespaces, classes, and the function that it is a static one of. */
const char *dwarf_variable_name(struct dwarf_file *d, Dwarf_Die *die);
/* A parameter that compilers add and no source names: which part of an object is made, and the table for that. */
bool dwarf_is_hidden(Dwarf_Die *die);

/* How long the instruction is that calls a fixed address and ends before this one; jump: that jumps to one.  0: there is none. */
unsigned dwarf_call_before(struct dwarf_file *d, Dwarf_Addr end, bool jump);

/* What a DWARF location means at the entry of a function. */
enum location {
	LOCATION_NONE,    /* no place at this address: optimised out */
	LOCATION_NO_OBJECT, /* a pointer to what was optimised out */
	LOCATION_COMPLEX, /* something that a fetch program cannot express */
	LOCATION_UNSET,   /* a stack slot that the function has not written yet */
	LOCATION_AT_ENTRY, /* computed from what registers had at the function's entry */
	LOCATION_OK,
};
/* attr: DW_AT_location of a variable in the function; the fetch gets where and ops, not the type. */
enum location dwarf_location(struct dwarf_file *d, Dwarf_Die *function, Dwarf_Attribute *attr, Dwarf_Addr pc,
			     struct fetch *f);
/*
 * The same for a parameter, as the caller left it.  A location that does not come from the caller's argument is none: a constant that
 * the parameter is set to first, or a register that only the function itself can have filled.  In a clone, constants are valid.
 */
enum location dwarf_location_at_entry(struct dwarf_file *d, Dwarf_Die *function, Dwarf_Attribute *attr, Dwarf_Addr pc,
				      bool clone, struct fetch *f);

/* The same at an instruction within the function, whose frame base it has (not that of an inlined one). */
enum location dwarf_location_within(struct dwarf_file *d, Dwarf_Die *function, Dwarf_Attribute *attr, Dwarf_Addr pc, struct fetch *f);
/* The value of a constant (DW_AT_const_value) of the type. */
enum location dwarf_constant(struct dwarf_file *d, Dwarf_Attribute *attr, const struct dtype *t, struct fetch *f);
/* The value of the type, extended as C has it. */
struct fetch dwarf_extended(struct arena *a, const struct fetch *f, const struct dtype *t);

#endif
