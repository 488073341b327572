/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What -p1 .. -p3 and --dump= print. */
#ifndef TRANSLATOR_DUMP_H
#define TRANSLATOR_DUMP_H

#include "translator/session.h"

void dump_script(struct session *s, struct sb *out);  /* the script, parseable */
void dump_points(struct session *s, struct sb *out);  /* probe points and their sites */
void dump_program(struct session *s, struct sb *out); /* globals, functions, probes, with types */
void dump_c(struct session *s, struct sb *out);       /* the generated C */

#endif
