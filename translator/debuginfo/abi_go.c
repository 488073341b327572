/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How Go passes values: "Go internal ABI specification", ABIInternal, from Go 1.17 on.  A value is taken apart into numbers, pointers and floating
 * point numbers; if there is a register for each of them, all are passed in registers, else the whole is on the stack.  Results go the same way, in
 * the same registers.
 */
#include <inttypes.h>
#include <string.h>

#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/dtype.h"

enum { WORDS = 3, ALL_BYTES = 0xffffff }; /* words that a struct fetch can hold, and the mask of their bytes */

struct going {
	const struct target *target;
	struct arena *a;
	struct fetch start; /* empty program with the space */
	unsigned integers, vectors; /* registers that are taken */
	uint64_t stack;             /* bytes of the area on the stack that are taken */
	bool registers;             /* false: all is on the stack, as before 1.17 */
	const char *lost;           /* set: no later value can be placed either */
	/* Of the value that is being placed: */
	struct fetch words[WORDS];
	unsigned unknown, visits;
	bool incomplete;
};

static bool is_complex(const struct dtype *t)
{
	struct dtype_node n;

	dtype_strip(t, &n, NULL, NULL);
	return !strncmp(n.name, "complex", 7);
}

/* The bytes at off of the value are those of the next register. */
static bool take_register(struct going *g, uint64_t off, uint64_t size)
{
	struct fetch_op read = {.code = FETCH_REG}, cut = {.code = FETCH_BITS, .width = (unsigned)(8 * size)};
	struct fetch *word = &g->words[off / 8 < WORDS ? off / 8 : 0];
	bool more = word->nops;

	if (g->integers >= g->target->ngo_arguments)
		return false;
	read.n = g->target->go_arguments[g->integers++];
	if (off / 8 >= WORDS || off % 8 + size > 8)
		return true; /* it is there, but a value of more than three words has only its first three */
	g->unknown &= ~(((1u << size) - 1) << off);
	*word = fetch_append(g->a, word, read);
	if (size < 8)
		*word = fetch_append(g->a, word, cut);
	if (off % 8) {
		*word = fetch_append(g->a, word, (struct fetch_op){.code = FETCH_CONST, .n = (int64_t)(8 * (off % 8))});
		*word = fetch_append(g->a, word, (struct fetch_op){.code = FETCH_SHL});
	}
	if (more)
		*word = fetch_append(g->a, word, (struct fetch_op){.code = FETCH_OR});
	return true;
}

static bool take(struct going *g, const struct dtype *t, uint64_t off, unsigned depth);

static bool take_members(struct going *g, const struct dtype *t, uint64_t off, unsigned depth)
{
	const struct dtype_member *v;
	size_t n = dtype_members(g->a, t, &v);

	for (size_t i = 0; i < n; i++)
		if (!take(g, v[i].type, off + v[i].bit_off / 8, depth + 1))
			return false;
	return true;
}

/* Gives registers to what lies at off of the value; false: there are not enough, or it cannot be in any. */
static bool take(struct going *g, const struct dtype *t, uint64_t off, unsigned depth)
{
	uint64_t size = dtype_size(t);
	enum dtype_kind kind = dtype_kind(t);

	if (depth > ABI_NESTING || g->visits++ > ABI_VISITS) {
		g->incomplete = true;
		return false;
	}
	switch (kind) {
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
		g->incomplete |= !size || size > 8;
		return !g->incomplete && take_register(g, off, size);
	case DTYPE_FUNCTION: /* a function is a pointer to what it needs */
		return take_register(g, off, g->target->word);
	case DTYPE_FLOAT:
		g->vectors += is_complex(t) ? 2 : 1;
		return g->vectors <= g->target->ngo_vectors;
	case DTYPE_ARRAY:
		if (dtype_count(t) == 1)
			return take(g, dtype_target(t), off, depth + 1);
		return dtype_count(t) == 0;
	case DTYPE_STRUCT:
		return take_members(g, t, off, depth);
	case DTYPE_UNION:
	case DTYPE_VOID:
	case DTYPE_INCOMPLETE:
		break;
	}
	g->incomplete = true;
	return false;
}

/* The greatest alignment of what a value has in it; 0: it is not known. */
static uint64_t alignment(struct going *g, const struct dtype *t, unsigned depth)
{
	const struct dtype_member *v;
	uint64_t most = 1;
	size_t n;

	if (depth > ABI_NESTING || g->visits++ > ABI_VISITS)
		return 0;
	switch (dtype_kind(t)) {
	case DTYPE_ARRAY:
		return alignment(g, dtype_target(t), depth + 1);
	case DTYPE_STRUCT:
		n = dtype_members(g->a, t, &v);
		for (size_t i = 0; i < n && most; i++) {
			uint64_t one = alignment(g, v[i].type, depth + 1);
			most = one && one < most ? most : one;
		}
		return most;
	case DTYPE_FUNCTION:
		return g->target->word;
	case DTYPE_UNION:
	case DTYPE_VOID:
	case DTYPE_INCOMPLETE:
		return 0;
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
	case DTYPE_FLOAT:
		break;
	}
	return is_complex(t) ? dtype_size(t) / 2 : dtype_size(t);
}

static void not_placed(struct going *g, struct proto_value *v, const char *how)
{
	problem_set(&v->why, g->a, PROBLEM_NOT_PLACED, "\"%s\" of type \"%s\" %s", v->name[0] ? v->name : "$return", dtype_text(g->a, v->type), how);
}

static void on_stack(struct going *g, struct proto_value *v, uint64_t align)
{
	struct fetch f;

	g->stack = (g->stack + align - 1) / align * align;
	f = fetch_append(g->a, &g->start, (struct fetch_op){.code = FETCH_CFA});
	f = fetch_append(g->a, &f, (struct fetch_op){.code = FETCH_ADD, .n = (int64_t)g->stack});
	f.where = FETCH_IN_MEMORY;
	f.type = v->type;
	v->fetch = f;
	v->placed = true;
	g->stack += dtype_size(v->type);
}

static void in_registers(struct going *g, struct proto_value *v)
{
	uint64_t size = dtype_size(v->type);
	enum dtype_kind kind = dtype_kind(v->type);
	struct fetch f = g->words[0];

	if (kind == DTYPE_FLOAT || (g->unknown == ALL_BYTES && size)) {
		not_placed(g, v, "is passed in vector registers, which a probe cannot read");
		return;
	}
	if (!size || kind == DTYPE_FUNCTION || kind == DTYPE_ARRAY) {
		not_placed(g, v, !size ? "is empty" : kind == DTYPE_ARRAY ? "is an array in a register" : "is a function");
		return;
	}
	for (unsigned i = 0; i < WORDS; i++)
		if (!g->words[i].nops)
			g->words[i] = fetch_append(g->a, &g->words[i], (struct fetch_op){.code = FETCH_CONST});
	f = g->words[0];
	f.where = FETCH_AS_VALUE;
	f.type = v->type;
	if (kind == DTYPE_STRUCT) {
		f.unknown = g->unknown;
		f.high = size > 8 ? g->words[1].ops : NULL;
		f.nhigh = size > 8 ? g->words[1].nops : 0;
		f.third = size > 16 ? g->words[2].ops : NULL;
		f.nthird = size > 16 ? g->words[2].nops : 0;
	} else if (size < 8) {
		f = fetch_append(g->a, &f, (struct fetch_op){.code = FETCH_EXT, .size = size, .is_signed = dtype_is_signed(v->type)});
	}
	v->fetch = f;
	v->placed = true;
}

static void place(struct going *g, struct proto_value *v)
{
	unsigned integers = g->integers, vectors = g->vectors;
	uint64_t align;

	if (g->lost) {
		not_placed(g, v, g->lost);
		return;
	}
	for (unsigned i = 0; i < WORDS; i++)
		g->words[i] = g->start;
	g->unknown = ALL_BYTES;
	g->visits = 0;
	g->incomplete = false;
	if (g->registers && take(g, v->type, 0, 0)) {
		in_registers(g, v);
		return;
	}
	g->integers = integers;
	g->vectors = vectors;
	g->visits = 0;
	align = alignment(g, v->type, 0);
	if (g->incomplete || !align) {
		not_placed(g, v, "cannot be placed: the type is not complete in the debug information");
		g->lost = "cannot be placed: the type of a value before it is not complete in the debug information";
		return;
	}
	on_stack(g, v, align);
}

void abi_place_go(const struct target *target, struct arena *a, struct proto_value *params, size_t n, struct proto_value *results,
		  size_t nresults, bool registers, bool hidden, enum fetch_space space)
{
	struct going g = {.target = target, .a = a, .start = {.space = space}, .registers = registers && target->ngo_arguments};

	if (registers && !target->ngo_arguments)
		g.lost = "cannot be placed: how Go passes it on this machine is not known";
	g.integers = hidden;
	for (size_t i = 0; i < n; i++)
		place(&g, &params[i]);
	g.integers = g.vectors = 0;
	g.stack = (g.stack + target->word - 1) / target->word * target->word;
	for (size_t i = 0; i < nresults; i++)
		place(&g, &results[i]);
}
