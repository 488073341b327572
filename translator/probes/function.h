/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The place that is a function's entry or return: its parameters and its result, as a prototype has them. */
#ifndef TRANSLATOR_PROBES_FUNCTION_H
#define TRANSLATOR_PROBES_FUNCTION_H

#include "translator/probes/place.h"

/* Asks debug information about the function of the site, when that is first needed; 0, or -1 with why. */
typedef int function_prototype(struct session *s, const struct site *t, struct proto *out, struct problem *why);

struct place *function_place(struct session *s, const struct site *t, function_prototype *ask, struct place_home home);
/* The same where a probed instruction returns from the function: its results are known, and what it was called with no longer. */
struct place *function_end_place(struct session *s, const struct site *t, function_prototype *ask, struct place_home home);
/* The same as function_place() for a system call: what is known of any. */
struct place *function_call_place(struct session *s, const struct site *t, struct place_home home);

#endif
