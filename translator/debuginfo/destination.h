/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to write to the place that a fetch leads to: a register, or bytes or bits in memory. */
#ifndef DEBUGINFO_DESTINATION_H
#define DEBUGINFO_DESTINATION_H

#include "translator/debuginfo/fetch.h"

struct destination {
	struct fetch old;     /* the present value, for op= and ++ */
	bool in_register;
	struct fetch_op reg;  /* FETCH_ARG, FETCH_REG or FETCH_RETVAL */
	struct fetch address; /* or the address in memory */
	/* The bits that are written: of the register, or of the bytes at the address from the least significant of the first. */
	unsigned off, width;
	bool is_signed;       /* of the type: how the value that was written is seen */
	bool whole;           /* bytes in memory, or all of a register that has the value, extended to 32 bits at least */
};

/*
 * The place of an lvalue, as dtype_path() leaves it.  -1 with why: it is not a number, or the debug information computes it and it has
 * no place.
 */
int destination_make(struct arena *a, const struct fetch *lvalue, struct destination *out, struct problem *why);

#endif
