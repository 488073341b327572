// SPDX-License-Identifier: GPL-2.0-or-later
/* What of a text may be shown on a terminal; see visible.h. */
#include "base/visible.h"

#include <string.h>

/* Bytes of the UTF-8 sequence that begins so, 0 if none does. */
static unsigned glyph_bytes(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

struct glyph visible_glyph(const char *s, size_t n)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *p = (const unsigned char *)s;
	unsigned bytes = glyph_bytes(p[0]);
	struct glyph invalid = {p[0], false, 1};

	if (!bytes || bytes > n)
		return invalid;

	uint32_t code = bytes == 1 ? p[0] : p[0] & (0x7fu >> bytes);

	for (unsigned i = 1; i < bytes; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return invalid;
		code = code << 6 | (p[i] & 0x3f);
	}
	if (code < least[bytes] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return invalid;
	return (struct glyph){code, true, bytes};
}

bool visible_in(uint32_t code, const struct visible_range *ranges, size_t n)
{
	for (size_t i = 0; i < n && code >= ranges[i].first; i++)
		if (code <= ranges[i].last)
			return true;
	return false;
}

bool visible_is_dangerous(uint32_t code)
{
	static const struct visible_range ranges[] = {
		{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200f},
		{0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}, {0xe0000, 0xe007f},
	};
	return visible_in(code, ranges, sizeof ranges / sizeof ranges[0]);
}

void visible_put_glyph(struct sb *out, const char *s, struct glyph g)
{
	if (!g.valid || visible_is_dangerous(g.code))
		sb_printf(out, g.valid && g.code > 0x7f ? "<U+%04X>" : "<%02X>", g.code);
	else
		sb_putn(out, s, g.bytes);
}

void visible_put(struct sb *out, const char *s, size_t n, const char *keep)
{
	while (n) {
		struct glyph g = visible_glyph(s, n);

		if (*s && strchr(keep, *s))
			sb_putc(out, *s);
		else
			visible_put_glyph(out, s, g);
		s += g.bytes;
		n -= g.bytes;
	}
}

void visible_mask(char *s, size_t n)
{
	while (n) {
		struct glyph g = visible_glyph(s, n);

		if (g.valid ? visible_is_dangerous(g.code) && *s != '\n' && *s != '\t' : g.code < 0xa0)
			memset(s, '?', g.bytes);
		s += g.bytes;
		n -= g.bytes;
	}
}

void visible_put_quoted(struct sb *out, const char *s)
{
	sb_putc(out, '"');
	for (size_t n = strlen(s); n;) {
		struct glyph g = visible_glyph(s, n);

		if (*s == '"' || *s == '\\')
			sb_printf(out, "\\%c", *s);
		else if (*s == '\n' || *s == '\t')
			sb_puts(out, *s == '\n' ? "\\n" : "\\t");
		else if (g.valid && !visible_is_dangerous(g.code))
			sb_putn(out, s, g.bytes);
		else
			for (unsigned i = 0; i < g.bytes; i++)
				sb_printf(out, "\\%03o", (unsigned char)s[i]);
		s += g.bytes;
		n -= g.bytes;
	}
	sb_putc(out, '"');
}
