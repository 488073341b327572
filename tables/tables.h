/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of a program or library as the runtime takes them while a session runs: struct rt_image_tables and what follows it. */
#ifndef TABLES_TABLES_H
#define TABLES_TABLES_H

#include "base/arena.h"
#include "base/str.h"
#include "runtime/rt/script.h"
#include "translator/debuginfo/unwind.h"

#define TABLES_MOST ((size_t)64 << 20) /* bytes of one file's: more are not taken */

/*
 * Appends the tables of the file at path, which is shown as name, to out.  wanted, tracked: rt_script.programs and rt_script.tracked.  -1: the
 * file has none.  The arena holds what is made on the way.
 */
int tables_make(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out);

/* A rule as the runtime has it.  One that finds the frame by a register which is not tracked becomes RT_CFA_UNKNOWN. */
struct rt_unwind_rule tables_rule(const struct unwind_rule *r, unsigned tracked);

#endif
