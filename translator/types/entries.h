/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room for what return probes save at function entry. */
#ifndef TRANSLATOR_TYPES_ENTRIES_H
#define TRANSLATOR_TYPES_ENTRIES_H

#include "translator/session.h"

/* After infer: sets entry_slots of the probe and the index of each entry's symbol.  E_ENTRY_SPACE when its family has less. */
void entries_check(struct session *s, struct probe *p);

#endif
