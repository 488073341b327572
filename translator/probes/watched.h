/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the families of watchpoints share. */
#ifndef PROBES_WATCHED_H
#define PROBES_WATCHED_H

#include "translator/probes/probe.h"

/* The forms of a point: what is before ".write", flags for their variant, and what it watches. */
enum { WATCHED_RW = 1, WATCHED_LENGTH = 2, WATCHED_OWN = 4 }; /* WATCHED_OWN: the family's */
#define WATCHED_FORMS(head, flags, what)                                                                  \
	{head ".write", (flags), "a write to " what},                                                     \
	{head ".rw", (flags) | WATCHED_RW, "a read or a write of it"},                                    \
	{head ".length(n).write", (flags) | WATCHED_LENGTH, "a write to n bytes of it: 1, 2, 4 or 8"},    \
	{head ".length(n).rw", (flags) | WATCHED_LENGTH | WATCHED_RW, "a read or a write of them"}

/* The point as resolved; head: what is before ".data", length: NULL if the point does not have it. */
const char *watched_text(struct session *s, const char *head, const struct component *data, const struct component *length, bool rw);
/* Reports a .length(N) that no machine watches; -1. */
int watched_check_length(struct session *s, const struct component *length);
/* Reports an address that is no multiple of the length; -1.  of: what is before ".data" in the point. */
int watched_check_multiple(struct session *s, const struct component *data, const char *of, int64_t length);
/* The length of a variable if no other is asked for; 0: it is not known; -1: reported that it cannot be watched as a whole. */
int64_t watched_length_of(struct session *s, const struct component *data, const struct dtype *type);
/* $before and $after, of the type, or if it is NULL, an unsigned number of so many bytes. */
struct place *watched_place(struct session *s, struct place_home home, const struct dtype *type, int64_t length);
/* Is the name in quotes a pattern?  Reported: a point watches one variable. */
bool watched_is_pattern(struct session *s, const struct component *data);

#endif
