/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits that -D sets; session_limit() of session.h returns them. */
#ifndef TRANSLATOR_LIMITS_H
#define TRANSLATOR_LIMITS_H

#include <stdint.h>

struct session;

/* Defaults, and what the command line says about them; with messages about wrong values. */
void limits_init(struct session *s);
/* Reports names that are no limits and that no C of the script has: after bind. */
void limits_check_defines(struct session *s);
/* The greatest value that -D takes for a limit; 0: there is no such limit. */
int64_t limits_greatest(const char *name);

#endif
