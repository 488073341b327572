// SPDX-License-Identifier: GPL-2.0-or-later
/* Arena, vectors and the end of memory. */
#include <stdalign.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/mem.h"
#include "base/vec.h"
#include "testsuite/unit/unit.h"

static bool is_zero(const void *p, size_t n)
{
	const char *c = p;

	for (size_t i = 0; i < n; i++)
		if (c[i])
			return false;
	return true;
}

static void test_blocks_are_zeroed_aligned_and_apart(void)
{
	struct arena a = {0};
	char *before = NULL;
	size_t before_size = 0;

	for (size_t size = 0; size < 3000; size += 7) {
		char *p = arena_alloc(&a, size);

		CHECK_EQ((uintptr_t)p % alignof(max_align_t), 0);
		CHECK(is_zero(p, size));
		CHECK(p != before);
		memset(p, 0xff, size);
		if (before)
			CHECK(p >= before + before_size || p + size <= before);
		before = p;
		before_size = size;
	}
	arena_free(&a);
}

static void test_empty_blocks_are_unique(void)
{
	struct arena a = {0};
	void *p = arena_alloc(&a, 0), *q = arena_alloc(&a, 0);

	CHECK(p != NULL && p != q);
	arena_free(&a);
}

static void test_big_blocks_do_not_waste_the_newest_chunk(void)
{
	struct arena a = {0};
	char *small = arena_alloc(&a, 16);
	char *big = arena_alloc(&a, 5 << 20);
	char *next = arena_alloc(&a, 16);

	CHECK(is_zero(big, 5 << 20));
	memset(big, 1, 5 << 20);
	CHECK(next > small && next - small < 128);
	CHECK(is_zero(next, 16));
	arena_free(&a);
}

static void test_a_first_big_block_works(void)
{
	struct arena a = {0};
	char *big = arena_alloc(&a, 1 << 20), *small = arena_alloc(&a, 1);

	big[(1 << 20) - 1] = 1;
	*small = 1;
	CHECK_EQ(a.used, (1 << 20) + 1);
	arena_free(&a);
}

static void test_free_gives_an_empty_usable_arena(void)
{
	struct arena a = {0};

	arena_free(&a);
	arena_alloc(&a, 100);
	CHECK_EQ(a.used, 100);
	arena_free(&a);
	CHECK_EQ(a.used, 0);
	CHECK(!a.chunk);
	CHECK_STR(arena_strdup(&a, "again"), "again");
	arena_free(&a);
}

static void test_copies_end_with_a_nul(void)
{
	struct arena a = {0};
	const char raw[] = {'a', 0, 'b', 'c'};

	CHECK_STR(arena_strdup(&a, ""), "");
	CHECK_STR(arena_strndup(&a, "abcdef", 3), "abc");
	CHECK_STR(arena_strndup(&a, NULL, 0), "");
	CHECK_MEM(arena_strndup(&a, raw, 4), 5, "a\0bc", 5);
	CHECK_MEM(arena_memdup(&a, raw, 4), 4, raw, 4);
	CHECK(arena_memdup(&a, NULL, 0) != NULL);
	arena_free(&a);
}

static void test_printf_of_any_length(void)
{
	struct arena a = {0};
	char *s = arena_printf(&a, "%d-%s", 42, "x");

	CHECK_STR(s, "42-x");
	CHECK_STR(arena_printf(&a, "%s", ""), "");
	CHECK_STR(arena_printf(&a, "text"), "text");
	CHECK_STR(arena_printf(&a, "%s/%s.%s", "a", "", "ko"), "a/.ko");
	CHECK_STR(arena_printf(&a, "100%% of %s", "it"), "100% of it");
	CHECK_STR(arena_printf(&a, "%s%.*s%5s", "a", 1, "bc", "d"), "ab    d");
	s = arena_printf(&a, "%0200000d", 7);
	CHECK_EQ(strlen(s), 200000);
	CHECK_EQ(strlen(arena_printf(&a, "%s%s", s, s)), 400000);
	CHECK_EQ(s[199999], '7');
	arena_free(&a);
}

static void test_arrays_are_zeroed(void)
{
	struct arena a = {0};
	long *v = arena_array(&a, long, 1000);

	CHECK(is_zero(v, 1000 * sizeof *v));
	v[999] = 1;
	struct arena *inner = arena_new(&a, struct arena);
	CHECK(!inner->chunk);
	arena_free(&a);
}

static void calloc_overflow(void)
{
	struct arena a = {0};

	arena_calloc(&a, SIZE_MAX / 4, 8);
}

static void alloc_impossible(void)
{
	struct arena a = {0};

	arena_alloc(&a, SIZE_MAX - 8);
}

static void strndup_impossible(void)
{
	struct arena a = {0};

	arena_strndup(&a, "x", SIZE_MAX);
}

static void mem_overflow(void)
{
	mem_calloc((size_t)1 << 40, (size_t)1 << 40);
}

static void realloc_overflow(void)
{
	mem_realloc(NULL, SIZE_MAX / 2 + 1, 1);
}

static void told_size(void)
{
	mem_exhausted(4096);
}

static void test_impossible_sizes_end_the_process(void)
{
	CHECK_EXITS(calloc_overflow, 1, "out of memory");
	CHECK_EXITS(alloc_impossible, 1, "out of memory");
	CHECK_EXITS(strndup_impossible, 1, "out of memory (an impossible size)");
	CHECK_EXITS(mem_overflow, 1, "out of memory (an impossible size)");
	CHECK_EXITS(realloc_overflow, 1, "out of memory (an impossible size)");
	CHECK_EXITS(told_size, 1, "arena_test: out of memory (4096 bytes wanted)");
}

static void test_vector_grows_and_keeps(void)
{
	struct arena a = {0};
	VEC(int) v = {0};

	for (int i = 0; i < 10000; i++)
		vec_push(&a, &v, i);
	CHECK_EQ(v.n, 10000);
	CHECK(v.cap >= v.n);
	for (int i = 0; i < 10000; i++)
		if (v.v[i] != i)
			CHECK_EQ(v.v[i], i);
	arena_free(&a);
}

static void test_vector_of_structs(void)
{
	struct pair {
		const char *name;
		double d;
	};
	struct arena a = {0};
	VEC(struct pair) v = {0};

	for (int i = 0; i < 20; i++)
		vec_push(&a, &v, ((struct pair){"n", i}));
	CHECK_EQ(v.v[19].d, 19);
	CHECK_STR(v.v[0].name, "n");
	arena_free(&a);
}

static void vector_overflow(void)
{
	struct arena a = {0};
	size_t cap = SIZE_MAX / 2 + 1;

	vec_grow_(&a, NULL, 0, &cap, 1);
}

static void vector_bytes_overflow(void)
{
	struct arena a = {0};
	size_t cap = SIZE_MAX / 8;

	vec_grow_(&a, NULL, 0, &cap, 64);
}

static void test_vector_overflow_ends_the_process(void)
{
	CHECK_EXITS(vector_overflow, 1, "out of memory");
	CHECK_EXITS(vector_bytes_overflow, 1, "out of memory");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_blocks_are_zeroed_aligned_and_apart);
	UNIT_RUN(test_empty_blocks_are_unique);
	UNIT_RUN(test_big_blocks_do_not_waste_the_newest_chunk);
	UNIT_RUN(test_a_first_big_block_works);
	UNIT_RUN(test_free_gives_an_empty_usable_arena);
	UNIT_RUN(test_copies_end_with_a_nul);
	UNIT_RUN(test_printf_of_any_length);
	UNIT_RUN(test_arrays_are_zeroed);
	UNIT_RUN(test_impossible_sizes_end_the_process);
	UNIT_RUN(test_vector_grows_and_keeps);
	UNIT_RUN(test_vector_of_structs);
	UNIT_RUN(test_vector_overflow_ends_the_process);
	return unit_done();
}
