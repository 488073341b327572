/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statements: the instructions where lines of the source begin, as the compiler's line table has them.  A line whose code is in several
 * places of one function begins at the first of them; a function that is inlined in several places is there that often.
 */
#ifndef DEBUGINFO_LINES_H
#define DEBUGINFO_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "translator/debuginfo/problem.h"
#include "translator/debuginfo/proto.h"

enum { LINES_DEEPEST = 64, LINES_MOST_CALLEES = 20000 }; /* of callees(N): the levels, and the places of all levels; more are refused */

/* Which lines of which functions are wanted. */
struct lines_wanted {
	const char *function; /* a name or a pattern */
	const char *file;     /* as the script has it: a path, the end of one, or a pattern; NULL: any */
	enum lines_which {
		LINES_ENTRY, /* where the functions begin */
		LINES_ALL,
		LINES_GIVEN,
		LINES_AFTER, /* so many after the one where the function is declared */
		LINES_LABEL, /* where a label is */
		LINES_CALLEES, /* where the functions call others, or have them inlined */
	} which;
	VEC(struct lines_range {
		unsigned first;
		unsigned last;
	}) v;
	unsigned after;
	const char *label;    /* or a callee: a name or a pattern */
	unsigned depth;       /* of callees: those of callees too, so many calls deep, as far as functions are of the same file; 0 is as 1 */
	bool nearest;         /* of a line without code: the nearest that has some */
	bool inlined_only;    /* not the code of functions that are called */
};

/* "function@file:10", ":10-12,20", ":*", "function@file+2", "function".  -1 with why. */
int lines_parse(struct arena *a, const char *text, struct lines_wanted *out, struct problem *why);
/* Is file, as the compiler was given it, the one that the script means? */
bool lines_is_file(const char *wanted, const char *file);
/* What lines are wanted, for messages: "line 10", "lines 10-12". */
const char *lines_text(struct arena *a, const struct lines_wanted *w);

struct statement {
	const char *function; /* whose line it is; it may be inlined here */
	const char *label;    /* or NULL */
	const char *caller;   /* of a callee, or NULL */
	bool is_call;         /* it is the instruction that calls the function, whose code may be anywhere */
	bool elsewhere;       /* with is_call: here the function is only declared, others have it */
	const char *file;
	unsigned line;
	bool inlined;
	bool exported;        /* other files can call it */
	uint64_t address;     /* as linked */
	uint64_t entry;       /* of the function whose code it is in */
	uint64_t scope, code; /* private: both functions */
};

struct statements {
	VEC(struct statement) v;
	/* What there is, if nothing fits.  "": no such function. */
	const char *known_function, *known_file;
	const char *near;      /* without known_function: names like the wanted one, or NULL */
	unsigned too_deep;     /* callees so deep are more than LINES_MOST_CALLEES; 0: they are not */
	unsigned below, above; /* the nearest lines with code of that function, or 0 */
};

/* Callees that are too many to be probed.  -1 with why. */
int lines_too_deep(struct arena *a, const struct lines_wanted *w, const struct statements *found, struct problem *why);

/* What can be named at a statement: parameters and locals of the function whose line it is, as C sees them there. */
struct statement_variables {
	VEC(struct statement_variable {
		struct proto_value value;
		bool parameter;
	}) v;
};

/* Which lines code is of: a row says that of the code from an offset in the file on.  File 0 is "": the code has no line. */
struct line_row {
	uint32_t off, line, file;
};
struct line_table {
	VEC(struct line_row) rows; /* ascending */
	VEC(const char *) files;
	struct arena *arena;
	struct map known; /* file -> its number */
};

struct line_table *line_table_new(struct arena *a);
/* Rows come by ascending offsets.  file: interned; NULL: no line from here on. */
void line_table_add(struct line_table *t, uint64_t off, const char *file, unsigned line);
/* Nothing is known of what follows the first byte of the last row's code, unless that has ended. */
void line_table_stop(struct line_table *t);

#endif
