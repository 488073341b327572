/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a function as if it were a program, with its output in files, in a process of its own or in this one, which is then as it was before. */
#ifndef TESTSUITE_TABLE_RUN_H
#define TESTSUITE_TABLE_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"

/* The files of a run: its output, and two that what it calls may write. */
enum run_file { OUT, ERR, JSON, TREES, RUN_FILES };

extern FILE *table_run_files[RUN_FILES]; /* JSON and TREES, during a run; else NULL */

/* Calls fn(data), which may take so many seconds.  The status as wait() gives it.  Afterwards each file has to be read by table_run_text(). */
int table_run(int (*fn)(void *), void *data, bool in_child, unsigned seconds);
/* What the last run left in one of its files; only once for each. */
char *table_run_text(enum run_file f, struct arena *a);
/* The whole of an open file, as text. */
char *table_run_read(int fd, struct arena *a);
/* Makes a file, or the test ends. */
void table_run_write(const char *path, const char *text, size_t n);

/* Calls fn(path, counts) in a process of its own, with its output where that of this one goes.  The status as wait() gives it. */
int table_run_apart(void (*fn)(const char *path, unsigned counts[static 2]), const char *path, unsigned counts[static 2]);

#endif
