/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: names such as "space::list<int>::insert", from the outermost scope to the function. */
#ifndef DEBUGINFO_SCOPED_H
#define DEBUGINFO_SCOPED_H

#include <stdbool.h>

#include "base/arena.h"

/* Has the name a scope?  ':' within the arguments of a template is none. */
bool scoped_is(const char *name);
/*
 * Does the pattern match the name?  Both are compared part by part, from the function outwards, each as a shell pattern: "insert" and
 * "list*::insert" match "space::list<int>::insert".  So does "list::insert": a part without '<' matches every instance of a template.
 * "::f" matches only an f without a scope.  An anonymous namespace may be left out before a part that is no pattern, as in C++: "space::f"
 * matches "space::(anonymous namespace)::f".
 */
bool scoped_matches(const char *pattern, const char *name);
/* Its last part: of a function or variable itself. */
const char *scoped_last(const char *name);
/* The name without the arguments of its template; the name itself if it has none. */
const char *scoped_plain(struct arena *a, const char *name);
/* A pattern for the mangled forms of a plain name, by the rules of C++; NULL: it is not a plain name. */
const char *scoped_mangled(struct arena *a, const char *name);

#endif
