/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C types as debug information describes them: struct dtype is a handle that hides whether it is BTF or DWARF.  Handles live in the
 * arena given to the source (kernel_open(), elf_open()) and are valid as long as it.  Questions about kind, size and members look
 * through typedefs and const/volatile; only the text shows them.
 */
#ifndef DEBUGINFO_TYPES_H
#define DEBUGINFO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "translator/debuginfo/fetch.h"
#include "translator/debuginfo/problem.h"

struct dtype;

enum dtype_kind {
	DTYPE_VOID,
	DTYPE_INT, /* char too */
	DTYPE_BOOL,
	DTYPE_ENUM,
	DTYPE_FLOAT,
	DTYPE_POINTER, /* C++ references too */
	DTYPE_ARRAY,
	DTYPE_STRUCT, /* and C++ classes */
	DTYPE_UNION,
	DTYPE_FUNCTION,
	DTYPE_INCOMPLETE, /* declared only: no size, no members; damaged debug information gives this too */
};

enum dtype_kind dtype_kind(const struct dtype *t);
/* Bytes; 0 for void, functions, incomplete types and arrays of unknown length. */
uint64_t dtype_size(const struct dtype *t);
/* True for signed integers, enums with negative constants, and plain char. */
bool dtype_is_signed(const struct dtype *t);
/* char *, char [n] and their unsigned and signed forms, through qualifiers and typedefs. */
bool dtype_is_string(const struct dtype *t);
/* "struct file *", "const char *", "char [16]", "int (*)(struct inode *, int)". */
const char *dtype_text(struct arena *a, const struct dtype *t);
/* As SystemTap's -L prints it: no space before '*', qualifiers after what they qualify: "struct file*", "char const*". */
const char *dtype_text_short(struct arena *a, const struct dtype *t);

/* What a pointer points to, what an array has as elements, what a function returns, void included; NULL for the others. */
const struct dtype *dtype_target(const struct dtype *t);
/* A pointer to the type; NULL when it would have more than 15 stars that the source does not have. */
const struct dtype *dtype_pointer(const struct dtype *t);
/* Do the types look the same to a script: equal text, kind and size, though perhaps from two sources? */
bool dtype_same(struct arena *a, const struct dtype *x, const struct dtype *y);
/* Elements of an array; 0 = unknown. */
uint64_t dtype_count(const struct dtype *t);

struct dtype_member {
	const char *name; /* "" for an anonymous struct or union, or for padding */
	const struct dtype *type;
	uint64_t bit_off;   /* from the start of the struct */
	unsigned bit_width; /* 0 = not a bit-field */
};
/* The direct members in order of declaration; none for other kinds. */
size_t dtype_members(struct arena *a, const struct dtype *t, const struct dtype_member **out);
/* Members as a path names them: anonymous ones are replaced by their members. */
size_t dtype_members_flat(struct arena *a, const struct dtype *t, const struct dtype_member **out);

struct dtype_enumerator {
	const char *name;
	int64_t value;
};
size_t dtype_enumerators(struct arena *a, const struct dtype *t, const struct dtype_enumerator **out);

enum dtype_step_kind {
	DTYPE_STEP_MEMBER, /* ->name or .name: the same; pointers are followed as needed */
	DTYPE_STEP_INDEX,  /* [constant] of an array or pointer */
	DTYPE_STEP_INPUT,  /* [expression]: index is the number of the caller's input (FETCH_INPUT) */
	DTYPE_STEP_DEREF,  /* what the pointer points to */
};
struct dtype_step {
	enum dtype_step_kind kind;
	const char *name;
	int64_t index;
};
/* From a fetch to what the steps lead to, not yet finished by fetch_value().  0, or -1 with why (why->step, why->near). */
int dtype_path(struct arena *a, const struct fetch *from, const struct dtype_step *steps, size_t n,
	       struct fetch *to, struct problem *why);

/* --- finding types by name: a kernel's or an ELF file's --- */
struct dtypes;

/* "struct task_struct", "union u", "enum pid_type", "pid_t", "task_struct", "unsigned long"; each may end in '*'s.  NULL with why. */
const struct dtype *dtypes_find(struct dtypes *ts, const char *name, struct problem *why);
/* The value of an enum constant. False if there is none of this name. */
bool dtypes_enumerator(struct dtypes *ts, const char *name, int64_t *value);
/* Adds the names of all enum constants. */
void dtypes_nearest_enumerators(struct dtypes *ts, struct nearest *near);

#endif
