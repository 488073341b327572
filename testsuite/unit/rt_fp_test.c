/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rt/fp.c and rt/fptext.c against this machine's own floating-point numbers and its libc: values at every boundary with each other, and many
 * random ones.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

#define MANY 200000

static const struct rt_probe probes[] = {{.point = "a probe"}};
const struct rt_script rt_script = {.abi = RT_ABI, .name = "test", .limits = &native_limits, .probes = probes, .nprobes = 1};
static struct rt_ctx *ctx;

static double number(rt_s64 v)
{
	double d;

	memcpy(&d, &v, sizeof d);
	return d;
}

static rt_s64 bits(double d)
{
	rt_s64 v;

	if (isnan(d))
		return 0x7ff8000000000000;
	memcpy(&v, &d, sizeof v);
	return v;
}

static rt_u64 seed = 88172645463325252;

static rt_u64 chance(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

/* Zeroes, the smallest and largest of each kind, powers of two, all bits set, halves and their neighbours, integers' ends. */
static rt_s64 edges[400];
static unsigned nedges;

static void add_edge(rt_u64 v)
{
	for (int step = -1; step <= 1; step++) {
		edges[nedges++] = (rt_s64)(v + (rt_u64)step);
		edges[nedges++] = (rt_s64)((v + (rt_u64)step) ^ 1ULL << 63);
	}
}

static void make_edges(void)
{
	static const double values[] = {1, 1.5, 2, 3, 0.5, 0.1, 10, 1e22, 1e23, 9007199254740992., 9223372036854775808., 4611686018427387904.,
					2.5, 3.5, 0x1p-1022, 0x1p-1074, 0x1p-1073, 0x1p1023, 0x1.8p-1022, 0x1p512, 0x1p-512, 0x1p-537,
					0x1.fffffffffffffp511, 4503599627370496.5, 1e308, 5e-324, 2.2250738585072011e-308};

	add_edge(0);
	add_edge(0x7ff0000000000000);
	add_edge(0x7ff8000000000000);
	add_edge(0x7fffffffffffffff);
	add_edge(0x000fffffffffffff);
	for (unsigned i = 0; i < sizeof values / sizeof *values; i++)
		add_edge((rt_u64)bits(values[i]));
}

/* Any; or two whose exponents are near, so that digits meet. */
static void pair(unsigned i, rt_s64 *a, rt_s64 *b)
{
	*a = (rt_s64)chance();
	*b = (rt_s64)chance();
	if (i % 2)
		*b = (rt_s64)(((rt_u64)*b & 0x800fffffffffffff) | (((rt_u64)*a + ((chance() % 128 - 64) << 52)) & 0x7ff0000000000000));
	if (i % 8 > 4) /* few bits are set: exact results, and those in the middle */
		*a &= (rt_s64)(~0ULL << 30);
	if (i % 16 > 10)
		*b &= (rt_s64)(~0ULL << 28);
}

static void same(const char *what, rt_s64 a, rt_s64 b, rt_s64 got, double want)
{
	if (got == bits(want))
		return;
	fprintf(stderr, "%s %a (%#llx) %a (%#llx): %a, not %a\n", what, number(a), (unsigned long long)a, number(b),
		(unsigned long long)b, number(got), want);
	CHECK(got == bits(want));
}

static void check_pair(rt_s64 a, rt_s64 b)
{
	double x = number(a), y = number(b);

	same("add", a, b, rt_fp_add(a, b), x + y);
	same("sub", a, b, rt_fp_sub(a, b), x - y);
	same("mul", a, b, rt_fp_mul(a, b), x * y);
	same("div", a, b, rt_fp_div(a, b), x / y);
	same("rem", a, b, rt_fp_rem(a, b), remainder(x, y));
	same("sqrt", a, 0, rt_fp_sqrt(a), sqrt(x));
	CHECK_EQ(rt_fp_lt(a, b), x < y);
	CHECK_EQ(rt_fp_le(a, b), x <= y);
	CHECK_EQ(rt_fp_eq(a, b), x == y);
}

static void test_boundaries_with_each_other(void)
{
	for (unsigned i = 0; i < nedges; i++)
		for (unsigned k = 0; k < nedges; k++)
			check_pair(edges[i], edges[k]);
}

static void test_random_numbers(void)
{
	for (unsigned i = 0; i < MANY; i++) {
		rt_s64 a, b;

		pair(i, &a, &b);
		check_pair(a, b);
		check_pair(a, a);
	}
}

static void check_long(rt_s64 v)
{
	double d = number(v), whole[] = {rint(d), trunc(d), floor(d), ceil(d), round(d)};

	for (int how = 0; how < 5; how++) {
		rt_s64 want = whole[how] >= -0x1p63 && whole[how] < 0x1p63 ? (rt_s64)whole[how] : (rt_s64)(1ULL << 63);

		CHECK_EQ(rt_fp_to_long(ctx, v, how), want);
	}
}

static void test_integers(void)
{
	for (unsigned i = 0; i < nedges; i++) {
		check_long(edges[i]);
		same("from", edges[i], 0, rt_fp_from_long(edges[i]), (double)edges[i]);
	}
	for (unsigned i = 0; i < MANY; i++) {
		rt_s64 v = (rt_s64)chance() >> (chance() % 64);

		same("from", v, 0, rt_fp_from_long(v), (double)v);
		check_long(bits((double)v / 4));
		check_long(bits((double)v / (double)(1ULL << (chance() % 60))));
		check_long((rt_s64)chance());
	}
	CHECK(!ctx->error);
	rt_fp_to_long(ctx, 0, 5);
	CHECK_HAS(ctx->message, "is no way to round");
	native_ctx_again(ctx);
}

static void check_float(rt_u32 v)
{
	float f;

	memcpy(&f, &v, sizeof f);
	same("float", v, 0, rt_fp_from_fp32(v), f);
}

static void test_floats(void)
{
	for (rt_u64 v = 0; v < 1ULL << 32; v += 4093)
		check_float((rt_u32)v);
	for (rt_u32 v = 0; v < 256; v++)
		for (int k = -2; k < 3; k++)
			check_float((v << 23) + (rt_u32)k);
}

static void check_text(rt_s64 v, int precision)
{
	char want[2100], *mark = rt_mark(ctx);
	struct rt_str got;

	ctx->budget = 1000; /* longer text takes more of it */
	got = rt_fp_to_string(ctx, v, precision);

	if (isnan(number(v)))
		strcpy(want, "nan");
	else
		snprintf(want, sizeof want, "%.*f", precision < 0 ? 6 : precision, number(v));
	CHECK_MEM(got.p, got.n, want, strlen(want));
	CHECK_EQ(ctx->error, 0);
	rt_release(ctx, mark);
}

static void test_numbers_as_text(void)
{
	static const int precisions[] = {-1, 0, 1, 2, 17, 40, 1073, 1074, 1100};

	for (unsigned i = 0; i < nedges; i++)
		for (unsigned k = 0; k < sizeof precisions / sizeof *precisions; k++)
			check_text(edges[i], precisions[k]);
	for (unsigned i = 0; i < MANY / 10; i++) {
		check_text((rt_s64)chance(), (int)(chance() % 20));
		check_text(bits((double)((rt_s64)chance() >> 40) / 8), (int)(chance() % 3)); /* often in the middle */
	}
}

static void check_read(const char *text)
{
	rt_s64 got;

	ctx->budget = 1000;
	got = rt_fp_from_string(ctx, (struct rt_str){text, (rt_u32)strlen(text)});

	if (got != bits(strtod(text, NULL)))
		fprintf(stderr, "reading %s\n", text);
	CHECK_EQ(got, bits(strtod(text, NULL)));
	CHECK_EQ(ctx->error, 0);
}

static void test_text_as_numbers(void)
{
	static const char *const texts[] = {
		"0", "-0", "+1", "1.", ".5", "-.5e1", "1e", "1e+", "1e-", "x", "", "-", ".", "1.5.5", "12abc", "1e400", "-1e400", "1e-400",
		"-1e-400",
		"inf", "-Infinity", "nan", "NaN", "1e999999999999", "1e-999999999999", "0e999999999", "00000000000000000000000000000000001",
		"2.2250738585072012e-308", "2.2250738585072011e-308", "1.7976931348623157e308", "1.7976931348623158e308",
		"1.7976931348623159e308",
		"4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "9007199254740993",
		"9007199254740993.00000000000000000000000000001",
		"9007199254740992.99999999999999999999999", "123456789012345678901234567890", "0.1e1", "100e-2", "8.5e1x"};
	char text[2048], exact[1200];

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
		check_read(texts[i]);
	for (unsigned i = 0; i < nedges; i++) {
		snprintf(text, sizeof text, "%.*g", 17, number(edges[i]));
		check_read(text);
		snprintf(text, sizeof text, "%.*g", 800, number(edges[i]));
		check_read(text);
	}
	for (unsigned i = 0; i < MANY / 10; i++) {
		snprintf(text, sizeof text, "%.*e", (int)(chance() % 25), number((rt_s64)chance()));
		check_read(text);
		snprintf(text, sizeof text, "%llu%llue%d", (unsigned long long)chance(), (unsigned long long)chance(), (int)(chance() % 700) - 350);
		check_read(text);
	}
	/* the middle of two neighbours, to the last of its digits, and a bit more or less */
	for (unsigned i = 0; i < 300; i++) {
		double low = number((rt_s64)(chance() >> 12 | (i % 3 ? chance() % 2046 : i % 7) << 52));
		long double middle = (long double)low + ((long double)nextafter(low, INFINITY) - (long double)low) / 2;

		snprintf(exact, sizeof exact, "%.*Lg", 1100, middle);
		if (strchr(exact, 'n') || strchr(exact, 'i'))
			continue;
		check_read(exact);
		if (!strchr(exact, 'e') && strchr(exact, '.')) {
			snprintf(text, sizeof text, "%s%0100d1", exact, 0);
			check_read(text);
			snprintf(text, sizeof text, "%s%0600d1", exact, 0);
			check_read(text);
		}
	}
}

static void test_long_text_takes_actions_from_the_budget(void)
{
	native_ctx_again(ctx);
	ctx->budget = 1000;
	rt_fp_to_string(ctx, bits(1.5), 160);
	CHECK_EQ(ctx->budget, 990);
	rt_fp_from_string(ctx, RT_STR("1.50000000000000000000000000000000"));
	CHECK_EQ(ctx->budget, 988);
	native_ctx_again(ctx);
}

static void test_too_little_room_is_an_error(void)
{
	ctx->arena_pos = ctx->arena_end - 100;
	rt_fp_to_string(ctx, bits(1.5), 6);
	CHECK_EQ(ctx->error, RT_SOFT);
	native_ctx_again(ctx);
	ctx->arena_pos = ctx->arena_end - 100;
	CHECK_EQ(rt_fp_from_string(ctx, RT_STR("1.5")), 0);
	CHECK_EQ(ctx->error, RT_SOFT);
	native_ctx_again(ctx);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	native_limits.string_max = 2047;
	native_limits.arena = 16384;
	ctx = native_ctx();
	make_edges();
	UNIT_RUN(test_boundaries_with_each_other);
	UNIT_RUN(test_random_numbers);
	UNIT_RUN(test_integers);
	UNIT_RUN(test_floats);
	UNIT_RUN(test_numbers_as_text);
	UNIT_RUN(test_text_as_numbers);
	UNIT_RUN(test_long_text_takes_actions_from_the_budget);
	UNIT_RUN(test_too_little_room_is_an_error);
	native_ctx_end(ctx);
	return unit_done();
}
