/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "space::f(int, const char *)": functions of one name are told apart by the types of their parameters. */
#ifndef DEBUGINFO_OVERLOAD_H
#define DEBUGINFO_OVERLOAD_H

#include <stdbool.h>

#include "base/arena.h"

/* Cuts the arguments off the name, which they are returned without: "int, const char *".  NULL: it has none. */
const char *overload_arguments(struct arena *a, const char **name);
/*
 * Are the arguments those of the function?  Blanks, "struct" and the like, and where "const" is before the first '*' or '&' make no
 * difference.  Types are compared as names with scopes are (scoped.h), so a scope may be left out.  "*" is one argument of any type.
 */
bool overload_matches(const char *arguments, const char *of_function);

#endif
