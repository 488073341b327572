/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every name is stored once: two interned names are equal exactly if their pointers are.
 * One table per process; interned text lives until intern_reset().
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>

/* The one copy of s (NUL-terminated). */
const char *intern(const char *s);
/* Of the len bytes at s, which may hold any byte; the copy has a NUL after it. */
const char *intern_n(const char *s, size_t len);
/* Length in bytes of an interned string, NULs inside counted. */
size_t intern_len(const char *s);
/* Forgets all names: for unit tests and fuzzing only. */
void intern_reset(void);

#endif
