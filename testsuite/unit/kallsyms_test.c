// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel symbols: tables made here in all layouts, damaged ones, and what makes a function unprobeable. */
#include "testsuite/unit/unit.h"
#include "translator/debuginfo/kallsyms.h"
#include "translator/debuginfo/ksyms.h"

enum { COUNT = 1203, FILLER = 4096 };
static const uint64_t BASE = 0xffffffff81000000, PLACE = 0xffffffff82200000;

enum layout { UNTIL_6_3, FROM_6_4, FROM_7_2, LAYOUTS };

static struct arena arena;

static void put(struct sb *b, uint64_t v, unsigned n)
{
	for (; n; n--, v >>= 8)
		sb_putc(b, (char)v);
}

static void align(struct sb *b, enum layout layout)
{
	while (b->n % (layout == FROM_7_2 ? 4 : 8))
		sb_putc(b, 0);
}

static void put_offsets(struct sb *b, bool absolute)
{
	for (unsigned i = 0; i < COUNT; i++)
		put(b, absolute && i < 3 ? 16 * i : absolute ? ~(uint64_t)(16 * i) : 16 * i, 4);
	while (b->n % 8)
		sb_putc(b, 0);
	put(b, BASE, 8);
}

static void put_offsets_from_their_places(struct sb *b)
{
	for (unsigned i = 0; i < COUNT; i++)
		put(b, BASE + 16 * i - (PLACE + b->n), 4);
}

/* Symbol i is "sym_I" of type t at BASE + 16 i.  Token 1 is "sym_", the others are their own character. */
static void make(struct sb *b, enum layout layout, bool absolute)
{
	unsigned markers[COUNT / 256 + 1], at = 0, i;

	for (i = 0; i < FILLER; i++)
		sb_putc(b, 'x');
	if (layout == UNTIL_6_3)
		put_offsets(b, absolute);
	put(b, COUNT, 4);
	align(b, layout);
	for (i = 0; i < COUNT; i++) {
		char name[16];
		int n = snprintf(name, sizeof name, "t\1%u", i);

		if (i % 256 == 0)
			markers[i / 256] = at;
		sb_putc(b, (char)n);
		sb_putn(b, name, (size_t)n);
		at += (unsigned)n + 1;
	}
	align(b, layout);
	for (i = 0; i <= COUNT / 256; i++)
		put(b, markers[i], 4);
	align(b, layout);
	for (i = 0; i < 256; i++) {
		sb_puts(b, i == 1 ? "sym_" : "");
		if (i != 1)
			sb_putc(b, i ? (char)i : '?');
		sb_putc(b, 0);
	}
	align(b, layout);
	for (i = 0; i < 256; i++)
		put(b, i < 2 ? 2 * i : 2 * i + 3, 2);
	if (layout == FROM_6_4)
		put_offsets(b, absolute);
	if (layout == FROM_7_2)
		put_offsets_from_their_places(b);
	align(b, layout);
}

static void check_all(enum layout layout, bool absolute)
{
	const struct kallsyms_symbol *v;
	struct sb b = {0};

	make(&b, layout, absolute);
	CHECK_EQ(kallsyms_read(&arena, (unsigned char *)b.s, b.n, PLACE, &v), COUNT);
	if (v) {
		CHECK_STR(v[0].name, "sym_0");
		CHECK_STR(v[COUNT - 1].name, "sym_1202");
		CHECK_EQ(v[7].type, 't');
		CHECK_EQ(v[COUNT - 1].address, BASE + 16 * (COUNT - 1));
		CHECK_EQ(v[2].address, absolute ? 32 : BASE + 32);
	}
	sb_free(&b);
}

static void test_tables_until_6_3(void)
{
	check_all(UNTIL_6_3, true);
	check_all(UNTIL_6_3, false);
}

static void test_tables_from_6_4_on(void)
{
	check_all(FROM_6_4, true);
	check_all(FROM_6_4, false);
}

static void test_tables_of_7_2(void)
{
	check_all(FROM_7_2, false);
}

/* Where older kernels have the base, newer ones have any other data. */
static void test_a_word_that_looks_like_a_base_is_not_believed(void)
{
	for (enum layout layout = FROM_6_4; layout < LAYOUTS; layout++) {
		const struct kallsyms_symbol *v;
		struct sb tables = {0}, b = {0};

		make(&tables, layout, false);
		memcpy(tables.s + FILLER - sizeof BASE, &BASE, sizeof BASE);
		for (unsigned i = 0; i < FILLER; i++)
			sb_putc(&b, (char)(i * i));
		sb_putn(&b, tables.s, tables.n);
		CHECK_EQ(kallsyms_read(&arena, (unsigned char *)b.s, b.n, PLACE - FILLER, &v), COUNT);
		CHECK(v && v[0].address == BASE && v[COUNT - 1].address == BASE + 16 * (COUNT - 1));
		sb_free(&b);
		sb_free(&tables);
	}
}

static void test_nothing_is_found_in_other_bytes(void)
{
	const struct kallsyms_symbol *v;
	struct sb b = {0};

	CHECK_EQ(kallsyms_read(&arena, (const unsigned char *)"", 0, PLACE, &v), 0);
	for (int i = 0; i < 10000; i++)
		sb_putc(&b, (char)(i * i));
	CHECK_EQ(kallsyms_read(&arena, (unsigned char *)b.s, b.n, PLACE, &v), 0);
	sb_free(&b);
}

static void test_damaged_tables_do_no_harm(void)
{
	unsigned seed = 1;

	for (int round = 0; round < 600; round++) {
		const struct kallsyms_symbol *v;
		struct arena scratch = {0};
		struct sb b = {0};
		unsigned char *exact;
		size_t n;

		make(&b, (enum layout)(round % LAYOUTS), round & 2);
		n = b.n;
		for (int i = 0; i < 1 + round % 5; i++) {
			seed = seed * 1103515245 + 12345;
			b.s[FILLER + (seed >> 8) % (b.n - FILLER)] = (char)(seed >> 4);
		}
		if (round % 3 == 0)
			n = FILLER + (seed >> 8) % (b.n - FILLER);
		exact = malloc(n);
		memcpy(exact, b.s, n);
		size_t found = kallsyms_read(&scratch, exact, n, PLACE, &v);
		for (size_t i = 0; i < found; i++)
			CHECK(strlen(v[i].name) < 2000);
		free(exact);
		sb_free(&b);
		arena_free(&scratch);
	}
}

static const struct kallsyms_symbol some[] = {
	{0x1000, 'T', "vfs_read"},	     {0x1100, 't', "helper.isra.0"},  {0x1200, 't', "helper.cold"},
	{0x1300, 'T', "__pfx_vfs_read"},     {0x2000, 'T', "__noinstr_text_start"}, {0x2000, 't', "quiet"},
	{0x2100, 'T', "__noinstr_text_end"}, {0x3000, 'T', "_sinittext"},     {0x3000, 't', "boot"},
	{0x3100, 'T', "_einittext"},	     {0x1400, 'T', "do_int3"},	       {0x9000, 'd', "_kbl_addr_do_int3"},
	{0x9100, 'D', "jiffies"},	     {0x1500, 't', "twice"},	       {0x1600, 't', "twice"},
};

static const struct ksyms_places none;

static void join(void *ctx, const char *name)
{
	sb_printf(ctx, "%s ", name);
}

static void test_functions_are_told_from_the_rest(void)
{
	struct sb text = {0}, all = {0};
	struct ksyms *k;
	const char *why;

	ksyms_text(some, sizeof some / sizeof *some, &none, &text);
	k = ksyms_parse(&arena, text.s, text.n);
	ksyms_each(k, join, &all);
	CHECK_STR(all.s, "__noinstr_text_end _einittext helper.isra.0 twice vfs_read ");
	CHECK(ksyms_find(k, "vfs_read", &why) && !why);
	CHECK(ksyms_find(k, "quiet", &why) && strstr(why, "noinstr"));
	CHECK(ksyms_find(k, "do_int3", &why) && strstr(why, "list"));
	CHECK(!ksyms_find(k, "boot", &why));
	CHECK(!ksyms_find(k, "jiffies", &why));
	CHECK(!ksyms_find(k, "helper.cold", &why));
	sb_free(&text);
	sb_free(&all);
}

static void test_functions_without_a_call_of_the_tracer_are_in_no_list(void)
{
	static const uint64_t at[] = {0x1004, 0x1600};
	struct sb text = {0}, all = {0};
	const char *why;
	struct ksyms *k;

	ksyms_text(some, sizeof some / sizeof *some, &(struct ksyms_places){.v = at, .n = 2}, &text);
	k = ksyms_parse(&arena, text.s, text.n);
	ksyms_each(k, join, &all);
	CHECK_STR(all.s, "twice vfs_read ");
	CHECK(ksyms_find(k, "helper.isra.0", &why) && !why);
	CHECK(!ksyms_is_traced(k, "helper.isra.0"));
	CHECK(!ksyms_is_traced(k, "do_int3"));
	CHECK(ksyms_is_traced(k, "vfs_read"));
	CHECK(ksyms_is_traced(k, "unheard_of"));
	sb_free(&text);
	sb_free(&all);
}

static void test_objects_are_told_from_functions(void)
{
	struct sb text = {0};

	ksyms_objects_text(some, sizeof some / sizeof *some, &none, &text);
	CHECK_STR(text.s, "- jiffies\n");
	sb_free(&text);
}

static void test_other_texts_are_passed_over(void)
{
	static const char text[] = "- b\nno\n-\n\n- a\n- c\nx z\n- unfinished";
	struct ksyms *k = ksyms_parse(&arena, text, strlen(text));
	struct sb all = {0};
	const char *why;

	ksyms_each(k, join, &all);
	CHECK_STR(all.s, "b c ");
	CHECK(ksyms_find(k, "z", &why) && !why);
	CHECK(ksyms_is_empty(ksyms_parse(&arena, "", 0)));
	sb_free(&all);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_tables_until_6_3);
	UNIT_RUN(test_tables_from_6_4_on);
	UNIT_RUN(test_tables_of_7_2);
	UNIT_RUN(test_a_word_that_looks_like_a_base_is_not_believed);
	UNIT_RUN(test_nothing_is_found_in_other_bytes);
	UNIT_RUN(test_damaged_tables_do_no_harm);
	UNIT_RUN(test_functions_are_told_from_the_rest);
	UNIT_RUN(test_functions_without_a_call_of_the_tracer_are_in_no_list);
	UNIT_RUN(test_objects_are_told_from_functions);
	UNIT_RUN(test_other_texts_are_passed_over);
	arena_free(&arena);
	return unit_done();
}
