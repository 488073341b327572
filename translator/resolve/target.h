/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside resolve/ only: the parts of a $variable expression, for uses other than reading a number. */
#ifndef TRANSLATOR_RESOLVE_TARGET_H
#define TRANSLATOR_RESOLVE_TARGET_H

#include "translator/debuginfo/fetch.h"
#include "translator/debuginfo/types.h"
#include "translator/resolve/resolve.h"

typedef VEC(struct node *) node_list;

struct target_path {
	struct node *base;      /* N_TARGET, N_CAST, or an expression whose C type is known */
	VEC(struct dtype_step) steps;
	node_list where;        /* the node of each step */
	node_list inputs;       /* what is computed at run time: subscripts, and first of all the operand of a cast or the base itself */
	bool address;
	int pretty;             /* $ signs after it */
	bool at_entry;          /* a parameter, in a return probe: to be read at the function's entry */
	struct fetch from, to;  /* where it starts, and what the steps lead to (not yet a value) */
};

/* Takes n apart and follows it.  False with diagnostics in ds. */
bool target_follow(struct session *s, struct diags *ds, struct view at, struct node *n, struct target_path *path);
/* A N_FETCH for the finished fetch. */
struct node *target_fetch(struct session *s, const struct node *n, const struct fetch *f, const node_list *inputs);

/* pretty.c: n$ and n$$: a N_SHOW for what the fetch leads to, to so many levels of structs and arrays; NULL: it has no place. */
enum { PRETTY_ALL = 100 };
struct node *pretty_node(struct session *s, const struct node *n, const struct fetch *f, const node_list *inputs, unsigned levels);

#endif
