/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where output goes: a file, a pipe or a terminal.  Its reader may be slow, may have stopped, may be gone.  Writing never
 * waits; the caller's main loop waits, for this and for signals.  Every byte that is put is written or, after an error,
 * counted as dropped.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTPUT_SIZE (1u << 20)
#define OUTPUT_PATIENCE_S 5

struct output {
	int fd;
	int reopened;       /* fd, if it is a description of our own of the caller's file; else 0 or -1 */
	bool has_reader;    /* it may be slow, or leave */
	bool is_socket;
	bool keep_until_output; /* set by the caller: the file has what was there before, until output_drop_kept() or the first byte */
	size_t most;        /* bytes that a write may have */
	char *buf;          /* bytes to be written: from start to end */
	size_t start, end, cap;
	uint64_t written, dropped;
	double moved;       /* when something was last written, or there was nothing to write */
	int error;          /* writing failed with it: what follows is dropped */
};

/* The caller still owns fd. */
void output_init(struct output *o, int fd);
/* What follows goes to this one.  Nothing is pending; the caller still owns both. */
void output_switch(struct output *o, int fd);
/* What was in the file is not wanted any more, if it is still there. */
void output_drop_kept(struct output *o);
/* Is there room for a record of n bytes, at most OUTPUT_SIZE?  If not, the caller should wait.  After an error there always is. */
bool output_has_room(struct output *o, size_t n);
/* Grows the buffer where there is no room: for what cannot wait or has become longer. */
void output_put(struct output *o, const char *p, size_t n);
/* Writes what can be written now. */
void output_flush(struct output *o);
/* Something is left that could not be written yet. */
bool output_is_pending(const struct output *o);
/* Drops what is left and what will come. */
void output_fail(struct output *o, int error);
/* A reader that has taken nothing since then, nor for OUTPUT_PATIENCE_S, is given up: the error is ETIMEDOUT. */
void output_hurry(struct output *o, double since);
void output_free(struct output *o);

#endif
