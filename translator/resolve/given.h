/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of globals from the command line (-G NAME=VALUE). */
#ifndef TRANSLATOR_RESOLVE_GIVEN_H
#define TRANSLATOR_RESOLVE_GIVEN_H

#include "translator/session.h"

/* Part of bind: every name must be that of a common global, which then counts as read. */
void given_bind(struct session *s);
/* Part of check, when types are known: every value must fit its global, as the runtime will read it (runtime/rt/globals.c). */
void given_check(struct session *s);

#endif
