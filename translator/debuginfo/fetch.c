/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds, finishes, checks and prints fetch programs.  Programs are immutable: each step makes a new one in the arena. */
#include "translator/debuginfo/fetch.h"

#include <inttypes.h>
#include <string.h>

#include "translator/debuginfo/target.h"
#include "translator/debuginfo/types.h"

static const struct {
	const char *name;
	unsigned char pops, pushes;
	bool fails;
	const char *text;
} ops[FETCH_OPCODES] = {
#define SURE false
#define FAILS true
#define FETCH_OP(id, name, pops, pushes, how, text) [id] = {name, pops, pushes, how, text},
#include "translator/debuginfo/fetch.def"
#undef FETCH_OP
#undef SURE
#undef FAILS
};

const char *fetch_op_name(enum fetch_opcode code)
{
	return (unsigned)code < FETCH_OPCODES ? ops[code].name : "?";
}

unsigned fetch_op_pops(enum fetch_opcode code)
{
	return (unsigned)code < FETCH_OPCODES ? ops[code].pops : 0;
}

bool fetch_op_fails(enum fetch_opcode code)
{
	return (unsigned)code < FETCH_OPCODES && ops[code].fails;
}

const char *fetch_op_text(enum fetch_opcode code)
{
	return (unsigned)code < FETCH_OPCODES ? ops[code].text : "";
}

bool fetch_is_in_registers(const struct fetch *f)
{
	for (unsigned i = 0; i < f->nops; i++) {
		enum fetch_opcode code = f->ops[i].code;
		bool is_source = code == FETCH_CONST || code == FETCH_REG || code == FETCH_ARG || code == FETCH_GIVEN || code == FETCH_RETVAL ||
				 code == FETCH_INPUT;
		if (!is_source && code != FETCH_ADD && code != FETCH_BITS && code != FETCH_EXT)
			return false;
	}
	return true;
}

struct fetch fetch_append(struct arena *a, const struct fetch *from, struct fetch_op op)
{
	struct fetch to = *from;
	struct fetch_op *v;

	if (op.code == FETCH_ADD && op.n == 0)
		return to;
	v = arena_array(a, struct fetch_op, from->nops + 1);
	if (from->nops)
		memcpy(v, from->ops, from->nops * sizeof *v);
	if (op.code == FETCH_ADD && from->nops && v[from->nops - 1].code == FETCH_ADD) {
		v[from->nops - 1].n = (int64_t)((uint64_t)v[from->nops - 1].n + (uint64_t)op.n);
	} else {
		v[from->nops] = op;
		to.nops++;
	}
	to.ops = v;
	return to;
}

struct fetch fetch_input(struct arena *a, unsigned n, const struct dtype *type, enum fetch_space space)
{
	struct fetch f = {.where = FETCH_AS_VALUE, .type = type, .space = space};

	return fetch_append(a, &f, (struct fetch_op){.code = FETCH_INPUT, .n = n});
}

struct fetch fetch_object_at_input(struct arena *a, unsigned n, const struct dtype *type,
				   enum fetch_space space)
{
	struct fetch f = fetch_input(a, n, type, space);

	f.where = FETCH_IN_MEMORY;
	return f;
}

static void add(struct arena *a, struct fetch *f, struct fetch_op op)
{
	*f = fetch_append(a, f, op);
}

static void finish(struct fetch *f, unsigned size, bool is_signed)
{
	f->where = FETCH_AS_VALUE;
	f->high = f->third = NULL;
	f->nhigh = f->nthird = 0;
	f->unknown = 0;
	f->bit_width = 0;
	f->bit_off = 0;
	f->size = size;
	f->is_signed = is_signed;
}

/* Reads only the bytes of a bit-field, so that nothing after the object is accessed, and extracts it. */
static void load_bits(struct arena *a, struct fetch *f, bool is_signed)
{
	unsigned n = (f->bit_off + f->bit_width + 7) / 8, at = 0, part;

	if ((n & (n - 1)) == 0 && n <= 8) {
		add(a, f, (struct fetch_op){.code = FETCH_DEREF, .size = n, .space = f->space});
		add(a, f,
		    (struct fetch_op){.code = FETCH_BITS,
				      .n = f->bit_off,
				      .width = f->bit_width,
				      .is_signed = is_signed});
		return;
	}
	/* address -> address value, one more part in each turn */
	add(a, f, (struct fetch_op){.code = FETCH_CONST, .n = 0});
	while (at < n) {
		int shift = 8 * (int)at - (int)f->bit_off;

		for (part = 8; part > n - at; part /= 2)
			;
		add(a, f, (struct fetch_op){.code = FETCH_OVER});
		add(a, f, (struct fetch_op){.code = FETCH_ADD, .n = at});
		add(a, f, (struct fetch_op){.code = FETCH_DEREF, .size = part, .space = f->space});
		add(a, f, (struct fetch_op){.code = FETCH_CONST, .n = shift < 0 ? -shift : shift});
		add(a, f, (struct fetch_op){.code = shift < 0 ? FETCH_SHR : FETCH_SHL});
		add(a, f, (struct fetch_op){.code = FETCH_OR});
		at += part;
	}
	add(a, f, (struct fetch_op){.code = FETCH_SWAP});
	add(a, f, (struct fetch_op){.code = FETCH_DROP});
	add(a, f,
	    (struct fetch_op){.code = FETCH_BITS, .n = 0, .width = f->bit_width, .is_signed = is_signed});
}

static int value_of_number(struct arena *a, struct fetch *f, struct problem *why)
{
	uint64_t size = dtype_size(f->type);
	bool is_signed = dtype_is_signed(f->type);

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return problem_set(why, a, PROBLEM_NOT_SCALAR,
				   "a value of type \"%s\" has %" PRIu64 " bytes; at most 8 can be read",
				   dtype_text(a, f->type), size);
	if (f->where == FETCH_IN_MEMORY) {
		if (f->bit_width)
			load_bits(a, f, is_signed);
		else
			add(a, f,
			    (struct fetch_op){.code = FETCH_DEREF,
					      .size = size,
					      .is_signed = is_signed,
					      .space = f->space});
	}
	finish(f, (unsigned)size, is_signed);
	return 0;
}

int fetch_value(struct arena *a, const struct fetch *from, struct fetch *to, struct problem *why)
{
	struct fetch f = *from;
	enum dtype_kind kind = dtype_kind(f.type);

	switch (kind) {
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
		if (value_of_number(a, &f, why) < 0)
			return -1;
		f.is_pointer = kind == DTYPE_POINTER;
		break;
	case DTYPE_ARRAY:
	case DTYPE_STRUCT:
	case DTYPE_UNION:
	case DTYPE_FUNCTION:
		if (f.where == FETCH_AS_VALUE)
			return problem_set(why, a, PROBLEM_NOT_SCALAR,
					   "\"%s\" is passed in a register and has no address; name a member",
					   dtype_text(a, f.type));
		finish(&f, 8, false);
		f.is_pointer = kind == DTYPE_ARRAY || kind == DTYPE_FUNCTION;
		f.is_object = kind != DTYPE_FUNCTION;
		break;
	case DTYPE_FLOAT:
		problem_set(why, a, PROBLEM_NOT_SCALAR, "a value of floating point type \"%s\" cannot be read as a number",
			    dtype_text(a, f.type));
		if (why && f.where == FETCH_IN_MEMORY && !f.bit_width)
			why->bits = dtype_size(f.type) == 4 ? "unsigned int" : dtype_size(f.type) == 8 ? "unsigned long" : NULL;
		return -1;
	case DTYPE_VOID:
		return problem_set(why, a, PROBLEM_NOT_SCALAR, "void has no value");
	case DTYPE_INCOMPLETE:
		return problem_set(why, a, PROBLEM_INCOMPLETE,
				   "\"%s\" is declared but not defined in the debug information",
				   dtype_text(a, f.type));
	}
	*to = f;
	return 0;
}

int fetch_address(struct arena *a, const struct fetch *from, struct fetch *to, struct problem *why)
{
	struct fetch f = *from;

	if (f.where != FETCH_IN_MEMORY)
		return problem_set(why, a, PROBLEM_NO_ADDRESS, "a value in a register has no address");
	if (f.bit_width)
		return problem_set(why, a, PROBLEM_NO_ADDRESS, "a bit-field has no address");
	finish(&f, 8, false);
	f.is_pointer = true;
	*to = f;
	return 0;
}

static bool size_ok(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool op_ok(const struct fetch_op *op)
{
	if ((unsigned)op->code >= FETCH_OPCODES)
		return false;
	if (op->code == FETCH_DEREF || op->code == FETCH_EXT)
		return size_ok(op->size);
	if (op->code == FETCH_BITS)
		return op->width >= 1 && op->n >= 0 && op->n < 64 && op->n + op->width <= 64;
	if (op->code == FETCH_REG || op->code == FETCH_UREG)
		return op->n >= 0 && op->n < TARGET_REGISTERS;
	if (op->code == FETCH_ARG || op->code == FETCH_GIVEN)
		return op->n >= 0 && op->n < TARGET_ARGUMENTS;
	return true;
}

bool fetch_ok(const struct fetch *f)
{
	unsigned depth = 0, i;

	if (f->nops == 0 || f->nops > FETCH_MAX_OPS)
		return false;
	for (i = 0; i < f->nops; i++) {
		if (!op_ok(&f->ops[i]) || depth < ops[f->ops[i].code].pops)
			return false;
		depth += ops[f->ops[i].code].pushes - ops[f->ops[i].code].pops;
		if (depth > FETCH_MAX_DEPTH)
			return false;
	}
	return depth == 1;
}

bool fetch_is_on_stack(const struct fetch *f)
{
	for (unsigned i = 0; i < f->nops; i++)
		if (f->ops[i].code == FETCH_CFA)
			return true;
	return false;
}
