/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where variables are read and written: one walk over a tree and over all that it calls.
 */
#ifndef TRANSLATOR_USES_H
#define TRANSLATOR_USES_H

#include "base/vec.h"
#include "parser/ast.h"

struct function;
struct probe;
struct symbol;

/* How a variable, or elements of it, are used at one place. */
enum use {
	USE_READ = 1 << 0,    /* its value is used elsewhere: an x++ whose value is not used does not read */
	USE_WRITTEN = 1 << 1, /* it gets a value that does not depend on the old one */
	USE_CHANGED = 1 << 2, /* it gets a value that is: x++, x += 1, x <<< 1 */
	USE_DROPPED = 1 << 3, /* it is emptied: delete */
	USE_SETS = USE_WRITTEN | USE_CHANGED | USE_DROPPED,
};

struct mention {
	struct symbol *v;        /* NULL before bind */
	const struct node *name; /* N_NAME; NULL: C code says that it uses v */
	const struct node *by;   /* the node that sets it, or uses all of it; NULL: it is only read */
	unsigned use;            /* bits of enum use */
};

/* The walk.  The caller sets the functions and ctx; all but the first may be NULL. */
struct uses {
	void (*mention)(struct uses *u, const struct mention *m);
	/* Before the children of a node, except names and elements that are set or used as a whole.  False: leave it out. */
	bool (*node)(struct uses *u, struct node *n);
	/* For each function that a call may run.  True: look into it, and report what its C code declares.  NULL: calls are not followed. */
	bool (*function)(struct uses *u, struct function *f);
	void *ctx;
	struct arena *arena; /* needed with function */
	VEC(struct function *) todo; /* the walk's own */
	size_t done;
};

/* Walks over n, and over what it calls.  dropped: the value of n is not used. */
void uses_walk(struct uses *u, struct node *n, bool dropped);
/* Over its body, or over what its C code says. */
void uses_walk_function(struct uses *u, struct function *f);
/* Over the body of a probe, and what its return points compute at the entry. */
void uses_walk_probe(struct uses *u, struct probe *p);
/* All uses of v in n, without functions that n calls: bits of enum use. */
unsigned uses_of(struct node *n, const struct symbol *v);

#endif
