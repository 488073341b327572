/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people write who know bpftrace or DTrace, and what it is here: hints, and the tables of `spile --explain bpftrace`. */
#ifndef PARSER_HABIT_H
#define PARSER_HABIT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"

enum habit_kind { HABIT_POINT, HABIT_NAME, HABIT_CALL, HABIT_SIGN };

/* Adds what the word is here to the message, if the other tracers have it; false if not. */
bool habit_hint(struct diags *ds, struct diag *d, enum habit_kind kind, const char *word);
/* Do the other tracers have it?  Adds nothing. */
bool habit_known(enum habit_kind kind, const char *word);
/* Prints the table of "bpftrace" or "dtrace", or the rows of a word; false if it is neither. */
bool habit_explain(const char *name, FILE *to);

#endif
