/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits that -D sets; session_limit() of session.h tells them. */
#ifndef TRANSLATOR_LIMITS_H
#define TRANSLATOR_LIMITS_H

struct session;

/* Defaults, and what the command line says about them; with messages about what cannot be. */
void limits_init(struct session *s);

#endif
