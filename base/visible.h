/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes names and texts of what is traced harmless for a terminal.  Characters that would move its cursor, change its colours or
 * reverse the order of what it shows are spelled out, and so are bytes that are not UTF-8.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* One character of text: its code point (or byte, when invalid) and its bytes. */
struct glyph {
	uint32_t code;
	bool valid;
	unsigned bytes;
};
struct glyph visible_glyph(const char *s, size_t n);

struct visible_range {
	uint32_t first, last;
};
/* The ranges ascend. */
bool visible_in(uint32_t code, const struct visible_range *ranges, size_t n);

/* Moves the cursor, changes colours, or reverses the order of what is shown. */
bool visible_is_dangerous(uint32_t code);

/* A character as it is, or as <1B> or <U+202E>. */
void visible_put_glyph(struct sb *out, const char *s, struct glyph g);
/* Text; the control characters in keep (such as "\n\t") stay as they are. */
void visible_put(struct sb *out, const char *s, size_t n, const char *keep);
/* In place, each byte of them as '?': for text that goes to a terminal.  Newlines and tabs stay. */
void visible_mask(char *s, size_t n);
/* A string as a script writes it, with its quotes: what the lexer reads back to the same bytes. */
void visible_put_quoted(struct sb *out, const char *s);

#endif
