/* SPDX-License-Identifier: GPL-2.0-or-later */
/* $variables that functions of the tapset stand for (struct probe_value). */
#ifndef TRANSLATOR_RESOLVE_VALUES_H
#define TRANSLATOR_RESOLVE_VALUES_H

#include "translator/session.h"

/* Puts calls in place of such variables in the body of a handler at the site, and of what assigns to them. */
void values_bind(struct session *s, const struct site *t, struct node *body);
/* The body, to run only at the hits that are the site's (struct probe_guard). */
struct node *values_guard(struct session *s, const struct site *t, struct node *body);
/* Asks for the functions of all families. */
void values_ask(struct session *s);

#endif
