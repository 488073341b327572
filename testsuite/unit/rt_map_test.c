// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arrays and foreach of runtime/rt/ against a model: a plain list of elements in order of insertion.  Random
 * operations on arrays of many shapes; after each the array and the model must give the same answers, errors
 * included.
 */
#include "rt/globals.h"
#include "rt/map.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "test", .limits = &native_limits, .probes = probes, .nprobes = 1};

#define MAX 0x7fffffffffffffffLL
#define MODEL_MAX 64

static struct rt_ctx *c;

/* ---- the model ---- */

struct element {
	union rt_val key[RT_MAX_KEYS];
	rt_s64 l;
	struct rt_str s;
	rt_s64 count, sum, min, max;
	__int128 squares;
};

static struct element model[MODEL_MAX];
static unsigned nmodel;
static struct rt_map_shape shape;
static struct rt_map *map;

/* Few strings, of different lengths, with common beginnings, signs and bytes beyond ASCII. */
static struct rt_str random_str(void)
{
	static const struct rt_str strings[] = {RT_STR(""),
						RT_STR("a"),
						RT_STR("b"),
						RT_STR("ab"),
						RT_STR("\xff"),
						RT_STR("\x80z"),
						RT_STR("01234567"),
						RT_STR("012345678"),
						RT_STR("01234567890123456789"),
						RT_STR("0123456789012345678x")};

	return strings[native_below(sizeof(strings) / sizeof(*strings))];
}

static rt_s64 random_small(void)
{
	static const rt_s64 some[] = {0, 1, 2, 3, -1, -2, MAX, -MAX - 1, 1LL << 32, 5LL << 40};

	return some[native_below(sizeof(some) / sizeof(*some))];
}

static void random_key(union rt_val *key)
{
	for (unsigned i = 0; i < shape.nkeys; i++) {
		/* Long tuples vary in two places only, so that they occur again. */
		rt_bool varies = shape.nkeys < 3 || i == 0 || i == shape.nkeys - 1u;

		if (shape.key[i] == RT_LONG)
			key[i].l = varies ? random_small() : 7;
		else
			key[i].s = varies ? random_str() : RT_STR("same");
	}
}

static rt_bool same_str(struct rt_str a, struct rt_str b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

static rt_bool key_matches(const union rt_val *a, const union rt_val *b, unsigned fixed)
{
	for (unsigned i = 0; i < shape.nkeys; i++)
		if (fixed >> i & 1 &&
		    (shape.key[i] == RT_LONG ? a[i].l != b[i].l : !same_str(a[i].s, b[i].s)))
			return 0;
	return 1;
}

static struct element *model_find(const union rt_val *key)
{
	for (unsigned i = 0; i < nmodel; i++)
		if (key_matches(model[i].key, key, ~0u))
			return &model[i];
	return NULL;
}

static void model_remove(unsigned i)
{
	memmove(&model[i], &model[i + 1], (--nmodel - i) * sizeof(*model));
}

/* NULL when the array is full. */
static struct element *model_make(const union rt_val *key)
{
	struct element *e = model_find(key);

	if (e)
		return e;
	if (nmodel == shape.max) {
		if (!shape.wrap)
			return NULL;
		model_remove(0);
	}
	e = &model[nmodel++];
	memset(e, 0, sizeof(*e));
	memcpy(e->key, key, sizeof(e->key));
	e->s = RT_EMPTY;
	e->min = MAX;
	e->max = -MAX - 1;
	return e;
}

static rt_s64 model_stat(const struct element *e, enum rt_stat_op op)
{
	switch (op) {
	case RT_COUNT:
		return e->count;
	case RT_SUM:
		return e->sum;
	case RT_MIN:
		return e->min;
	case RT_MAX:
		return e->max;
	case RT_AVG:
		return e->sum / e->count;
	default:
		if (e->count < 2)
			return 0;
		return (rt_s64)((e->count * e->squares - (__int128)e->sum * e->sum) /
				(e->count * (e->count - 1)));
	}
}

/* ---- operations ---- */

static void check_full(const struct element *e)
{
	char want[80] = "Array overflow, check MAXMAPENTRIES";

	if (e) {
		CHECK_EQ(c->error, RT_OK);
		return;
	}
	if (shape.sized)
		sprintf(want, "Array overflow, check size limit (%u)", shape.max);
	CHECK_EQ(c->error, RT_SOFT);
	CHECK_STR(c->message, want);
}

static void do_write(const union rt_val *key)
{
	struct element *e = model_make(key);
	rt_s64 v = (rt_s64)native_below(100) - 50, *place;
	struct rt_str text = random_str();

	if (shape.value == RT_STRING) {
		rt_map_set_str(c, map, key, text);
		if (e)
			e->s = text;
	} else if (shape.value == RT_STATS) {
		native_cpu = native_below(NATIVE_CPUS);
		rt_map_stat_add(c, map, key, v);
		if (e) {
			e->count++;
			e->sum += v;
			e->squares += v * v;
			e->min = v < e->min ? v : e->min;
			e->max = v > e->max ? v : e->max;
		}
	} else if (native_below(2)) {
		rt_map_set_long(c, map, key, v);
		if (e)
			e->l = v;
	} else if (shape.shared) {
		rt_map_add(c, map, key, v);
		if (e)
			e->l += v;
	} else {
		place = rt_map_ref(c, map, key);
		CHECK_EQ(place != NULL, e != NULL);
		if (place && e)
			e->l = ++*place;
	}
	check_full(e);
}

static void do_read(const union rt_val *key)
{
	struct element *e = model_find(key);
	enum rt_stat_op op = native_below(6);
	struct rt_str got;

	CHECK_EQ(rt_map_has(c, map, key), e != NULL);
	if (shape.value == RT_LONG) {
		CHECK_EQ(rt_map_get_long(c, map, key), e ? e->l : 0);
	} else if (shape.value == RT_STRING) {
		got = rt_map_get_str(c, map, key);
		CHECK(same_str(got, e ? e->s : RT_EMPTY));
	} else if (e) {
		CHECK_EQ(rt_map_stat_get(c, map, key, op), model_stat(e, op));
		CHECK_EQ(c->error, RT_OK);
	} else {
		CHECK_EQ(rt_map_stat_get(c, map, key, op), 0);
		CHECK_EQ(c->error, op == RT_COUNT || op == RT_SUM ? RT_OK : RT_SOFT);
	}
}

static void do_delete(const union rt_val *key)
{
	struct element *e = model_find(key);

	rt_map_delete(c, map, key);
	if (e)
		model_remove((unsigned)(e - model));
}

static void do_slice(const union rt_val *key, unsigned fixed)
{
	rt_bool exists = 0;

	for (unsigned i = 0; i < nmodel; i++)
		exists |= key_matches(model[i].key, key, fixed);
	CHECK_EQ(rt_map_has_slice(c, map, key, fixed), exists);
	if (native_below(2))
		return;
	rt_map_delete_slice(c, map, key, fixed);
	for (unsigned i = 0; i < nmodel;)
		if (key_matches(model[i].key, key, fixed))
			model_remove(i);
		else
			i++;
}

static void do_clear(void)
{
	rt_map_clear(c, map);
	nmodel = 0;
}

/* ---- foreach ---- */

/* Only changes that keep the order of the other elements; foreach does not see new ones. */
static void do_change(void)
{
	if (native_below(20) == 0)
		do_clear();
	else if (nmodel)
		do_delete(model[native_below(nmodel)].key);
}

static int compare(const struct element *a, const struct element *b, const struct rt_order *o)
{
	unsigned type = o->by ? shape.key[o->by - 1] : shape.value;
	rt_s64 x, y;
	struct rt_str s, t;

	if (type == RT_STRING) {
		s = o->by ? a->key[o->by - 1].s : a->s;
		t = o->by ? b->key[o->by - 1].s : b->s;
		int order = memcmp(s.p, t.p, s.n < t.n ? s.n : t.n);

		return order ? order : (int)s.n - (int)t.n;
	}
	if (o->by) {
		x = a->key[o->by - 1].l;
		y = b->key[o->by - 1].l;
	} else {
		x = type == RT_LONG ? a->l : model_stat(a, o->stat);
		y = type == RT_LONG ? b->l : model_stat(b, o->stat);
	}
	return x < y ? -1 : x > y;
}

/* Stable insertion sort of the elements in the slice, then the limit. */
static unsigned model_snapshot(struct element *out, const struct rt_order *o, const union rt_val *key,
			       unsigned fixed)
{
	unsigned n = 0;

	for (unsigned i = 0; i < nmodel; i++) {
		unsigned at = n;

		if (!key_matches(model[i].key, key, fixed))
			continue;
		while (at && o->direction && compare(&out[at - 1], &model[i], o) * o->direction > 0) {
			out[at] = out[at - 1];
			at--;
		}
		out[at] = model[i];
		n++;
	}
	return o->limit >= 0 && (rt_u64)o->limit < n ? (unsigned)o->limit : n;
}

static void check_element(const struct element *want, const union rt_val *key, const union rt_val *value)
{
	CHECK(key_matches(want->key, key, ~0u));
	if (shape.value == RT_LONG)
		CHECK_EQ(value->l, want->l);
	else if (shape.value == RT_STRING)
		CHECK(same_str(value->s, want->s));
}

static void do_foreach(unsigned depth)
{
	struct element want[MODEL_MAX];
	union rt_val key[RT_MAX_KEYS], value;
	struct rt_order order = {
		.limit = native_below(2) ? -1 : (rt_s64)native_below(shape.max + 2),
		.direction = (int)native_below(3) - 1,
		.by = native_below(shape.nkeys + 1u),
		.stat = native_below(6),
	};
	unsigned fixed = native_below(3) ? 0 : native_below(1u << shape.nkeys), n, i = 0;
	rt_bool changes = native_below(2);
	char *iter_pos = c->iter_pos;
	struct rt_iter it;

	random_key(key);
	n = model_snapshot(want, &order, key, fixed);
	rt_iter_begin(c, &it, map, &order, key, fixed);
	while (rt_iter_next(c, &it, key, &value)) {
		/* Elements that were deleted meanwhile are left out; values are the present ones. */
		while (i < n && !model_find(want[i].key))
			i++;
		if (!unit_check(i < n, __FILE__, __LINE__, "foreach ends in time"))
			return;
		check_element(model_find(want[i++].key), key, &value);
		if (changes && native_below(3) == 0)
			do_change();
		if (depth && native_below(4) == 0)
			do_foreach(depth - 1);
	}
	while (i < n && !model_find(want[i].key))
		i++;
	CHECK_EQ(i, n);
	CHECK_EQ(c->error, RT_OK);
	rt_iter_end(c, &it);
	CHECK(c->iter_pos == iter_pos);
}

/* ---- running them ---- */

static void random_shape(void)
{
	memset(&shape, 0, sizeof(shape));
	shape.nkeys = (rt_u8)(native_below(3) ? 1 + native_below(2) : 1 + native_below(RT_MAX_KEYS));
	for (unsigned i = 0; i < shape.nkeys; i++)
		shape.key[i] = native_below(2) ? RT_LONG : RT_STRING;
	shape.value = (rt_u8)native_below(3);
	shape.shared = shape.value == RT_LONG && native_below(2);
	shape.wrap = !shape.shared && native_below(2) == 0;
	shape.sized = native_below(2) == 0;
	shape.max = 1 + native_below(native_below(2) ? 6 : MODEL_MAX - 1);
	shape.stat.variance = 1;
	shape.stat.quantile = shape.max < 8 && native_below(2);
}

static void one_operation(void)
{
	union rt_val key[RT_MAX_KEYS];

	random_key(key);
	native_cpu = native_below(NATIVE_CPUS);
	switch (native_below(20)) {
	case 0:
		do_foreach(1);
		break;
	case 1:
		do_slice(key, native_below(1u << shape.nkeys));
		break;
	case 2:
		if (native_below(10) == 0)
			do_clear();
		break;
	case 3:
	case 4:
	case 5:
		do_delete(key);
		break;
	case 6:
	case 7:
	case 8:
	case 9:
		do_read(key);
		break;
	default:
		do_write(key);
	}
	native_ctx_again(c);
}

static void test_arrays_behave_as_the_model(void)
{
	for (unsigned round = 0; round < 400 && !unit_state.failed; round++) {
		random_shape();
		nmodel = 0;
		map = rt_map_new(&shape);
		map->births = 0 - native_below(500); /* so that births wrap */
		for (unsigned i = 0; i < 400 && !unit_state.failed; i++)
			one_operation();
		rt_map_destroy(map);
	}
}

/* ---- what the model does not cover ---- */

static const struct rt_map_shape of_longs = {.nkeys = 1, .key = {RT_LONG}, .value = RT_LONG, .max = 1000};

static void fill(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		rt_map_set_long(c, map, &(union rt_val){.l = i}, (i * 7919) % 1000);
}

static void test_reading_makes_no_element(void)
{
	union rt_val key = {.l = 5};

	map = rt_map_new(&of_longs);
	CHECK_EQ(rt_map_get_long(c, map, &key), 0);
	CHECK(!rt_map_has(c, map, &key));
	rt_map_set_long(c, map, &key, 0);
	CHECK(rt_map_has(c, map, &key));
	rt_map_destroy(map);
}

static void test_a_sorted_foreach_finds_the_order_of_many(void)
{
	static const struct rt_order order = {.limit = -1, .direction = -1};
	union rt_val key, value;
	rt_s64 last = MAX;
	unsigned n = 0;
	struct rt_iter it;

	map = rt_map_new(&of_longs);
	fill(1000);
	rt_iter_begin(c, &it, map, &order, NULL, 0);
	for (; rt_iter_next(c, &it, &key, &value); n++) {
		CHECK(value.l < last || !n);
		last = value.l;
	}
	rt_iter_end(c, &it);
	CHECK_EQ(n, 1000);
	rt_map_destroy(map);
}

/* ---- against qsort ---- */

struct row {
	rt_s64 id, value;
	struct rt_str name;
	rt_u32 order;
};
static struct rt_order sorting;

static int by_order(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int order = sorting.by == 2   ? rt_str_cmp(x->name, y->name)
		    : sorting.by == 1 ? (x->id > y->id) - (x->id < y->id)
				      : (x->value > y->value) - (x->value < y->value);

	return order ? order * sorting.direction : (x->order > y->order) - (x->order < y->order);
}

static void check_sorted(struct row *rows, unsigned n)
{
	union rt_val key[2], value;
	struct rt_iter it;
	unsigned i = 0;

	qsort(rows, n, sizeof(*rows), by_order);
	if (sorting.limit >= 0 && sorting.limit < n)
		n = (unsigned)sorting.limit;
	rt_iter_begin(c, &it, map, &sorting, NULL, 0);
	for (; rt_iter_next(c, &it, key, &value) && i < n; i++) {
		CHECK_EQ(key[0].l, rows[i].id);
		CHECK(same_str(key[1].s, rows[i].name));
		CHECK_EQ(value.l, rows[i].value);
	}
	rt_iter_end(c, &it);
	CHECK_EQ(i, n);
	native_ctx_again(c);
}

static void test_foreach_sorts_as_qsort(void)
{
	static const struct rt_map_shape of_two = {
		.nkeys = 2, .key = {RT_LONG, RT_STRING}, .value = RT_LONG, .max = 700};
	static char names[700][24];
	static struct row rows[700];

	for (unsigned round = 0; round < 40 && !unit_state.failed; round++) {
		unsigned n = 1 + native_below(round % 4 ? 40 : 700);

		map = rt_map_new(&of_two);
		for (unsigned i = 0; i < n; i++) {
			/* Few values, so that many are equal; names that differ after their 8th byte. */
			int len = snprintf(names[i], sizeof(names[i]), "%s%u", native_below(2) ? "process-" : "", native_below(50));

			rows[i] = (struct row){.id = i % 2 ? (rt_s64)i : native_random_long(), .order = i};
			rows[i].value = native_below(3) ? native_below(10) : native_random_long();
			rows[i].name = (struct rt_str){names[i], (rt_u32)len};
			union rt_val key[2] = {{.l = rows[i].id}, {.s = rows[i].name}};

			if (rt_map_has(c, map, key))
				rows[i--].order = 0;
			else
				rt_map_set_long(c, map, key, rows[i].value);
		}
		for (sorting.by = 0; sorting.by < 3; sorting.by++)
			for (sorting.direction = -1; sorting.direction < 2; sorting.direction += 2) {
				sorting.limit = native_below(2) ? -1 : (rt_s64)native_below(n + 2);
				check_sorted(rows, n);
			}
		rt_map_destroy(map);
	}
}

static void test_an_element_in_a_node_of_a_deleted_one_is_not_met(void)
{
	static const struct rt_order order = {.limit = -1};
	union rt_val key, value;
	struct rt_iter it;
	unsigned round;

	map = rt_map_new(&of_longs);
	for (round = 0; round < 2; round++) {
		fill(10);
		rt_iter_begin(c, &it, map, &order, NULL, 0);
		if (round)
			rt_map_clear(c, map);
		else
			for (rt_s64 i = 0; i < 10; i++)
				rt_map_delete(c, map, &(union rt_val){.l = i});
		fill(round ? 5 : 10);
		CHECK(!rt_iter_next(c, &it, &key, &value));
		rt_iter_end(c, &it);
	}
	rt_map_destroy(map);
}

static void test_a_foreach_without_space_is_an_error(void)
{
	static const struct rt_order all = {.limit = -1}, few = {.limit = 3, .direction = 1};
	struct rt_iter it;
	union rt_val key;

	map = rt_map_new(&of_longs);
	fill(1000);
	c->iter_end = c->iter + RT_ITER_ROOM(999);
	rt_iter_begin(c, &it, map, &all, NULL, 0);
	CHECK_STR(c->message, "no space for a foreach over 1000 elements");
	CHECK(!rt_iter_next(c, &it, &key, NULL));
	rt_iter_end(c, &it);
	native_ctx_again(c);
	c->iter_end = c->iter + RT_ITER_ROOM(3);
	rt_iter_begin(c, &it, map, &few, NULL, 0);
	CHECK_EQ(c->error, RT_OK);
	CHECK(rt_iter_next(c, &it, &key, NULL));
	rt_iter_end(c, &it);
	rt_map_destroy(map);
	native_ctx_end(c);
	c = native_ctx();
}

static void test_a_foreach_ends_when_string_space_does(void)
{
	static const struct rt_map_shape by_name = {
		.nkeys = 1, .key = {RT_STRING}, .value = RT_LONG, .max = 3};
	static const struct rt_order order = {.limit = -1};
	struct rt_iter it;
	union rt_val key;

	map = rt_map_new(&by_name);
	rt_map_set_long(c, map, &(union rt_val){.s = RT_STR("a long name")}, 1);
	rt_alloc(c, native_limits.arena - 8);
	rt_iter_begin(c, &it, map, &order, NULL, 0);
	CHECK(!rt_iter_next(c, &it, &key, NULL));
	CHECK_STR(c->message, "string space exhausted");
	rt_iter_end(c, &it);
	native_ctx_again(c);
	rt_map_destroy(map);
}

/* The memory has no more bytes than the string, so none beyond it is read. */
static void test_each_byte_of_a_key_counts(void)
{
	static const struct rt_map_shape by_name = {.nkeys = 1, .key = {RT_STRING}, .value = RT_LONG, .max = 3};
	union rt_val key;
	char *text;

	for (rt_u32 n = 1; n < 60; n++) {
		text = malloc(n);
		memset(text, 'x', n);
		key.s = (struct rt_str){text, n};
		map = rt_map_new(&by_name);
		rt_map_set_long(c, map, &key, n);
		CHECK_EQ(rt_map_get_long(c, map, &key), n);
		for (rt_u32 i = 0; i < n; i++) {
			text[i] = 'y';
			CHECK(!rt_map_has(c, map, &key));
			CHECK(!rt_map_keys_match(map, rt_map_node(map, 1), &key, ~0u));
			text[i] = 'x';
		}
		key.s.n--;
		CHECK(!rt_map_has(c, map, &key));
		rt_map_destroy(map);
		free(text);
	}
}

static void test_long_strings_are_kept_whole(void)
{
	static const struct rt_map_shape both = {
		.nkeys = 1, .key = {RT_STRING}, .value = RT_STRING, .max = 2};
	char text[511];
	union rt_val key = {.s = {text, 511}}, other = {.s = {text, 510}};
	struct rt_str got;

	memset(text, 'x', 511);
	map = rt_map_new(&both);
	rt_map_set_str(c, map, &key, key.s);
	rt_map_set_str(c, map, &other, RT_STR("other"));
	got = rt_map_get_str(c, map, &key);
	CHECK_MEM(got.p, got.n, text, 511);
	CHECK_EQ(rt_map_get_str(c, map, &other).n, 5);
	rt_map_destroy(map);
}

/* The size of an array of statistics counts elements over all CPUs, not per CPU. */
static void test_the_size_of_statistics_is_exact(void)
{
	static const struct rt_map_shape stats = {.nkeys = 1,
						  .key = {RT_LONG},
						  .value = RT_STATS,
						  .max = 8,
						  .sized = 1,
						  .stat = {.hist = RT_HIST_LOG}};
	unsigned i;

	map = rt_map_new(&stats);
	for (i = 0; i < 8; i++) {
		native_cpu = i % NATIVE_CPUS;
		rt_map_stat_add(c, map, &(union rt_val){.l = i}, 5);
	}
	CHECK_EQ(c->error, RT_OK);
	rt_map_stat_add(c, map, &(union rt_val){.l = 8}, 5);
	CHECK_STR(c->message, "Array overflow, check size limit (8)");
	native_ctx_again(c);
	CHECK_EQ(rt_hist_bucket(c, NULL, map, &(union rt_val){.l = 3}, 67), 1);
	CHECK_EQ(rt_shape_buckets(rt_map_stat_shape(map)), 128);
	CHECK_EQ(rt_hist_bucket(c, NULL, map, &(union rt_val){.l = 9}, 67), 0);
	CHECK_STR(c->message, "empty aggregate");
	native_ctx_again(c);
	CHECK_HAS(rt_sprint_hist(c, NULL, map, &(union rt_val){.l = 3}).p, "    4 |@ ");
	rt_map_clear(c, map);
	rt_map_stat_add(c, map, &(union rt_val){.l = 8}, 1);
	CHECK_EQ(rt_hist_bucket(c, NULL, map, &(union rt_val){.l = 8}, 67), 0);
	CHECK_EQ(rt_hist_bucket(c, NULL, map, &(union rt_val){.l = 8}, 65), 1);
	rt_map_destroy(map);
}

static void test_no_memory_leaves_nothing(void)
{
	static const struct rt_map_shape stats = {.nkeys = 1, .key = {RT_LONG}, .value = RT_STATS, .max = 8};
	int n;

	for (n = 0; n < 8; n++) {
		native_allocs_left = n;
		CHECK(!rt_map_new(&stats));
	}
	native_allocs_left = 8;
	map = rt_map_new(&stats);
	CHECK(map != NULL);
	rt_map_destroy(map);
	native_allocs_left = -1;
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_arrays_behave_as_the_model);
	UNIT_RUN(test_reading_makes_no_element);
	UNIT_RUN(test_a_sorted_foreach_finds_the_order_of_many);
	UNIT_RUN(test_foreach_sorts_as_qsort);
	UNIT_RUN(test_an_element_in_a_node_of_a_deleted_one_is_not_met);
	UNIT_RUN(test_a_foreach_without_space_is_an_error);
	UNIT_RUN(test_a_foreach_ends_when_string_space_does);
	UNIT_RUN(test_each_byte_of_a_key_counts);
	UNIT_RUN(test_long_strings_are_kept_whole);
	UNIT_RUN(test_the_size_of_statistics_is_exact);
	UNIT_RUN(test_no_memory_leaves_nothing);
	native_ctx_end(c);
	return unit_done();
}
