/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a probe on a function can see at its entry and return; the same for kernel (BTF) and user space (DWARF). */
#ifndef DEBUGINFO_PROTO_H
#define DEBUGINFO_PROTO_H

#include <stdbool.h>
#include <stddef.h>

#include "translator/debuginfo/fetch.h"
#include "translator/debuginfo/types.h"

struct proto_value {
	const char *name; /* of the parameter; "" when it has none */
	const struct dtype *type;
	bool of_hit;        /* no parameter: comes with each hit, at the entry and at the return */
	bool placed;        /* fetch is valid */
	struct fetch fetch; /* start for dtype_path(); also for fetch_value() */
	struct problem why; /* not placed: why */
};

struct proto {
	const struct proto_value *params;
	size_t nparams;
	bool variadic;
	bool returns;           /* false: void; ret.why says so */
	struct proto_value ret; /* valid at the return of the function only */
	/* Of Go, where a function may have several results: all of them, with the names that they have, ret first; else none. */
	const struct proto_value *results;
	size_t nresults;
};

#endif
