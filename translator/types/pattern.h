/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Regular expressions of the script (N_REGEX). */
#ifndef TRANSLATOR_TYPES_PATTERN_H
#define TRANSLATOR_TYPES_PATTERN_H

#include "translator/session.h"

/* Compiles the expression of an N_REGEX into n->regex; reports what is wrong with it. */
void pattern_check(struct session *s, struct node *n);
/* Does a function of the program ask for the groups of matches?  Its C text has the pragma tagged_dfa, as
 * matched() has. */
bool pattern_groups_wanted(const struct session *s);

#endif
