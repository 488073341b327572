// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Operations on many elements of an array are done in steps: interrupts are never off for more than RT_WALK_STEP elements, and changes
 * between two steps (native_between) do no harm.
 */
#include "rt/map.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

enum { ELEMENTS = 2000 };

static struct rt_map *pairs, *words, *counts, *stats;
static const struct rt_map_shape pairs_shape = {.nkeys = 2, .key = {RT_LONG, RT_LONG}, .value = RT_LONG, .max = 2 * ELEMENTS};
static const struct rt_map_shape words_shape = {.nkeys = 1, .key = {RT_STRING}, .value = RT_LONG, .max = 2 * ELEMENTS};
static const struct rt_map_shape counts_shape = {
	.nkeys = 2, .key = {RT_LONG, RT_LONG}, .value = RT_LONG, .max = 2 * ELEMENTS, .shared = 1};
static const struct rt_map_shape stats_shape = {
	.nkeys = 2, .key = {RT_LONG, RT_LONG}, .value = RT_STATS, .max = 2 * ELEMENTS, .stat = {.quantile = 1}};
static const struct rt_global globals[] = {
	{"pairs", RT_LONG, &pairs, &pairs_shape, NULL},
	{"words", RT_LONG, &words, &words_shape, NULL},
	{"counts", RT_LONG, &counts, &counts_shape, NULL},
	{"stats", RT_STATS, &stats, &stats_shape, NULL},
};
static const struct rt_probe probes[] = {{.point = "a probe"}};
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.name = "test",
	.limits = &native_limits,
	.probes = probes,
	.nprobes = 1,
	.globals = globals,
	.nglobals = sizeof globals / sizeof *globals,
};

static struct rt_ctx *c, *other; /* other: for changes between two steps */
static struct rt_map *watched;
static struct rt_iter it;
static unsigned stretches, most;
static rt_u32 before;

static union rt_val *pair(rt_s64 a, rt_s64 b)
{
	static union rt_val key[2];

	key[0].l = a;
	key[1].l = b;
	return key;
}

static void fill(struct rt_map *m)
{
	watched = m;
	rt_map_clear(c, m);
	for (rt_s64 i = 0; i < ELEMENTS; i++)
		if (m == stats)
			rt_map_stat_add(c, m, pair(i % 2, i), i * 7 % ELEMENTS);
		else
			rt_map_set_long(c, m, pair(i % 2, i), i * 7 % ELEMENTS);
	CHECK_EQ(m->n, ELEMENTS);
	memset(&it, 0, sizeof it);
	stretches = most = 0;
	before = m->n;
}

/* Checks how many elements the last step took from the array, or put into the snapshot. */
static void watch(void)
{
	static rt_u32 in_snapshot;
	rt_u32 taken = before - watched->n, found = it.n > in_snapshot ? it.n - in_snapshot : 0;

	stretches++;
	most = taken > most ? taken : most;
	most = found > most ? found : most;
	before = watched->n;
	in_snapshot = it.n;
}

static struct rt_map **const arrays[] = {&pairs, &counts, &stats};

static unsigned count(const struct rt_order *order, rt_u32 fixed)
{
	union rt_val key[2];
	unsigned n = 0;

	rt_iter_begin(c, &it, watched, order, pair(1, 0), fixed);
	while (rt_iter_next(c, &it, key, NULL))
		n++;
	rt_iter_end(c, &it);
	return n;
}

static void test_a_foreach_begins_in_steps(void)
{
	static const struct rt_order orders[] = {
		{.limit = -1},
		{.limit = -1, .direction = 1, .by = 1},
		{.limit = -1, .direction = -1},
		{.limit = -1, .direction = 1, .stat = RT_QUANTILE, .permille = 500},
	};

	for (unsigned a = 0; a < sizeof arrays / sizeof *arrays; a++)
		for (unsigned o = 0; o < (*arrays[a] == stats ? 4 : 3); o++) {
			fill(*arrays[a]);
			native_between = watch;
			rt_iter_begin(c, &it, watched, &orders[o], NULL, 0);
			native_between = NULL;
			CHECK_EQ(it.n, ELEMENTS);
			CHECK(most <= RT_WALK_STEP);
			CHECK(stretches >= ELEMENTS / RT_WALK_STEP);
			rt_iter_end(c, &it);
		}
}

static void test_a_slice_is_deleted_and_looked_for_in_steps(void)
{
	for (unsigned a = 0; a < sizeof arrays / sizeof *arrays; a++) {
		fill(*arrays[a]);
		native_between = watch;
		CHECK(!rt_map_has_slice(c, watched, pair(5, 0), 1));
		CHECK(stretches >= ELEMENTS / RT_WALK_STEP);
		stretches = 0;
		rt_map_delete_slice(c, watched, pair(1, 0), 1);
		native_between = NULL;
		CHECK_EQ(watched->n, ELEMENTS / 2);
		CHECK(most > 0 && most <= RT_WALK_STEP);
		CHECK(stretches >= ELEMENTS / RT_WALK_STEP);
		CHECK(!rt_map_has_slice(c, watched, pair(1, 0), 1));
		CHECK(rt_map_has_slice(c, watched, pair(0, 0), 1));
	}
}

static void test_a_foreach_passes_over_many_deleted_in_steps(void)
{
	static const struct rt_order order = {.limit = -1};
	union rt_val key[2];

	fill(pairs);
	rt_iter_begin(c, &it, pairs, &order, NULL, 0);
	for (rt_s64 i = 0; i < ELEMENTS - 1; i++)
		rt_map_delete(c, pairs, pair(i % 2, i));
	stretches = 0;
	native_between = watch;
	CHECK(rt_iter_next(c, &it, key, NULL));
	native_between = NULL;
	CHECK_EQ(key[1].l, ELEMENTS - 1);
	CHECK(stretches >= ELEMENTS / RT_WALK_STEP);
	rt_iter_end(c, &it);
}

static void test_an_array_is_emptied_at_once(void)
{
	for (unsigned a = 0; a < sizeof arrays / sizeof *arrays; a++)
		for (unsigned round = 0; round < 3; round++) {
			fill(*arrays[a]);
			rt_map_clear(c, watched);
			CHECK_EQ(watched->n, 0);
			for (rt_s64 i = 0; i < ELEMENTS; i++)
				CHECK(!rt_map_has(c, watched, pair(i % 2, i)));
			rt_map_clear(c, counts);
			/* In another order: old contents of nodes and buckets must not show. */
			for (rt_s64 i = ELEMENTS; i-- > 0;)
				if (i % 3)
					rt_map_add(c, counts, pair(i % 2, i), 1);
			for (rt_s64 i = 0; i < ELEMENTS; i++)
				CHECK_EQ(rt_map_has(c, counts, pair(i % 2, i)), i % 3 != 0);
			for (rt_s64 i = 0; i < ELEMENTS; i++)
				rt_map_delete(c, counts, pair(i % 2, i));
			CHECK_EQ(counts->n, 0);
		}
}

static void test_an_epoch_of_long_ago_does_not_come_back(void)
{
	fill(pairs);
	pairs->epoch = ~0u;
	fill(pairs);
	CHECK_EQ(pairs->epoch, 0);
	for (rt_s64 i = 0; i < ELEMENTS; i++)
		CHECK_EQ(rt_map_get_long(c, pairs, pair(i % 2, i)), i * 7 % ELEMENTS);
}

/* ---- what others do between two steps ---- */

static rt_s64 made;

static void make_more(void)
{
	native_between = NULL;
	if (made < ELEMENTS)
		rt_map_set_long(other, watched, pair(1, ELEMENTS + made++), 1);
	native_between = make_more;
}

static void test_elements_made_meanwhile_are_not_met(void)
{
	static const struct rt_order orders[] = {{.limit = -1}, {.limit = -1, .direction = 1, .by = 2}};

	for (unsigned o = 0; o < 2; o++) {
		fill(pairs);
		rt_map_delete(c, pairs, pair(0, 0)); /* its node is used again between the others */
		made = 0;
		native_between = make_more;
		CHECK_EQ(count(&orders[o], 0), ELEMENTS - 1);
		native_between = NULL;
		CHECK(made > ELEMENTS / RT_WALK_STEP);
	}
	fill(pairs);
	made = 0;
	native_between = make_more;
	rt_map_delete_slice(c, pairs, pair(1, 0), 1);
	native_between = NULL;
	CHECK_EQ(pairs->n, ELEMENTS / 2 + made);
}

static rt_s64 victim;

/* Deletes from both ends, and makes the deleted elements again, in the nodes of others. */
static void delete_some(void)
{
	native_between = NULL;
	if (victim < ELEMENTS / 4) {
		rt_map_delete(other, watched, pair(victim % 2, victim));
		rt_map_delete(other, watched, pair((ELEMENTS - 1 - victim) % 2, ELEMENTS - 1 - victim));
		rt_map_set_long(other, watched, pair(victim % 2, victim), 0);
		victim++;
	}
	native_between = delete_some;
}

static void test_elements_that_stay_are_all_met_in_order(void)
{
	static const struct rt_order orders[] = {
		{.limit = -1}, {.limit = -1, .direction = 1, .by = 2}, {.limit = -1, .direction = -1, .by = 2}};
	union rt_val key[2];

	for (unsigned o = 0; o < 3; o++) {
		unsigned stayed = 0;
		rt_s64 last = o == 2 ? ELEMENTS : -1;

		fill(pairs);
		victim = 0;
		native_between = delete_some;
		rt_iter_begin(c, &it, pairs, &orders[o], NULL, 0);
		while (rt_iter_next(c, &it, key, NULL)) {
			CHECK(o == 2 ? key[1].l < last : key[1].l > last);
			last = key[1].l;
			stayed += key[1].l >= ELEMENTS / 4 && key[1].l < ELEMENTS * 3 / 4;
		}
		native_between = NULL;
		rt_iter_end(c, &it);
		CHECK_EQ(stayed, ELEMENTS / 2);
		CHECK(victim > 10);
	}
}

static void empty(void)
{
	native_between = NULL;
	if (++victim == 5)
		rt_map_clear(other, watched);
	native_between = empty;
}

static void test_an_array_that_is_emptied_meanwhile_has_no_elements(void)
{
	static const struct rt_order order = {.limit = -1, .direction = 1, .by = 2};

	for (unsigned a = 0; a < sizeof arrays / sizeof *arrays; a++) {
		fill(*arrays[a]);
		victim = 0;
		native_between = empty;
		CHECK_EQ(count(&order, 0), 0);
		native_between = NULL;
		CHECK_EQ(c->error, RT_OK);
	}
}

/* ---- strings, which are read again while they are sorted ---- */

static union rt_val word(rt_s64 i)
{
	static char text[32];

	snprintf(text, sizeof text, "the same %05lld", i * 7919 % ELEMENTS);
	return (union rt_val){.s = {text, (rt_u32)strlen(text)}};
}

static void delete_words(void)
{
	union rt_val key = word(victim);

	native_between = NULL;
	if (victim < ELEMENTS / 2)
		rt_map_delete(other, words, &key);
	victim++;
	native_between = delete_words;
}

static void sort_words(rt_bool disturbed)
{
	static const struct rt_order order = {.limit = -1, .direction = 1, .by = 1};
	static rt_bool met[ELEMENTS];
	union rt_val key;
	int last = -1, n;

	memset(met, 0, sizeof met);
	rt_map_clear(c, words);
	for (rt_s64 i = 0; i < ELEMENTS; i++) {
		key = word(i);
		rt_map_set_long(c, words, &key, i);
	}
	victim = 0;
	native_between = disturbed ? delete_words : NULL;
	rt_iter_begin(c, &it, words, &order, NULL, 0);
	native_between = NULL;
	while (rt_iter_next(c, &it, &key, NULL)) {
		n = atoi(key.s.p + 9);
		CHECK(disturbed || n == last + 1);
		CHECK(!met[n]);
		met[n] = 1;
		last = n;
		rt_release(c, c->arena);
	}
	rt_iter_end(c, &it);
	for (rt_s64 i = disturbed ? ELEMENTS / 2 : 0; i < ELEMENTS; i++)
		CHECK(met[atoi(word(i).s.p + 9)]);
}

static void test_strings_are_sorted_without_their_lock(void)
{
	sort_words(0);
	sort_words(1);
	CHECK_EQ(c->error, RT_OK);
}

/* ---- the budget ---- */

static rt_s64 cost(const struct rt_order *order)
{
	native_ctx_again(c);
	rt_iter_begin(c, &it, pairs, order, NULL, 0);
	rt_iter_end(c, &it);
	return native_limits.action - c->budget;
}

static void test_a_walk_takes_actions(void)
{
	static const struct rt_order all = {.limit = -1}, top = {.limit = 3, .direction = 1}, unpaid = {.limit = -1, .free = 1};
	rt_u32 action = native_limits.action;

	fill(pairs);
	CHECK_EQ(cost(&all), ELEMENTS / RT_WALK_STEP);
	CHECK_EQ(cost(&top), ELEMENTS / RT_WALK_STEP);
	CHECK_EQ(cost(&unpaid), 0);
	native_limits.action = 10;
	native_ctx_again(c);
	rt_map_delete_slice(c, pairs, pair(1, 0), 1);
	CHECK_STR(c->message, "MAXACTION exceeded");
	CHECK(pairs->n < ELEMENTS && pairs->n > ELEMENTS / 2);
	native_limits.action = action;
	native_ctx_again(c);
}

/* Ends the hit at the nth question whether to go on. */
static rt_bool ends_at(unsigned n, struct rt_map *m, const struct rt_order *order)
{
	native_ctx_again(c);
	native_goes_on = RT_FATAL;
	native_goes_on_before = n;
	rt_iter_begin(c, &it, m, order, NULL, 0);
	rt_iter_end(c, &it);
	native_goes_on = RT_OK;
	return c->error == RT_FATAL && !it.n;
}

static void test_a_hit_can_be_ended_within_one_foreach(void)
{
	static const struct rt_order sorted = {.limit = -1, .direction = 1}, unpaid = {.limit = -1, .direction = 1, .free = 1};
	unsigned looks = ELEMENTS / RT_WALK_STEP, builds = ELEMENTS / 2 / RT_WALK_STEP, sorts = (ELEMENTS - 1) / RT_WALK_STEP;

	fill(pairs);
	CHECK(ends_at(0, pairs, &sorted));
	CHECK(ends_at(looks + builds + sorts - 1, pairs, &sorted));
	CHECK(!ends_at(looks + builds + sorts + 2, pairs, &sorted));
	CHECK(ends_at(0, pairs, &unpaid));
	CHECK(ends_at(builds + sorts - 1, pairs, &unpaid));
	native_goes_on_before = 0;
	native_ctx_again(c);
}

int main(int argc, char **argv)
{
	const char *what;

	unit_init(argc, argv);
	if (rt_globals_init(&what))
		return 99;
	c = native_ctx();
	other = native_ctx();
	UNIT_RUN(test_a_foreach_begins_in_steps);
	UNIT_RUN(test_a_slice_is_deleted_and_looked_for_in_steps);
	UNIT_RUN(test_a_foreach_passes_over_many_deleted_in_steps);
	UNIT_RUN(test_an_array_is_emptied_at_once);
	UNIT_RUN(test_an_epoch_of_long_ago_does_not_come_back);
	UNIT_RUN(test_elements_made_meanwhile_are_not_met);
	UNIT_RUN(test_elements_that_stay_are_all_met_in_order);
	UNIT_RUN(test_an_array_that_is_emptied_meanwhile_has_no_elements);
	UNIT_RUN(test_strings_are_sorted_without_their_lock);
	UNIT_RUN(test_a_walk_takes_actions);
	UNIT_RUN(test_a_hit_can_be_ended_within_one_foreach);
	native_ctx_end(other);
	native_ctx_end(c);
	rt_globals_free();
	return unit_done();
}
