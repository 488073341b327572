// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text of one message.  The source line is shown as a terminal would show it: tabs become spaces, wide
 * characters take two columns, bytes that are not UTF-8 and characters that would drive the terminal are
 * spelled out; of a long line, the part around the caret is shown.
 */
#include "base/diag_print.h"

#include <stdint.h>
#include <string.h>

#include "base/visible.h"

#define TAB 8
#define MAX_WIDTH 100 /* columns shown of a source line */
#define LEAD 30       /* of these, before the caret, when the line is cut */
#define WINDOW 2048   /* bytes looked at on each side of it: a line may have millions */
#define MAX_CHAIN 10  /* macro expansions shown for one message */

enum style { STYLE_PLACE, STYLE_ERROR, STYLE_WARNING, STYLE_NOTE, STYLE_HINT };

static const char *const sgr[] = {
	[STYLE_PLACE] = "1",      /* bold */
	[STYLE_ERROR] = "1;31",   /* bold red */
	[STYLE_WARNING] = "1;35", /* bold magenta */
	[STYLE_NOTE] = "1;36",    /* bold cyan */
	[STYLE_HINT] = "1;32",    /* bold green */
};

static void style_on(struct sb *out, bool colour, enum style style)
{
	if (colour)
		sb_printf(out, "\033[%sm", sgr[style]);
}

static void style_off(struct sb *out, bool colour)
{
	if (colour)
		sb_puts(out, "\033[0m");
}

unsigned diag_print_utf8(const char *s, size_t n)
{
	struct glyph g = visible_glyph(s, n);

	return g.valid ? g.bytes : 0;
}

/* Of a character that is shown as it is: a short form of the Unicode tables, enough to place a caret. */
static unsigned columns_of(uint32_t code)
{
	static const struct visible_range combining[] = {
		{0x300, 0x36f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
		{0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f},
	};
	static const struct visible_range wide[] = {
		{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97c},
		{0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},
		{0xffe0, 0xffe6},   {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff},
		{0x20000, 0x3fffd},
	};

	if (visible_in(code, combining, sizeof combining / sizeof combining[0]))
		return 0;
	return visible_in(code, wide, sizeof wide / sizeof wide[0]) ? 2 : 1;
}

/* Adds one character as it is shown at a column (0-based); returns the columns it takes. */
static unsigned put_glyph(struct sb *out, const char *s, struct glyph g, unsigned column)
{
	if (g.valid && g.code == '\t') {
		unsigned n = TAB - column % TAB;

		sb_printf(out, "%*s", (int)n, "");
		return n;
	}
	size_t before = out->n;

	visible_put_glyph(out, s, g);
	return !g.valid || visible_is_dangerous(g.code) ? (unsigned)(out->n - before) : columns_of(g.code);
}

/* Text of a message: newlines stay, the lines after the first are indented. */
static void put_text(struct sb *out, const char *text)
{
	size_t n = strlen(text);

	while (n && text[n - 1] == '\n')
		n--;
	for (unsigned column = 0; n;) {
		struct glyph g = visible_glyph(text, n);

		if (*text == '\n') {
			sb_puts(out, "\n    ");
			column = 4;
		} else {
			column += put_glyph(out, text, g, column);
		}
		text += g.bytes;
		n -= g.bytes;
	}
}

/* A source line as shown, and for the span in it the columns where it begins and ends. */
struct picture {
	struct sb text;
	unsigned begin, end;     /* columns */
	size_t cut_from, cut_to; /* bytes of text that are shown */
	unsigned cut_columns;    /* columns left out at the left */
};

/* Shows the columns from first on, MAX_WIDTH of them; whole characters only. */
static void cut(struct picture *pic, const char *line, size_t len, unsigned first)
{
	struct sb scratch = {0};
	unsigned column = 0;

	pic->cut_from = pic->cut_to = 0;
	pic->cut_columns = 0;
	for (size_t i = 0; i < len;) {
		struct glyph g = visible_glyph(line + i, len - i);
		unsigned columns = put_glyph(&scratch, line + i, g, column);

		if (column + columns > first + MAX_WIDTH)
			break;
		column += columns;
		if (column <= first) {
			pic->cut_from = scratch.n;
			pic->cut_columns = column;
		}
		pic->cut_to = scratch.n;
		i += g.bytes;
	}
	sb_free(&scratch);
}

static void draw(struct picture *pic, const char *line, size_t len, size_t from, size_t to)
{
	unsigned column = 0;

	for (size_t i = 0; i < len;) {
		struct glyph g = visible_glyph(line + i, len - i);
		unsigned columns = put_glyph(&pic->text, line + i, g, column);

		if (i + g.bytes <= from)
			pic->begin = column + columns;
		column += columns;
		if (i < to)
			pic->end = column;
		i += g.bytes;
	}
	if (pic->end <= pic->begin)
		pic->end = pic->begin + 1;
	pic->cut_to = pic->text.n;
	if (column > MAX_WIDTH)
		cut(pic, line, len, pic->end <= MAX_WIDTH ? 0 : pic->begin > LEAD ? pic->begin - LEAD : 0);
}

static void put_snippet(struct sb *out, struct source *s, struct loc loc, bool colour, enum style style)
{
	struct picture pic = {0};
	unsigned number, column;
	size_t len;

	source_position(s, loc.off, &number, &column);

	const char *line = source_line(s, number, &len);
	size_t at = column - 1 < len ? column - 1 : len;
	size_t skip = at > WINDOW ? at - WINDOW : 0;
	size_t shown = len - skip < 2 * WINDOW ? len - skip : 2 * WINDOW;

	draw(&pic, line + skip, shown, at - skip, at - skip + (loc.len ? loc.len : 1));

	bool cut_left = skip || pic.cut_from, cut_right = skip + shown < len || pic.cut_to < pic.text.n;
	unsigned shift = (cut_left ? 3 : 0) + pic.begin - pic.cut_columns;
	unsigned end = pic.end < pic.cut_columns + MAX_WIDTH ? pic.end : pic.cut_columns + MAX_WIDTH;

	sb_printf(out, "%5u | %s", number, cut_left ? "..." : "");
	if (pic.cut_to > pic.cut_from)
		sb_putn(out, pic.text.s + pic.cut_from, pic.cut_to - pic.cut_from);
	sb_printf(out, "%s\n      | %*s", cut_right ? "..." : "", (int)shift, "");
	style_on(out, colour, style);
	sb_putc(out, '^');
	for (unsigned i = pic.begin + 1; i < end; i++)
		sb_putc(out, '~');
	style_off(out, colour);
	sb_putc(out, '\n');
	sb_free(&pic.text);
}

/*
 * "file:line:col: kind: text [id]" and the source line.  Without a place, "kind: text [id]", or an indented
 * "kind: text" for what belongs to the message above.
 */
static void put_line(struct sb *out, const struct sources *ss, struct loc loc, const char *kind,
		     const char *text, const char *id, bool colour, enum style style)
{
	struct source *s = source_by_id(ss, loc.source);

	if (s) {
		unsigned line, column;

		source_position(s, loc.off, &line, &column);
		style_on(out, colour, STYLE_PLACE);
		put_text(out, s->name);
		sb_printf(out, ":%u:%u:", line, column);
		style_off(out, colour);
		sb_putc(out, ' ');
	} else if (!id) {
		sb_puts(out, "  ");
	}
	style_on(out, colour, style);
	sb_printf(out, "%s:", kind);
	style_off(out, colour);
	sb_putc(out, ' ');
	put_text(out, text);
	if (id)
		sb_printf(out, " [%s]", id);
	sb_putc(out, '\n');
	if (s)
		put_snippet(out, s, loc, colour, style);
}

/* The calls of macros that led to the place, innermost first. */
static void put_expansions(struct sb *out, const struct sources *ss, struct loc loc, bool colour)
{
	unsigned n = 0;

	for (uint32_t i = loc.expansion; i && i <= ss->nexpansions; i = ss->expansions[i - 1].at.expansion) {
		const struct expansion *e = &ss->expansions[i - 1];
		struct sb text = {0};

		if (n++ == MAX_CHAIN) {
			sb_puts(out, "  note: and further macro expansions\n");
			return;
		}
		if (e->macro[0] == '$')
			sb_printf(&text, "the argument %s is put in here", e->macro);
		else
			sb_printf(&text, "in the expansion of macro @%s", e->macro);
		put_line(out, ss, e->at, "note", text.s, NULL, colour, STYLE_NOTE);
		sb_free(&text);
	}
}

void diag_print_one(struct sb *out, const struct sources *ss, const struct diag *d, bool colour)
{
	bool is_error = d->level == DIAG_ERROR;

	put_line(out, ss, d->loc, is_error ? "error" : "warning", d->text, diag_name(d->id), colour,
		 is_error ? STYLE_ERROR : STYLE_WARNING);
	put_expansions(out, ss, d->loc, colour);
	for (const struct diag_note *note = d->notes; note; note = note->next) {
		bool is_hint = !strcmp(note->kind, "hint");

		put_line(out, ss, note->loc, note->kind, note->text, NULL, colour,
			 is_hint ? STYLE_HINT : STYLE_NOTE);
		put_expansions(out, ss, note->loc, colour);
	}
}
