// SPDX-License-Identifier: GPL-2.0-or-later
/* Percentiles of runtime/rt/: less than 1 % from the exact ones, whatever the distribution; and their memory is given back. */
#include "rt/globals.h"
#include "rt/map.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

#include <math.h>
#include <stdlib.h>

#define MAX 0x7fffffffffffffffLL
#define MIN (-MAX - 1)
#define VALUES 5000
#define KEYS 8

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "test", .limits = &native_limits, .probes = probes, .nprobes = 1};

static const struct rt_stat_shape shape = {.quantile = 1};
static const struct rt_stat_shape whole_shape = {.quantile = 1, .variance = 1, .hist = RT_HIST_LOG};
static const struct rt_map_shape map_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_STATS, .max = KEYS, .stat = {.quantile = 1}};
static const struct rt_map_shape wrapping_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_STATS, .max = 2, .wrap = 1, .stat = {.quantile = 1}};
static struct rt_ctx *c;
static rt_s64 values[VALUES];

/* ---- against exact percentiles ---- */

static rt_s64 uniform(void)
{
	return native_below(1000000);
}

static rt_s64 exponential(void)
{
	return (rt_s64)(-log((native_below(1000000) + 1) / 1000001.0) * 1e9);
}

static rt_s64 bimodal(void)
{
	return native_below(10) ? 100 + native_below(20) : 50000000 + native_below(1000000);
}

static rt_s64 constant(void)
{
	return 123456789;
}

static rt_s64 negative(void)
{
	return -(rt_s64)(native_random() >> (native_below(60) + 1));
}

static rt_s64 small(void)
{
	return (rt_s64)native_below(255) - 127;
}

static rt_s64 mostly_zero(void)
{
	return native_below(3) ? 0 : (rt_s64)native_random();
}

static const struct {
	const char *name;
	rt_s64 (*next)(void);
} distributions[] = {
	{"uniform", uniform},   {"exponential", exponential}, {"bimodal", bimodal},
	{"constant", constant}, {"negative", negative},       {"small", small},
	{"zero", mostly_zero},  {"any", native_random_long},
};

static int by_value(const void *a, const void *b)
{
	rt_s64 x = *(const rt_s64 *)a, y = *(const rt_s64 *)b;

	return x < y ? -1 : x > y;
}

/* The smallest of the n sorted values that permille thousandths of them do not exceed. */
static rt_s64 exact(rt_u32 n, rt_u32 permille)
{
	rt_u64 rank = ((rt_u64)n * permille + 999) / 1000;

	return values[rank ? rank - 1 : 0];
}

static void check_close(const char *what, rt_u32 permille, rt_s64 got, rt_s64 want)
{
	__int128 off = (__int128)got - want, size = want < 0 ? -(__int128)want : want;
	char text[100];

	snprintf(text, sizeof(text), "%s, %u thousandths: %lld for %lld", what, permille, got, want);
	if ((off < 0 ? -off : off) * 128 > size || (size < 128 && off)) {
		CHECK_STR("less than 1 % off", text);
	} else {
		CHECK(1);
	}
}

static void test_percentiles_of_a_scalar_are_less_than_1_percent_off(void)
{
	for (size_t d = 0; d < sizeof(distributions) / sizeof(*distributions); d++) {
		for (rt_u32 n = 1; n <= VALUES; n = n < 10 ? n + 1 : n * 3) {
			struct rt_stat *s = rt_stat_new(n % 2 ? &shape : &whole_shape);

			for (rt_u32 i = 0; i < n; i++) {
				values[i] = distributions[d].next();
				native_cpu = native_below(NATIVE_CPUS);
				rt_stat_add(c, s, values[i]);
			}
			qsort(values, n, sizeof(*values), by_value);
			for (rt_u32 p = 0; p <= 1000; p += 1 + native_below(30))
				check_close(distributions[d].name, p, rt_stat_quantile(c, s, p), exact(n, p));
			check_close(distributions[d].name, 999, rt_stat_quantile(c, s, 999), exact(n, 999));
			CHECK_EQ(rt_stat_quantile(c, s, 0), values[0]);
			CHECK_EQ(rt_stat_quantile(c, s, 1000), values[n - 1]);
			CHECK_EQ(rt_stat_get(c, s, RT_COUNT), n);
			rt_stat_destroy(s);
		}
	}
	CHECK_EQ(c->error, RT_OK);
}

static void test_each_power_of_two_and_its_neighbours_are_found(void)
{
	for (int bit = 0; bit < 64; bit++)
		for (int off = -1; off <= 1; off++) {
			rt_s64 v = (rt_s64)((1ULL << bit) + (rt_u64)(rt_s64)off);
			struct rt_stat *s = rt_stat_new(&shape);

			values[0] = v > 0 ? 0 : MIN;
			values[1] = v;
			values[2] = v > 0 ? MAX : 0;
			qsort(values, 3, sizeof(*values), by_value);
			for (int i = 0; i < 3; i++)
				rt_stat_add(c, s, values[i]);
			check_close("the middle one", 500, rt_stat_quantile(c, s, 500), values[1]);
			rt_stat_destroy(s);
		}
}

static void test_percentiles_of_elements_do_not_mix(void)
{
	struct rt_map *m = rt_map_new(&map_shape);

	for (rt_s64 round = 0; round < VALUES; round++) {
		native_cpu = native_below(NATIVE_CPUS);
		for (rt_s64 k = 0; k < KEYS; k++)
			rt_map_stat_add(c, m, &(union rt_val){.l = k}, (k - 4) * 1000 * round);
	}
	for (rt_s64 k = 0; k < KEYS; k++) {
		for (rt_s64 i = 0; i < VALUES; i++)
			values[i] = (k - 4) * 1000 * i;
		qsort(values, VALUES, sizeof(*values), by_value);
		for (rt_u32 p = 0; p <= 1000; p += 25)
			check_close("an element", p, rt_map_quantile(c, m, &(union rt_val){.l = k}, p),
				    exact(VALUES, p));
	}
	CHECK_EQ(c->error, RT_OK);
	rt_map_destroy(m);
}

/* ---- errors ---- */

static void test_of_nothing_there_is_no_percentile(void)
{
	struct rt_stat *s = rt_stat_new(&shape);
	struct rt_map *m = rt_map_new(&map_shape);

	CHECK_EQ(rt_stat_quantile(c, s, 500), 0);
	CHECK_STR(c->message, "empty aggregate");
	native_ctx_again(c);
	CHECK_EQ(rt_map_quantile(c, m, &(union rt_val){.l = 5}, 500), 0);
	CHECK_STR(c->message, "empty aggregate");
	native_ctx_again(c);
	rt_stat_add(c, s, 5);
	rt_stat_clear(c, s);
	CHECK_EQ(rt_stat_quantile(c, s, 500), 0);
	CHECK_STR(c->message, "empty aggregate");
	native_ctx_again(c);
	rt_stat_add(c, s, 7);
	CHECK_EQ(rt_stat_quantile(c, s, 500), 7);
	rt_map_destroy(m);
	rt_stat_destroy(s);
}

static void test_thousandths_are_0_to_1000(void)
{
	static const rt_s64 bad[] = {-1, 1001, MIN, MAX};
	struct rt_stat *s = rt_stat_new(&shape);

	rt_stat_add(c, s, 5);
	for (size_t i = 0; i < 4; i++) {
		CHECK_EQ(rt_stat_quantile(c, s, bad[i]), 0);
		CHECK_EQ(c->error, RT_SOFT);
		CHECK_HAS(c->message, "0 to 1000 thousandths, not ");
		native_ctx_again(c);
	}
	rt_stat_destroy(s);
}

/* Adds values of as many octaves as there is room for, on CPU 0; returns how many. */
static rt_u32 fill(struct rt_map *m, rt_s64 key)
{
	rt_u32 n = 0;

	native_cpu = 0;
	for (int bit = 6; bit < 63 && !c->error; bit++) {
		rt_map_stat_add(c, m, &(union rt_val){.l = key}, 1LL << bit);
		n += !c->error;
	}
	return n;
}

static void test_a_full_pool_is_an_error_and_adds_nothing(void)
{
	rt_u32 before = native_limits.quantile_kb;
	struct rt_map *m;

	native_limits.quantile_kb = 10; /* 20 blocks, one of them an index */
	m = rt_map_new(&map_shape);
	CHECK_EQ(fill(m, 1), 19);
	CHECK_EQ(c->error, RT_SOFT);
	CHECK_STR(c->message, "no room for percentiles of more values, check MAXQUANTILEKB");
	native_ctx_again(c);
	CHECK_EQ(rt_map_stat_get(c, m, &(union rt_val){.l = 1}, RT_COUNT), 19);
	CHECK_EQ(rt_map_stat_get(c, m, &(union rt_val){.l = 1}, RT_MAX), 1LL << 24);
	/* Values where there is room already are still taken. */
	rt_map_stat_add(c, m, &(union rt_val){.l = 1}, 100);
	CHECK_EQ(c->error, RT_OK);
	/* Another CPU has room of its own. */
	native_cpu = 1;
	rt_map_stat_add(c, m, &(union rt_val){.l = 1}, 1LL << 40);
	CHECK_EQ(c->error, RT_OK);
	CHECK_EQ(rt_map_stat_get(c, m, &(union rt_val){.l = 1}, RT_COUNT), 21);
	rt_map_destroy(m);
	native_limits.quantile_kb = before;
}

static void test_deleted_elements_give_their_room_back(void)
{
	rt_u32 before = native_limits.quantile_kb;
	union rt_val key = {.l = 1};
	struct rt_map *m;

	native_limits.quantile_kb = 10;
	m = rt_map_new(&map_shape);
	for (int round = 0; round < 30; round++) {
		key.l = round % 5;
		CHECK_EQ(fill(m, key.l), 19);
		native_ctx_again(c);
		CHECK_EQ(rt_map_quantile(c, m, &key, 1), 64);
		if (round % 3)
			rt_map_delete(c, m, &key);
		else
			rt_map_clear(c, m);
		CHECK_EQ(rt_map_quantile(c, m, &key, 500), 0);
		native_ctx_again(c);
	}
	rt_map_destroy(m);
	m = rt_map_new(&wrapping_shape);
	for (rt_s64 i = 0; i < 200; i++) {
		key.l = i;
		rt_map_stat_add(c, m, &key, i << (i % 40));
		CHECK_EQ(c->error, RT_OK);
		check_close("the newest", 500, rt_map_quantile(c, m, &key, 500), i << (i % 40));
	}
	rt_map_destroy(m);
	native_limits.quantile_kb = before;
}

static void test_a_scalar_has_room_for_everything(void)
{
	struct rt_stat *s = rt_stat_new(&shape);

	native_cpu = 0;
	for (int round = 0; round < 5; round++) {
		for (int bit = 0; bit < 64; bit++) {
			rt_stat_add(c, s, (rt_s64)(1ULL << bit));
			rt_stat_add(c, s, (rt_s64) - (1ULL << bit));
		}
		CHECK_EQ(c->error, RT_OK);
		CHECK_EQ(rt_stat_quantile(c, s, 1), MIN);
		rt_stat_clear(c, s);
	}
	rt_stat_destroy(s);
}

static void test_no_memory_leaves_nothing(void)
{
	for (int left = 0; left < 3 + NATIVE_CPUS; left++) {
		native_allocs_left = left;
		struct rt_stat *s = rt_stat_new(&shape);

		native_allocs_left = -1;
		CHECK((s != NULL) == (left >= 2 + NATIVE_CPUS));
		rt_stat_destroy(s);
	}
	for (int left = 0; left < 6 + 2 * NATIVE_CPUS; left++) {
		native_allocs_left = left;
		struct rt_map *m = rt_map_new(&map_shape);

		native_allocs_left = -1;
		CHECK((m != NULL) == (left >= 5 + 2 * NATIVE_CPUS));
		rt_map_destroy(m);
	}
}

/* ---- foreach ---- */

static void test_elements_are_sorted_by_a_percentile(void)
{
	struct rt_order order = {.limit = -1, .direction = -1, .stat = RT_QUANTILE, .permille = 900};
	struct rt_map *m = rt_map_new(&map_shape);
	rt_s64 last = MAX, now, n = 0;
	struct rt_iter it;
	union rt_val key;

	for (rt_s64 i = 0; i < VALUES; i++)
		rt_map_stat_add(c, m, &(union rt_val){.l = i % KEYS},
				(i % KEYS * 5 % KEYS - 3) * (rt_s64)native_below(1000));
	rt_iter_begin(c, &it, m, &order, NULL, 0);
	while (rt_iter_next(c, &it, &key, NULL)) {
		now = rt_map_quantile(c, m, &key, 900);
		CHECK(now <= last);
		last = now;
		n++;
	}
	rt_iter_end(c, &it);
	CHECK_EQ(n, KEYS);
	rt_map_destroy(m);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_percentiles_of_a_scalar_are_less_than_1_percent_off);
	UNIT_RUN(test_each_power_of_two_and_its_neighbours_are_found);
	UNIT_RUN(test_percentiles_of_elements_do_not_mix);
	UNIT_RUN(test_of_nothing_there_is_no_percentile);
	UNIT_RUN(test_thousandths_are_0_to_1000);
	UNIT_RUN(test_a_full_pool_is_an_error_and_adds_nothing);
	UNIT_RUN(test_deleted_elements_give_their_room_back);
	UNIT_RUN(test_a_scalar_has_room_for_everything);
	UNIT_RUN(test_no_memory_leaves_nothing);
	UNIT_RUN(test_elements_are_sorted_by_a_percentile);
	native_ctx_end(c);
	return unit_done();
}
