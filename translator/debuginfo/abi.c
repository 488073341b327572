/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calling conventions.  arch/ classifies a type; this file assigns values, in order, the registers of their classes, or places on the
 * stack from the canonical frame address on.
 */
#include "translator/debuginfo/abi.h"

#include <inttypes.h>
#include <string.h>

#include "translator/debuginfo/dtype.h"

/* Some scalar inside needs 16-byte alignment: __int128, long double. */
static bool is_wide(struct arena *a, const struct dtype *t, unsigned depth, unsigned *visits)
{
	const struct dtype_member *v;
	enum dtype_kind kind = dtype_kind(t);
	size_t n, i;

	if (depth > ABI_NESTING || ++*visits > ABI_VISITS)
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

bool abi_by_reference(const struct dtype *t)
{
	struct dtype_node n;
	uint64_t at;

	dtype_strip(t, &n, &at, NULL);
	return t->source->ops->by_reference && t->source->ops->by_reference(t->source, at);
}

static struct placing place(const struct target *target, struct arena *a, const struct dtype *t)
{
	struct placing p = {.size = dtype_size(t)};
	unsigned visits = 0;

	if (abi_by_reference(t))
		p.c[0] = CLASS_REFERENCE;
	else
		target->classify(a, &p, t);
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
	const struct target *target;
	struct arena *a;
	struct fetch start; /* empty program with the space */
	unsigned registers, vectors;
	uint64_t stack;   /* bytes of the parameter area used */
	const char *lost; /* set: no later parameter can be placed either */
};

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
	s->stack += (p->size + s->target->word - 1) / s->target->word * s->target->word;
}

/*
 * A value in one or two registers; ops[i] reads the i-th general one.  A struct in two has no value as a whole, but its members have.
 * If its second half is in a vector register, only the members of the first half have one.
 */
static void place_halves(struct state *s, struct proto_value *v, const struct placing *p,
			 const struct fetch_op *ops, const char *how)
{
	struct fetch high;

	if (p->vectors && !(is_aggregate(v->type) && p->c[0] == CLASS_INTEGER)) {
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

	s->registers += p->integers;
	s->vectors += p->vectors;
	place_halves(s, v, p, ops, "is passed in vector registers, which a probe cannot read");
}

/* Are enough registers left? */
static bool take_registers(struct state *s, const struct placing *p)
{
	const struct target *t = s->target;

	if (t->even && p->integers && p->align > t->word)
		s->registers += s->registers & 1;
	if (s->registers + p->integers <= t->narguments && s->vectors + p->vectors <= t->nvectors)
		return true;
	if (t->in_order && p->integers)
		s->registers = t->narguments;
	if (t->in_order && p->vectors)
		s->vectors = t->nvectors;
	return false;
}

static void place_param(struct state *s, struct proto_value *v)
{
	struct placing p = place(s->target, s->a, v->type);

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
		if (s->registers < s->target->narguments) {
			v->fetch = fetch_append(s->a, &s->start,
						(struct fetch_op){.code = FETCH_ARG, .n = s->registers++});
			v->fetch.where = FETCH_IN_MEMORY;
			v->fetch.type = v->type;
			v->placed = true;
			return;
		}
		not_placed(s->a, v, "is passed by a reference on the stack");
		s->stack += s->target->word;
		return;
	case CLASS_NONE: /* an empty struct takes no place */
		not_placed(s->a, v, "is empty");
		return;
	case CLASS_MEMORY:
	case CLASS_FLOAT:
		place_on_stack(s, v, &p);
		return;
	case CLASS_INTEGER:
	case CLASS_VECTOR:
		break;
	}
	if (take_registers(s, &p))
		place_in_registers(s, v, &p);
	else
		place_on_stack(s, v, &p);
}

/* True if the caller passes the address for the result, in the first register. */
static bool place_return(struct state *s, struct proto_value *v)
{
	struct placing p = place(s->target, s->a, v->type);

	switch (p.c[0]) {
	case CLASS_MEMORY:
	case CLASS_REFERENCE:
		if (!s->target->result_is_first) {
			not_placed(s->a, v, "is returned in memory, whose address only the caller keeps");
			return false;
		}
		v->fetch = fetch_append(s->a, &s->start, (struct fetch_op){.code = FETCH_RETVAL});
		v->fetch.where = FETCH_IN_MEMORY;
		v->fetch.type = v->type;
		v->placed = true;
		return true;
	case CLASS_INTEGER:
	case CLASS_VECTOR:
		place_halves(s, v, &p,
			     (struct fetch_op[]){{.code = FETCH_RETVAL}, {.code = FETCH_REG, .n = s->target->results[1]}},
			     "is returned in vector registers, which a probe cannot read");
		return false;
	case CLASS_FLOAT:
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

void abi_place(const struct target *target, struct arena *a, struct proto_value *params, size_t n, struct proto_value *ret,
	       bool returns, enum fetch_space space)
{
	struct state s = {.target = target, .a = a, .start = {.space = space}};
	size_t i;

	if (!returns)
		problem_set(&ret->why, a, PROBLEM_NO_VALUE, "the function returns void");
	else if (place_return(&s, ret))
		s.registers = 1;
	for (i = 0; i < n; i++)
		place_param(&s, &params[i]);
}

void abi_place_given(struct arena *a, struct proto_value *params, size_t n, enum fetch_space space)
{
	const struct fetch start = {.space = space};
	const char *lost = NULL;

	for (size_t i = 0; i < n; i++) {
		uint64_t size = dtype_size(params[i].type);

		if (!lost && (!size || size > 8))
			lost = "cannot be read: it is not in one piece of 8 bytes";
		params[i].placed = !lost;
		if (lost) {
			not_placed(a, &params[i], lost);
			lost = "cannot be read: a value before it is not in one piece of 8 bytes";
			continue;
		}
		params[i].fetch = in_register(a, &start, (struct fetch_op){.code = FETCH_GIVEN, .n = (int64_t)i}, params[i].type);
	}
}

void abi_place_call(struct arena *a, struct proto_value *params, size_t n, struct proto_value *ret)
{
	const struct fetch start = {.space = FETCH_KERNEL};

	for (size_t i = 0; i < n; i++) {
		params[i].placed = true;
		params[i].fetch = in_register(a, &start, (struct fetch_op){.code = FETCH_ARG, .n = (int64_t)i}, params[i].type);
	}
	ret->placed = true;
	ret->fetch = in_register(a, &start, (struct fetch_op){.code = FETCH_RETVAL}, ret->type);
}
