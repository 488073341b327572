// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pretty-printing of structures: a table of texts and of members that are read one by one.  Unreadable members are shown as ERROR; the
 * others are still shown.
 */
#include "rt/lib.h"

#define CHUNK 64 /* bytes of a string that are read at once */

static const char unreadable[] = "ERROR";
static const char more[] = "...";

/* The bits of a number; false if they cannot be read. */
static rt_bool show_read(struct rt_ctx *c, const struct rt_show_piece *p, rt_u64 input, rt_s64 *v)
{
	rt_u8 raw[16] = {0};
	rt_u64 low = 0;
	rt_u32 i;

	if (!p->in_memory) {
		*v = (rt_s64)input;
		return 1;
	}
	if (rt_port_read(c, p->space, input + p->off, raw, (p->bit_off + p->width + 7u) / 8))
		return 0;
	for (i = 0; i < 8; i++)
		low |= (rt_u64)raw[i] << 8 * i;
	low >>= p->bit_off;
	if (p->bit_off)
		low |= (rt_u64)raw[8] << (64 - p->bit_off);
	*v = p->is_signed ? rt_bits_signed(low, 0, p->width) : rt_bits(low, 0, p->width);
	return 1;
}

static void show_number(struct rt_sink *s, char conv, rt_s64 v)
{
	struct rt_spec spec = {.conv = conv, .flags = conv == 'x' ? RT_FMT_ALT : 0, .precision = -1};

	rt_sink_number(s, &spec, v);
}

static void show_escaped(struct rt_sink *s, const char *p, rt_u32 n, char quote)
{
	char text[4];
	rt_u32 i;

	for (i = 0; i < n; i++)
		rt_sink_put(s, text, rt_escape(text, (unsigned char)p[i], quote));
}

/* Up to n characters in quotes; false, and nothing shown, if not even the first part of them can be read. */
static rt_bool show_chars(struct rt_ctx *c, struct rt_sink *s, enum rt_space space, rt_u64 addr, rt_u64 n)
{
	rt_u64 done = 0;
	char chunk[CHUNK];
	rt_s64 got;

	n = rt_min(n, s->max - s->n);
	do { /* in parts that do not cross pages, so that everything readable is shown */
		rt_u32 part = (rt_u32)rt_min(n - done, sizeof(chunk) - (addr + done) % sizeof(chunk));

		got = rt_port_read_str(c, space, addr + done, chunk, part);
		if (got < 0 && !done)
			return 0;
		if (!done)
			rt_sink_put(s, "\"", 1);
		if (got > 0)
			show_escaped(s, chunk, (rt_u32)got, '"');
		done += part;
		if (got < (rt_s64)part)
			break;
	} while (done < n);
	rt_sink_put(s, "\"", 1);
	if (got < 0)
		rt_sink_put(s, more, sizeof(more) - 1);
	return 1;
}

static void show_piece(struct rt_ctx *c, struct rt_sink *s, const struct rt_show_piece *p, rt_u64 input)
{
	rt_s64 v = 0;
	char ch;

	if (p->conv == RT_SHOW_CHARS) {
		if (!show_chars(c, s, p->space, input + p->off, p->n))
			rt_sink_put(s, unreadable, sizeof(unreadable) - 1);
		return;
	}
	if (!show_read(c, p, input, &v)) {
		rt_sink_put(s, unreadable, sizeof(unreadable) - 1);
		return;
	}
	switch (p->conv) {
	case 'c':
		ch = (char)v;
		rt_sink_put(s, "'", 1);
		show_escaped(s, &ch, 1, '\'');
		rt_sink_put(s, "'", 1);
		break;
	case 's':
		if (!v || !show_chars(c, s, p->space, (rt_u64)v, ~0ULL))
			show_number(s, 'x', v);
		break;
	default:
		show_number(s, p->conv, v);
	}
}

struct rt_str rt_show(struct rt_ctx *c, const struct rt_show_piece *pieces, rt_u32 n, const rt_u64 *inputs)
{
	struct rt_sink s = rt_sink_make(c);
	rt_u32 i;

	for (i = 0; i < n && !s.cut; i++) {
		const struct rt_show_piece *p = &pieces[i];

		rt_sink_put(&s, p->text.p, p->text.n);
		if (p->conv == RT_SHOW_SKIP && !inputs[p->input]) {
			show_number(&s, 'x', 0);
			i += p->n;
		} else if (p->conv && p->conv != RT_SHOW_SKIP) {
			show_piece(c, &s, p, inputs[p->input]);
		}
	}
	if (s.cut && s.n >= sizeof(more))
		memcpy(s.buf + s.n - (sizeof(more) - 1), more, sizeof(more) - 1);
	return rt_sink_made(c, &s, 0);
}
