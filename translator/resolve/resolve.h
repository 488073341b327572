/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of resolve/. */
#ifndef TRANSLATOR_RESOLVE_RESOLVE_H
#define TRANSLATOR_RESOLVE_RESOLVE_H

#include "translator/session.h"

/* "name/arity", interned: how functions are looked up. */
const char *function_key(const char *name, unsigned nargs);

/* Binds the body of a function the first time that something calls it; it is then in prog.function_list. */
void function_use(struct session *s, struct function *f);

/* True if what the tree means depends on the probed place ($x, @entry, @defined ...). */
bool target_used(const struct node *n);

/*
 * Replaces n, the outermost node of a $variable expression (N_TARGET with members, subscripts, & and $ around it), by
 * what computes it at the site: N_FETCH, N_ENTRY_VALUE, a literal or a formatted print.  NULL with diagnostics in ds.
 */
struct node *target_bind(struct session *s, struct diags *ds, struct probe *p, struct node *n);
/* Is n the start of such an expression: a $variable, or members or subscripts over one? */
bool target_is(const struct node *n);

#endif
