/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All messages to the user about what they gave us.  Each has an id from diag.def, which tests assert and
 * which `spile --explain ID` explains.  Messages are collected, not thrown: a pass goes on and the pipeline
 * stops between passes.
 *
 *   x.stp:1:23: error: no kernel function matches "vfs_raed" [no-function]
 *       1 | probe kernel.function("vfs_raed") { }
 *         |                       ^~~~~~~~~~
 *     hint: did you mean "vfs_read"?
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/source.h"

enum diag_id {
#define DIAG(id, name, level, summary) id,
#include "base/diag.def"
#undef DIAG
	DIAG_COUNT
};

enum diag_level { DIAG_ERROR, DIAG_WARNING };

struct diag_note;
struct sb;
struct diag {
	enum diag_id id;
	enum diag_level level;
	struct loc loc;
	const char *text;
	struct diag_note *notes; /* in order */
	struct diag *next;
};

struct diags {
	bool is_question; /* nobody sees them: something is tried */
	struct arena *arena;
	struct sources *sources;
	struct diag *first, *last;
	unsigned errors, warnings;
	unsigned repeated;        /* of errors, those that are no news: they count as errors, but not for the limit */
	unsigned limit;           /* errors kept, 0 = 20; more are counted, not kept */
	unsigned hidden;          /* errors over the limit that diag_flush() has not mentioned yet */
	bool no_warnings;         /* -w: dropped and not counted, also with -W */
	bool warnings_are_errors; /* -W */
	const struct diag_format *format; /* how diag_flush() prints; NULL: text for people */
};

/* Another form of messages: one of them, and how many were not kept (n > 0). */
struct diag_format {
	void (*one)(struct sb *out, const struct sources *ss, const struct diag *d);
	void (*hidden)(struct sb *out, unsigned n);
};

/*
 * Adds a message of the id's level; identical ones (id, loc, text) are kept and counted once; of what the same word of a macro
 * names and is not there, the first is kept.  Returns it for
 * notes and hints, never NULL: notes of a message that was not kept are dropped with it.
 */
struct diag *diag_report(struct diags *ds, struct loc loc, enum diag_id id, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* A second place that matters ("first declared here"), and an advice without place. */
void diag_note(struct diags *ds, struct diag *d, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void diag_hint(struct diags *ds, struct diag *d, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The same, but adds nothing and returns false if an earlier message that is not printed yet has the same hint. */
bool diag_hint_once(struct diags *ds, struct diag *d, const char *text);
/* "did you mean NEAR?", see nearest_text(); nothing, and false, for NULL. */
bool diag_hint_near(struct diags *ds, struct diag *d, const char *near);
/*
 * Moves all messages of from to the end of to (speculative work has a struct diags of its own); to's flags
 * and limit decide what is kept.  The arena of from must live as long as that of to.
 */
void diag_move(struct diags *to, struct diags *from);

/*
 * Prints and forgets what was collected; the error and warning counts stay.  Colour when asked.
 * Control characters in any text are shown as <1B> or <U+202E>, so no input can drive the terminal.
 */
void diag_flush(struct diags *ds, FILE *to, bool colour);

const char *diag_name(enum diag_id id); /* "no-function" */
void diag_list(FILE *to);               /* all names by area, each with its summary */
void diag_explain(enum diag_id id, FILE *to);
/* -1 when there is no such name; near is then set up and filled with the names nearest to it, if not NULL. */
struct nearest;
int diag_by_name(const char *name, struct nearest *near);

#endif
