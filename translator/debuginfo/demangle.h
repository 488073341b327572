/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: symbols of C++, and of Rust, as their source has them. */
#ifndef DEBUGINFO_DEMANGLE_H
#define DEBUGINFO_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* Can names be demangled, i.e. is libstdc++ installed? */
bool demangle_works(void);
/*
 * "_ZN5space1fEi" -> "space::f" and the types of its parameters, "int"; *arguments is NULL where the symbol has none.  NULL: it is not mangled, or no
 * function of the source, or too long when it is written out.  *budget: bytes that all names together may still have; reduced by this one.
 */
const char *demangle(struct arena *a, const char *symbol, const char **arguments, size_t *budget);

#endif
