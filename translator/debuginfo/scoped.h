/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: names such as "space::list<int>::insert", from the outermost scope to the function. */
#ifndef DEBUGINFO_SCOPED_H
#define DEBUGINFO_SCOPED_H

#include <stdbool.h>

#include "base/arena.h"

/* Has the name a scope?  ':' within the arguments of a template is none. */
bool scoped_is(const char *name);
/*
 * Does the pattern mean the name?  Both are compared part by part, from the function outwards, each as a shell pattern: "insert" and
 * "list*::insert" mean "space::list<int>::insert", and so does "list::insert", as parts without '<' mean every instance of a template.
 * "::f" means an f without a scope only.
 */
bool scoped_matches(const char *pattern, const char *name);
/* The name without the arguments of its template; the name itself if it has none. */
const char *scoped_plain(struct arena *a, const char *name);
/* A pattern for the names that compilers mangle from it, by the rules of C++ for plain names; NULL: it is no plain one. */
const char *scoped_mangled(struct arena *a, const char *name);

#endif
