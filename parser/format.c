// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes format texts apart; see format.h. */
#include "parser/format.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"
#include "base/vec.h"

struct reader {
	struct arena *arena;
	const char *s;
	size_t len, i;
	VEC(struct format_piece) pieces;
	VEC(enum type) types;
	struct sb literal;
};

static void end_literal(struct reader *r)
{
	struct format_piece p = {
		.len = r->literal.n, .width = -1, .precision = -1, .arg = (unsigned)r->types.n};

	if (!r->literal.n)
		return;
	p.text = arena_strndup(r->arena, r->literal.s, r->literal.n);
	vec_push(r->arena, &r->pieces, p);
	sb_reset(&r->literal);
}

static unsigned read_flags(struct reader *r)
{
	static const char chars[] = "0+- #";
	unsigned flags = 0;

	for (; r->i < r->len && r->s[r->i]; r->i++) {
		const char *c = strchr(chars, r->s[r->i]);

		if (!c)
			break;
		flags |= 1u << (c - chars);
	}
	return flags;
}

/* A number or "*"; -1 for neither. */
static int read_size(struct reader *r, bool *from_arg)
{
	int n = 0;

	if (r->i < r->len && r->s[r->i] == '*') {
		r->i++;
		*from_arg = true;
		vec_push(r->arena, &r->types, T_LONG);
		return -1;
	}
	if (r->i >= r->len || !isdigit((unsigned char)r->s[r->i]))
		return -1;
	for (; r->i < r->len && isdigit((unsigned char)r->s[r->i]); r->i++)
		n = n > FORMAT_MAX ? n : n * 10 + (r->s[r->i] - '0');
	return n > FORMAT_MAX ? FORMAT_MAX : n;
}

/* At the "%" of a conversion.  error may be NULL. */
static int read_conversion(struct reader *r, struct format_error *error)
{
	struct format_piece p = {.off = r->i++, .width = -1, .precision = -1, .arg = (unsigned)r->types.n};

	p.flags = read_flags(r);
	p.width = read_size(r, &p.width_arg);
	if (r->i < r->len && r->s[r->i] == '.') {
		r->i++;
		p.precision = read_size(r, &p.precision_arg);
		if (p.precision < 0 && !p.precision_arg)
			p.precision = 0;
	}
	while (r->i < r->len && r->s[r->i] == 'l')
		r->i++;

	char c = r->i < r->len ? r->s[r->i] : 0;

	if (!c || !strchr("diuoxXpcsbmM", c)) {
		if (error)
			*error = (struct format_error){p.off, r->i - p.off + (r->i < r->len), c};
		return -1;
	}
	r->i++;
	p.conversion = c;
	p.size = r->i - p.off;
	vec_push(r->arena, &r->pieces, p);
	vec_push(r->arena, &r->types, c == 's' ? T_STRING : T_LONG);
	return 0;
}

int format_parse(struct arena *a, const char *text, size_t len, struct format *out,
		 struct format_error *error)
{
	struct reader r = {.arena = a, .s = text, .len = len};
	int ret = 0;

	while (r.i < len && !ret) {
		char c = text[r.i];
		char next = r.i + 1 < len ? text[r.i + 1] : 0;

		if (c != '%' || next == '%' || r.i + 1 == len) {
			sb_putc(&r.literal, c);
			r.i += c == '%' && r.i + 1 < len ? 2 : 1;
			continue;
		}
		end_literal(&r);
		ret = read_conversion(&r, error);
	}
	end_literal(&r);
	sb_free(&r.literal);
	*out = (struct format){r.pieces.v, r.pieces.n, r.types.v, (unsigned)r.types.n};
	return ret;
}

bool format_has(struct arena *a, const char *text, size_t len, const char *conversions)
{
	struct format f;

	if (format_parse(a, text, len, &f, NULL))
		return false;
	for (size_t i = 0; i < f.n; i++)
		if (f.v[i].conversion && strchr(conversions, f.v[i].conversion))
			return true;
	return false;
}
