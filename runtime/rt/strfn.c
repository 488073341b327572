// SPDX-License-Identifier: GPL-2.0-or-later
/* String functions that the tapset offers to scripts. */
#include "rt/lib.h"

struct rt_str rt_substr(struct rt_ctx *c, struct rt_str s, rt_s64 start, rt_s64 length)
{
	struct rt_str part;

	if (start < 0 || start >= s.n || length <= 0)
		return RT_EMPTY;
	part.p = s.p + start;
	part.n = (rt_u32)rt_min((rt_u64)length, s.n - (rt_u64)start);
	return rt_str_cat(c, &part, 1);
}

/* Sums of bytes modulo a prime, each byte weighed by its place: those of neighbouring parts of a text follow from each other. */
#define PRIME 0x7fffffffu
#define BASE 0x1e3a59u

static rt_u32 modulo(rt_u64 x)
{
	x = (x & PRIME) + (x >> 31);
	x = (x & PRIME) + (x >> 31);
	return (rt_u32)(x < PRIME ? x : x - PRIME);
}

static rt_u32 sum_of(const char *p, rt_u32 n)
{
	rt_u32 i, sum = 0;

	for (i = 0; i < n; i++)
		sum = modulo((rt_u64)sum * BASE + (unsigned char)p[i]);
	return sum;
}

/*
 * The time grows with the length of the texts, not with its square: only where the sums are the same are bytes compared.  (Nobody can
 * interrupt a handler here.)
 */
static rt_s64 find_from(struct rt_str s, rt_u32 from, struct rt_str sub)
{
	rt_u32 i, want, sum, first = 1; /* the weight of a part's first byte */

	if (sub.n > s.n || from > s.n - sub.n)
		return -1;
	if (!sub.n)
		return from;
	for (i = 1; i < sub.n; i++)
		first = modulo((rt_u64)first * BASE);
	want = sum_of(sub.p, sub.n);
	sum = sum_of(s.p + from, sub.n);
	for (i = from;; i++) {
		if (sum == want && rt_bytes_equal(s.p + i, sub.p, sub.n))
			return i;
		if (i == s.n - sub.n)
			return -1;
		sum = modulo(sum + (rt_u64)(PRIME - modulo((rt_u64)first * (unsigned char)s.p[i])));
		sum = modulo((rt_u64)sum * BASE + (unsigned char)s.p[i + sub.n]);
	}
}

rt_s64 rt_str_find(struct rt_str s, struct rt_str sub)
{
	return find_from(s, 0, sub);
}

rt_s64 rt_strtol(struct rt_str s, rt_s64 base)
{
	rt_bool minus = s.n && s.p[0] == '-';
	rt_u32 i = minus;
	rt_u64 v = 0;

	if ((base == 0 || base == 16) && s.n >= i + 3 && s.p[i] == '0' && (s.p[i + 1] | 0x20) == 'x' &&
	    rt_digit(s.p[i + 2]) < 16) {
		base = 16;
		i += 2;
	} else if (base == 0) {
		base = s.n > i && s.p[i] == '0' ? 8 : 10;
	}
	if (base < 2 || base > 36)
		return 0;
	for (; i < s.n && rt_digit(s.p[i]) < base; i++)
		v = v * (rt_u64)base + rt_digit(s.p[i]);
	return (rt_s64)(minus ? 0 - v : v);
}

struct rt_str rt_str_replace(struct rt_ctx *c, struct rt_str s, struct rt_str from, struct rt_str to)
{
	struct rt_sink out = rt_sink_make(c);
	rt_u32 pos = 0;
	rt_s64 next;

	while (from.n && (next = find_from(s, pos, from)) >= 0) {
		rt_sink_put(&out, s.p + pos, (rt_size)next - pos);
		rt_sink_put(&out, to.p, to.n);
		pos = (rt_u32)next + from.n;
	}
	rt_sink_put(&out, s.p + pos, s.n - pos);
	return rt_sink_made(c, &out, 0);
}

/* Text that does not fit is replaced by dots after the closing quote, if there are quotes. */
struct rt_str rt_text_str(struct rt_ctx *c, struct rt_str s, rt_s64 max, rt_bool quoted)
{
	struct rt_sink out = rt_sink_make(c);
	rt_u32 limit = max > 0 && max < out.max ? (rt_u32)max : out.max;
	rt_u32 i, n, kept, tail = quoted ? 4 : 0; /* kept: length after which quote and dots still fit */
	char esc[4];

	if (quoted)
		rt_sink_put(&out, "\"", 1);
	kept = out.n;
	for (i = 0; i < s.n; i++) {
		n = rt_escape(esc, (unsigned char)s.p[i], '"');
		if (out.n + n + quoted > limit)
			break;
		rt_sink_put(&out, esc, n);
		if (out.n + tail <= limit)
			kept = out.n;
	}
	if (i < s.n) {
		out.n = kept;
		rt_sink_put(&out, "\"...", tail);
		out.cut = limit == out.max;
	} else if (quoted) {
		rt_sink_put(&out, "\"", 1);
	}
	return rt_sink_made(c, &out, 0);
}

struct rt_str rt_string_quoted(struct rt_ctx *c, struct rt_str s)
{
	return rt_text_str(c, s, 0, 1);
}

rt_s64 rt_str_char(struct rt_str s, rt_s64 i)
{
	return i >= 0 && i < s.n ? (unsigned char)s.p[i] : 0;
}

/* A set of bytes. */
struct bytes {
	rt_u64 has[4];
};

static struct bytes bytes_of(struct rt_str s)
{
	struct bytes set = {{0}};
	rt_u32 i;

	for (i = 0; i < s.n; i++)
		set.has[(unsigned char)s.p[i] / 64] |= 1ULL << (unsigned char)s.p[i] % 64;
	return set;
}

static rt_bool is_one_of(char ch, const struct bytes *set)
{
	return set->has[(unsigned char)ch / 64] >> (unsigned char)ch % 64 & 1;
}

/* The string is kept in the context, since the caller's may not exist any more at the next call. */
struct rt_str rt_tokenize(struct rt_ctx *c, struct rt_str s, struct rt_str delim)
{
	struct bytes delimiters = bytes_of(delim);
	struct rt_str token;
	rt_u32 i;

	if (s.n) {
		c->tokens_n = rt_local_set(c, c->tokens, s).n;
		c->tokens_pos = 0;
	}
	for (i = c->tokens_pos; i < c->tokens_n && is_one_of(c->tokens[i], &delimiters);)
		i++;
	token.p = c->tokens + i;
	while (i < c->tokens_n && !is_one_of(c->tokens[i], &delimiters))
		i++;
	token.n = (rt_u32)(c->tokens + i - token.p);
	c->tokens_pos = i < c->tokens_n ? i + 1 : i; /* after the delimiter: the next call may have other delimiters */
	return rt_str_cat(c, &token, 1);
}

struct rt_str rt_enum_name(struct rt_ctx *c, const struct rt_enum_name *names, rt_u32 n, rt_s64 value)
{
	struct rt_sink out;
	rt_u32 lo = 0, hi = n;

	while (lo < hi) {
		rt_u32 middle = lo + (hi - lo) / 2;

		if (names[middle].value == value)
			return names[middle].name;
		if (names[middle].value < value)
			lo = middle + 1;
		else
			hi = middle;
	}
	out = rt_sink_make(c);
	rt_sink_long(&out, value, 0);
	return rt_sink_made(c, &out, 0);
}

static rt_bool is_text(struct rt_str s, const char *text)
{
	rt_u32 i;

	for (i = 0; i < s.n && text[i] == s.p[i] && text[i]; i++)
		;
	return i == s.n && !text[i];
}

rt_s64 rt_str_index(const char *const *names, rt_u64 n, struct rt_str s)
{
	rt_u64 i;

	for (i = 0; i < n; i++)
		if (names[i] && is_text(s, names[i]))
			return (rt_s64)i;
	return -1;
}

struct rt_str rt_flag_names(struct rt_ctx *c, const struct rt_flag *flags, rt_u32 n, rt_u64 value)
{
	struct rt_sink out = rt_sink_make(c);
	rt_u32 i;

	for (i = 0; i < n; i++) {
		rt_u32 length = 0;

		if (!flags[i].bits || (value & flags[i].bits) != flags[i].bits)
			continue;
		value &= ~flags[i].bits;
		while (flags[i].name[length])
			length++;
		rt_sink_put(&out, "|", out.n != 0);
		rt_sink_put(&out, flags[i].name, length);
	}
	if (value || !out.n) {
		char hex[18];

		rt_sink_put(&out, "|", out.n != 0);
		for (i = sizeof(hex); i == sizeof(hex) || value; value >>= 4)
			hex[--i] = "0123456789abcdef"[value & 15];
		hex[--i] = 'x';
		hex[--i] = '0';
		rt_sink_put(&out, hex + i, sizeof(hex) - i);
	}
	return rt_sink_made(c, &out, 0);
}

struct rt_str rt_json_quoted(struct rt_ctx *c, struct rt_str s)
{
	static const char hex[] = "0123456789abcdef";
	struct rt_sink out = rt_sink_make(c);
	rt_u32 i, n;

	rt_sink_put(&out, "\"", 1);
	for (i = 0; i < s.n; i++) {
		unsigned char byte = (unsigned char)s.p[i];
		char text[6] = {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};

		n = 6;
		if (byte == '"' || byte == '\\' || byte == '\n') {
			text[1] = byte == '\n' ? 'n' : (char)byte;
			n = 2;
		} else if (byte >= ' ') {
			text[0] = (char)byte;
			n = 1;
		}
		if (out.n + n + 1 > out.max) {
			out.cut = 1;
			break;
		}
		rt_sink_put(&out, text, n);
	}
	rt_sink_put(&out, "\"", 1);
	return rt_sink_made(c, &out, 0);
}

/* Where the piece of the pattern at k, which stands for one character, ends if it fits; 0: it does not. */
static rt_u32 fits(struct rt_str pattern, rt_u32 k, char ch)
{
	rt_u32 first = k + 1, i;
	rt_bool negated, has = 0;

	if (pattern.p[k] == '?')
		return k + 1;
	if (pattern.p[k] != '[' || first == pattern.n)
		return pattern.p[k] == ch ? k + 1 : 0;
	negated = pattern.p[first] == '!' || pattern.p[first] == '^';
	first += negated;
	for (i = first; i < pattern.n && (i == first || pattern.p[i] != ']'); i++) {
		unsigned char from = (unsigned char)pattern.p[i], to = from;

		if (i + 2 < pattern.n && pattern.p[i + 1] == '-' && pattern.p[i + 2] != ']') {
			i += 2;
			to = (unsigned char)pattern.p[i];
		}
		has |= (unsigned char)ch >= from && (unsigned char)ch <= to;
	}
	if (i == pattern.n) /* it has no end, and is a plain character */
		return ch == '[' ? k + 1 : 0;
	return has != negated ? i + 1 : 0;
}

rt_bool rt_str_glob(struct rt_ctx *c, struct rt_str s, struct rt_str pattern)
{
	rt_u32 i = 0, k = 0, next, star = 0, again = 0; /* star: after the last one, from which on it is tried again */

	while (i < s.n) {
		if (k < pattern.n && pattern.p[k] == '*') {
			star = ++k;
			again = i;
		} else if (k < pattern.n && (next = fits(pattern, k, s.p[i])) != 0) {
			k = next;
			i++;
		} else if (star && !rt_charge(c, 1)) {
			k = star;
			i = ++again;
		} else {
			return 0;
		}
	}
	while (k < pattern.n && pattern.p[k] == '*')
		k++;
	return k == pattern.n;
}
