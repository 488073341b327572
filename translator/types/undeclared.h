/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that are used like a global array or statistic, but are locals because they are not declared. */
#ifndef TRANSLATOR_TYPES_UNDECLARED_H
#define TRANSLATOR_TYPES_UNDECLARED_H

#include "translator/session.h"

/* Reports at the node that v, a local, is used as what ("array", "statistic"), and says what to declare or which global is meant. */
void undeclared_report(struct session *s, const struct symbol *v, const struct node *at, enum diag_id id, const char *what);

#endif
