/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions of the script (N_REGEX). */
#ifndef TRANSLATOR_TYPES_PATTERN_H
#define TRANSLATOR_TYPES_PATTERN_H

#include "translator/session.h"

/* Compiles the expression of an N_REGEX into n->regex; reports what is wrong with it. */
void pattern_check(struct session *s, struct node *n);
/*
 * Which groups of matches the program needs, as an argument of regex_compile().  The functions that use them have the pragma
 * tagged_dfa in their C text, as matched() does.
 */
int pattern_groups_asked(const struct session *s);

#endif
