// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All text is made here: the sink, numbers, the printf family of the language and the small one of
 * rt_error(). Conversions and their flags are C's where C has them, except that %#x of 0 is 0x0 as for
 * every other address.
 */
#include "rt/lib.h"

#define CHUNK 64      /* bytes of memory that %m and %M read at once */
#define DUMP_MAX 4096 /* most bytes of one %m or %M */

/* ---- the sink ---- */

/*
 * Sends the complete lines, stacks being such, or all if there is none, so that lines of different CPUs do not mix.
 */
static void sink_send(struct rt_sink *s)
{
	rt_u32 whole = s->n, stacks = s->print->out_part, rest;

	while (whole > stacks && s->buf[whole - 1] != '\n')
		whole--;
	if (!whole)
		whole = s->n;
	rest = s->n - whole;
	s->print->out_n = whole;
	rt_port_flush(s->print);
	s->print->out_n = s->print->out_part = 0;
	memmove(s->buf, s->buf + whole, rest);
	s->n = rest;
	s->start = s->start > whole ? s->start - whole : 0;
}

/* Room for at least one byte; false when the text must be cut here. */
static rt_bool sink_room(struct rt_sink *s)
{
	if (RT_LIKELY(s->n < s->max))
		return 1;
	if (!s->print || !s->max) {
		s->cut = 1;
		return 0;
	}
	sink_send(s);
	return 1;
}

void rt_sink_put(struct rt_sink *s, const char *p, rt_size n)
{
	while (n && sink_room(s)) {
		rt_u32 part = (rt_u32)rt_min(n, s->max - s->n);

		memcpy(s->buf + s->n, p, part);
		s->n += part;
		p += part;
		n -= part;
	}
}

void rt_sink_fill(struct rt_sink *s, char byte, rt_size n)
{
	while (n && sink_room(s)) {
		rt_u32 part = (rt_u32)rt_min(n, s->max - s->n);

		memset(s->buf + s->n, byte, part);
		s->n += part;
		n -= part;
	}
}

void rt_sink_stack(struct rt_sink *s, const void *frames, rt_u32 size, rt_u32 n, rt_u32 flags)
{
	rt_u32 whole = (rt_u32)rt_min(n, (s->max - sizeof(struct rt_part)) / size);
	struct rt_part part = {.frames = whole | flags};

	size *= whole;
	while (s->n && s->max - s->n < size + sizeof part)
		sink_send(s);
	part.text = s->n - s->print->out_part;
	memcpy(s->buf + s->n, frames, size);
	memcpy(s->buf + s->n + size, &part, sizeof part);
	s->n += size + sizeof part;
	s->print->out_part = s->n;
}

struct rt_sink rt_sink_print(struct rt_ctx *c)
{
	return (struct rt_sink){
		.print = c, .buf = c->out, .n = c->out_n, .max = rt_script.limits->out, .start = c->out_n};
}

/* After an error the text is dropped, except parts that were already sent because it was too long. */
void rt_sink_printed(struct rt_sink *s)
{
	s->print->out_n = s->print->error ? s->start : s->n;
}

struct rt_sink rt_sink_make(struct rt_ctx *c)
{
	rt_size room = (rt_size)(c->arena_end - c->arena_pos);

	return (struct rt_sink){
		.buf = c->arena_pos,
		.max = (rt_u32)rt_min(rt_script.limits->string_max, room ? room - 1 : 0),
		.cut = !room,
	};
}

struct rt_str rt_sink_made(struct rt_ctx *c, struct rt_sink *s, rt_bool may_hold_nul)
{
	rt_u32 n = may_hold_nul ? (rt_u32)rt_cut_len(s->buf, s->n) : s->n;

	if (s->cut && s->max < rt_script.limits->string_max)
		rt_error(c, "string space exhausted");
	if (c->error)
		return RT_EMPTY;
	s->buf[n] = 0;
	c->arena_pos = s->buf + n + 1;
	return (struct rt_str){s->buf, n};
}

/* ---- conversions ---- */

/* Text of n bytes in a field, blanks around it. */
static void put_field(struct rt_sink *s, const struct rt_spec *spec, const char *p, rt_u32 n, char blank)
{
	rt_size pad = spec->width > 0 && (rt_u32)spec->width > n ? (rt_u32)spec->width - n : 0;

	if (!(spec->flags & RT_FMT_MINUS))
		rt_sink_fill(s, blank, pad);
	rt_sink_put(s, p, n);
	if (spec->flags & RT_FMT_MINUS)
		rt_sink_fill(s, blank, pad);
}

/* Digits of v, ending before end; none for 0. */
static char *digits(char *end, rt_u64 v, char conv)
{
	const char *set = conv == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";

	if (conv == 'x' || conv == 'X' || conv == 'p') {
		for (; v; v >>= 4)
			*--end = set[v & 15];
	} else if (conv == 'o') {
		for (; v; v >>= 3)
			*--end = set[v & 7];
	} else {
		for (; v; v /= 10)
			*--end = set[v % 10];
	}
	return end;
}

/* The prefix for conversion, flags and value: a sign or 0x. */
static const char *prefix_of(const struct rt_spec *spec, rt_s64 v)
{
	switch (spec->conv) {
	case 'd':
	case 'i':
		if (v < 0)
			return "-";
		return spec->flags & RT_FMT_PLUS ? "+" : spec->flags & RT_FMT_SPACE ? " " : "";
	case 'p':
		return "0x";
	case 'x':
	case 'X':
		if (spec->flags & RT_FMT_ALT && (v || spec->precision < 0))
			return spec->conv == 'x' ? "0x" : "0X";
		return "";
	default:
		return "";
	}
}

void rt_sink_number(struct rt_sink *s, const struct rt_spec *spec, rt_s64 v)
{
	rt_bool is_signed = spec->conv == 'd' || spec->conv == 'i';
	char tmp[24], *end = tmp + sizeof(tmp),
		      *p = digits(end, is_signed && v < 0 ? 0 - (rt_u64)v : (rt_u64)v, spec->conv);
	const char *prefix = prefix_of(spec, v);
	rt_size n = (rt_size)(end - p), nprefix = rt_cstr_len(prefix);
	rt_size min = spec->precision < 0 ? 1 : (rt_size)spec->precision, zeros, width, pad;

	zeros = n < min ? min - n : 0;
	if (spec->conv == 'o' && spec->flags & RT_FMT_ALT && !zeros && (n || !min))
		zeros = 1;
	width = spec->width > 0 ? (rt_size)spec->width : 0;
	pad = width > nprefix + zeros + n ? width - nprefix - zeros - n : 0;
	if (spec->flags & RT_FMT_ZERO && !(spec->flags & RT_FMT_MINUS) && spec->precision < 0) {
		zeros += pad;
		pad = 0;
	}
	if (!(spec->flags & RT_FMT_MINUS))
		rt_sink_fill(s, ' ', pad);
	rt_sink_put(s, prefix, nprefix);
	rt_sink_fill(s, '0', zeros);
	rt_sink_put(s, p, n);
	if (spec->flags & RT_FMT_MINUS)
		rt_sink_fill(s, ' ', pad);
}

void rt_sink_long(struct rt_sink *s, rt_s64 v, int width)
{
	struct rt_spec spec = {.conv = 'd', .width = width, .precision = -1};

	rt_sink_number(s, &spec, v);
}

/* All 8 digits at once, each in a byte, the first one in the highest byte: stacks in keys of arrays are made here. */
static inline void put_8_digits(char *to, rt_u32 v)
{
	rt_u64 x = (rt_u64)(v & 0xffff0000) << 16 | (v & 0xffff), above_9;

	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
	above_9 = (x + 0x0606060606060606) >> 4 & 0x0101010101010101;
	x += 0x3030303030303030 + above_9 * ('a' - '9' - 1);
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		x = __builtin_bswap64(x);
	__builtin_memcpy(to, &x, 8);
}

rt_u32 rt_hex(char *to, rt_u64 v)
{
	rt_u32 digits = 16;

	to[0] = '0';
	to[1] = 'x';
	if (v >> 32 == 0xffffffff) { /* as the address of nearly any code of a kernel: half of it is known */
		__builtin_memcpy(to + 2, "ffffffff", 8);
		put_8_digits(to + 10, (rt_u32)v);
		return digits + 2;
	}
	digits = (67 - (rt_u32)__builtin_clzll(v | 1)) / 4;
	v <<= 64 - 4 * digits;
	put_8_digits(to + 2, (rt_u32)(v >> 32));
	put_8_digits(to + 10, (rt_u32)v);
	return digits + 2;
}

void rt_sink_hex(struct rt_sink *s, rt_u64 v)
{
	char text[RT_HEX_MOST];

	rt_sink_put(s, text, rt_hex(text, v));
}

rt_u32 rt_escape(char out[4], unsigned char byte, char quote)
{
	static const char named[] = "\aa\bb\ff\nn\rr\tt\vv";
	rt_u32 i;

	if (byte >= ' ' && byte <= '~' && byte != '\\' && byte != (unsigned char)quote) {
		out[0] = (char)byte;
		return 1;
	}
	out[0] = '\\';
	out[1] = (char)byte;
	if (byte >= ' ' && byte <= '~')
		return 2;
	for (i = 0; i < sizeof(named) - 1; i += 2)
		if (byte == (unsigned char)named[i]) {
			out[1] = named[i + 1];
			return 2;
		}
	out[1] = (char)('0' + (byte >> 6));
	out[2] = (char)('0' + (byte >> 3 & 7));
	out[3] = (char)('0' + (byte & 7));
	return 4;
}

static void put_char(struct rt_sink *s, const struct rt_spec *spec, rt_s64 v)
{
	char text[4] = {(char)v};
	rt_u32 n = 1;

	if (spec->flags & RT_FMT_ALT)
		n = rt_escape(text, (unsigned char)v, '\'');
	put_field(s, spec, text, n, ' ');
}

/* %#s: as it would be written between quotes.  The precision counts bytes of the string, the width what is shown. */
static void put_escaped(struct rt_sink *s, const struct rt_spec *spec, const char *p, rt_u32 n)
{
	rt_size shown = 0, pad;
	char text[4];
	rt_u32 i;

	for (i = 0; i < n; i++)
		shown += rt_escape(text, (unsigned char)p[i], '"');
	pad = spec->width > 0 && (rt_size)spec->width > shown ? (rt_size)spec->width - shown : 0;
	if (!(spec->flags & RT_FMT_MINUS))
		rt_sink_fill(s, ' ', pad);
	for (i = 0; i < n; i++)
		rt_sink_put(s, text, rt_escape(text, (unsigned char)p[i], '"'));
	if (spec->flags & RT_FMT_MINUS)
		rt_sink_fill(s, ' ', pad);
}

static void put_string(struct rt_sink *s, const struct rt_spec *spec, struct rt_str v)
{
	rt_u32 n = spec->precision >= 0 && (rt_u32)spec->precision < v.n ? (rt_u32)spec->precision : v.n;

	if (spec->flags & RT_FMT_ALT)
		put_escaped(s, spec, v.p, n);
	else
		put_field(s, spec, v.p, n, ' ');
}

static rt_bool is_binary_size(int n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

/* %b: the value's low bytes as in memory; a wider field is filled with NULs. */
static void put_binary(struct rt_sink *s, const struct rt_spec *spec, rt_s64 v)
{
	int size = is_binary_size(spec->precision) ? spec->precision
		   : is_binary_size(spec->width)   ? spec->width
						   : 8;
	union {
		rt_u8 b1;
		rt_u16 b2;
		rt_u32 b4;
		rt_u64 b8;
		char raw[8];
	} u = {.b8 = 0};

	if (size == 1)
		u.b1 = (rt_u8)v;
	else if (size == 2)
		u.b2 = (rt_u16)v;
	else if (size == 4)
		u.b4 = (rt_u32)v;
	else
		u.b8 = (rt_u64)v;
	put_field(s, spec, u.raw, (rt_u32)size, 0);
}

static void put_hex_bytes(struct rt_sink *s, const char *p, rt_u32 n)
{
	static const char set[] = "0123456789abcdef";
	rt_u32 i;

	for (i = 0; i < n; i++) {
		char pair[2] = {set[(unsigned char)p[i] >> 4], set[p[i] & 15]};

		rt_sink_put(s, pair, 2);
	}
}

/* %m and %M: memory as it is, and in hex.  The precision is the number of bytes.  Not inlined: only these need the chunk. */
static __attribute__((noinline)) void put_memory(struct rt_ctx *c, struct rt_sink *s,
						 const struct rt_spec *spec, rt_u64 addr)
{
	enum rt_space space = spec->flags & RT_FMT_ALT ? RT_USER : RT_KERNEL;
	rt_u32 n = spec->precision < 0 ? 1 : (rt_u32)spec->precision, done, part;
	rt_size shown = spec->conv == 'M' ? 2ULL * n : n;
	rt_size pad = spec->width > 0 && (rt_u32)spec->width > shown ? (rt_u32)spec->width - shown : 0;
	char chunk[CHUNK];
	int rc;

	if (n > DUMP_MAX) {
		rt_error(c, "%u is too many bytes for a memory dump", n);
		return;
	}
	if (!(spec->flags & RT_FMT_MINUS))
		rt_sink_fill(s, ' ', pad);
	for (done = 0; done < n; done += part) {
		part = (rt_u32)rt_min(n - done, sizeof(chunk));
		rc = rt_port_read(c, space, addr + done, chunk, part);
		if (rc) {
			rt_error(c, "%s memory dump fault at 0x%llx%s", space == RT_USER ? "user" : "kernel",
				 addr + done, rt_access_why(rc));
			return;
		}
		if (spec->conv == 'M')
			put_hex_bytes(s, chunk, part);
		else
			rt_sink_put(s, chunk, part);
	}
	if (spec->flags & RT_FMT_MINUS)
		rt_sink_fill(s, ' ', pad);
}

/* ---- printf ---- */

static int clamp_arg(rt_s64 v)
{
	rt_s64 max = rt_script.limits->out;

	return (int)(v > max ? max : v < -max ? -max : v);
}

static void put_conversion(struct rt_ctx *c, struct rt_sink *s, const struct rt_spec *spec,
			   const union rt_val *arg)
{
	switch (spec->conv) {
	case 's':
		put_string(s, spec, arg->s);
		break;
	case 'c':
		put_char(s, spec, arg->l);
		break;
	case 'b':
		put_binary(s, spec, arg->l);
		break;
	case 'm':
	case 'M':
		put_memory(c, s, spec, (rt_u64)arg->l);
		break;
	default:
		rt_sink_number(s, spec, arg->l);
	}
}

/* True when there may be a NUL in the text. */
static rt_bool format(struct rt_ctx *c, struct rt_sink *s, const struct rt_fmt *fmt, const union rt_val *args)
{
	rt_bool raw = 0;
	rt_u32 i;

	for (i = 0; i < fmt->n && !c->error; i++) {
		const struct rt_fmt_piece *p = &fmt->pieces[i];
		struct rt_spec spec = {p->conv, p->flags, clamp_arg(p->width), p->precision};

		rt_sink_put(s, p->text.p, p->text.n);
		if (!p->conv)
			continue;
		if (p->flags & RT_FMT_WIDTH_ARG)
			spec.width = clamp_arg((args++)->l);
		if (spec.width < -1 || (p->flags & RT_FMT_WIDTH_ARG && spec.width < 0)) {
			spec.flags |= RT_FMT_MINUS;
			spec.width = -spec.width;
		}
		if (p->flags & RT_FMT_PRECISION_ARG)
			spec.precision = clamp_arg((args++)->l);
		put_conversion(c, s, &spec, args++);
		raw |= p->conv == 'c' || p->conv == 'b' || p->conv == 'm';
	}
	return raw;
}

void rt_printf(struct rt_ctx *c, const struct rt_fmt *fmt, const union rt_val *args)
{
	struct rt_sink s = rt_sink_print(c);

	format(c, &s, fmt, args);
	rt_sink_printed(&s);
}

struct rt_str rt_sprintf(struct rt_ctx *c, const struct rt_fmt *fmt, const union rt_val *args)
{
	struct rt_sink s = rt_sink_make(c);
	rt_bool raw = format(c, &s, fmt, args);

	return rt_sink_made(c, &s, raw);
}

/* ---- messages ---- */

/*
 * One conversion of rt_error(): returns what follows it.  Only these exist: %s %d %u %x %c %%, and
 * %ll[dux].
 */
static const char *message_conversion(struct rt_sink *s, const char *f, __builtin_va_list *args)
{
	rt_bool wide = f[0] == 'l' && f[1] == 'l';
	struct rt_spec spec = {.width = 0, .precision = -1};
	const char *text;

	f += wide ? 2 : 0;
	spec.conv = *f;
	switch (*f) {
	case 's':
		text = __builtin_va_arg(*args, const char *);
		text = text ? text : "(null)";
		rt_sink_put(s, text, rt_cstr_len(text));
		break;
	case 'c':
		put_char(s, &spec, __builtin_va_arg(*args, int));
		break;
	case 'd':
		rt_sink_number(s, &spec,
			       wide ? __builtin_va_arg(*args, rt_s64) : __builtin_va_arg(*args, int));
		break;
	case 'u':
	case 'x':
		rt_sink_number(s, &spec,
			       wide ? (rt_s64) __builtin_va_arg(*args, rt_u64)
				    : __builtin_va_arg(*args, rt_u32));
		break;
	case 0:
		return f;
	default:
		rt_sink_put(s, f, 1);
	}
	return f + 1;
}

void rt_sink_vformat(struct rt_sink *s, const char *fmt, __builtin_va_list args)
{
	__builtin_va_list rest;

	__builtin_va_copy(rest, args);
	while (*fmt) {
		const char *text = fmt;

		while (*fmt && *fmt != '%')
			fmt++;
		rt_sink_put(s, text, (rt_size)(fmt - text));
		if (*fmt)
			fmt = message_conversion(s, fmt + 1, &rest);
	}
	__builtin_va_end(rest);
}
