/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads declarations of providers of markers: "provider NAME { probe NAME(TYPE NAME, ...); ... };" in the language of DTrace. */
#ifndef MARKERS_PARSE_H
#define MARKERS_PARSE_H

#include "base/diag.h"
#include "base/vec.h"

enum { PARSE_ARGUMENTS = 12 }; /* the most that sys/sdt.h takes */

struct parse_probe {
	const char *name;
	const char *arguments; /* as written, between the parentheses */
	unsigned narguments;
	struct loc loc;        /* of the name */
};

struct parse_provider {
	const char *name;
	VEC(struct parse_probe) probes;
	struct loc loc;
};

struct parse_providers {
	VEC(struct parse_provider) v;
};

/* All providers of the text; what else D has is passed over.  False, with messages: it is wrong, or has none. */
bool parse_providers(struct diags *ds, const struct source *text, struct parse_providers *out);

#endif
