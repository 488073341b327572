// SPDX-License-Identifier: GPL-2.0-or-later
/* Scalar statistics and histograms of runtime/rt/: against exact computation, and the text of histograms. */
#include "rt/globals.h"
#include "rt/stat.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

#include <math.h>

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "test", .limits = &native_limits, .probes = probes, .nprobes = 1};

#define MAX 0x7fffffffffffffffLL
#define MIN (-MAX - 1)

static struct rt_ctx *c;
static struct rt_stat *s;
static const struct rt_stat_shape with_variance = {.variance = 1};
static const struct rt_stat_shape log_shape = {.hist = RT_HIST_LOG};

static void fresh(const struct rt_stat_shape *shape)
{
	rt_stat_destroy(s);
	s = rt_stat_new(shape);
	native_ctx_again(c);
}

/* Each value on some CPU. */
static void add(rt_s64 v)
{
	native_cpu = native_below(NATIVE_CPUS);
	rt_stat_add(c, s, v);
}

static rt_s64 get(enum rt_stat_op op)
{
	return rt_stat_get(c, s, op);
}

static void test_nothing_counts_0_and_has_no_minimum(void)
{
	static const enum rt_stat_op ops[] = {RT_MIN, RT_MAX, RT_AVG, RT_VARIANCE};

	fresh(&with_variance);
	CHECK_EQ(get(RT_COUNT), 0);
	CHECK_EQ(get(RT_SUM), 0);
	CHECK_EQ(c->error, RT_OK);
	for (size_t i = 0; i < 4; i++) {
		CHECK_EQ(get(ops[i]), 0);
		CHECK_EQ(c->error, RT_SOFT);
		CHECK_STR(c->message, "empty aggregate");
		native_ctx_again(c);
	}
}

static void test_statistics_are_summed_over_cpus(void)
{
	unsigned round, i, n;

	fresh(&with_variance);
	for (round = 0; round < 2000 && !unit_state.failed; round++) {
		rt_s64 sum = 0, min = MAX, max = MIN;
		__int128 squares = 0;

		rt_stat_clear(c, s);
		n = 1 + native_below(20);
		for (i = 0; i < n; i++) {
			rt_s64 v = native_random_long() >> 34;

			sum += v;
			squares += (__int128)v * v;
			min = v < min ? v : min;
			max = v > max ? v : max;
			add(v);
		}
		CHECK_EQ(get(RT_COUNT), n);
		CHECK_EQ(get(RT_SUM), sum);
		CHECK_EQ(get(RT_MIN), min);
		CHECK_EQ(get(RT_MAX), max);
		CHECK_EQ(get(RT_AVG), sum / (rt_s64)n);
		CHECK_EQ(get(RT_VARIANCE),
			 n < 2 ? 0 : (rt_s64)((n * squares - (__int128)sum * sum) / ((rt_s64)n * (n - 1))));
	}
}

static void test_the_average_is_right_or_an_error_when_the_sum_wraps(void)
{
	static const rt_s64 bases[] = {MIN, MIN + 1000, -(1ll << 62), 1ll << 62, MAX - 2000};
	unsigned round, i, n, cpu;

	fresh(&log_shape);
	for (round = 0; round < 2000 && !unit_state.failed; round++) {
		rt_s64 base = bases[round % 5];
		__int128 sum = 0;

		rt_stat_clear(c, s);
		n = 1 + native_below(100);
		for (i = 0; i < n; i++) {
			rt_s64 v = base + native_below(1000);

			sum += v;
			add(v);
		}
		CHECK_EQ(get(RT_SUM), (rt_s64)sum);
		CHECK_EQ(get(RT_AVG), (rt_s64)(sum / n));
		CHECK_EQ(get(RT_COUNT), n);
		CHECK_EQ(c->error, RT_OK);
	}
	rt_stat_clear(c, s);
	native_cpu = 0;
	for (i = 0; i < 10; i++)
		rt_stat_add(c, s, i % 2 ? MAX : MAX / 2);
	CHECK_EQ(get(RT_AVG), 0);
	CHECK_EQ(c->error, RT_SOFT);
	CHECK_HAS(c->message, "too far apart");
	native_ctx_again(c);
	CHECK_EQ(get(RT_COUNT), 10);
	/* Large and far apart, but the sum does not wrap. */
	rt_stat_clear(c, s);
	for (i = 0; i < 1000; i++)
		rt_stat_add(c, s, i == 500 ? MAX / 2 : 1000);
	CHECK_EQ(get(RT_AVG), (MAX / 2 + 999000) / 1000);
	/* No CPU's sum wraps, but all together. */
	rt_stat_clear(c, s);
	for (cpu = 0; cpu < NATIVE_CPUS; cpu++) {
		native_cpu = cpu;
		rt_stat_add(c, s, MAX - 1);
	}
	CHECK_EQ(get(RT_AVG), MAX - 1);
	CHECK_EQ(c->error, RT_OK);
}

static void test_extremes_do_not_confuse(void)
{
	fresh(&with_variance);
	add(MIN);
	CHECK_EQ(get(RT_MIN), MIN);
	CHECK_EQ(get(RT_MAX), MIN);
	CHECK_EQ(get(RT_AVG), MIN);
	CHECK_EQ(get(RT_VARIANCE), 0);
	add(MIN);
	CHECK_EQ(get(RT_SUM), 0);
	CHECK_EQ(get(RT_VARIANCE), 0);
	add(MAX);
	CHECK_EQ(get(RT_VARIANCE), MAX);
}

/* Far from 0 the spread is the same: the variance is that of the small values, exactly. */
static void test_variance_does_not_depend_on_where_values_lie(void)
{
	static const rt_s64 offsets[] = {0, 1LL << 40, MAX - 1000000, MIN + 1000000, 1LL << 62};
	unsigned round, i, k;

	for (round = 0; round < 300 && !unit_state.failed; round++) {
		rt_s64 values[50], first = 0;
		unsigned n = 2 + native_below(49);

		for (i = 0; i < n; i++)
			values[i] = (rt_s64)native_below(2000000) - 1000000;
		for (k = 0; k < 5; k++) {
			fresh(&with_variance);
			for (i = 0; i < n; i++)
				add(values[i] + offsets[k]);
			if (!k)
				first = get(RT_VARIANCE);
			CHECK_EQ(get(RT_VARIANCE), first);
		}
	}
}

static void test_variance_of_huge_spreads_is_right_to_the_last_digits(void)
{
	unsigned round, i;

	for (round = 0; round < 2000 && !unit_state.failed; round++) {
		unsigned n = 2 + native_below(200);
		long double mean = 0, m2 = 0, want;

		fresh(&with_variance);
		for (i = 0; i < n; i++) {
			/* Up to 2^32, so that the variance fits. */
			rt_s64 v = (rt_s64)native_random() >> (31 + native_below(8));
			long double delta = v - mean;

			mean += delta / (i + 1);
			m2 += delta * (v - mean);
			add(v);
		}
		want = m2 / (n - 1);
		if (want < 9.2e18L)
			CHECK(fabsl(get(RT_VARIANCE) - want) <= want * 1e-15L + 1);
		else if (want > 9.3e18L)
			CHECK_EQ(get(RT_VARIANCE), MAX);
	}
	/* Exact where a double is not: two values d apart have d^2 / 2. */
	fresh(&with_variance);
	add(-2147483647);
	add(2147483646);
	CHECK_EQ(get(RT_VARIANCE), 9223372023969873924LL);
}

/* More values than any test adds. */
static void test_variance_of_huge_counts_does_not_overflow(void)
{
	struct rt_sum sum = {.count = 1ULL << 40};

	/* All at the extremes: squares of 2^126. */
	sum.square[2] = 1ULL << 38;
	CHECK_EQ(rt_sum_variance(&sum), MAX);
	/* Half at 2^31, half at -2^31: 2^62 * n / (n - 1). */
	sum.square[1] = 1ULL << 38;
	sum.square[2] = 0;
	CHECK_EQ(rt_sum_variance(&sum), (1LL << 62) + (1LL << 22));
	/* The same, around 2^50: the sum is 2^90, the squares 2^40 * (2^100 + 2^62). */
	sum.high = 1ULL << 26;
	sum.square[2] = 1ULL << 12;
	CHECK_EQ(rt_sum_variance(&sum), (1LL << 62) + (1LL << 22));
	/* And around -2^50. */
	sum.high = 0 - (1ULL << 26);
	CHECK_EQ(rt_sum_variance(&sum), (1LL << 62) + (1LL << 22));
}

static void test_clearing_clears_all_cpus(void)
{
	fresh(&log_shape);
	for (int i = 0; i < 100; i++)
		add(i);
	rt_stat_clear(c, s);
	CHECK_EQ(get(RT_COUNT), 0);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 64), 0);
	CHECK_STR(c->message, "empty aggregate");
	native_ctx_again(c);
	add(3);
	CHECK_EQ(get(RT_COUNT), 1);
	CHECK_EQ(get(RT_MIN), 3);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 66), 1);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 64), 0);
}

/* ---- histograms ---- */

static void check_hist(const char *want, int line)
{
	struct rt_str text = rt_sprint_hist(c, s, NULL, NULL);
	char *mark = rt_mark(c);

	unit_check_mem(text.p, text.n, want, strlen(want), __FILE__, line, "sprint");
	unit_check(mark == text.p + text.n + 1, __FILE__, line, "the string is at the end of the space");
	native_out_reset();
	rt_print_hist(c, s, NULL, NULL);
	unit_check(rt_mark(c) == mark, __FILE__, line, "print takes no space");
	native_ctx_again(c);
	unit_check_str(native_out, want, __FILE__, line, "print");
}
#define CHECK_HIST(want) check_hist(want, __LINE__)
#define RULE "--------------------------------------------------"

static void add_times(rt_s64 v, unsigned n)
{
	while (n--)
		add(v);
}

static void test_a_log_histogram_has_two_empty_rows_around(void)
{
	fresh(&log_shape);
	add_times(9, 3);
	CHECK_HIST("value |" RULE " count\n"
		   "    2 |                                                   0\n"
		   "    4 |                                                   0\n"
		   "    8 |@@@                                                3\n"
		   "   16 |                                                   0\n"
		   "   32 |                                                   0\n"
		   "\n");
}

static void test_a_log_histogram_shows_no_negative_rows_without_negative_values(void)
{
	fresh(&log_shape);
	add(0);
	add_times(1, 2);
	CHECK_HIST("value |" RULE " count\n"
		   "    0 |@                                                  1\n"
		   "    1 |@@                                                 2\n"
		   "    2 |                                                   0\n"
		   "    4 |                                                   0\n"
		   "\n");
	add(-3);
	CHECK_HIST("value |" RULE " count\n"
		   "   -8 |                                                   0\n"
		   "   -4 |                                                   0\n"
		   "   -2 |@                                                  1\n"
		   "   -1 |                                                   0\n"
		   "    0 |@                                                  1\n"
		   "    1 |@@                                                 2\n"
		   "    2 |                                                   0\n"
		   "    4 |                                                   0\n"
		   "\n");
}

static void test_long_runs_of_empty_rows_are_elided_and_bars_scaled(void)
{
	fresh(&log_shape);
	add_times(1, 100);
	add_times(1000, 1234);
	CHECK_HIST("value |" RULE " count\n"
		   "    0 |                                                      0\n"
		   "    1 |@@@@                                                100\n"
		   "    2 |                                                      0\n"
		   "    4 |                                                      0\n"
		   "      ~\n"
		   "  128 |                                                      0\n"
		   "  256 |                                                      0\n"
		   "  512 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@  1234\n"
		   " 1024 |                                                      0\n"
		   " 2048 |                                                      0\n"
		   "\n");
}

static void test_the_ends_of_the_log_scale_are_reached(void)
{
	static const struct {
		rt_s64 v;
		unsigned bucket;
	} cases[] = {{MIN, 0}, {MIN + 1, 1}, {-2, 62}, {-1, 63}, {0, 64},
		     {1, 65},  {2, 66},      {3, 66},  {4, 67},  {MAX, 127}};
	size_t i;

	fresh(&log_shape);
	CHECK_EQ(rt_shape_buckets(rt_stat_shape_of(s)), 128);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		rt_stat_clear(c, s);
		add(cases[i].v);
		CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, cases[i].bucket), 1);
	}
	CHECK_HIST("              value |" RULE " count\n"
		   "1152921504606846976 |                                                   0\n"
		   "2305843009213693952 |                                                   0\n"
		   "4611686018427387904 |@                                                  1\n"
		   "\n");
}

static void test_a_linear_histogram_has_rows_for_what_is_outside(void)
{
	static const struct rt_stat_shape shape = {.hist = RT_HIST_LINEAR, .low = 0, .high = 40, .step = 10};

	fresh(&shape);
	CHECK_EQ(rt_shape_buckets(rt_stat_shape_of(s)), 7);
	for (int v = -10; v < 70; v++)
		add(v);
	CHECK_HIST("value |" RULE " count\n"
		   "   <0 |@@@@@@@@@@                                         10\n"
		   "    0 |@@@@@@@@@@                                         10\n"
		   "   10 |@@@@@@@@@@                                         10\n"
		   "   20 |@@@@@@@@@@                                         10\n"
		   "   30 |@@@@@@@@@@                                         10\n"
		   "   40 |@@@@@@@@@@                                         10\n"
		   "  >40 |@@@@@@@@@@@@@@@@@@@@                               20\n"
		   "\n");
	rt_stat_clear(c, s);
	add_times(15, 2);
	CHECK_HIST("value |" RULE " count\n"
		   "    0 |                                                   0\n"
		   "   10 |@@                                                 2\n"
		   "   20 |                                                   0\n"
		   "   30 |                                                   0\n"
		   "\n");
}

static void test_linear_buckets_span_any_range(void)
{
	static const struct rt_stat_shape shape = {
		.hist = RT_HIST_LINEAR, .low = MIN, .high = MAX, .step = 1LL << 62};

	fresh(&shape);
	CHECK_EQ(rt_shape_buckets(rt_stat_shape_of(s)), 6);
	add(MIN);
	add(MAX);
	add(0);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 0), 0);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 1), 1);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 3), 1);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 4), 1);
}

static void test_a_histogram_of_nothing_is_an_error(void)
{
	fresh(&log_shape);
	native_out_reset();
	rt_print_str(c, RT_STR("before"));
	rt_print_hist(c, s, NULL, NULL);
	CHECK_STR(c->message, "empty aggregate");
	native_ctx_again(c);
	CHECK_STR(native_out, "before");
	CHECK_EQ(rt_sprint_hist(c, s, NULL, NULL).n, 0);
	CHECK_STR(c->message, "empty aggregate");
	CHECK(c->arena_pos == c->arena);
}

static void test_a_bucket_out_of_range_is_an_error(void)
{
	fresh(&log_shape);
	add(1);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, 128), 0);
	CHECK_STR(c->message, "histogram index out of range");
	native_ctx_again(c);
	CHECK_EQ(rt_hist_bucket(c, s, NULL, NULL, -1), 0);
	CHECK_STR(c->message, "histogram index out of range");
}

static void test_a_long_histogram_is_cut_in_a_string(void)
{
	fresh(&log_shape);
	for (int i = 0; i < 40; i++)
		add(1LL << i);
	CHECK_EQ(rt_sprint_hist(c, s, NULL, NULL).n, 511);
	CHECK_EQ(c->error, RT_OK);
	rt_alloc(c, native_limits.arena - 2000);
	CHECK_EQ(rt_sprint_hist(c, s, NULL, NULL).n, 0);
	CHECK_STR(c->message, "string space exhausted");
}

/* An NMI in the middle of an addition on the same CPU must give up; here the cell is made to look like that. */
static void test_a_hit_nested_in_an_addition_is_skipped(void)
{
	rt_u32 *seq;

	fresh(&with_variance);
	native_cpu = 0;
	rt_stat_add(c, s, 1);
	seq = (rt_u32 *)((char *)s + 64);
	CHECK_EQ(*seq, 2);
	*seq = 3;
	native_nmi = 1;
	rt_stat_add(c, s, 1);
	CHECK_EQ(c->error, RT_SKIP);
	native_ctx_again(c);
	CHECK_EQ(rt_stat_get(c, s, RT_COUNT), 0);
	CHECK_EQ(c->error, RT_SKIP);
	native_ctx_again(c);
	native_nmi = 0;
	native_cpu = 1;
	CHECK_EQ(rt_stat_get(c, s, RT_COUNT), 0);
	CHECK_EQ(c->error, RT_SKIP);
	*seq = 4;
	native_ctx_again(c);
	CHECK_EQ(rt_stat_get(c, s, RT_COUNT), 1);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	native_out_reset();
	native_limits.string_max = 2047;
	c = native_ctx();
	UNIT_RUN(test_nothing_counts_0_and_has_no_minimum);
	UNIT_RUN(test_statistics_are_summed_over_cpus);
	UNIT_RUN(test_the_average_is_right_or_an_error_when_the_sum_wraps);
	UNIT_RUN(test_extremes_do_not_confuse);
	UNIT_RUN(test_variance_does_not_depend_on_where_values_lie);
	UNIT_RUN(test_variance_of_huge_spreads_is_right_to_the_last_digits);
	UNIT_RUN(test_variance_of_huge_counts_does_not_overflow);
	UNIT_RUN(test_clearing_clears_all_cpus);
	UNIT_RUN(test_a_log_histogram_has_two_empty_rows_around);
	UNIT_RUN(test_a_log_histogram_shows_no_negative_rows_without_negative_values);
	UNIT_RUN(test_long_runs_of_empty_rows_are_elided_and_bars_scaled);
	UNIT_RUN(test_the_ends_of_the_log_scale_are_reached);
	UNIT_RUN(test_a_linear_histogram_has_rows_for_what_is_outside);
	UNIT_RUN(test_linear_buckets_span_any_range);
	UNIT_RUN(test_a_histogram_of_nothing_is_an_error);
	UNIT_RUN(test_a_bucket_out_of_range_is_an_error);
	native_limits.string_max = 511;
	UNIT_RUN(test_a_long_histogram_is_cut_in_a_string);
	UNIT_RUN(test_a_hit_nested_in_an_addition_is_skipped);
	rt_stat_destroy(s);
	native_ctx_end(c);
	free(native_out);
	return unit_done();
}
