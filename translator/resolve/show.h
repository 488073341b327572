/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What N_SHOW holds: the texts of a pretty-printed value and where its numbers come from. */
#ifndef TRANSLATOR_RESOLVE_SHOW_H
#define TRANSLATOR_RESOLVE_SHOW_H

#include "translator/debuginfo/fetch.h"

/* A row of the runtime's struct rt_show_piece (see runtime/rt/script.h). */
struct show_piece {
	const char *text;       /* interned */
	char conv;
	bool in_memory, is_signed;
	enum fetch_space space;
	unsigned input;         /* which child of the node */
	unsigned bit_off, width;
	uint64_t n, off;
};

struct show {
	const struct show_piece *v;
	unsigned n;
};

#endif
