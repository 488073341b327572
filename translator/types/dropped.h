/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arms of "if" that a constant condition leaves out.  Nothing in them must resolve.  What they say about types counts only where
 * nothing else does: if (0) x = 5; println(x).
 */
#ifndef TRANSLATOR_TYPES_DROPPED_H
#define TRANSLATOR_TYPES_DROPPED_H

#include "translator/session.h"

/* bind: notes what an arm (or NULL) of the probe or function says. */
void dropped_note(struct session *s, struct probe *p, struct function *f, struct node *arm);
/* infer: gives variables and functions whose types are unknown the noted ones; true if there was any. */
bool dropped_settle(struct session *s);
/* A return with a value was noted in the function. */
bool dropped_returns(const struct session *s, const struct function *f);

#endif
