/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The x86-64 System V calling convention.  A type of up to 16 bytes is classified by eightbytes: INTEGER ones
 * take general registers, SSE ones vector registers; larger or unaligned aggregates, and whatever finds no
 * register, are copied onto the stack, in order, from the canonical frame address on.  Aggregates to be
 * returned in memory shift the parameters by one: rdi holds their address.
 */
#include "translator/debuginfo/abi.h"

#include <inttypes.h>
#include <string.h>

#include "translator/debuginfo/dtype.h"

enum class { CLASS_NONE, CLASS_INTEGER, CLASS_SSE, CLASS_MEMORY, CLASS_X87, CLASS_REFERENCE, CLASS_UNKNOWN };

struct placing {
	enum class c[2]; /* per eightbyte; MEMORY and those behind it stand in c[0] for the whole */
	uint64_t size;
	uint64_t align; /* on the stack: 8 or 16 */
	unsigned visits;
};

enum { MAX_VISITS = 4096, MAX_NESTING = 16, REGISTERS = 6, VECTORS = 8 };

static void merge(struct placing *p, uint64_t off, enum class c)
{
	enum class *at = &p->c[off / 8];

	if (*at == CLASS_NONE || c == CLASS_INTEGER)
		*at = c;
}

static void classify(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off, unsigned depth);

static void classify_members(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off,
			     unsigned depth)
{
	const struct dtype_member *v;
	size_t n = dtype_members(a, t, &v), i;

	for (i = 0; i < n && p->c[0] < CLASS_MEMORY; i++) {
		uint64_t bit = off * 8 + v[i].bit_off;

		if (!v[i].bit_width)
			classify(a, p, v[i].type, off + v[i].bit_off / 8, depth + 1);
		else if (bit + v[i].bit_width <= 8 * p->size) {
			merge(p, bit / 8, CLASS_INTEGER);
			merge(p, (bit + v[i].bit_width - 1) / 8, CLASS_INTEGER);
		}
	}
}

static void classify_array(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off,
			   unsigned depth)
{
	const struct dtype *element = dtype_target(t);
	uint64_t size = dtype_size(element), count = dtype_count(t), i;

	for (i = 0; size && i < count && p->c[0] < CLASS_MEMORY; i++)
		classify(a, p, element, off + i * size, depth + 1);
}

/* Adds the classes of what lies at off of a type of at most 16 bytes. */
static void classify(struct arena *a, struct placing *p, const struct dtype *t, uint64_t off, unsigned depth)
{
	uint64_t size = dtype_size(t);
	enum dtype_kind kind = dtype_kind(t);

	if (depth > MAX_NESTING || p->visits++ > MAX_VISITS || off + size < off || off + size > p->size) {
		p->c[0] = CLASS_UNKNOWN;
		return;
	}
	switch (kind) {
	case DTYPE_INT:
	case DTYPE_BOOL:
	case DTYPE_ENUM:
	case DTYPE_POINTER:
	case DTYPE_FLOAT:
		if (size == 0)
			p->c[0] = CLASS_UNKNOWN;
		else if (off % (size < 8 ? size : 8))
			p->c[0] = CLASS_MEMORY; /* packed: unaligned fields */
		else if (kind == DTYPE_FLOAT) {
			merge(p, off, CLASS_SSE);
			merge(p, off + size - 1, CLASS_SSE);
		} else {
			merge(p, off, CLASS_INTEGER);
			merge(p, off + size - 1, CLASS_INTEGER);
		}
		break;
	case DTYPE_ARRAY:
		classify_array(a, p, t, off, depth);
		break;
	case DTYPE_STRUCT:
	case DTYPE_UNION:
		classify_members(a, p, t, off, depth);
		break;
	case DTYPE_VOID:
	case DTYPE_FUNCTION:
	case DTYPE_INCOMPLETE:
		p->c[0] = CLASS_UNKNOWN;
		break;
	}
}

/* Some scalar inside needs 16-byte alignment: __int128, long double. */
static bool is_wide(struct arena *a, const struct dtype *t, unsigned depth, unsigned *visits)
{
	const struct dtype_member *v;
	enum dtype_kind kind = dtype_kind(t);
	size_t n, i;

	if (depth > MAX_NESTING || ++*visits > MAX_VISITS)
		return false;
	if (kind == DTYPE_ARRAY)
		return is_wide(a, dtype_target(t), depth + 1, visits);
	if (kind == DTYPE_INT || kind == DTYPE_FLOAT)
		return dtype_size(t) >= 16;
	n = dtype_members(a, t, &v);
	for (i = 0; i < n; i++)
		if (is_wide(a, v[i].type, depth + 1, visits))
			return true;
	return false;
}

static bool is_long_double(const struct dtype *t, const struct dtype_node *n)
{
	return n->kind == NODE_FLOAT && dtype_size(t) >= 16 && strstr(n->name, "long double");
}

bool abi_by_reference(const struct dtype *t)
{
	struct dtype_node n;
	uint64_t at;

	dtype_strip(t, &n, &at, NULL);
	return t->source->ops->by_reference && t->source->ops->by_reference(t->source, at);
}

static struct placing place(struct arena *a, const struct dtype *t)
{
	struct placing p = {.size = dtype_size(t)};
	struct dtype_node n;
	unsigned visits = 0;
	uint64_t at;

	dtype_strip(t, &n, &at, NULL);
	if (abi_by_reference(t))
		p.c[0] = CLASS_REFERENCE;
	else if (is_long_double(t, &n))
		p.c[0] = CLASS_X87;
	else if (p.size > 16)
		p.c[0] = CLASS_MEMORY;
	else
		classify(a, &p, t, 0, 0);
	if (p.c[0] == CLASS_NONE && p.c[1] != CLASS_NONE)
		p.c[0] = CLASS_UNKNOWN;
	p.align = is_wide(a, t, 0, &visits) ? 16 : 8;
	return p;
}

static bool is_aggregate(const struct dtype *t)
{
	enum dtype_kind kind = dtype_kind(t);

	return kind == DTYPE_STRUCT || kind == DTYPE_UNION;
}

/* What a general register holds, as a value of the type: only its own bytes are defined. */
static struct fetch in_register(struct arena *a, const struct fetch *start, struct fetch_op op,
				const struct dtype *t)
{
	struct fetch f = fetch_append(a, start, op);
	uint64_t size = dtype_size(t);

	f.where = FETCH_AS_VALUE;
	f.type = t;
	if (!is_aggregate(t) && size < 8)
		f = fetch_append(
			a, &f,
			(struct fetch_op){.code = FETCH_EXT, .size = size, .is_signed = dtype_is_signed(t)});
	return f;
}

static void not_placed(struct arena *a, struct proto_value *v, const char *how)
{
	problem_set(&v->why, a, PROBLEM_NOT_PLACED, "\"%s\" of type \"%s\" %s",
		    v->name[0] ? v->name : "$return", dtype_text(a, v->type), how);
	if (strstr(how, "vector"))
		v->why.hint = "floating point values can be read in memory only, as bits: members of structs and variables of the program";
}

struct state {
	struct arena *a;
	struct fetch start; /* empty program with the space */
	unsigned registers, vectors;
	uint64_t stack;   /* bytes of the parameter area used */
	const char *lost; /* set: no later parameter can be placed either */
};

static unsigned count(const struct placing *p, enum class c)
{
	return (p->c[0] == c) + (p->c[1] == c);
}

static void place_on_stack(struct state *s, struct proto_value *v, const struct placing *p)
{
	struct fetch f;

	s->stack = (s->stack + p->align - 1) / p->align * p->align;
	f = fetch_append(s->a, &s->start, (struct fetch_op){.code = FETCH_CFA});
	f = fetch_append(s->a, &f, (struct fetch_op){.code = FETCH_ADD, .n = (int64_t)s->stack});
	f.where = FETCH_IN_MEMORY;
	f.type = v->type;
	v->fetch = f;
	v->placed = true;
	s->stack += (p->size + 7) / 8 * 8;
}

/*
 * A value in one or two registers; ops[i] reads the i-th general one.  A struct in two has no value as a
 * whole, but its members have; and if the second half is in a vector register, those of the first.
 */
static void place_halves(struct state *s, struct proto_value *v, const struct placing *p,
			 const struct fetch_op *ops, const char *how)
{
	struct fetch high;

	if (count(p, CLASS_SSE) && !(is_aggregate(v->type) && p->c[0] == CLASS_INTEGER)) {
		not_placed(s->a, v, how);
		return;
	}
	v->placed = true;
	v->fetch = in_register(s->a, &s->start, ops[0], v->type);
	if (p->c[1] != CLASS_INTEGER)
		return;
	high = fetch_append(s->a, &s->start, ops[1]);
	v->fetch.high = high.ops;
	v->fetch.nhigh = high.nops;
	if (!is_aggregate(v->type)) {
		v->placed = false;
		not_placed(s->a, v, "is 16 bytes wide, and at most 8 can be read");
	}
}

static void place_in_registers(struct state *s, struct proto_value *v, const struct placing *p)
{
	struct fetch_op ops[2] = {{.code = FETCH_ARG, .n = s->registers},
				  {.code = FETCH_ARG, .n = s->registers + 1}};

	s->registers += count(p, CLASS_INTEGER);
	s->vectors += count(p, CLASS_SSE);
	place_halves(s, v, p, ops, "is passed in vector registers, which a probe cannot read");
}

static void place_param(struct state *s, struct proto_value *v)
{
	struct placing p = place(s->a, v->type);

	if (s->lost) {
		not_placed(s->a, v, s->lost);
		return;
	}
	switch (p.c[0]) {
	case CLASS_UNKNOWN:
		not_placed(s->a, v, "cannot be placed: the type is not complete in the debug information");
		s->lost = "cannot be placed: the type of a parameter before it is not complete in the debug "
			  "information";
		return;
	case CLASS_REFERENCE:
		if (s->registers < REGISTERS) {
			v->fetch = fetch_append(s->a, &s->start,
						(struct fetch_op){.code = FETCH_ARG, .n = s->registers++});
			v->fetch.where = FETCH_IN_MEMORY;
			v->fetch.type = v->type;
			v->placed = true;
			return;
		}
		not_placed(s->a, v, "is passed by a reference on the stack");
		s->stack += 8;
		return;
	case CLASS_NONE: /* an empty struct takes no place */
		not_placed(s->a, v, "is empty");
		return;
	case CLASS_MEMORY:
	case CLASS_X87:
		place_on_stack(s, v, &p);
		return;
	case CLASS_INTEGER:
	case CLASS_SSE:
		break;
	}
	if (s->registers + count(&p, CLASS_INTEGER) > REGISTERS ||
	    s->vectors + count(&p, CLASS_SSE) > VECTORS)
		place_on_stack(s, v, &p);
	else
		place_in_registers(s, v, &p);
}

/* True if the caller passes the address for the result, in the first register. */
static bool place_return(struct state *s, struct proto_value *v)
{
	struct placing p = place(s->a, v->type);

	switch (p.c[0]) {
	case CLASS_MEMORY:
	case CLASS_REFERENCE:
		v->fetch = fetch_append(s->a, &s->start, (struct fetch_op){.code = FETCH_RETVAL});
		v->fetch.where = FETCH_IN_MEMORY;
		v->fetch.type = v->type;
		v->placed = true;
		return true;
	case CLASS_INTEGER:
	case CLASS_SSE:
		place_halves(s, v, &p,
			     (struct fetch_op[]){{.code = FETCH_RETVAL}, {.code = FETCH_REG, .n = 1}},
			     "is returned in vector registers, which a probe cannot read");
		return false;
	case CLASS_X87:
		not_placed(s->a, v, "is returned in a floating point register, which a probe cannot read");
		return false;
	case CLASS_NONE:
		not_placed(s->a, v, "is empty");
		return false;
	case CLASS_UNKNOWN:
		break;
	}
	not_placed(s->a, v, "cannot be placed: the type is not complete in the debug information");
	s->lost = "cannot be placed: the type that the function returns is not complete in the debug "
		  "information";
	return false;
}

void abi_place(struct arena *a, struct proto_value *params, size_t n, struct proto_value *ret, bool returns,
	       enum fetch_space space)
{
	struct state s = {.a = a, .start = {.space = space}};
	size_t i;

	if (!returns)
		problem_set(&ret->why, a, PROBLEM_NO_VALUE, "the function returns void");
	else if (place_return(&s, ret))
		s.registers = 1;
	for (i = 0; i < n; i++)
		place_param(&s, &params[i]);
}
