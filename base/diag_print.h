/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The printed form of a message: between diag.c and diag_print.c only. */
#ifndef BASE_DIAG_PRINT_H
#define BASE_DIAG_PRINT_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/str.h"

struct diag_note {
	const char *kind; /* "note" or "hint" */
	struct loc loc;   /* nowhere: printed indented, without a place */
	const char *text;
	struct diag_note *next;
};

/* Adds the message with its source line, macro expansions and notes. */
void diag_print_one(struct sb *out, const struct sources *ss, const struct diag *d, bool colour);

/* Bytes of the well-formed UTF-8 character at s, 0 if the first of the n > 0 bytes begins none. */
unsigned diag_print_utf8(const char *s, size_t n);

#endif
