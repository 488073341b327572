// SPDX-License-Identifier: GPL-2.0-or-later
/* Locks and per-CPU statistics of runtime/rt/ with four threads as CPUs: no count is lost, no wait is endless. */
#include "rt/globals.h"
#include "rt/map.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

#include <pthread.h>

#define ROUNDS 20000
#define KEYS 16

static rt_s64 counter, other;
static struct rt_map *array, *stats, *wrapping, *spread, *shared, *emptied, *renewed;
static struct rt_stat *scalar, *latency;
static const struct rt_map_shape array_shape = {.nkeys = 1, .key = {RT_LONG}, .value = RT_LONG, .max = KEYS};
static const struct rt_map_shape stats_shape = {
	.nkeys = 2, .key = {RT_LONG, RT_STRING}, .value = RT_STATS, .max = KEYS, .stat = {.variance = 1}};
static const struct rt_map_shape wrapping_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_STATS, .max = 4, .wrap = 1, .stat = {.hist = RT_HIST_LOG}};
static const struct rt_map_shape spread_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_STATS, .max = 4, .wrap = 1, .stat = {.quantile = 1}};
static const struct rt_map_shape shared_shape = {
	.nkeys = 2, .key = {RT_LONG, RT_STRING}, .value = RT_LONG, .max = KEYS, .shared = 1};
static const struct rt_map_shape emptied_shape = {
	.nkeys = 1, .key = {RT_LONG}, .value = RT_LONG, .max = 9, .shared = 1};
static const struct rt_map_shape renewed_shape = {
	.nkeys = 2, .key = {RT_STRING, RT_STRING}, .value = RT_LONG, .max = KEYS, .shared = 1};
static const struct rt_stat_shape scalar_shape = {.variance = 1}, latency_shape = {.quantile = 1};
static const struct rt_global globals[] = {
	{"counter", RT_LONG, &counter, NULL, NULL},
	{"other", RT_LONG, &other, NULL, NULL},
	{"array", RT_LONG, &array, &array_shape, NULL},
	{"stats", RT_STATS, &stats, &stats_shape, NULL},
	{"scalar", RT_STATS, &scalar, NULL, &scalar_shape},
	{"wrapping", RT_STATS, &wrapping, &wrapping_shape, NULL},
	{"spread", RT_STATS, &spread, &spread_shape, NULL},
	{"latency", RT_STATS, &latency, NULL, &latency_shape},
	{"shared", RT_LONG, &shared, &shared_shape, NULL},
	{"emptied", RT_LONG, &emptied, &emptied_shape, NULL},
	{"renewed", RT_LONG, &renewed, &renewed_shape, NULL},
};
enum { COUNTER, OTHER, ARRAY, STATS, SCALAR, WRAPPING, SPREAD, LATENCY };
static const struct rt_probe probes[] = {{.point = "a probe"},
					 {.point = "begin", .flags = RT_PROBE_NO_LOCKS}};
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.name = "test",
	.limits = &native_limits,
	.probes = probes,
	.nprobes = 2,
	.globals = globals,
	.nglobals = sizeof globals / sizeof *globals,
};

static struct {
	void (*fn)(struct rt_ctx *c);
	rt_u32 cpu;
	unsigned errors;
} workers[NATIVE_CPUS];

static void *work(void *arg)
{
	rt_size i = (rt_size)arg;
	struct rt_ctx *c;

	native_cpu = workers[i].cpu;
	c = native_ctx();
	for (unsigned round = 0; round < ROUNDS; round++) {
		workers[i].fn(c);
		workers[i].errors += c->error != RT_OK;
		native_ctx_again(c);
	}
	native_ctx_end(c);
	return NULL;
}

/* Runs each function on a CPU of its own, many times. */
static void run(void (*f0)(struct rt_ctx *), void (*f1)(struct rt_ctx *), void (*f2)(struct rt_ctx *),
		void (*f3)(struct rt_ctx *))
{
	void (*fns[])(struct rt_ctx *) = {f0, f1, f2, f3};
	pthread_t threads[NATIVE_CPUS];
	const char *what;

	counter = other = 0;
	CHECK_EQ(rt_globals_init(&what), 0);
	for (rt_u32 i = 0; i < NATIVE_CPUS; i++) {
		workers[i].fn = fns[i];
		workers[i].cpu = i;
		workers[i].errors = 0;
		pthread_create(&threads[i], NULL, work, (void *)(rt_size)i);
	}
	for (rt_u32 i = 0; i < NATIVE_CPUS; i++) {
		pthread_join(threads[i], NULL);
		CHECK_EQ(workers[i].errors, 0);
	}
}

/* ---- what the threads do ---- */

static void count_global(struct rt_ctx *c)
{
	if (rt_lock1(c, COUNTER))
		counter++;
	rt_unlock(c);
}

static void count_both(struct rt_ctx *c)
{
	static const rt_u32 both[] = {COUNTER, OTHER};

	if (rt_lock(c, both, 2)) {
		counter++;
		other++;
	}
	rt_unlock(c);
}

static void count_other(struct rt_ctx *c)
{
	if (rt_lock1(c, OTHER))
		other++;
	rt_unlock(c);
}

static void count_element(struct rt_ctx *c)
{
	union rt_val key = {.l = native_below(KEYS)};
	rt_s64 *place;

	if (rt_lock1(c, ARRAY)) {
		place = rt_map_ref(c, array, &key);
		if (place)
			++*place;
	}
	rt_unlock(c);
}

static void stats_key(union rt_val key[2])
{
	key[0].l = native_below(KEYS / 2);
	key[1].s = native_below(2) ? RT_STR("even") : RT_STR("odd");
}

static void add_stats(struct rt_ctx *c)
{
	union rt_val key[2];

	stats_key(key);
	rt_map_stat_add(c, stats, key, 3);
	rt_stat_add(c, scalar, 3);
}

/* A reader sees whole additions: the sum is three times the count, at any time. */
static void read_stats(struct rt_ctx *c)
{
	union rt_val key[2];
	rt_s64 before, sum, after;

	stats_key(key);
	before = rt_map_stat_get(c, stats, key, RT_COUNT);
	sum = rt_map_stat_get(c, stats, key, RT_SUM);
	after = rt_map_stat_get(c, stats, key, RT_COUNT);
	if (sum % 3 || sum < 3 * before || sum > 3 * after)
		rt_error(c, "the sum does not fit the count");
	/* All are 3: any half of an addition would show as a variance. */
	if (before && rt_map_stat_get(c, stats, key, RT_VARIANCE))
		rt_error(c, "half an addition was seen");
	before = rt_stat_get(c, scalar, RT_COUNT);
	sum = rt_stat_get(c, scalar, RT_SUM);
	if (before && rt_stat_get(c, scalar, RT_VARIANCE))
		rt_error(c, "half an addition was seen");
	if (sum % 3 || sum < 3 * before)
		rt_error(c, "the sum does not fit the count");
}

static void list_stats(struct rt_ctx *c)
{
	static const struct rt_order order = {.limit = -1, .direction = -1, .stat = RT_COUNT};
	union rt_val key[2];
	struct rt_iter it;

	rt_iter_begin(c, &it, stats, &order, NULL, 0);
	while (rt_iter_next(c, &it, key, NULL))
		if (key[1].s.n != 4 && key[1].s.n != 3)
			rt_error(c, "a key that nobody made");
	rt_iter_end(c, &it);
}

static void add_wrapping(struct rt_ctx *c)
{
	union rt_val key = {.l = native_below(6)};

	rt_map_stat_add(c, wrapping, &key, key.l);
}

/* An element counts only its own key's values, whatever element its node was before. */
static void check_wrapping(struct rt_ctx *c)
{
	union rt_val key = {.l = 1 + native_below(5)};

	if (rt_map_stat_get(c, wrapping, &key, RT_COUNT)) {
		rt_s64 max = rt_map_stat_get(c, wrapping, &key, RT_MAX);

		/* It may be deleted between the two calls. */
		if (!c->error && max != key.l)
			rt_error(c, "a value of another key");
		else if (c->error == RT_SOFT)
			c->error = RT_OK;
	}
}

static void delete_wrapping(struct rt_ctx *c)
{
	union rt_val key = {.l = native_below(6)};

	if (!rt_lock1(c, WRAPPING))
		return;
	if (native_below(10))
		rt_map_delete(c, wrapping, &key);
	else
		rt_map_clear(c, wrapping);
	rt_unlock(c);
}

/* No element is listed twice. */
static void list_wrapping(struct rt_ctx *c)
{
	static const struct rt_order order = {.limit = -1, .direction = 1, .stat = RT_SUM};
	unsigned seen = 0;
	union rt_val key;
	struct rt_iter it;

	rt_iter_begin(c, &it, wrapping, &order, NULL, 0);
	while (rt_iter_next(c, &it, &key, NULL)) {
		if (key.l < 0 || key.l > 5 || seen >> key.l & 1)
			rt_error(c, "a wrong key");
		seen |= 1u << (key.l & 31);
	}
	rt_iter_end(c, &it);
}

/* Key k has values from 1000 << 4 * k to twice that. */
static void add_spread(struct rt_ctx *c)
{
	union rt_val key = {.l = native_below(6)};

	rt_map_stat_add(c, spread, &key, (1000LL + native_below(1001)) << 4 * key.l);
	rt_stat_add(c, latency, 1 + native_below(10000));
}

static void read_spread(struct rt_ctx *c)
{
	union rt_val key = {.l = native_below(6)};
	rt_s64 v = rt_map_quantile(c, spread, &key, native_below(1001));

	if (!c->error && (v < 1000LL << 4 * key.l || v > 2000LL << 4 * key.l))
		rt_error(c, "a value of another key");
	else if (c->error == RT_SOFT)
		c->error = RT_OK; /* the element was deleted */
	v = rt_stat_quantile(c, latency, native_below(1001));
	if (!c->error && (v < 1 || v > 10000))
		rt_error(c, "a value that nobody added");
	else if (c->error == RT_SOFT)
		c->error = RT_OK;
}

static void delete_spread(struct rt_ctx *c)
{
	union rt_val key = {.l = native_below(6)};

	add_spread(c);
	if (!rt_lock1(c, SPREAD))
		return;
	if (native_below(10))
		rt_map_delete(c, spread, &key);
	else
		rt_map_clear(c, spread);
	rt_unlock(c);
}

static void clear_scalar(struct rt_ctx *c)
{
	if (native_below(10))
		rt_stat_add(c, scalar, 7);
	else
		rt_stat_clear(c, scalar);
}

/* Elements that the four threads share, with strings in their keys. */
static void shared_key(union rt_val key[2], rt_u32 i)
{
	key[0].l = i;
	key[1].s = i % 2 ? RT_STR("odd") : RT_STR("even");
}

static void add_shared(struct rt_ctx *c)
{
	union rt_val key[2];

	shared_key(key, native_below(KEYS));
	rt_map_add(c, shared, key, 1);
}

static void list_shared(struct rt_ctx *c)
{
	struct rt_order order = {.limit = -1, .direction = -1};
	union rt_val key[2], value;
	struct rt_iter it;
	rt_u32 n = 0;

	add_shared(c);
	if (native_below(50))
		return;
	rt_iter_begin(c, &it, shared, &order, NULL, 0);
	while (rt_iter_next(c, &it, key, &value)) {
		CHECK(key[0].l >= 0 && key[0].l < KEYS && value.l >= 0);
		CHECK_EQ(key[1].s.n, key[0].l % 2 ? 3 : 4);
		n++;
	}
	CHECK(n <= KEYS);
	rt_iter_end(c, &it);
}

static void add_emptied(struct rt_ctx *c)
{
	rt_map_add(c, emptied, &(union rt_val){.l = native_below(9)}, 1);
}

/* Sets elements to 100, and empties all: so no count is ever above the sum that may have been added since. */
static void empty_emptied(struct rt_ctx *c)
{
	union rt_val key = {.l = native_below(9)};
	rt_s64 v = rt_map_get_long(c, emptied, &key);

	CHECK(v >= 0 && v <= 100 + 4 * ROUNDS);
	switch (native_below(20)) {
	case 0:
		rt_map_clear(c, emptied);
		break;
	case 1:
		rt_map_set_long(c, emptied, &key, 100);
		break;
	case 2:
		rt_map_delete(c, emptied, &key);
		break;
	default:
		add_emptied(c);
	}
}

/* Long keys that are the same twice; other ones after each clearing. */
static void renew(struct rt_ctx *c)
{
	static rt_u32 life;
	char text[400];
	union rt_val key[2];

	life++;
	rt_map_clear(c, renewed);
	for (rt_u32 i = 0; i < KEYS; i++) {
		memset(text, 'a' + (int)((i + life) % 26), sizeof text);
		key[0].s = key[1].s = (struct rt_str){text, sizeof text};
		rt_map_add(c, renewed, key, 1);
	}
}

/* Either all elements that existed at its beginning, or none of them. */
static void list_renewed(struct rt_ctx *c)
{
	static const struct rt_order order = {.limit = -1};
	union rt_val key[2];
	rt_u32 used, spins = 0;
	struct rt_iter it;
	char *mark;

	rt_iter_begin(c, &it, renewed, &order, NULL, 0);
	mark = rt_mark(c);
	do /* best while the first node is being filled again */
		used = RT_LOAD(&renewed->used);
	while ((!used || used >= it.n) && ++spins < 5000);
	while (rt_iter_next(c, &it, key, NULL)) {
		if (!rt_str_eq(key[0].s, key[1].s))
			rt_error(c, "an element that is being made");
		rt_release(c, mark);
	}
	rt_iter_end(c, &it);
}

/* ---- tests ---- */

static void test_no_count_is_lost(void)
{
	run(count_global, count_global, count_global, count_global);
	CHECK_EQ(counter, 4 * ROUNDS);
	rt_globals_free();
}

static void test_several_locks_are_taken_without_deadlock(void)
{
	run(count_both, count_global, count_both, count_other);
	CHECK_EQ(counter, 3 * ROUNDS);
	CHECK_EQ(other, 3 * ROUNDS);
	rt_globals_free();
}

static void test_no_count_of_an_element_is_lost(void)
{
	struct rt_ctx *c;
	rt_s64 sum = 0;

	run(count_element, count_element, count_element, count_element);
	c = native_ctx();
	for (rt_s64 i = 0; i < KEYS; i++)
		sum += rt_map_get_long(c, array, &(union rt_val){.l = i});
	CHECK_EQ(sum, 4 * ROUNDS);
	native_ctx_end(c);
	rt_globals_free();
}

static void test_no_count_of_a_shared_array_is_lost(void)
{
	union rt_val key[2];
	struct rt_ctx *c;
	rt_s64 sum = 0;

	run(add_shared, add_shared, list_shared, list_shared);
	c = native_ctx();
	for (rt_u32 i = 0; i < KEYS; i++) {
		shared_key(key, i);
		sum += rt_map_get_long(c, shared, key);
	}
	CHECK_EQ(sum, 4 * ROUNDS);
	CHECK_EQ(shared->n, KEYS);
	native_ctx_end(c);
	rt_globals_free();
}

static void test_a_shared_array_is_emptied_and_set_by_all(void)
{
	struct rt_ctx *c;

	run(add_emptied, empty_emptied, add_emptied, empty_emptied);
	CHECK(emptied->n <= 9);
	c = native_ctx();
	rt_map_set_long(c, emptied, &(union rt_val){.l = 3}, -7);
	rt_map_add(c, emptied, &(union rt_val){.l = 3}, -1);
	CHECK_EQ(rt_map_get_long(c, emptied, &(union rt_val){.l = 3}), -8);
	rt_map_clear(c, emptied);
	CHECK_EQ(rt_map_get_long(c, emptied, &(union rt_val){.l = 3}), 0);
	native_ctx_end(c);
	rt_globals_free();
}

static void test_statistics_lose_nothing_while_they_are_read(void)
{
	struct rt_ctx *c;
	rt_s64 sum = 0;

	run(add_stats, add_stats, read_stats, list_stats);
	c = native_ctx();
	CHECK_EQ(rt_stat_get(c, scalar, RT_COUNT), 2 * ROUNDS);
	CHECK_EQ(rt_stat_get(c, scalar, RT_SUM), 6 * ROUNDS);
	CHECK_EQ(rt_stat_get(c, scalar, RT_VARIANCE), 0);
	for (rt_s64 i = 0; i < KEYS; i++) {
		union rt_val key[2] = {{.l = i / 2}, {.s = i % 2 ? RT_STR("odd") : RT_STR("even")}};

		sum += rt_map_stat_get(c, stats, key, RT_COUNT);
	}
	CHECK_EQ(sum, 2 * ROUNDS);
	native_ctx_end(c);
	rt_globals_free();
}

static void test_percentiles_are_right_while_values_are_added(void)
{
	struct rt_ctx *c;

	run(add_spread, add_spread, read_spread, delete_spread);
	c = native_ctx();
	CHECK_EQ(rt_stat_get(c, latency, RT_COUNT), 3 * ROUNDS);
	for (rt_s64 permille = 50; permille < 1000; permille += 50) {
		rt_s64 v = rt_stat_quantile(c, latency, permille);

		/* 1 % for the bucket, and as much for random numbers. */
		CHECK(v > permille * 10 - permille / 10 - 100 && v < permille * 10 + permille / 10 + 100);
	}
	native_ctx_end(c);
	rt_globals_free();
}

static void test_deleting_and_recycling_mix_up_nothing(void)
{
	run(add_wrapping, add_wrapping, delete_wrapping, check_wrapping);
	rt_globals_free();
	run(add_wrapping, add_wrapping, delete_wrapping, list_wrapping);
	rt_globals_free();
}

static void test_clearing_a_scalar_leaves_only_later_values(void)
{
	struct rt_ctx *c;

	run(clear_scalar, clear_scalar, clear_scalar, clear_scalar);
	c = native_ctx();
	CHECK_EQ(rt_stat_get(c, scalar, RT_SUM), 7 * rt_stat_get(c, scalar, RT_COUNT));
	rt_stat_clear(c, scalar);
	CHECK_EQ(rt_stat_get(c, scalar, RT_COUNT), 0);
	native_ctx_end(c);
	rt_globals_free();
}

/* A lock that CPU 0 holds; other CPUs wait. */
static void test_waiting_for_a_lock_ends(void)
{
	static const rt_u32 both[] = {COUNTER, OTHER};
	struct rt_ctx *holder, *waiter, *alone;
	const char *what;
	rt_u64 start;

	CHECK_EQ(rt_globals_init(&what), 0);
	native_limits.lock_us = 20000;
	holder = native_ctx();
	waiter = native_ctx();
	native_cpu = 0;
	CHECK(rt_lock1(holder, OTHER));
	CHECK_EQ(native_irq_depth, 1);

	native_cpu = 1;
	start = rt_port_clock_ns();
	CHECK(!rt_lock(waiter, both, 2));
	start = rt_port_clock_ns() - start;
	CHECK(start >= 19000000 && start < 2000000000);
	CHECK_EQ(waiter->error, RT_SKIP);
	CHECK_EQ(waiter->nlocked, 0);
	CHECK_EQ(native_irq_depth, 1);
	rt_unlock(waiter);
	native_irq_depth = 0;
	native_ctx_again(waiter);
	native_irq_depth = 1;
	CHECK(rt_lock1(waiter, COUNTER));
	rt_unlock(waiter);

	/* In an NMI a lock is tried once; so it is in a hit nested on the holder's own CPU, without an NMI. */
	native_limits.lock_us = 100000000;
	native_nmi = 1;
	CHECK(!rt_lock1(waiter, OTHER));
	native_nmi = 0;
	native_ctx_again(waiter);
	native_cpu = 0;
	CHECK(!rt_lock1(waiter, OTHER));
	CHECK_EQ(waiter->error, RT_SKIP);

	alone = native_ctx();
	rt_hit_begin(alone, &probes[1]);
	CHECK(rt_lock(alone, both, 2));
	CHECK_EQ(native_irq_depth, 1);
	rt_unlock(alone);
	rt_unlock(holder);
	CHECK_EQ(native_irq_depth, 0);
	CHECK(rt_lock(holder, both, 0));
	CHECK_EQ(native_irq_depth, 0);
	CHECK(rt_lock1(holder, OTHER));
	rt_hit_end(holder);
	CHECK_EQ(native_irq_depth, 0);
	CHECK(rt_lock1(holder, OTHER));
	native_ctx_end(holder);
	native_ctx_end(waiter);
	native_ctx_end(alone);
	rt_globals_free();
}

/* All locks except that of its own CPU are held by others, for ever. */
static void test_adding_takes_no_lock_that_others_take(void)
{
	union rt_val key[2] = {{.l = 1}, {.s = RT_STR("odd")}}, number = {.l = 1};
	static const rt_u32 all[] = {COUNTER, OTHER, ARRAY, STATS, SCALAR, WRAPPING, SPREAD, LATENCY};
	struct rt_ctx *c, *others;
	const char *what;

	CHECK_EQ(rt_globals_init(&what), 0);
	c = native_ctx();
	others = native_ctx();
	native_cpu = 1;
	rt_map_stat_add(c, stats, key, 5); /* the element exists, made by another CPU */
	rt_map_stat_add(c, spread, &number, 5);
	CHECK(rt_lock(others, all, 8));
	native_irq_depth = 0;
	stats->insert.owner = spread->insert.owner = 2;
	for (rt_u32 cpu = 1; cpu < NATIVE_CPUS; cpu++)
		stats->cpus[cpu].lock.owner = spread->cpus[cpu].lock.owner = cpu + 1;
	native_cpu = 0;
	for (rt_s64 i = 0; i < 60; i++) {
		rt_map_stat_add(c, stats, key, i);
		rt_map_stat_add(c, spread, &number, 1LL << i);
		rt_stat_add(c, scalar, i);
		rt_stat_add(c, latency, 1LL << i);
		CHECK_EQ(c->error, RT_OK);
	}
	CHECK_EQ(rt_map_stat_get(c, stats, key, RT_COUNT), 61);
	CHECK_EQ(rt_map_stat_get(c, spread, &number, RT_COUNT), 61);
	CHECK_EQ(rt_stat_get(c, scalar, RT_COUNT), 60);
	CHECK_EQ(rt_stat_quantile(c, latency, 1000), 1LL << 59);
	native_irq_depth = 1;
	rt_unlock(others);
	native_ctx_end(others);
	native_ctx_end(c);
	rt_globals_free();
}

/* A hit nested in rt_map_stat_add() of its own CPU: here the test takes its lock. */
static void test_a_hit_nested_in_an_array_of_statistics_is_skipped(void)
{
	union rt_val key[2] = {{.l = 1}, {.s = RT_STR("odd")}};
	struct rt_ctx *c;
	const char *what;
	rt_u32 *lock;

	CHECK_EQ(rt_globals_init(&what), 0);
	native_limits.lock_us = 100000000;
	c = native_ctx();
	native_cpu = 2;
	rt_map_stat_add(c, stats, key, 1);
	lock = &stats->cpus[2].lock.owner;
	*lock = 3;
	rt_map_stat_add(c, stats, key, 1);
	CHECK_EQ(c->error, RT_SKIP);
	native_ctx_again(c);
	CHECK_EQ(rt_map_stat_get(c, stats, key, RT_COUNT), 0);
	CHECK_EQ(c->error, RT_SKIP);
	native_ctx_again(c);
	CHECK(!rt_map_has(c, stats, key));
	CHECK_EQ(c->error, RT_SKIP);
	native_ctx_again(c);
	rt_map_delete(c, stats, key);
	CHECK_EQ(c->error, RT_SKIP);
	native_ctx_again(c);
	native_cpu = 1;
	native_nmi = 1;
	rt_map_clear(c, stats);
	CHECK_EQ(c->error, RT_SKIP);
	native_nmi = 0;
	native_ctx_again(c);
	*lock = 0;
	CHECK_EQ(rt_map_stat_get(c, stats, key, RT_COUNT), 1);
	rt_map_delete(c, stats, key);
	CHECK(!rt_map_has(c, stats, key));
	CHECK_EQ(c->error, RT_OK);
	native_ctx_end(c);
	rt_globals_free();
}

/* ---- one CPU stopped at a critical place ---- */

static void *add_7(void *arg)
{
	struct rt_ctx *c;

	native_cpu = (rt_u32)(rt_size)arg;
	c = native_ctx();
	rt_map_stat_add(c, wrapping, &(union rt_val){.l = 7}, 7);
	native_ctx_end(c);
	return NULL;
}

static void *delete_0(void *arg)
{
	struct rt_ctx *c;

	native_cpu = (rt_u32)(rt_size)arg;
	c = native_ctx();
	rt_map_delete(c, wrapping, &(union rt_val){.l = 0});
	native_ctx_end(c);
	return NULL;
}

static struct rt_ctx *with_elements(rt_u32 n)
{
	struct rt_ctx *c = native_ctx();
	const char *what;

	CHECK_EQ(rt_globals_init(&what), 0);
	native_limits.lock_us = 60000000;
	native_cpu = 0;
	for (rt_u32 i = 0; i < n; i++)
		rt_map_stat_add(c, wrapping, &(union rt_val){.l = i}, i);
	return c;
}

static void test_two_cpus_that_make_the_same_element_make_one(void)
{
	struct rt_ctx *c = with_elements(0);
	pthread_t threads[2];

	/* Both have not found the element when they wait here. */
	wrapping->insert.owner = 99;
	pthread_create(&threads[0], NULL, add_7, (void *)1);
	pthread_create(&threads[1], NULL, add_7, (void *)2);
	while (!RT_LOAD(&wrapping->cpus[1].lock.owner) || !RT_LOAD(&wrapping->cpus[2].lock.owner))
		usleep(1000);
	usleep(20000);
	CHECK_EQ(wrapping->n, 0);
	RT_STORE_RELEASE(&wrapping->insert.owner, 0);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	CHECK_EQ(wrapping->n, 1);
	CHECK_EQ(rt_map_stat_get(c, wrapping, &(union rt_val){.l = 7}, RT_COUNT), 2);
	native_ctx_end(c);
	rt_globals_free();
}

static void test_recycling_waits_for_who_is_reading(void)
{
	struct rt_ctx *c = with_elements(4);
	pthread_t thread;

	wrapping->cpus[3].lock.owner = 4;
	pthread_create(&thread, NULL, add_7, (void *)1);
	usleep(20000);
	CHECK_EQ(RT_LOAD(&rt_map_node(wrapping, 1)->birth), 1);
	CHECK_EQ(RT_LOAD(&wrapping->head), 1);
	RT_STORE_RELEASE(&wrapping->cpus[3].lock.owner, 0);
	pthread_join(thread, NULL);
	CHECK(!rt_map_has(c, wrapping, &(union rt_val){.l = 0}));
	CHECK(rt_map_has(c, wrapping, &(union rt_val){.l = 7}));
	CHECK_EQ(wrapping->n, 4);
	native_ctx_end(c);
	rt_globals_free();
}

static void test_deleting_waits_for_who_is_reading_or_inserting(void)
{
	struct rt_ctx *c = with_elements(2);
	pthread_t thread;

	wrapping->insert.owner = 99;
	wrapping->cpus[3].lock.owner = 4;
	pthread_create(&thread, NULL, delete_0, (void *)1);
	usleep(20000);
	CHECK_EQ(RT_LOAD(&wrapping->n), 2);
	RT_STORE_RELEASE(&wrapping->cpus[3].lock.owner, 0);
	usleep(20000);
	CHECK_EQ(RT_LOAD(&wrapping->n), 2);
	RT_STORE_RELEASE(&wrapping->insert.owner, 0);
	pthread_join(thread, NULL);
	CHECK_EQ(wrapping->n, 1);
	native_ctx_end(c);
	rt_globals_free();
}

static void test_foreach_meets_no_element_that_is_being_made_where_one_was_cleared(void)
{
	run(renew, list_renewed, list_renewed, list_renewed);
	rt_globals_free();
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	native_limits.lock_us = 60000000; /* threads may lose the CPU while they hold a lock */
	UNIT_RUN(test_no_count_is_lost);
	UNIT_RUN(test_several_locks_are_taken_without_deadlock);
	UNIT_RUN(test_no_count_of_an_element_is_lost);
	UNIT_RUN(test_no_count_of_a_shared_array_is_lost);
	UNIT_RUN(test_a_shared_array_is_emptied_and_set_by_all);
	UNIT_RUN(test_foreach_meets_no_element_that_is_being_made_where_one_was_cleared);
	UNIT_RUN(test_statistics_lose_nothing_while_they_are_read);
	UNIT_RUN(test_percentiles_are_right_while_values_are_added);
	UNIT_RUN(test_deleting_and_recycling_mix_up_nothing);
	UNIT_RUN(test_clearing_a_scalar_leaves_only_later_values);
	UNIT_RUN(test_waiting_for_a_lock_ends);
	UNIT_RUN(test_adding_takes_no_lock_that_others_take);
	UNIT_RUN(test_a_hit_nested_in_an_array_of_statistics_is_skipped);
	UNIT_RUN(test_two_cpus_that_make_the_same_element_make_one);
	UNIT_RUN(test_recycling_waits_for_who_is_reading);
	UNIT_RUN(test_deleting_waits_for_who_is_reading_or_inserting);
	return unit_done();
}
