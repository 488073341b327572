// SPDX-License-Identifier: GPL-2.0-or-later
/* Floating-point numbers as decimal text and back.  Both are exact before they are rounded, once: by integers of any length. */
#include "rt/fp.h"

#define BIG_WORDS 148 /* 2^1024 * 10^DIGITS_MOST, and 770 digits */
#define DIGITS_MOST 1074 /* after the point: then every number has ended */
#define CHARGED 16       /* digits for which an action is taken from the budget */
/* Digits that are kept exactly: no middle between two numbers has more, so of the rest only whether it is 0 counts. */
#define READ_MOST 769

struct big {
	rt_u32 n; /* words; the last one is not 0 */
	rt_u32 w[BIG_WORDS];
};

/* b * by + add */
static void big_mul(struct big *b, rt_u32 by, rt_u32 add)
{
	rt_u64 carry = add;
	rt_u32 i;

	for (i = 0; i < b->n; i++) {
		carry += (rt_u64)b->w[i] * by;
		b->w[i] = (rt_u32)carry;
		carry >>= 32;
	}
	if (carry)
		b->w[b->n++] = (rt_u32)carry;
}

static void big_mul_power_of_5(struct big *b, rt_u32 power)
{
	for (; power >= 13; power -= 13)
		big_mul(b, 1220703125, 0);
	for (; power; power--)
		big_mul(b, 5, 0);
}

static void big_shift_up(struct big *b, rt_u32 bits)
{
	rt_u32 words = bits / 32, i;

	if (!b->n)
		return;
	big_mul(b, 1u << bits % 32, 0);
	memmove(b->w + words, b->w, b->n * sizeof *b->w);
	for (i = 0; i < words; i++)
		b->w[i] = 0;
	b->n += words;
}

static rt_bool big_bit(const struct big *b, rt_u32 i)
{
	return i / 32 < b->n && (b->w[i / 32] >> i % 32 & 1);
}

static rt_u32 big_bits(const struct big *b)
{
	return b->n ? b->n * 32 - (rt_u32)__builtin_clz(b->w[b->n - 1]) : 0;
}

/* Is any of the lowest n bits set? */
static rt_bool big_any(const struct big *b, rt_u32 n)
{
	rt_u32 i;

	for (i = 0; i < n / 32 && i < b->n; i++)
		if (b->w[i])
			return 1;
	return n / 32 < b->n && (b->w[n / 32] & ((1u << n % 32) - 1));
}

/* The 64 bits from bit i on. */
static rt_u64 big_part(const struct big *b, rt_u32 i)
{
	rt_u64 part = 0;
	rt_u32 k;

	for (k = 0; k < 64; k++)
		part |= (rt_u64)big_bit(b, i + k) << k;
	return part;
}

static void big_trim(struct big *b)
{
	while (b->n && !b->w[b->n - 1])
		b->n--;
}

/* b / 2^bits, rounded to the nearest, to the even one of two. */
static void big_shift_down(struct big *b, rt_u32 bits)
{
	rt_bool up = bits && big_bit(b, bits - 1) && (big_any(b, bits - 1) || big_bit(b, bits));
	rt_u32 words = bits / 32, i;

	for (i = 0; i + words < b->n; i++) {
		rt_u64 two = b->w[i + words] | (i + words + 1 < b->n ? (rt_u64)b->w[i + words + 1] << 32 : 0);

		b->w[i] = (rt_u32)(two >> bits % 32);
	}
	b->n = i;
	big_trim(b);
	if (up)
		big_mul(b, 1, 1);
}

static int big_compare(const struct big *a, const struct big *b)
{
	rt_u32 i;

	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	for (i = a->n; i--;)
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

/* a >= b */
static void big_sub(struct big *a, const struct big *b)
{
	rt_u64 borrow = 0;
	rt_u32 i;

	for (i = 0; i < a->n; i++) {
		rt_u64 d = (rt_u64)a->w[i] - (i < b->n ? b->w[i] : 0) - borrow;

		a->w[i] = (rt_u32)d;
		borrow = d >> 63;
	}
	big_trim(a);
}

/* Divides by 10^9; the rest. */
static rt_u32 big_cut_digits(struct big *b)
{
	rt_u64 rest = 0;
	rt_u32 i;

	for (i = b->n; i--;) {
		rest = rest << 32 | b->w[i];
		b->w[i] = (rt_u32)(rest / 1000000000);
		rest %= 1000000000;
	}
	big_trim(b);
	return (rt_u32)rest;
}

/* ---- to text ---- */

/* The digits of b, at least n, before `end'; where they begin. */
static char *put_digits(struct big *b, char *end, rt_u32 n)
{
	rt_u32 nine = 0, i;
	char *p = end;

	for (i = 0; i < n || b->n || nine; i++) {
		if (i % 9 == 0)
			nine = big_cut_digits(b);
		*--p = (char)('0' + nine % 10);
		nine /= 10;
	}
	return p;
}

static struct rt_str finite_text(struct rt_ctx *c, rt_s64 v, rt_u32 digits, struct big *b, char *end)
{
	rt_u32 exact = digits < DIGITS_MOST ? digits : DIGITS_MOST;
	struct rt_fp x = rt_fp_parts(v);
	int e = x.e + (int)exact;
	struct rt_sink out;
	char *p;

	b->w[0] = (rt_u32)x.m;
	b->w[1] = (rt_u32)(x.m >> 32);
	b->n = 2;
	big_trim(b);
	big_mul_power_of_5(b, exact);
	if (e >= 0)
		big_shift_up(b, (rt_u32)e);
	else
		big_shift_down(b, (rt_u32)-e);
	p = put_digits(b, end, exact + 1);
	out = rt_sink_make(c);
	if (v < 0)
		rt_sink_put(&out, "-", 1);
	rt_sink_put(&out, p, (rt_size)(end - p) - exact);
	if (digits)
		rt_sink_put(&out, ".", 1);
	rt_sink_put(&out, end - exact, exact);
	rt_sink_fill(&out, '0', digits - exact);
	return rt_sink_made(c, &out, 0);
}

struct rt_str rt_fp_to_string(struct rt_ctx *c, rt_s64 v, rt_s64 precision)
{
	rt_u32 digits = precision < 0 ? 6 : (rt_u32)rt_min((rt_u64)precision, rt_script.limits->string_max);
	rt_u32 room = (rt_u32)sizeof(struct big) + 320 + (digits < DIGITS_MOST ? digits : DIGITS_MOST);
	char *mark = rt_mark(c), *space;

	if (rt_fp_class(v) == RT_FP_IS_NAN)
		return RT_STR("nan");
	if (rt_fp_class(v) == RT_FP_IS_INFINITE)
		return v < 0 ? RT_STR("-inf") : RT_STR("inf");
	space = rt_charge(c, digits / CHARGED) ? 0 : rt_alloc(c, room);
	if (!space)
		return RT_EMPTY;
	return rt_keep(c, mark, finite_text(c, v, digits, (struct big *)space, space + room));
}

/* ---- from text ---- */

struct number {
	struct big digits, by;
	rt_u32 ndigits;
	rt_s64 exp; /* digits * 10^exp */
};

/* A further digit; after the point it lowers the exponent. */
static void take_digit(struct number *d, rt_u32 digit, rt_bool after_point)
{
	if (d->ndigits > READ_MOST) {
		d->exp += !after_point;
		if (digit)
			d->digits.w[0] |= 1; /* the last of them is 0 or 1: is there anything more? */
		return;
	}
	d->exp -= after_point;
	if (!d->ndigits && !digit)
		return;
	big_mul(&d->digits, 10, d->ndigits++ == READ_MOST ? digit != 0 : digit);
}

static rt_s64 read_exponent(struct rt_str s, rt_u32 i)
{
	rt_bool minus = i < s.n && s.p[i] == '-';
	rt_s64 e = 0;

	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
		i++;
	for (; i < s.n && rt_digit(s.p[i]) < 10; i++)
		if (e < 100000)
			e = e * 10 + rt_digit(s.p[i]);
	return minus ? -e : e;
}

/* False: there is none. */
static rt_bool read_number(struct number *d, struct rt_str s, rt_u32 i)
{
	rt_bool after_point = 0, any = 0;

	for (; i < s.n; i++) {
		if (rt_digit(s.p[i]) < 10) {
			take_digit(d, rt_digit(s.p[i]), after_point);
			any = 1;
		} else if (s.p[i] == '.' && !after_point) {
			after_point = 1;
		} else {
			break;
		}
	}
	if (i < s.n && (s.p[i] | 0x20) == 'e')
		d->exp += read_exponent(s, i + 1);
	return any;
}

/* The bits of a / b * 2^63, for numbers of as many bits. */
static rt_u64 divide(struct big *a, const struct big *b)
{
	rt_u64 q = 0;
	int i;

	for (i = 0; i < 64; i++) {
		q <<= 1;
		if (big_compare(a, b) >= 0) {
			big_sub(a, b);
			q |= 1;
		}
		big_shift_up(a, 1);
	}
	return q | (a->n != 0);
}

static rt_s64 nearest(rt_u64 sign, struct number *d)
{
	struct big *a = &d->digits, *b = &d->by;
	rt_u32 power, bits;
	int shift;

	if (!a->n || d->ndigits + d->exp < -330)
		return (rt_s64)sign;
	if (d->ndigits + d->exp > 310)
		return (rt_s64)(sign | RT_FP_INFINITE);
	if (d->exp >= 0) {
		big_mul_power_of_5(a, (rt_u32)d->exp);
		bits = big_bits(a);
		bits = bits > 64 ? bits - 64 : 0;
		return rt_fp_pack(sign, big_part(a, bits) | big_any(a, bits), (int)d->exp + (int)bits);
	}
	power = (rt_u32)-d->exp;
	b->w[0] = b->n = 1;
	big_mul_power_of_5(b, power);
	shift = (int)big_bits(b) - (int)big_bits(a);
	big_shift_up(shift > 0 ? a : b, (rt_u32)(shift > 0 ? shift : -shift));
	return rt_fp_pack(sign, divide(a, b), -63 - shift - (int)power);
}

static rt_bool begins_with(struct rt_str s, rt_u32 i, const char *word)
{
	for (; *word; word++, i++)
		if (i >= s.n || (s.p[i] | 0x20) != *word)
			return 0;
	return 1;
}

rt_s64 rt_fp_from_string(struct rt_ctx *c, struct rt_str s)
{
	rt_bool minus = s.n && s.p[0] == '-';
	rt_u64 sign = (rt_u64)minus << 63;
	rt_u32 i = minus || (s.n && s.p[0] == '+');
	char *mark = rt_mark(c);
	struct number *d;
	rt_s64 v;

	if (begins_with(s, i, "nan"))
		return RT_FP_NAN;
	if (begins_with(s, i, "inf"))
		return (rt_s64)(sign | RT_FP_INFINITE);
	d = rt_charge(c, s.n / CHARGED) ? 0 : (struct number *)rt_alloc(c, sizeof *d);
	if (!d)
		return 0;
	d->digits.n = d->ndigits = 0;
	d->exp = 0;
	v = read_number(d, s, i) ? nearest(sign, d) : 0;
	rt_release(c, mark);
	return v;
}
