/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -l, -L, --dump-functions, --dump-probe-types, --dump-probe-aliases. */
#ifndef TRANSLATOR_LISTING_H
#define TRANSLATOR_LISTING_H

#include "translator/session.h"

/* Prints the sites of the listed point, sorted; exit status 0 only if there are any. */
int listing_print(struct session *s);
int listing_functions(struct session *s);
int listing_probe_aliases(struct session *s);
int listing_probe_types(struct session *s);

#endif
