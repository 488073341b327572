// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Floating-point numbers of 64 bits (IEEE 754), as the integers that have their bits.  The kernel must not use the processor's, so all is
 * computed here, rounded correctly: to the nearest, and to the even one of two that are as near.  There is one NaN.
 */
#include "rt/fp.h"

#define SIGN 0x8000000000000000ULL
#define INFINITE RT_FP_INFINITE
#define NAN RT_FP_NAN
#define HIDDEN (1ULL << 52) /* the bit before the point, which is not stored */

static rt_bool is_nan(rt_s64 v)
{
	return ((rt_u64)v & ~SIGN) > INFINITE;
}

static rt_bool is_infinite(rt_s64 v)
{
	return ((rt_u64)v & ~SIGN) == INFINITE;
}

static rt_bool is_zero(rt_s64 v)
{
	return !((rt_u64)v & ~SIGN);
}

static rt_u64 sign_of(rt_s64 v)
{
	return (rt_u64)v & SIGN;
}

enum rt_fp_class rt_fp_class(rt_s64 v)
{
	return is_nan(v) ? RT_FP_IS_NAN : is_infinite(v) ? RT_FP_IS_INFINITE : RT_FP_IS_NUMBER;
}

struct rt_fp rt_fp_parts(rt_s64 v)
{
	rt_u64 bits = (rt_u64)v & ~SIGN;
	int exp = (int)(bits >> 52);

	if (!exp)
		return (struct rt_fp){.m = bits, .e = -1074};
	return (struct rt_fp){.m = (bits & (HIDDEN - 1)) | HIDDEN, .e = exp - 1075};
}

/* The same with HIDDEN set.  Not of 0. */
static struct rt_fp normal_parts(rt_s64 v)
{
	struct rt_fp p = rt_fp_parts(v);
	int n = __builtin_clzll(p.m) - 11;

	p.m <<= n;
	p.e -= n;
	return p;
}

rt_s64 rt_fp_pack(rt_u64 sign, rt_u64 m, int e)
{
	rt_u64 kept, rest, half = 1ULL << 63;
	int n, shift = 11;

	if (!m)
		return (rt_s64)sign;
	n = __builtin_clzll(m);
	m <<= n;
	e += 63 - n; /* now m / 2^63 * 2^e */
	if (e > 1023)
		return (rt_s64)(sign | INFINITE);
	if (e < -1022)
		shift += -1022 - e;
	kept = shift < 64 ? m >> shift : 0;
	rest = shift < 64 ? m << (64 - shift) : shift == 64 ? m : 1;
	if (rest > half || (rest == half && (kept & 1)))
		kept++;
	if (e < -1022)
		return (rt_s64)(sign | kept); /* if that carries, it is the smallest normal number */
	return (rt_s64)(sign | (kept + ((rt_u64)(e + 1022) << 52))); /* HIDDEN adds 1 to the exponent; a carry one more, perhaps to infinity */
}

/* m / 2^n; the lowest bit is set if anything is cut off. */
static rt_u64 shift_sticky(rt_u64 m, int n)
{
	if (n > 63)
		return m != 0;
	return m >> n | ((m & ((1ULL << n) - 1)) != 0);
}

rt_s64 rt_fp_add(rt_s64 a, rt_s64 b)
{
	struct rt_fp x = rt_fp_parts(a), y = rt_fp_parts(b), t;
	rt_u64 sign = sign_of(a), other = sign_of(b);

	if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b) && a != b))
		return NAN;
	if (is_infinite(a) || is_infinite(b))
		return is_infinite(a) ? a : b;
	if (is_zero(a) && is_zero(b))
		return (rt_s64)(sign & other);
	if (x.e < y.e || (x.e == y.e && x.m < y.m)) {
		t = x, x = y, y = t;
		sign = other, other = sign_of(a);
	}
	x.m <<= 10;
	y.m = shift_sticky(y.m << 10, x.e - y.e);
	if (sign == other)
		return rt_fp_pack(sign, x.m + y.m, x.e - 10);
	return rt_fp_pack(x.m == y.m ? 0 : sign, x.m - y.m, x.e - 10);
}

rt_s64 rt_fp_sub(rt_s64 a, rt_s64 b)
{
	return rt_fp_add(a, (rt_s64)((rt_u64)b ^ SIGN));
}

rt_s64 rt_fp_mul(rt_s64 a, rt_s64 b)
{
	rt_u64 sign = sign_of(a ^ b);
	struct rt_fp x, y;
	unsigned __int128 m;

	if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b)))
		return NAN;
	if (is_infinite(a) || is_infinite(b))
		return (rt_s64)(sign | INFINITE);
	if (is_zero(a) || is_zero(b))
		return (rt_s64)sign;
	x = normal_parts(a);
	y = normal_parts(b);
	m = (unsigned __int128)(x.m << 11) * (y.m << 11);
	return rt_fp_pack(sign, (rt_u64)(m >> 64) | ((rt_u64)m != 0), x.e + y.e + 42);
}

rt_s64 rt_fp_div(rt_s64 a, rt_s64 b)
{
	rt_u64 sign = sign_of(a ^ b), q;
	struct rt_fp x, y;
	int left, bits;

	if (is_nan(a) || is_nan(b) || (is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
		return NAN;
	if (is_infinite(a) || is_zero(b))
		return (rt_s64)(sign | INFINITE);
	if (is_zero(a) || is_infinite(b))
		return (rt_s64)sign;
	x = normal_parts(a);
	y = normal_parts(b);
	q = x.m / y.m;
	x.m %= y.m;
	for (left = 62; left; left -= bits) { /* as many bits of the quotient at a time as fit */
		bits = left < 11 ? left : 11;
		x.m <<= bits;
		q = q << bits | x.m / y.m;
		x.m %= y.m;
	}
	return rt_fp_pack(sign, q | (x.m != 0), x.e - y.e - 62);
}

/* a - n * b, where n is the integer nearest to a / b. */
rt_s64 rt_fp_rem(rt_s64 a, rt_s64 b)
{
	rt_u64 sign = sign_of(a), odd;
	struct rt_fp x, y;
	int n, bits;

	if (is_nan(a) || is_nan(b) || is_infinite(a) || is_zero(b))
		return NAN;
	if (is_zero(a) || is_infinite(b))
		return a;
	x = normal_parts(a);
	y = normal_parts(b);
	n = x.e - y.e;
	if (n < -1)
		return a;
	if (n == -1) { /* below b, but perhaps above its half */
		y.m <<= 1;
		y.e--;
		n = 0;
	}
	odd = x.m / y.m & 1;
	x.m %= y.m;
	for (; n > 0; n -= bits) { /* as many bits of the quotient at a time as fit: only the lowest counts */
		bits = n < 11 ? n : 11;
		x.m <<= bits;
		odd = x.m / y.m & 1;
		x.m %= y.m;
	}
	if (2 * x.m > y.m || (2 * x.m == y.m && odd)) {
		x.m = y.m - x.m;
		sign ^= SIGN;
	}
	return rt_fp_pack(sign, x.m, y.e);
}

rt_s64 rt_fp_sqrt(rt_s64 a)
{
	rt_u64 root = 0, rest = 0, try;
	struct rt_fp x;
	int i;

	if (is_zero(a) || is_nan(a) || a < 0)
		return is_zero(a) ? a : NAN;
	if (is_infinite(a))
		return a;
	x = normal_parts(a);
	if (x.e & 1) {
		x.m <<= 1;
		x.e--;
	}
	for (i = 52; i >= -60; i -= 2) { /* two bits of x.m, and then zeroes, give one of the root */
		rest = rest << 2 | (i >= 0 ? x.m >> i & 3 : 0);
		try = root << 2 | 1;
		root <<= 1;
		if (rest >= try) {
			rest -= try;
			root |= 1;
		}
	}
	return rt_fp_pack(0, root | (rest != 0), x.e / 2 - 30);
}

rt_s64 rt_fp_lt(rt_s64 a, rt_s64 b)
{
	if (is_nan(a) || is_nan(b) || (is_zero(a) && is_zero(b)))
		return 0;
	if (a < 0 && b < 0)
		return a > b; /* of negative numbers the greater one has the greater bits below the sign */
	return a < b;
}

rt_s64 rt_fp_eq(rt_s64 a, rt_s64 b)
{
	return !is_nan(a) && !is_nan(b) && (a == b || (is_zero(a) && is_zero(b)));
}

rt_s64 rt_fp_le(rt_s64 a, rt_s64 b)
{
	return rt_fp_lt(a, b) || rt_fp_eq(a, b);
}

/* ---- from and to other numbers ---- */

rt_s64 rt_fp_from_long(rt_s64 v)
{
	return rt_fp_pack(sign_of(v), v < 0 ? 0 - (rt_u64)v : (rt_u64)v, 0);
}

/* Of 32 bits: all of them have an equal one of 64. */
rt_s64 rt_fp_from_fp32(rt_s64 v)
{
	rt_u64 sign = ((rt_u64)v & 0x80000000u) << 32, m = (rt_u64)v & 0x7fffff;
	int e = (int)((rt_u64)v >> 23 & 0xff);

	if (e == 0xff)
		return m ? NAN : (rt_s64)(sign | INFINITE);
	return e ? rt_fp_pack(sign, m | 0x800000, e - 150) : rt_fp_pack(sign, m, -149);
}

/* Must n be raised by one?  half: what was cut off is less than (-1), exactly (0) or more than (1) one half; exact: nothing was. */
static rt_bool rounds_up(enum rt_fp_rounding how, rt_bool minus, rt_u64 n, rt_bool exact, int half)
{
	switch (how) {
	case RT_FP_NEAREST_EVEN:
		return half > 0 || (!half && (n & 1));
	case RT_FP_TO_ZERO:
		return 0;
	case RT_FP_DOWN:
		return minus && !exact;
	case RT_FP_UP:
		return !minus && !exact;
	case RT_FP_NEAREST_AWAY:
		return half >= 0;
	}
	return 0;
}

rt_s64 rt_fp_to_long(struct rt_ctx *c, rt_s64 v, rt_s64 rounding)
{
	struct rt_fp x = rt_fp_parts(v);
	rt_u64 n, cut, half;
	int fraction = -x.e; /* bits after the point */

	if (rounding < RT_FP_NEAREST_EVEN || rounding > RT_FP_NEAREST_AWAY) {
		rt_error(c, "fp_to_long(): %lld is no way to round: there are 0 to 4", rounding);
		return 0;
	}
	if (is_nan(v) || x.e > 10)
		return RT_S64_MIN; /* as the processor has it: no such number */
	if (fraction <= 0)
		return v < 0 ? -(rt_s64)(x.m << x.e) : (rt_s64)(x.m << x.e);
	if (fraction > 60) { /* less than one half */
		n = rounds_up((enum rt_fp_rounding)rounding, v < 0, 0, !x.m, -1);
	} else {
		n = x.m >> fraction;
		cut = x.m & ((1ULL << fraction) - 1);
		half = 1ULL << (fraction - 1);
		n += rounds_up((enum rt_fp_rounding)rounding, v < 0, n, !cut, cut < half ? -1 : cut > half);
	}
	return v < 0 ? -(rt_s64)n : (rt_s64)n;
}
