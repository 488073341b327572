/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the families of watchpoints share. */
#ifndef PROBES_WATCHED_H
#define PROBES_WATCHED_H

#include "translator/probes/probe.h"

/* Reports a .length(N) that no machine watches; -1. */
int watched_check_length(struct session *s, const struct component *length);
/* Reports an address that is no multiple of the length; -1.  of: what is before ".data" in the point. */
int watched_check_multiple(struct session *s, const struct component *data, const char *of, int64_t length);
/* The length of a variable if no other is asked for; 0: it is not known; -1: reported that it cannot be watched as a whole. */
int64_t watched_length_of(struct session *s, const struct component *data, const struct dtype *type);
/* $before and $after, of the type, or if it is NULL, an unsigned number of so many bytes. */
struct place *watched_place(struct session *s, struct place_home home, const struct dtype *type, int64_t length);

#endif
