/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds how a value is written from how it is read. */
#include "translator/debuginfo/destination.h"

#include "translator/debuginfo/types.h"

/* A register, and the bits of it that remain after extensions and members. */
static bool in_register(const struct fetch *f, struct destination *out)
{
	if (!f->nops || (f->ops[0].code != FETCH_ARG && f->ops[0].code != FETCH_REG && f->ops[0].code != FETCH_RETVAL))
		return false;
	out->in_register = true;
	out->whole = true;
	out->reg = f->ops[0];
	out->width = 64;
	for (unsigned i = 1; i < f->nops; i++) {
		const struct fetch_op *op = &f->ops[i];
		unsigned width = op->code == FETCH_EXT ? 8 * (unsigned)op->size : op->width;

		if (op->code == FETCH_BITS) {
			out->off += (unsigned)op->n;
			out->whole = false;
		} else if (op->code != FETCH_EXT) {
			return false;
		}
		out->width = width < out->width ? width : out->width;
	}
	return true;
}

int destination_make(struct arena *a, const struct fetch *lvalue, struct destination *out, struct problem *why)
{
	enum dtype_kind kind = dtype_kind(lvalue->type);

	*out = (struct destination){.is_signed = dtype_is_signed(lvalue->type)};
	if (kind == DTYPE_ARRAY || kind == DTYPE_STRUCT || kind == DTYPE_UNION || kind == DTYPE_FUNCTION)
		return problem_set(why, a, PROBLEM_NOT_SCALAR, "\"%s\" cannot be written as a whole", dtype_text(a, lvalue->type));
	if (fetch_value(a, lvalue, &out->old, why) < 0)
		return -1;
	if (lvalue->where == FETCH_AS_VALUE) {
		if (in_register(lvalue, out))
			return 0;
		if (lvalue->nops && lvalue->ops[0].code == FETCH_GIVEN)
			return problem_set(why, a, PROBLEM_NO_ADDRESS, "it is a copy that comes with the hit: only what it points to can be written");
		return problem_set(why, a, PROBLEM_NO_ADDRESS, "the value is computed here from others, so there is no place to write it to");
	}
	out->address = *lvalue;
	out->off = lvalue->bit_off;
	out->width = lvalue->bit_width ? lvalue->bit_width : 8 * (unsigned)dtype_size(lvalue->type);
	out->whole = !lvalue->bit_width;
	return 0;
}
