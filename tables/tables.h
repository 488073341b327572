/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of a program or library as the runtime takes them while a session runs: struct rt_tables and what follows it. */
#ifndef TABLES_TABLES_H
#define TABLES_TABLES_H

#include "base/arena.h"
#include "base/str.h"

/*
 * Appends those of the file at path, which is shown under the name.  wanted: rt_script.programs; tracked: rt_script.tracked.  -1: there are none.
 * What it takes of memory is in the arena.
 */
int tables_make(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out);

#endif
