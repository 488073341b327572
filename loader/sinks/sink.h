/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sinks: each is one form of output.  It gets what the script prints, in order, the messages for the user, and at the end the results of
 * the session.  A new form is one file here, its declaration below, a row in sink.c and a name in local.mk.
 */
#ifndef LOADER_SINKS_SINK_H
#define LOADER_SINKS_SINK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/output.h"
#include "base/str.h"
#include "runtime/wire.h"

#define SINK_KEYS_MOST 9
#define SINK_STATS 5

extern const char *const sink_stat_names[SINK_STATS];

struct sink_value {
	bool is_string;
	int64_t number;
	const char *text; /* len bytes */
	size_t len;
};

/* An element of a global, or the whole of it. */
struct sink_row {
	const char *name;
	size_t name_len;
	unsigned nkeys, nstats; /* 0 keys: not an array; statistics: so many of sink_stat_names, else value */
	struct sink_value keys[SINK_KEYS_MOST], value, stats[SINK_STATS];
};

/* An address in a stack. */
struct sink_frame {
	uint64_t address;
	const char *name, *module; /* where it is; NULL: not known.  module: "kernel" is none */
	size_t name_len, module_len;
	const char *source;    /* "FILE:LINE", or NULL: not known, or not asked for */
	size_t source_len;
	uint64_t offset, size; /* in the function of that name, and all of it; without a name, in the file that is the module */
	const char *end;       /* not NULL: no address, but why the stack ends here */
};

struct symbols; /* loader/symbols.c */

enum sink_level { SINK_WARNING, SINK_ERROR };

struct sink {
	const struct sink_form *form;
	struct output *to;
	bool is_text; /* for a terminal: control characters are masked */
	struct sb row; /* begun, and not ended yet */
	void *state;  /* the form's own */
	struct symbols *symbols; /* names of addresses; NULL: none */
};

/* Name, text and results are needed; the others may be NULL, which means that there is nothing to do, unless stated otherwise. */
struct sink_form {
	const char *name; /* of --format */
	void (*open)(struct sink *s);
	/* What the script printed on a CPU.  Bytes of a line can come in several calls; they may be changed in place. */
	void (*text)(struct sink *s, unsigned cpu, char *p, size_t n);
	/* Globals at the end, row by row, those of a global together.  NULL: they are text. */
	void (*row)(struct sink *s, const struct sink_row *row);
	/* A stack that the script printed there.  NULL: it is text, a line for each address. */
	void (*stack)(struct sink *s, unsigned cpu, const struct sink_frame *frames, unsigned n);
	/* Warnings and errors; hint may be NULL.  NULL: they go to stderr, as they also do once the output has failed. */
	void (*message)(struct sink *s, enum sink_level level, const char *text, const char *hint);
	/* The end of what is printed: the module's counters. */
	void (*results)(struct sink *s, const struct wire_ledger *l);
	/* The exit status, as far as the output itself does not change it. */
	void (*close)(struct sink *s, int status);
};

extern const struct sink_form sink_text, sink_json;

/* NULL: there is no such form. */
const struct sink_form *sink_find(const char *name);
/* Their names, with commas between. */
const char *sink_names(void);

struct sink sink_open(const struct sink_form *form, struct output *to, bool is_text);
/* One record; false: its kind is not known. */
bool sink_record(struct sink *s, const struct wire_record *r, char *payload);
bool sink_message(struct sink *s, enum sink_level level, const char *text, const char *hint); /* false: the caller prints it on stderr */
void sink_results(struct sink *s, const struct wire_ledger *l);
void sink_close(struct sink *s, int status);

/* stacks.c: a record of WIRE_STACKS.  False: it is damaged, and nothing of it was output. */
bool sink_stacks(struct sink *s, const struct wire_record *r, char *payload);

/* rows.c: a line of WIRE_TABLE, without its newline; text: room for as many bytes, where strings are put.  False: it is not a row. */
bool sink_row_parse(struct sink_row *row, const char *line, char *text);

#endif
