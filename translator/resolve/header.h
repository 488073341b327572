/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of C headers for @cast(..., "<sys/time.h>"). */
#ifndef TRANSLATOR_RESOLVE_HEADER_H
#define TRANSLATOR_RESOLVE_HEADER_H

#include "translator/session.h"

/* A shared object whose DWARF has the types of the header, named as "<sys/time.h>"; NULL with why. */
const char *header_object(struct session *s, const char *name, struct problem *why);

#endif
