/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements: lines of functions, their labels, and the places where functions are inlined; for families that have debug information. */
#ifndef TRANSLATOR_PROBES_STATEMENT_H
#define TRANSLATOR_PROBES_STATEMENT_H

#include "translator/debuginfo/lines.h"
#include "translator/probes/place.h"
#include "translator/probes/probe.h"

/* Asks debug information what can be named at the site, when that is first needed. */
typedef void statement_ask(struct session *s, const struct site *t, struct statement_variables *out);

struct place *statement_place(struct session *s, const struct site *t, statement_ask *ask, struct place_home home);
/* The last components of a point that means this statement: statement("f@file:1"), function("f").inline. */
const char *statement_text(struct session *s, const struct lines_wanted *w, const struct statement *t);
/* What .callee("pattern"), .callees or .callees(N) wants.  -1: the depth is none. */
int statement_callees(struct session *s, const struct component *c, struct lines_wanted *w);
/* Sets why to what is wrong if nothing was found: name, of the program or the module. */
void statement_none(struct session *s, const struct lines_wanted *w, const struct statements *found, const char *name,
		    struct problem why[static 1]);

#endif
