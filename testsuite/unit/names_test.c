// SPDX-License-Identifier: GPL-2.0-or-later
/* Interned names, and maps from them. */
#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "testsuite/unit/unit.h"

static void test_equal_names_are_one(void)
{
	char copy[] = "vfs_read";

	CHECK(intern("vfs_read") == intern(copy));
	CHECK(intern("vfs_read") == intern_n("vfs_readv", 8));
	CHECK(intern("vfs_read") != intern("vfs_readv"));
	CHECK(intern("x") != copy);
	CHECK_STR(intern("vfs_read"), "vfs_read");
	intern_reset();
}

static void test_any_bytes_may_be_in_a_name(void)
{
	const char *with = intern_n("a\0b", 3), *without = intern("a");

	CHECK(with != without);
	CHECK(with == intern_n("a\0b", 3));
	CHECK(with != intern_n("a\0c", 3));
	CHECK_EQ(intern_len(with), 3);
	CHECK_MEM(with, 4, "a\0b", 4);
	intern_reset();
}

static void test_the_empty_name_is_a_name(void)
{
	CHECK(intern("") == intern_n("xyz", 0));
	CHECK_STR(intern(""), "");
	CHECK_EQ(intern_len(intern("")), 0);
	intern_reset();
}

static void test_many_names_stay_where_they_are(void)
{
	enum { N = 50000 };
	static const char *names[N];
	char text[32];

	for (int i = 0; i < N; i++) {
		snprintf(text, sizeof text, "name_%d", i);
		names[i] = intern(text);
	}
	for (int i = 0; i < N; i++) {
		snprintf(text, sizeof text, "name_%d", i);
		if (intern(text) != names[i] || strcmp(names[i], text) ||
		    intern_len(names[i]) != strlen(text))
			CHECK_STR(names[i], text);
	}
	intern_reset();
}

static void test_a_huge_name(void)
{
	size_t n = 1 << 20;
	char *s = malloc(n);

	memset(s, 'q', n);
	const char *name = intern_n(s, n);
	CHECK_EQ(intern_len(name), n);
	CHECK(intern_n(s, n) == name);
	CHECK(intern_n(s, n - 1) != name);
	free(s);
	intern_reset();
}

static void test_reset_forgets(void)
{
	intern("before");
	intern_reset();
	intern_reset();
	CHECK_STR(intern("after"), "after");
	intern_reset();
}

static void test_map_finds_what_was_set(void)
{
	struct arena a = {0};
	struct map m = {0};
	int x, y;

	CHECK(!map_get(&m, intern("a")));
	CHECK(!map_set(&a, &m, intern("a"), &x));
	CHECK(!map_set(&a, &m, intern("b"), &y));
	CHECK(map_get(&m, intern("a")) == &x);
	CHECK(map_get(&m, intern("b")) == &y);
	CHECK(!map_get(&m, intern("c")));
	CHECK(map_set(&a, &m, intern("a"), &y) == &x);
	CHECK(map_get(&m, intern("a")) == &y);
	CHECK_EQ(m.n, 2);
	arena_free(&a);
	intern_reset();
}

static void test_map_keeps_null_values_apart_from_missing_keys(void)
{
	struct arena a = {0};
	struct map m = {0};

	map_set(&a, &m, intern("null"), NULL);
	map_set(&a, &m, intern("null"), NULL);
	CHECK_EQ(m.n, 1);
	CHECK(!map_get(&m, intern("null")));
	arena_free(&a);
	intern_reset();
}

static void test_map_iterates_in_order_of_insertion(void)
{
	enum { N = 20000 };
	struct arena a = {0};
	struct map m = {0};
	char text[32];

	for (int i = 0; i < N; i++) {
		snprintf(text, sizeof text, "%d", (i * 7919) % N);
		CHECK(!map_set(&a, &m, intern(text), (void *)(uintptr_t)(i + 1)));
	}
	CHECK_EQ(m.n, N);
	for (int i = 0; i < N; i++) {
		snprintf(text, sizeof text, "%d", (i * 7919) % N);
		if (strcmp(m.entries[i].key, text))
			CHECK_STR(m.entries[i].key, text);
		if (map_get(&m, intern(text)) != (void *)(uintptr_t)(i + 1))
			CHECK_STR("lost", text);
	}
	arena_free(&a);
	intern_reset();
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_equal_names_are_one);
	UNIT_RUN(test_any_bytes_may_be_in_a_name);
	UNIT_RUN(test_the_empty_name_is_a_name);
	UNIT_RUN(test_many_names_stay_where_they_are);
	UNIT_RUN(test_a_huge_name);
	UNIT_RUN(test_reset_forgets);
	UNIT_RUN(test_map_finds_what_was_set);
	UNIT_RUN(test_map_keeps_null_values_apart_from_missing_keys);
	UNIT_RUN(test_map_iterates_in_order_of_insertion);
	return unit_done();
}
