/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The formats of prints, as tables. */
#include "base/intern.h"
#include "parser/format.h"
#include "translator/emit/emit.h"

/* Of a piece with a conversion. */
static void put_flags(struct sb *b, unsigned flags)
{
	static const char *const name[] = {
#define FLAG(flag) [flag] = #flag
		FLAG(RT_FMT_MINUS), FLAG(RT_FMT_PLUS),      FLAG(RT_FMT_SPACE),         FLAG(RT_FMT_ALT),
		FLAG(RT_FMT_ZERO),  FLAG(RT_FMT_WIDTH_ARG), FLAG(RT_FMT_PRECISION_ARG),
#undef FLAG
	};
	const char *before = ", .flags = ";

	for (unsigned bit = 1; bit < sizeof name / sizeof *name; bit <<= 1) {
		if (!(flags & bit))
			continue;
		sb_printf(b, "%s%s", before, name[bit]);
		before = " | ";
	}
}

static void piece(struct sb *b, const char *text, size_t n, char conv, unsigned flags, int width, int precision)
{
	sb_puts(b, "\t{.text = RT_TEXT(");
	sb_put_c_string(b, text, n);
	sb_putc(b, ')');
	if (conv)
		sb_printf(b, ", .conv = '%c'", conv);
	if (flags)
		put_flags(b, flags);
	if (width < 0 && precision < 0)
		sb_puts(b, ", RT_FMT_PLAIN},\n");
	else
		sb_printf(b, ", .width = %d, .precision = %d},\n", width, precision);
}

/* How many pieces it has. */
static unsigned pieces(struct emit *e, const struct node *n, struct sb *b)
{
	static const struct {
		unsigned from, to;
	} flags[] = {
		{FORMAT_MINUS, RT_FMT_MINUS}, {FORMAT_PLUS, RT_FMT_PLUS}, {FORMAT_SPACE, RT_FMT_SPACE},
		{FORMAT_HASH, RT_FMT_ALT},    {FORMAT_ZERO, RT_FMT_ZERO},
	};
	struct format f;
	unsigned count = 0;

	if (format_parse(&e->s->arena, n->text, intern_len(n->text), &f, NULL))
		return 0;
	for (size_t i = 0; i < f.n; i++) {
		const struct format_piece *p = &f.v[i], *literal = p;
		unsigned to = 0;
		if (!p->conversion && i + 1 < f.n && f.v[i + 1].conversion)
			p = &f.v[++i]; /* a text and the conversion after it are one piece */
		for (size_t k = 0; k < sizeof flags / sizeof flags[0]; k++)
			to |= p->flags & flags[k].from ? flags[k].to : 0;
		to |= (p->width_arg ? RT_FMT_WIDTH_ARG : 0u) | (p->precision_arg ? RT_FMT_PRECISION_ARG : 0u);
		piece(b, literal->conversion ? "" : literal->text, literal->conversion ? 0 : literal->len, p->conversion, to, p->width,
		      p->precision);
		count++;
	}
	return count;
}

const char *emit_format(struct emit *e, const struct node *table)
{
	struct sb b = {0};
	unsigned count;
	const char *rows, *name;

	sb_puts(&b, "{\n");
	count = pieces(e, table, &b);
	sb_putc(&b, '}');
	rows = count ? emit_table(e, "pieces", "struct rt_fmt_piece", "[]", b.s) : "0";
	name = emit_table(e, "fmt", "struct rt_fmt", "", emit_text(e, "{.pieces = %s, .n = %u}", rows, count));
	sb_free(&b);
	return emit_text(e, "&%s", name);
}
