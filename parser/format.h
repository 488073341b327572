/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format text of printf, taken apart: for the parser's checks, for types and for the emitter.
 *
 *   %[flags 0 + - space #][width or *][.precision or .*][l]conversion; "%%", or a lone "%" at the end, is a "%"
 *
 * Conversions: d i u o x X p c (numbers), s (string), b (binary number), m M (memory at an address).
 */
#ifndef PARSER_FORMAT_H
#define PARSER_FORMAT_H

#include "parser/ast.h"

/* Widths and precisions are cut to this. */
#define FORMAT_MAX 8192

enum format_flag {
	FORMAT_ZERO = 1 << 0,  /* 0 */
	FORMAT_PLUS = 1 << 1,  /* + */
	FORMAT_MINUS = 1 << 2, /* - */
	FORMAT_SPACE = 1 << 3, /* space */
	FORMAT_HASH = 1 << 4,  /* # */
};

struct format_piece {
	char conversion;  /* 0: literal text */
	const char *text; /* literal: len bytes, "%%" resolved */
	size_t len;
	unsigned flags;     /* enum format_flag */
	int width;          /* -1: none given */
	int precision;      /* -1: none given */
	bool width_arg;     /* "*": the width is an argument of its own, before the value */
	bool precision_arg; /* ".*": likewise, after that of the width */
	unsigned arg;       /* index of its first argument */
	size_t off;         /* of the "%" in the format text */
	size_t size;        /* bytes of the conversion in the format text */
};

struct format {
	struct format_piece *v;
	size_t n;
	enum type *types; /* of the arguments: T_LONG or T_STRING */
	unsigned nargs;
};

struct format_error {
	size_t off, size; /* of the bad conversion */
	char conversion;  /* what is in the place of the conversion; 0 = the text ends */
};

/* 0, or -1 with *error set, unless it is NULL. */
int format_parse(struct arena *a, const char *text, size_t len, struct format *out,
		 struct format_error *error);
/* Does it have one of these conversions ("mM")?  False of a text that is no format. */
bool format_has(struct arena *a, const char *text, size_t len, const char *conversions);

#endif
