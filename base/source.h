/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source texts are kept whole until the session ends; a location is an offset into one of them.
 * struct loc is small and passed by value.  {0} means "nowhere": a message without file and caret.
 */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct source {
	const char *name; /* as printed: a path, "<input>" for -e and stdin, "<command line>" */
	const char *text; /* len bytes and a NUL */
	size_t len;
	unsigned id;     /* 1.. */
	bool is_tapset;  /* from the tapset path, not the user's */
	bool is_own;     /* from Spile's own tapset */
	bool is_argument; /* of the script, put into it */
	bool is_made;    /* nobody wrote it: messages do not point there */
	uint32_t *lines; /* offsets of line starts, built on first use */
	unsigned nlines;
	struct arena *arena;
};

struct loc {
	uint16_t source;    /* source id, 0 = nowhere */
	uint16_t len;       /* bytes, at least 1 when source != 0 */
	uint32_t off;       /* byte offset */
	uint32_t expansion; /* 0, or index + 1 into sources.expansions */
};

/* Where a token that a macro produced was expanded: innermost first, the chain goes on in at.expansion. */
struct expansion {
	const char *macro; /* interned name; "$1": an argument of the script */
	struct loc at;     /* the place of the call */
};

struct sources {
	struct arena *arena;
	struct source **v;
	size_t n, cap;
	struct expansion *expansions;
	size_t nexpansions, cap_expansions;
};

enum { SOURCE_MOST_MB = 16 }; /* of one text */

/*
 * Adds a text that the caller has (copied).  A text of over SOURCE_MOST_MB or a 65,535th source is refused: NULL with
 * errno set.
 */
struct source *source_add(struct sources *ss, const char *name, const char *text, size_t len);
/* Reads a file, "-" for stdin (named "<input>"); NULL with errno set. */
struct source *source_read(struct sources *ss, const char *path);
struct source *source_by_id(const struct sources *ss, unsigned id);
/* 1-based line and column (bytes; tabs count one) of an offset; one past the end is the end. */
void source_position(struct source *s, uint32_t off, unsigned *line, unsigned *column);
/* Text of a 1-based line without its newline or CR LF, not NUL-terminated; empty if there is none such. */
const char *source_line(struct source *s, unsigned line, size_t *len);
/*
 * From the start of a to the end of b, where both are of one source and one expansion; else a (b if a is
 * nowhere).
 */
struct loc loc_span(struct loc a, struct loc b);
/* Records one step of macro expansion; returns what goes into loc.expansion. */
uint32_t source_expand(struct sources *ss, const char *macro, struct loc call);
/* The last step of a chain of expansions, whose call is in the text itself; 0 for 0. */
uint32_t source_outermost(const struct sources *ss, uint32_t expansion);

#endif
