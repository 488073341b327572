/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of one file, made by a process of its own.  The file may be anybody's: made to have this process read something else, use up the memory, run
 * without end or fail, or on a file system that never answers.  None of that reaches the one that asks.
 */
#ifndef TABLES_READER_H
#define TABLES_READER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"
#include "runtime/wire.h"

enum { READER_LOST = 8 };

struct reader {
	int session;    /* the session's file "programs", which the process of its own does not have; -1: there is none */
	int limit_ms;   /* for one file */
	int (*make)(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out); /* tables_make() */
	pid_t lost[READER_LOST]; /* were killed and have not ended yet */
	unsigned nlost;
};

/* Tables of the open file p->fd, which is not read here; false: there are none.  out: sb_free() in any case. */
bool reader_ask(struct reader *r, const struct wire_program *p, struct sb *out);

#endif
