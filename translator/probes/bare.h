/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points at which no target variable is known. */
#ifndef PROBES_BARE_H
#define PROBES_BARE_H

#include "translator/probes/probe.h"

/* Why the site has none: fills *why, which is NULL where nobody asks. */
typedef void bare_reason(struct session *s, const struct site *t, struct problem *why);

/* The place of such a site, in the session's arena.  Whoever names a variable there is answered with the reason. */
struct place *bare_place(struct session *s, const struct site *t, struct place_home home, bare_reason *reason);

#endif
