/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Braces within the quotes of a probe point, function("{a,b}"), are characters of a name, and no alternatives. */
#ifndef TRANSLATOR_RESOLVE_BRACES_H
#define TRANSLATOR_RESOLVE_BRACES_H

#include "translator/session.h"

struct point;

/*
 * Nothing was found for the point.  If such braces may be why, advice is added to what was told of it after last; of a point that may be absent,
 * nothing was, and there is a warning.
 */
void braces_tell(struct session *s, const struct point *p, const struct diag *last);

#endif
