/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fetch program: how to compute one value when a probe is hit, resolved to registers, constants and memory
 * accesses. It is a straight line of stack operations (fetch.def), without jumps, that leaves exactly one
 * 64-bit value; so an emitter can turn it into C expressions one by one, and it never needs more than
 * FETCH_MAX_DEPTH places.
 *
 * A struct fetch is an lvalue or a value, as in C:
 *  - FETCH_IN_MEMORY: the program leaves the address of an object of the type, in the address space;
 *  - FETCH_AS_VALUE: it leaves the value itself (already extended to 64 bits by the type).
 * dtype_path() (types.h) goes from one to the next; fetch_value() or fetch_address() finish it.
 */
#ifndef DEBUGINFO_FETCH_H
#define DEBUGINFO_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "translator/debuginfo/problem.h"

struct dtype;

enum fetch_opcode {
#define FETCH_OP(id, name, pops, pushes, how, text) id,
#include "translator/debuginfo/fetch.def"
#undef FETCH_OP
	FETCH_OPCODES
};

enum fetch_space { FETCH_KERNEL, FETCH_USER };

enum { FETCH_MAX_DEPTH = 16, FETCH_MAX_OPS = 256 };

struct fetch_op {
	enum fetch_opcode code;
	int64_t n;
	uint64_t size;          /* DEREF, EXT: 1, 2, 4, 8; INDEX: of an element; no size, BLOCK: offset of struct elf_blocks, IMAGE: see fetch.def */
	unsigned width;         /* BITS: 1..64 */
	bool is_signed;         /* DEREF, BITS, EXT */
	enum fetch_space space; /* DEREF */
	const char *symbol;     /* SYMBOL, until it is in the script's table: its name, */
	const char *module;     /* and the module that has it; NULL: the kernel */
};

enum fetch_where { FETCH_AS_VALUE, FETCH_IN_MEMORY };

struct fetch {
	const struct fetch_op *ops; /* in the arena, never changed once made */
	unsigned nops;
	/* For a struct of 9 to 24 bytes in two or three registers: the programs of its second and third word. */
	const struct fetch_op *high, *third;
	unsigned nhigh, nthird;
	enum fetch_where where;
	enum fetch_space space; /* where its address, and pointers read from it, point to */
	unsigned unknown;       /* of a struct in parts: a bit for each of its up to 24 bytes that is nowhere */
	const struct dtype *type;
	unsigned bit_width; /* a bit-field in memory: its width, else 0 */
	unsigned bit_off;   /* and first bit in the bytes at the address, from the least significant; < 8 */
	/* About the result, once finished by fetch_value() or fetch_address(): */
	unsigned size; /* bytes of the C type: 1, 2, 4, 8 */
	bool is_signed;
	bool is_pointer; /* of pointer or array type: the value is an address */
	bool is_object;  /* of struct, union or array type: the value is the address of the object */
};

/* Name, and effect on the stack, of an operation. */
const char *fetch_op_name(enum fetch_opcode code);
unsigned fetch_op_pops(enum fetch_opcode code);
/* Can it end in an error?  Its C, as fetch.def has it. */
bool fetch_op_fails(enum fetch_opcode code);
const char *fetch_op_text(enum fetch_opcode code);

/* A fetch with one more operation at the end; from is not changed. */
struct fetch fetch_append(struct arena *a, const struct fetch *from, struct fetch_op op);

/* Start of @cast(input n, "type"): an object of the type at the address that the n-th input gives. */
struct fetch fetch_object_at_input(struct arena *a, unsigned n, const struct dtype *type,
				   enum fetch_space space);
/* The n-th input itself as a value of the type. */
struct fetch fetch_input(struct arena *a, unsigned n, const struct dtype *type, enum fetch_space space);

/*
 * The value as a 64-bit integer: loads what is in memory with the size and signedness of its type; bit-fields
 * are cut out. Arrays decay to the address of their first element; so do struct and union (is_object is set:
 * callers decide whether they want that).  -1: a function, void, an incomplete type, or a number wider than 8
 * bytes.
 */
int fetch_value(struct arena *a, const struct fetch *from, struct fetch *to, struct problem *why);
/* The address of the object (C's &); -1 for values in registers and bit-fields. */
int fetch_address(struct arena *a, const struct fetch *from, struct fetch *to, struct problem *why);

/* True if the program keeps the rules: known operations, enough on the stack, depth and length limits, one value left. */
bool fetch_ok(const struct fetch *f);
/* Is it computed from registers, inputs and constants, so that it cannot fail or wait? */
bool fetch_is_in_registers(const struct fetch *f);
/* Does it count from the function's frame? */
bool fetch_is_on_stack(const struct fetch *f);

#endif
