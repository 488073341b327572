/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which files of the tapset a script needs, judged by the words in the texts, so that the others need not be parsed.  It may choose
 * too many files, never too few.
 */
#ifndef TRANSLATOR_RESOLVE_SELECT_H
#define TRANSLATOR_RESOLVE_SELECT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/source.h"
#include "base/vec.h"

struct select;

struct select *select_new(struct arena *a);
/* Adds a file that may be needed, by what it defines: functions, globals, aliases, macros. */
void select_file(struct select *x, const struct source *src);
/* Adds a text whose words ask for definitions: the script, its arguments, a probe point to be listed. */
void select_asked(struct select *x, const char *text, size_t len);
/* Finds the files that are needed, also by other needed files; all: every file is needed. */
void select_run(struct select *x, bool all);
/* Is the i-th file that was added needed? */
bool select_is_needed(const struct select *x, size_t i);
/* Names of functions in files that are not needed, for "did you mean". */
size_t select_others(const struct select *x, const char *const **names);
/* The same of aliases: "a.b.c". */
size_t select_other_aliases(struct select *x, const char *const **names);

#endif
