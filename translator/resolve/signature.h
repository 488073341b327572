/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a function is called, for lists and messages. */
#ifndef TRANSLATOR_RESOLVE_SIGNATURE_H
#define TRANSLATOR_RESOLVE_SIGNATURE_H

#include "translator/session.h"

/* "substr:string (str:string, start:long, length:long)" of an N_FUNCTION, with the types that it declares; in the arena. */
const char *signature_text(struct session *s, const struct node *decl);
/* Reports a call of a function that exists, but not with so many arguments; false if there is none of this name. */
bool signature_report(struct session *s, const struct node *call);

#endif
