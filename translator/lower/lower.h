/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "lower": what is done, in which order, under which locks, at what charge, and where it goes when it fails, as a tree that
 * emit only has to print.  This header is what the two share; lower/private.h is for the files of this folder.
 *
 * A lowered body is a N_BLOCK of the kinds at the end of node.def.  An expression in it has no effect and cannot fail; an operation
 * that has an effect or can fail is a statement.  Values that are used later are in temporaries, numbered from 0 in each body.
 */
#ifndef TRANSLATOR_LOWER_LOWER_H
#define TRANSLATOR_LOWER_LOWER_H

#include "translator/session.h"

/* What the runtime can do: ops.def. */
enum lower_op {
#define LOWER_OP(id, result, how, text) id,
#include "translator/lower/ops.def"
#undef LOWER_OP
	LOWER_OPS
};

enum lower_result { R_LONG, R_STRING, R_WORD, R_ELEMENT, R_NOTHING };

/*
 * Bits.  PLACED: errors are reported at its place.  FAILS: it may end in one.  SURE: neither.  SMALL: and a small handler may do it;
 * BRIEF: a brief one (small.c).
 */
enum lower_how { SURE = 0, PLACED = 1, FAILS = 2, SMALL = 4, BRIEF = 8 };

struct lower_op_row {
	const char *name; /* "L_ADD" */
	enum lower_result result;
	unsigned how;     /* bits of enum lower_how */
	const char *text; /* C, with the letters of ops.def */
};

extern const struct lower_op_row lower_ops[LOWER_OPS];

/* The kinds of constant tables: N_TABLE. */
enum lower_table {
	TABLE_FORMAT, /* text: of a printf */
	TABLE_REGEX,  /* regex; flag CAPTURES: with its groups */
	TABLE_SHOW,   /* show */
	TABLE_ENUM,   /* dtype */
	TABLE_KEYS,   /* rows: the constants */
	TABLE_LOCKS,  /* rows: N_NAMEs of globals */
};

/* A place in the C text. */
struct label {
	const char *stem; /* "err", "brk" */
	int id;           /* of the construct, or -1 */
	bool used;
};

/* The plan of the script, for people and for tests: --dump=lower. */
void lower_dump(struct session *s, struct sb *out);

#endif
