/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: where the target's calling convention puts parameters and the return value. */
#ifndef DEBUGINFO_ABI_H
#define DEBUGINFO_ABI_H

#include "translator/debuginfo/proto.h"
#include "translator/debuginfo/target.h"

/*
 * Fills in fetch, placed and why of all values of p, whose names and types are already set; values in memory are in this address
 * space.  The kernel is compiled without floating point registers; its convention is otherwise the same.
 */
void abi_place(const struct target *target, struct arena *a, struct proto_value *params, size_t n, struct proto_value *ret,
	       bool returns, enum fetch_space space);
/*
 * The same for values that come with a hit, each in 8 bytes (FETCH_GIVEN).  A value that is wider has none, nor have those after it, since it
 * is not known in how many pieces it comes.
 */
void abi_place_given(struct arena *a, struct proto_value *params, size_t n, enum fetch_space space);
/* The same for the arguments of a system call and its result, which are numbers of 8 bytes. */
void abi_place_call(struct arena *a, struct proto_value *params, size_t n, struct proto_value *ret);
/*
 * The same for a function of Go (abi_go.c), which may have several results.  registers: values are passed in registers, as from Go 1.17 on;
 * hidden: the first of these has something else.
 */
void abi_place_go(const struct target *target, struct arena *a, struct proto_value *params, size_t n, struct proto_value *results,
		  size_t nresults, bool registers, bool hidden, enum fetch_space space);
/* True if the caller copies it and passes the address of the copy, as C++ does for types with a copy constructor. */
bool abi_by_reference(const struct dtype *t);

/* --- for the files of arch/ --- */

/* How a word of a value, or the whole, is passed. */
enum class {
	CLASS_NONE,      /* nothing is passed */
	CLASS_INTEGER,   /* a general register */
	CLASS_VECTOR,
	CLASS_MEMORY,    /* a copy on the stack; this and the following ones are for the whole value, and are in c[0] */
	CLASS_FLOAT,     /* the same, but returned in a floating point register */
	CLASS_REFERENCE, /* a copy somewhere, and its address in a general register */
	CLASS_UNKNOWN,
};

struct placing {
	enum class c[2];             /* by words */
	unsigned integers, vectors;  /* registers that it takes */
	uint64_t size;
	uint64_t align;              /* on the stack: 8 or 16 */
	unsigned visits;             /* of types, so far: types of damaged debug information contain themselves */
};

/* Types with deeper nesting or more parts are not supported. */
enum { ABI_VISITS = 4096, ABI_NESTING = 16 };

#endif
