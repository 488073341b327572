/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constructs of bpftrace and DTrace and their equivalents here: hints, and the tables of `spile --explain bpftrace` and `--explain dtrace`. */
#ifndef PARSER_HABIT_H
#define PARSER_HABIT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"

enum habit_kind { HABIT_POINT, HABIT_NAME, HABIT_CALL, HABIT_SIGN };

/* Adds a hint with the equivalent of the word to the message; false if no other tracer has the word. */
bool habit_hint(struct diags *ds, struct diag *d, enum habit_kind kind, const char *word);
/* Does another tracer have the word?  Adds no hint. */
bool habit_known(enum habit_kind kind, const char *word);
/* name: "bpftrace" or "dtrace", whose table is printed, or a word, whose rows are printed.  False if it is none of these. */
bool habit_explain(const char *name, FILE *to);

#endif
