/* SPDX-License-Identifier: GPL-2.0-or-later */
/* String builder (heap, grows), and small helpers on text. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct sb {
	char *s;  /* always NUL-terminated once anything was added; NULL when empty */
	size_t n; /* bytes, without the NUL */
	size_t cap;
};

void sb_putc(struct sb *b, char c);
void sb_puts(struct sb *b, const char *s);
void sb_putn(struct sb *b, const char *s, size_t n);
void sb_printf(struct sb *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sb_vprintf(struct sb *b, const char *fmt, va_list ap);
/*
 * The n bytes at s as a C string literal with its quotes; safe whatever the bytes are (octal escapes, no
 * trigraphs).
 */
void sb_put_c_string(struct sb *b, const char *s, size_t n);
/* Empties without giving memory back / gives it back. */
void sb_reset(struct sb *b);
void sb_free(struct sb *b);

/*
 * Levenshtein distance of two names, where a swap of neighbours is one step too; at most limit + 1 (stops
 * early).  Names of over 255 bytes are only compared for equality.
 */
unsigned str_distance(const char *a, const char *b, unsigned limit);

/* Collects the nearest of many candidates to a name, for "did you mean". */
struct nearest {
	const char *name;
	unsigned n;
	struct {
		const char *s;
		unsigned distance;
	} best[5];
};
void nearest_init(struct nearest *near, const char *name);
/* Considers candidate (kept by reference).  Duplicates are dropped. */
void nearest_add(struct nearest *near, const char *candidate);
/*
 * The nearest, and those at most one step further, with their quotes: "\"a\", \"b\" or \"c\"", in the arena.
 * NULL when nothing is near enough: distance <= max(2, len / 3), 1 for names of 1 to 3 bytes.
 */
const char *nearest_text(const struct nearest *near, struct arena *a);

/*
 * Shell-like match of a whole string: * ? [set] [a-z] [!set] [^set].  No special meaning for '/', '\' or
 * leading dots; a '[' without its ']' is a plain character.
 */
bool str_glob(const char *pattern, const char *s);
bool str_has_glob(const char *s);

/* What a word has after the number n: "s", or "" if n is 1. */
const char *str_plural(size_t n);

/* Content hash for cache names, where there is no attacker: FNV-1a in 128 bits. */
struct hash128 {
	unsigned long long lo, hi;
};
struct hash128 hash128_init(void);
struct hash128 hash128_add(struct hash128 h, const void *p, size_t n);
/*
 * Like hash128_add(), for long input: ten times as fast, with a different result.  The length is hashed too, so adding two halves differs from adding
 * the whole.
 */
struct hash128 hash128_add_bulk(struct hash128 h, const void *p, size_t n);
/* Adds the string and its length, so that ("ab","c") and ("a","bc") differ. */
struct hash128 hash128_add_str(struct hash128 h, const char *s);
/* 32 hex digits and a NUL. */
void hash128_hex(struct hash128 h, char out[33]);

#endif
