/* SPDX-License-Identifier: GPL-2.0-or-later */
/* POSIX extended regular expressions, compiled to the tables that runtime/rt/regex.c interprets.  See regex.c. */
#ifndef TRANSLATOR_REGEX_REGEX_H
#define TRANSLATOR_REGEX_REGEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "runtime/rt/script.h"

/* One thread's step into a state: from which thread of the state before (or the start of the match), and over which marks. */
struct regex_step {
	uint16_t from;  /* REGEX_START: the match begins here */
	uint16_t marks; /* index into regex.marks */
};
enum { REGEX_START = RT_REGEX_START, REGEX_MAX_TABLE = UINT16_MAX };

/*
 * An automaton.  A state is the offset of its row in next[].  Rows are sorted: 0 is the dead state, then up to `found' those in which
 * a match ends, then up to `at_end' those in which one ends if the text does.
 */
struct regex_table {
	unsigned nstates;
	const uint16_t *next; /* nstates * nclasses */
	unsigned start, found, at_end;
	/* of `way' only */
	unsigned start_at_begin; /* where a match begins at the beginning of the text */
	const uint16_t
		*moves; /* beside next[]: where the steps into the next state's threads begin in steps[] */
	const uint16_t *ends; /* 2 per state: the step + 1 that ends a match there; that does so at the end of
				 the text */
};

struct regex {
	const unsigned char *classes; /* of each of 256 bytes: its column in all tables */
	unsigned nclasses;
	struct regex_table test; /* is there a match?  The first state where one ends is final */
	unsigned ngroups;        /* with the whole match, group 0 */
	/* with captures only */
	bool captures;
	const uint16_t *last;    /* of each group: the last group inside it, or itself */
	struct regex_table back; /* from the end of the text backwards: the last end it sees is where the
				    leftmost match begins */
	struct regex_table way;  /* from there on: the longest match, and by which threads */
	const struct regex_step *steps;
	size_t nsteps;
	const uint16_t *marks; /* backwards, each run ends with 0: see RT_REGEX_BEGINS() */
	size_t nmarks;
};

struct regex_problem {
	bool too_big;     /* else a mistake in the text */
	size_t off, len;  /* bytes of the text that it is about; len may be 0 at its end */
	const char *text; /* what is wrong */
	const char *hint; /* what to do, or NULL */
};

/* How many groups are needed: none, not even the whole match; the whole match and groups 1 .. n; all. */
enum { REGEX_NO_GROUPS = -1, REGEX_ALL_GROUPS = 0xffff };

/*
 * Compiles len bytes; everything comes from the arena.  NULL with *problem filled when it is not an expression,
 * or its tables would be too big (which is found in bounded time).
 */
const struct regex *regex_compile(struct arena *a, const char *text, size_t len, int asked,
				  struct regex_problem *problem);

#endif
