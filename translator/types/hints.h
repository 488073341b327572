/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hints about types that disagree or stay unknown. */
#ifndef TRANSLATOR_TYPES_HINTS_H
#define TRANSLATOR_TYPES_HINTS_H

#include "translator/pipeline.h"

/* Adds a hint to the message that n is a long or string (`is`) where user, the node above it or NULL, needs the other. */
void hints_mismatch(struct session *s, struct diag *d, const struct node *n, enum type is, const struct node *user);
/* The same for a variable whose type nothing determines. */
void hints_open(struct session *s, struct diag *d, const struct symbol *v);

/*
 * The name is read like a variable that nothing assigns, in the handler of the probe (or NULL).  If it is a variable of the probed code, a
 * function, or something of another tracer: adds a hint, true.
 */
bool hints_word(struct session *s, struct diag *d, const struct probe *p, const char *name);

#endif
