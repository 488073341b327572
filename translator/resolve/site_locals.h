/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables that a site gives to its handlers (struct probe_local). */
#ifndef TRANSLATOR_RESOLVE_SITE_LOCALS_H
#define TRANSLATOR_RESOLVE_SITE_LOCALS_H

#include "translator/session.h"

/* Does the body read one of the site's? */
bool site_locals_used(struct session *s, const struct site *t, const struct node *body);
/* The body (a block), with assignments before it of those that it reads. */
struct node *site_locals_bind(struct session *s, const struct site *t, struct node *body);
/* Reports what a handler of several sites reads, and only some of them have: of the probes from the first on, whose names are not bound yet. */
void site_locals_check(struct session *s, size_t first);
bool site_locals_has(const struct site *t, const char *name);
/* Adds to the message a hint with the names of all that the site has. */
void site_locals_list(struct session *s, const struct site *t, struct diag *d);

#endif
