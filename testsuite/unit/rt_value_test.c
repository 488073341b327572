// SPDX-License-Identifier: GPL-2.0-or-later
/* Integers, strings, string space, errors, budget, calls, locals and globals of runtime/rt/. */
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

static rt_s64 a_long;
static char a_string_space[sizeof(struct rt_strvar) + 512] __attribute__((aligned(8)));
static struct rt_strvar *const a_string = (struct rt_strvar *)a_string_space;
static struct rt_stat *a_stat;
static struct rt_map *an_array;
static const struct rt_stat_shape plain = {0};
static const struct rt_map_shape by_name = {.nkeys = 1, .key = {RT_STRING}, .value = RT_LONG, .max = 4};
static const struct rt_global globals[] = {
	{"a_long", RT_LONG, &a_long, NULL, NULL},
	{"a_string", RT_STRING, a_string_space, NULL, NULL},
	{"a_stat", RT_STATS, &a_stat, NULL, &plain},
	{"an_array", RT_LONG, &an_array, &by_name, NULL},
};
static const struct rt_loc locs[] = {
	{"a.stp", 1, 2, "operator '/'"},
	{"b.stp", 30, 4, "identifier 'error'"},
};
static const struct rt_probe probes[] = {
	{.point = "kernel.function(\"vfs_read\")", .function = "vfs_read", .loc = 0},
	{.point = "begin", .flags = RT_PROBE_NO_LOCKS, .loc = 1},
};
const struct rt_script rt_script = {
	.abi = RT_ABI,
	.name = "test",
	.limits = &native_limits,
	.locs = locs,
	.nlocs = 2,
	.probes = probes,
	.nprobes = 2,
	.globals = globals,
	.nglobals = 4,
};

static struct rt_ctx *c;

static void check_str(struct rt_str got, const char *want, int line)
{
	unit_check_mem(got.p, got.n, want, strlen(want), __FILE__, line, "string");
}
#define CHECK_SLICE(got, want) check_str((got), (want), __LINE__)

static void check_error(const char *want, int line)
{
	unit_check(c->error == RT_SOFT, __FILE__, line, "an error");
	unit_check_str(c->message, want, __FILE__, line, "message");
	native_ctx_again(c);
}
#define CHECK_ERROR(want) check_error((want), __LINE__)

static struct rt_str str(const char *s)
{
	return (struct rt_str){s, (rt_u32)strlen(s)};
}

#define MIN (-0x7fffffffffffffffLL - 1)

/* ---- integers ---- */

static void test_division_by_0_is_an_error_and_gives_0(void)
{
	CHECK_EQ(rt_div(c, 1, 0), 0);
	CHECK_ERROR("division by 0");
	CHECK_EQ(rt_mod(c, 1, 0), 0);
	CHECK_ERROR("division by 0");
}

static void test_division_truncates_and_never_traps(void)
{
	CHECK_EQ(rt_div(c, 7, 2), 3);
	CHECK_EQ(rt_div(c, -7, 2), -3);
	CHECK_EQ(rt_mod(c, -7, 2), -1);
	CHECK_EQ(rt_div(c, MIN, -1), MIN);
	CHECK_EQ(rt_mod(c, MIN, -1), 0);
	CHECK_EQ(rt_mod(c, 5, 1), 0);
	CHECK_EQ(c->error, RT_OK);
}

static void test_integers_wrap_and_shifts_mask(void)
{
	rt_s64 max = 0x7fffffffffffffff, n = 65;

	CHECK_EQ(rt_add(max, 1), MIN);
	CHECK_EQ(rt_sub(MIN, 1), max);
	CHECK_EQ(rt_mul(max, 2), -2);
	CHECK_EQ(rt_neg(MIN), MIN);
	CHECK_EQ(rt_shl(3, n), 6);
	CHECK_EQ(rt_shr(-4, n), -2);
	CHECK_EQ(rt_ushr(-4, n), max - 1);
	CHECK_EQ(rt_sext(0xffu, 1), -1);
	CHECK_EQ(rt_zext(-1LL, 2), 0xffff);
	CHECK_EQ(rt_bits(0x1234, 4, 8), 0x23);
	CHECK_EQ(rt_bits_signed(0xf0, 4, 4), -1);
}

/* ---- strings ---- */

static void test_strings_compare_as_unsigned_bytes(void)
{
	CHECK(rt_str_cmp(str("a"), str("b")) < 0);
	CHECK(rt_str_cmp(str("\xff"), str("a")) > 0);
	CHECK(rt_str_cmp(str("ab"), str("a")) > 0);
	CHECK(rt_str_cmp(str(""), str("a")) < 0);
	CHECK(rt_str_cmp(str("same"), str("same")) == 0);
	CHECK(rt_str_eq(str("0123456789abcdef!"), str("0123456789abcdef!")));
	CHECK(!rt_str_eq(str("0123456789abcdef!"), str("0123456789abcdef?")));
	CHECK(!rt_str_eq(str("0x23456789abcdef!"), str("0123456789abcdef!")));
	CHECK(!rt_str_eq(str("a"), str("ab")));
}

static void test_strings_are_cut_at_string_max(void)
{
	char text[600];
	struct rt_str parts[3];

	memset(text, 'x', sizeof(text));
	CHECK_EQ(rt_str_copy(c, text, sizeof(text)).n, 511);
	CHECK_EQ(rt_str_copy(c, "ab\0cd", 5).n, 2);
	parts[0] = (struct rt_str){text, 500};
	parts[1] = str("0123456789abcdef");
	parts[2] = str("never seen");
	struct rt_str cat = rt_str_cat(c, parts, 3);
	CHECK_EQ(cat.n, 511);
	CHECK_MEM(cat.p + 498, 13, "xx0123456789a", 13);
	CHECK_EQ(cat.p[511], 0);
	CHECK_SLICE(rt_str_cat(c, parts, 0), "");
}

static void test_concatenation_joins_in_order(void)
{
	struct rt_str parts[4] = {str("ab"), str(""), str("cde"), str("f")};

	CHECK_SLICE(rt_str_cat(c, parts, 4), "abcdef");
}

static void test_a_string_global_keeps_a_copy(void)
{
	char text[] = "before";

	rt_strvar_set(c, a_string, (struct rt_str){text, 6});
	text[0] = 'x';
	struct rt_str got = rt_strvar_get(c, a_string);
	rt_strvar_set(c, a_string, str("after"));
	CHECK_SLICE(got, "before");
	CHECK_SLICE(rt_strvar_get(c, a_string), "after");
}

static void test_a_local_can_be_set_from_a_part_of_itself(void)
{
	char *local = rt_local_alloc(c);
	struct rt_str s = rt_local_set(c, local, str("0123456789"));

	s = rt_local_set(c, local, (struct rt_str){s.p + 2, 8});
	CHECK_SLICE(s, "23456789");
}

static void test_names_of_enum_constants(void)
{
	static const struct rt_enum_name names[] = {{-2, RT_STR("BLUE")}, {0, RT_STR("RED")}, {5, RT_STR("GREEN")}};

	CHECK_SLICE(rt_enum_name(c, names, 3, -2), "BLUE");
	CHECK_SLICE(rt_enum_name(c, names, 3, 0), "RED");
	CHECK_SLICE(rt_enum_name(c, names, 3, 5), "GREEN");
	CHECK_SLICE(rt_enum_name(c, names, 3, 4), "4");
	CHECK_SLICE(rt_enum_name(c, names, 3, -9223372036854775807 - 1), "-9223372036854775808");
	CHECK_SLICE(rt_enum_name(c, NULL, 0, 5), "5");
}

static void test_substr_follows_the_tapset(void)
{
	CHECK_SLICE(rt_substr(c, str("hello"), 1, 3), "ell");
	CHECK_SLICE(rt_substr(c, str("hello"), 0, 100), "hello");
	CHECK_SLICE(rt_substr(c, str("hello"), 4, 0x7fffffffffffffff), "o");
	CHECK_SLICE(rt_substr(c, str("hello"), 5, 1), "");
	CHECK_SLICE(rt_substr(c, str("hello"), -1, 3), "");
	CHECK_SLICE(rt_substr(c, str("hello"), 0, 0), "");
	CHECK_SLICE(rt_substr(c, str("hello"), 0, -1), "");
}

static void test_find_gives_the_first_place(void)
{
	CHECK_EQ(rt_str_find(str("banana"), str("an")), 1);
	CHECK_EQ(rt_str_find(str("banana"), str("")), 0);
	CHECK_EQ(rt_str_find(str("banana"), str("bananas")), -1);
	CHECK_EQ(rt_str_find(str("banana"), str("nab")), -1);
	CHECK_EQ(rt_str_find(str("banana"), str("a")), 1);
}

/* All texts and parts of up to seven letters of two, and a part that differs from each place of a long text only at its end. */
static void test_find_finds_what_a_plain_search_finds(void)
{
	static char text[8191], part[4096];
	unsigned bits, part_bits, n, m, i;
	long at;

	for (n = 0; n <= 7; n++)
		for (m = 0; m <= n; m++)
			for (bits = 0; bits < 1u << n; bits++)
				for (part_bits = 0; part_bits < 1u << m; part_bits++) {
					at = -1;
					for (i = 0; i + m <= n && at < 0; i++)
						if ((bits >> i & ((1u << m) - 1)) == part_bits)
							at = i;
					for (i = 0; i < n; i++)
						text[i] = bits >> i & 1 ? '\xff' : 'a';
					for (i = 0; i < m; i++)
						part[i] = part_bits >> i & 1 ? '\xff' : 'a';
					if (rt_str_find((struct rt_str){text, n}, (struct rt_str){part, m}) != at)
						CHECK_EQ(rt_str_find((struct rt_str){text, n}, (struct rt_str){part, m}), at);
				}
	memset(text, ' ', sizeof text);
	memset(part, ' ', sizeof part);
	part[sizeof part - 1] = 'b';
	CHECK_EQ(rt_str_find((struct rt_str){text, sizeof text}, (struct rt_str){part, sizeof part}), -1);
	text[sizeof text - 1] = 'b';
	CHECK_EQ(rt_str_find((struct rt_str){text, sizeof text}, (struct rt_str){part, sizeof part}), sizeof text - sizeof part);
}

static void test_strtol_takes_no_blanks_and_no_plus(void)
{
	CHECK_EQ(rt_strtol(str("12abc"), 10), 12);
	CHECK_EQ(rt_strtol(str("-12"), 10), -12);
	CHECK_EQ(rt_strtol(str(" 12"), 10), 0);
	CHECK_EQ(rt_strtol(str("+12"), 10), 0);
	CHECK_EQ(rt_strtol(str("0x1F"), 16), 31);
	CHECK_EQ(rt_strtol(str("0x1F"), 0), 31);
	CHECK_EQ(rt_strtol(str("-0x1F"), 0), -31);
	CHECK_EQ(rt_strtol(str("0xg"), 0), 0);
	CHECK_EQ(rt_strtol(str("017"), 0), 15);
	CHECK_EQ(rt_strtol(str("19"), 8), 1);
	CHECK_EQ(rt_strtol(str("zz"), 36), 35 * 36 + 35);
	CHECK_EQ(rt_strtol(str("12"), 1), 0);
	CHECK_EQ(rt_strtol(str("12"), 37), 0);
	CHECK_EQ(rt_strtol(str("12"), -1), 0);
	CHECK_EQ(rt_strtol(str(""), 10), 0);
	CHECK_EQ(rt_strtol(str("-"), 0), 0);
	CHECK_EQ(rt_strtol(str("-9223372036854775808"), 10), MIN);
}

static void test_patterns_fit_as_those_of_shells(void)
{
	static const struct {
		const char *pattern, *text;
		bool fits;
	} all[] = {
		{"", "", true}, {"", "a", false}, {"a", "", false}, {"*", "", true}, {"**", "abc", true}, {"a*c", "abbc", true},
		{"a*c", "abcd", false},
		{"*ab*ab", "abaab", true}, {"?", "", false}, {"?b", "ab", true}, {"[a-c]x", "bx", true}, {"[a-c]x", "dx", false}, {"[!a]", "b", true},
		{"[^a]", "a", false}, {"[]]", "]", true}, {"[", "[", true}, {"[a", "[a", true}, {"[a-]", "-", true}, {"<*>", "<lambda>", true},
		{"a*b*c*d", "abcabcabcabd", true}, {"a*b*c*d", "abcabcabcabe", false},
	};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		CHECK_EQ(rt_str_glob(c, str(all[i].text), str(all[i].pattern)), all[i].fits);
	CHECK_EQ(c->error, RT_OK);
}

static void test_replace_changes_all_and_stops_at_string_max(void)
{
	char text[601];

	CHECK_SLICE(rt_str_replace(c, str("aXbXc"), str("X"), str("--")), "a--b--c");
	CHECK_SLICE(rt_str_replace(c, str("aaa"), str("aa"), str("b")), "ba");
	CHECK_SLICE(rt_str_replace(c, str("abc"), str(""), str("x")), "abc");
	CHECK_SLICE(rt_str_replace(c, str("abc"), str("abcd"), str("x")), "abc");
	CHECK_SLICE(rt_str_replace(c, str("abab"), str("ab"), str("")), "");
	memset(text, 'a', 600);
	text[600] = 0;
	CHECK_EQ(rt_str_replace(c, (struct rt_str){text, 400}, str("a"), str("bb")).n, 511);
	CHECK_EQ(c->error, RT_OK);
}

static void test_quoting_shows_every_byte(void)
{
	char text[511];
	struct rt_str q;

	CHECK_SLICE(rt_string_quoted(c, str("a\"\\\n\t\x01\x7f\xff'")),
		    "\"a\\\"\\\\\\n\\t\\001\\177\\377'\"");
	CHECK_SLICE(rt_string_quoted(c, str("")), "\"\"");
	CHECK_SLICE(rt_text_str(c, str("a\"\n"), 0, 0), "a\\\"\\n");
	CHECK_SLICE(rt_text_str(c, str("abcdefgh"), 8, 0), "abcdefgh");
	CHECK_SLICE(rt_text_str(c, str("abcdefghi"), 8, 0), "abcdefgh");
	CHECK_SLICE(rt_text_str(c, str("abcdef"), 8, 1), "\"abcdef\"");
	CHECK_SLICE(rt_text_str(c, str("abcdefg"), 8, 1), "\"abc\"...");
	CHECK_SLICE(rt_text_str(c, str("abc\n"), 4, 0), "abc");
	CHECK_SLICE(rt_text_str(c, str("x"), -1, 0), "x");
	memset(text, 'a', sizeof(text));
	q = rt_string_quoted(c, (struct rt_str){text, 509});
	CHECK_EQ(q.n, 511);
	CHECK_EQ(q.p[510], '"');
	q = rt_string_quoted(c, (struct rt_str){text, 510});
	CHECK_EQ(q.n, 511);
	CHECK_MEM(q.p + 506, 5, "a\"...", 5);
	memset(text, 1, sizeof(text));
	q = rt_string_quoted(c, (struct rt_str){text, 200});
	CHECK_MEM(q.p + q.n - 8, 8, "\\001\"...", 8);
}

static void test_a_byte_out_of_range_is_0(void)
{
	CHECK_EQ(rt_str_char(str("a\xff"), 1), 255);
	CHECK_EQ(rt_str_char(str("a"), 1), 0);
	CHECK_EQ(rt_str_char(str("a"), -1), 0);
}

static void test_tokenize_goes_on_where_it_stopped(void)
{
	char text[] = ",,one,two;three";

	CHECK_SLICE(rt_tokenize(c, str(text), str(",")), "one");
	text[8] = 'X';
	CHECK_SLICE(rt_tokenize(c, str(""), str(",;")), "two");
	CHECK_SLICE(rt_tokenize(c, str(""), str(",")), "three");
	CHECK_SLICE(rt_tokenize(c, str(""), str(",")), "");
	CHECK_SLICE(rt_tokenize(c, str(""), str(",")), "");
	CHECK_SLICE(rt_tokenize(c, str("all"), str("")), "all");
	CHECK_SLICE(rt_tokenize(c, str("a b"), str(" ")), "a");
	native_ctx_again(c);
	CHECK_SLICE(rt_tokenize(c, str(""), str(" ")), "");
}

/* ---- string space ---- */

static void test_string_space_runs_out_with_an_error(void)
{
	char text[511];
	unsigned i;

	memset(text, 'x', sizeof(text));
	for (i = 0; !c->error && i < 1000; i++)
		CHECK_EQ(rt_str_copy(c, text, 511).n, i < 32 ? 511 : 0);
	CHECK_EQ(i, 33);
	CHECK_STR(c->message, "string space exhausted");
	CHECK_SLICE(rt_sprintf(c, &(struct rt_fmt){&(struct rt_fmt_piece){.text = RT_STR("x")}, 1}, NULL),
		    "");
	CHECK_ERROR("string space exhausted");
	CHECK(!rt_alloc(c, native_limits.arena + 1));
	CHECK_ERROR("string space exhausted");
	CHECK(rt_alloc(c, native_limits.arena) != NULL);
	CHECK(!rt_local_alloc(c));
	CHECK_SLICE(rt_local_set(c, NULL, str("x")), "");
	CHECK_ERROR("string space exhausted");
}

static void test_what_needs_a_string_in_a_full_space_fails_cleanly(void)
{
	rt_alloc(c, native_limits.arena - 8);
	CHECK_SLICE(rt_str_replace(c, str("0123456789"), str("x"), str("y")), "");
	CHECK_ERROR("string space exhausted");
	rt_alloc(c, native_limits.arena - 8);
	CHECK_SLICE(rt_string_quoted(c, str("0123456789")), "");
	CHECK_ERROR("string space exhausted");
	rt_alloc(c, native_limits.arena);
	CHECK_SLICE(rt_str_replace(c, str(""), str("x"), str("y")), "");
	CHECK_ERROR("string space exhausted");
}

static void test_released_space_is_used_again(void)
{
	char *mark = rt_mark(c);
	unsigned i;

	for (i = 0; i < 10000; i++) {
		rt_str_copy(c, "some text", 9);
		rt_release(c, mark);
	}
	CHECK_EQ(c->error, RT_OK);
}

static void test_space_for_anything_is_aligned(void)
{
	rt_str_copy(c, "a", 1);
	CHECK_EQ((unsigned long)rt_alloc(c, 3) % 8, 0);
	CHECK_EQ((unsigned long)rt_alloc(c, 8) % 8, 0);
}

/* ---- errors ---- */

static void test_the_first_error_stays(void)
{
	c->loc = 1;
	rt_error(c, "first %s", "one");
	c->loc = 0;
	rt_error(c, "second");
	rt_abort(c);
	CHECK_EQ(c->error_loc, 1);
	CHECK_ERROR("first one");
}

static void test_messages_know_a_few_conversions(void)
{
	rt_error(c, "%s %d %u %x %lld %llu %llx %c %% %s|", "text", -5, 4000000000u, 0xbeefu, -1LL, ~0ULL,
		 0xfeedULL, 'z', "");
	CHECK_ERROR("text -5 4000000000 beef -1 18446744073709551615 feed z % |");
}

static void test_an_error_text_tells_where(void)
{
	char text[200], little[9];
	rt_u32 n;

	CHECK_EQ(rt_error_text(c, text, sizeof(text)), 0);
	rt_div(c, 1, 0);
	n = rt_error_text(c, text, sizeof(text));
	CHECK_EQ(n, strlen(text));
	CHECK_STR(text,
		  "division by 0 near operator '/' at a.stp:1:2 in probe kernel.function(\"vfs_read\")");
	rt_error_text(c, little, sizeof(little));
	CHECK_STR(little, "division");
	native_ctx_again(c);
	c->loc = 1;
	rt_error_str(c, str("my words"));
	rt_error_text(c, text, sizeof(text));
	CHECK_STR(text,
		  "my words near identifier 'error' at b.stp:30:4 in probe kernel.function(\"vfs_read\")");
	native_ctx_again(c);
}

static void test_an_error_text_tells_the_calls_that_led_there(void)
{
	char text[400];

	c->loc = 1;
	rt_error_str(c, str("deep"));
	rt_called_from(c, 1); /* where it happened, not where it was called from */
	rt_called_from(c, 0);
	rt_called_from(c, 1);
	rt_error_text(c, text, sizeof(text));
	CHECK_HAS(text, "deep near identifier 'error' at b.stp:30:4 (called from a.stp:1:2, b.stp:30:4) in probe ");
	for (int i = 0; i < RT_CALLERS; i++)
		rt_called_from(c, 0);
	rt_error_text(c, text, sizeof(text));
	CHECK_HAS(text, "at b.stp:30:4 (called from a.stp:1:2, b.stp:30:4, a.stp:1:2, a.stp:1:2, a.stp:1:2, a.stp:1:2, ...) in");
	CHECK(rt_catch(c, NULL));
	rt_error_str(c, str("again"));
	rt_error_text(c, text, sizeof(text));
	CHECK_HAS(text, "b.stp:30:4 in probe");
	native_ctx_again(c);
}

static void test_an_error_text_may_be_a_whole_string(void)
{
	char text[512];

	memset(text, 'e', 511);
	text[511] = 0;
	rt_error_str(c, str(text));
	CHECK_ERROR(text);
}

static void test_catch_takes_soft_errors_and_their_text(void)
{
	struct rt_str text;

	CHECK(!rt_catch(c, &text));
	rt_error(c, "oops");
	CHECK(rt_catch(c, &text));
	CHECK_EQ(c->error, RT_OK);
	rt_error(c, "again");
	CHECK_SLICE(text, "oops");
	CHECK(rt_catch(c, NULL));
	CHECK_EQ(c->error, RT_OK);
}

static void test_catch_works_without_string_space(void)
{
	struct rt_str text;

	rt_alloc(c, native_limits.arena);
	rt_str_copy(c, "x", 1);
	CHECK(rt_catch(c, &text));
	CHECK_SLICE(text, "");
	c->arena_pos -= 8;
	rt_error(c, "long message");
	CHECK(rt_catch(c, &text));
	CHECK_SLICE(text, "long me");
	native_ctx_again(c);
}

static void test_abort_and_skip_are_not_caught(void)
{
	struct rt_str text;
	char buf[10];
	int exits = native_exits;

	rt_abort(c);
	CHECK_EQ(native_exits, exits + 1);
	CHECK(!rt_catch(c, &text));
	CHECK_EQ(c->error, RT_ABORT);
	CHECK_EQ(rt_error_text(c, buf, sizeof(buf)), 0);
	native_ctx_again(c);
	rt_exit(c);
	CHECK_EQ(c->error, RT_OK);
	CHECK_EQ(native_exits, exits + 2);
	c->error = RT_SKIP;
	CHECK(!rt_catch(c, &text));
	native_ctx_again(c);
}

/* ---- budget and calls ---- */

static void test_the_budget_ends_a_hit(void)
{
	unsigned n = 0;

	while (!rt_charge(c, 1))
		n++;
	CHECK_EQ(n, native_limits.action);
	CHECK_ERROR("MAXACTION exceeded");
	CHECK_EQ(c->budget, native_limits.action);
}

static void test_a_used_up_budget_is_caught_once(void)
{
	struct rt_str text;
	unsigned n = 0;

	CHECK(rt_charge(c, 20000));
	CHECK(rt_catch(c, &text));
	CHECK_SLICE(text, "MAXACTION exceeded");
	rt_error(c, "other errors still are");
	CHECK(rt_catch(c, &text));
	while (!rt_charge(c, 1))
		n++;
	CHECK_EQ(n, native_limits.action / 8);
	CHECK(!rt_catch(c, &text));
	CHECK_ERROR("MAXACTION exceeded");
}

/* After the first, each portion is asked for. */
static void test_a_large_budget_comes_in_portions(void)
{
	struct rt_str text;
	unsigned n = 0, asked = native_portions;

	native_limits.more = 25000;
	while (!rt_charge(c, 7))
		n += 7;
	CHECK_EQ(n, 35000);
	CHECK_EQ(native_portions - asked, 3);
	CHECK(rt_catch(c, &text));
	CHECK_SLICE(text, "MAXACTION exceeded");
	for (n = 0; !rt_charge(c, 1); n++) {}
	CHECK_EQ(n, 35000 / 8);
	native_limits.more = 100000;
	native_ctx_again(c);
	CHECK(rt_charge(c, 200000));
	CHECK(rt_catch(c, NULL));
	asked = native_portions;
	CHECK(!rt_charge(c, 11000));
	CHECK_EQ(native_portions - asked, 1);
	CHECK(rt_charge(c, 110000 / 8 - 11000 + 1));
	native_limits.more = 0;
	native_ctx_again(c);
}

static void test_between_two_portions_a_hit_can_be_ended(void)
{
	struct rt_str text;
	char buf[200];

	native_limits.more = 10000;
	CHECK(!rt_charge(c, 10000));
	native_goes_on = RT_STOPPED;
	CHECK(rt_charge(c, 1));
	CHECK_EQ(c->error, RT_STOPPED);
	CHECK(!rt_catch(c, &text));
	rt_error_text(c, buf, sizeof(buf));
	CHECK_HAS(buf, "the handler was interrupted before it was done");
	native_ctx_again(c);
	native_goes_on = RT_FATAL;
	CHECK(rt_charge(c, 10001));
	CHECK_EQ(c->error, RT_FATAL);
	CHECK(!rt_catch(c, &text));
	native_goes_on = RT_OK;
	native_limits.more = 0;
	native_ctx_again(c);
}

static void test_calls_nest_so_deep_and_no_deeper(void)
{
	unsigned depth = 0;

	while (!rt_call_enter(c))
		depth++;
	CHECK_EQ(depth, 10);
	CHECK_ERROR("MAXNESTING exceeded");
	CHECK(!rt_call_enter(c));
	rt_call_leave(c);
	CHECK_EQ(c->nesting, 0);
}

static void test_calls_leave_stack_for_the_kernel(void)
{
	c->stack_limit = 1000;
	native_stack_pointer = 1000;
	CHECK(!rt_call_enter(c));
	native_stack_pointer = 999;
	CHECK(rt_call_enter(c));
	CHECK_ERROR("too little kernel stack left for a call, check MINSTACKSPACE");
	c->stack_limit = 0;
	CHECK(!rt_call_enter(c));
	rt_call_leave(c);
}

/* ---- globals ---- */

static void test_G_sets_longs(void)
{
	static const struct {
		const char *text;
		int rc;
		rt_s64 value;
	} cases[] = {
		{"5", 0, 5},
		{"-5", 0, -5},
		{"0", 0, 0},
		{"0x1f", 0, 31},
		{"0X1F", 0, 31},
		{"017", 0, 15},
		{"-0x10", 0, -16},
		{"18446744073709551615", 0, -1},
		{"18446744073709551616", -2, 0},
		{"99999999999999999999", -2, 0},
		{"-9223372036854775808", 0, MIN},
		{"-9223372036854775809", -2, 0},
		{"0xffffffffffffffff", 0, -1},
		{"0x10000000000000000", -2, 0},
		{"", -2, 0},
		{"-", -2, 0},
		{"0x", -2, 0},
		{"08", -2, 0},
		{"5x", -2, 0},
		{" 5", -2, 0},
		{"--5", -2, 0},
		{"+5", -2, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		a_long = 77;
		if (!unit_check(rt_global_set("a_long", cases[i].text) == cases[i].rc, __FILE__, __LINE__,
				cases[i].text))
			continue;
		CHECK_EQ(a_long, cases[i].rc ? 77 : cases[i].value);
	}
}

static void test_G_sets_strings_that_fit(void)
{
	char text[513];

	CHECK_EQ(rt_global_set("a_string", "05 words"), 0);
	CHECK_SLICE(rt_strvar_get(c, a_string), "05 words");
	memset(text, 'x', 512);
	text[512] = 0;
	CHECK_EQ(rt_global_set("a_string", text), -4);
	CHECK_SLICE(rt_strvar_get(c, a_string), "05 words");
	text[511] = 0;
	CHECK_EQ(rt_global_set("a_string", text), 0);
	CHECK_EQ(a_string->n, 511);
}

static void test_G_refuses_what_it_cannot_set(void)
{
	CHECK_EQ(rt_global_set("a_strin", "x"), -1);
	CHECK_EQ(rt_global_set("a_string2", "x"), -1);
	CHECK_EQ(rt_global_set("a_stat", "1"), -3);
	CHECK_EQ(rt_global_set("an_array", "1"), -3);
}

static void test_no_memory_names_the_global_and_leaves_nothing(void)
{
	const char *what;
	int n;

	for (n = 0; n < 5; n++) {
		native_allocs_left = n;
		CHECK_EQ(rt_globals_init(&what), -1);
		CHECK_STR(what, n < 1 ? "the locks" : n < 2 ? "a_stat" : "an_array");
		CHECK(!a_stat && !an_array);
	}
	native_allocs_left = 5;
	CHECK_EQ(rt_globals_init(&what), 0);
	CHECK(a_stat && an_array);
	rt_globals_free();
	native_allocs_left = 0;
	struct rt_ctx ctx = {0};
	CHECK_EQ(rt_ctx_init(&ctx), -1);
	native_allocs_left = -1;
}

static void test_the_probe_has_a_name(void)
{
	CHECK_SLICE(rt_pp(c), "kernel.function(\"vfs_read\")");
	CHECK_SLICE(rt_ppfunc(c), "vfs_read");
	rt_hit_begin(c, &probes[1]);
	CHECK_SLICE(rt_ppfunc(c), "");
	CHECK(c->no_locks && c->in_end);
	rt_hit_begin(c, &probes[0]);
	CHECK(!c->no_locks && !c->in_end);
}

/* ---- memory ---- */

static void test_memory_reads_extend_with_zeros(void)
{
	rt_u64 word = 0xfedcba9876543210;

	CHECK_EQ(rt_read(c, RT_KERNEL, (rt_u64)(rt_size)&word, 1), 0x10);
	CHECK_EQ(rt_read(c, RT_KERNEL, (rt_u64)(rt_size)&word, 2), 0x3210);
	CHECK_EQ(rt_read(c, RT_USER, (rt_u64)(rt_size)&word, 4), 0x76543210);
	CHECK_EQ(rt_read(c, RT_USER, (rt_u64)(rt_size)&word, 8), 0xfedcba9876543210);
}

static void test_bad_addresses_are_errors_that_name_them(void)
{
	native_bad_to = 0x1000;
	CHECK_EQ(rt_read(c, RT_KERNEL, 0, 8), 0);
	CHECK_ERROR("kernel read fault at 0x0");
	CHECK_EQ(rt_read(c, RT_USER, 0xffc, 8), 0);
	CHECK_ERROR("user read fault at 0xffc");
	CHECK_SLICE(rt_read_str(c, RT_KERNEL, 0x10, 100), "");
	CHECK_ERROR("kernel string copy fault at 0x10");
	CHECK_SLICE(rt_read_str(c, RT_USER, 0x10, 100), "");
	CHECK_ERROR("user string copy fault at 0x10");
	CHECK_SLICE(rt_read_str_or(c, RT_USER, 0x10, 100, RT_STR("<none>")), "<none>");
	CHECK_EQ(c->error, RT_OK);
	native_bad_to = 0;
}

static void test_strings_of_memory_end_at_a_NUL_or_the_limit(void)
{
	char text[600];
	char *mark = rt_mark(c);

	memset(text, 'x', sizeof(text));
	CHECK_SLICE(rt_read_str(c, RT_KERNEL, (rt_u64)(rt_size) "abc", 100), "abc");
	CHECK(c->arena_pos == mark + 4);
	CHECK_SLICE(rt_read_str(c, RT_KERNEL, (rt_u64)(rt_size) "abc", 2), "ab");
	CHECK_SLICE(rt_read_str(c, RT_KERNEL, (rt_u64)(rt_size) "abc", 0), "");
	CHECK_EQ(rt_read_str(c, RT_KERNEL, (rt_u64)(rt_size)text, ~0ULL).n, 511);
	rt_release(c, mark);
}

/* Each test begins a hit. */
#define RUN(test)                                                                                            \
	do {                                                                                                 \
		native_ctx_again(c);                                                                         \
		UNIT_RUN(test);                                                                              \
	} while (0)

static void test_a_string_saved_at_entry_is_cut_and_found_again(void)
{
	rt_u64 slots[1 + 512 / 8 + 1];
	char longer[600];

	memset(longer, 'x', sizeof(longer));
	slots[1 + 512 / 8] = 42;
	c->entry = slots;
	rt_entry_save_str(c, 0, (struct rt_str){longer, sizeof(longer)});
	CHECK_EQ(rt_entry_str(c, 0).n, 511);
	CHECK_EQ(slots[1 + 512 / 8], 42);
	rt_entry_save_str(c, 0, str("short"));
	CHECK_SLICE(rt_entry_str(c, 0), "short");
	rt_entry_save_str(c, 0, RT_EMPTY);
	CHECK_SLICE(rt_entry_str(c, 0), "");
	c->entry = NULL;
}

static void test_writes_change_their_bytes_and_no_others(void)
{
	rt_u64 words[3] = {~0ULL, ~0ULL, ~0ULL};
	rt_u64 at = (rt_u64)(unsigned long)&words[1];

	rt_write(c, RT_KERNEL, at, 0x1122334455667788, 8);
	CHECK_EQ(words[1], 0x1122334455667788);
	rt_write(c, RT_USER, at + 2, 0xaabbccddeeff, 4);
	CHECK_EQ(words[1], 0x1122ccddeeff7788);
	rt_write(c, RT_KERNEL, at + 1, 0x1234, 2);
	CHECK_EQ(words[1], 0x1122ccddee123488);
	rt_write(c, RT_KERNEL, at + 7, 0x99, 1);
	CHECK_EQ(words[1], 0x9922ccddee123488);
	CHECK_EQ(words[0] & words[2], ~0ULL);
	native_bad_from = at;
	native_bad_to = at + 8;
	rt_write(c, RT_KERNEL, at + 4, 0, 8);
	native_bad_from = native_bad_to = 0;
	CHECK_EQ(words[1], 0x9922ccddee123488);
	CHECK_EQ(c->error, RT_SOFT);
	CHECK_HAS(c->message, "kernel write fault at 0x");
	native_ctx_again(c);
}

static void test_written_bits_are_read_again_and_the_others_stay(void)
{
	for (int i = 0; i < 10000 && c->error == RT_OK; i++) {
		rt_u32 off = native_below(8), width = 1 + native_below(63), k;
		rt_u64 v = (rt_u64)native_random_long();
		unsigned char was[16], now[16];

		for (k = 0; k < sizeof(was); k++)
			now[k] = was[k] = (unsigned char)native_below(256);
		rt_write_bits(c, RT_USER, (rt_u64)(unsigned long)(now + 3), v, off, width);
		for (k = 0; k < 8 * sizeof(was); k++) {
			rt_u32 bit = k - 24 - off;
			const unsigned char *from = bit < width ? NULL : was;
			rt_u32 want = from ? from[k / 8] >> k % 8 & 1 : (rt_u32)(v >> bit & 1);

			if ((now[k / 8] >> k % 8 & 1u) != want) {
				CHECK_EQ(now[k / 8] >> k % 8 & 1, want);
				return;
			}
		}
	}
	CHECK_EQ(c->error, RT_OK);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	RUN(test_division_by_0_is_an_error_and_gives_0);
	RUN(test_division_truncates_and_never_traps);
	RUN(test_integers_wrap_and_shifts_mask);
	RUN(test_strings_compare_as_unsigned_bytes);
	RUN(test_strings_are_cut_at_string_max);
	RUN(test_concatenation_joins_in_order);
	RUN(test_a_string_global_keeps_a_copy);
	RUN(test_a_local_can_be_set_from_a_part_of_itself);
	RUN(test_substr_follows_the_tapset);
	RUN(test_find_gives_the_first_place);
	RUN(test_find_finds_what_a_plain_search_finds);
	RUN(test_strtol_takes_no_blanks_and_no_plus);
	RUN(test_patterns_fit_as_those_of_shells);
	RUN(test_replace_changes_all_and_stops_at_string_max);
	RUN(test_quoting_shows_every_byte);
	RUN(test_a_byte_out_of_range_is_0);
	RUN(test_tokenize_goes_on_where_it_stopped);
	RUN(test_string_space_runs_out_with_an_error);
	RUN(test_what_needs_a_string_in_a_full_space_fails_cleanly);
	RUN(test_released_space_is_used_again);
	RUN(test_space_for_anything_is_aligned);
	RUN(test_the_first_error_stays);
	RUN(test_messages_know_a_few_conversions);
	RUN(test_an_error_text_tells_where);
	RUN(test_an_error_text_tells_the_calls_that_led_there);
	RUN(test_an_error_text_may_be_a_whole_string);
	RUN(test_catch_takes_soft_errors_and_their_text);
	RUN(test_catch_works_without_string_space);
	RUN(test_abort_and_skip_are_not_caught);
	RUN(test_the_budget_ends_a_hit);
	RUN(test_a_used_up_budget_is_caught_once);
	RUN(test_a_large_budget_comes_in_portions);
	RUN(test_between_two_portions_a_hit_can_be_ended);
	RUN(test_calls_nest_so_deep_and_no_deeper);
	RUN(test_calls_leave_stack_for_the_kernel);
	RUN(test_G_sets_longs);
	RUN(test_G_sets_strings_that_fit);
	RUN(test_G_refuses_what_it_cannot_set);
	RUN(test_no_memory_names_the_global_and_leaves_nothing);
	RUN(test_the_probe_has_a_name);
	RUN(test_memory_reads_extend_with_zeros);
	RUN(test_bad_addresses_are_errors_that_name_them);
	RUN(test_strings_of_memory_end_at_a_NUL_or_the_limit);
	RUN(test_a_string_saved_at_entry_is_cut_and_found_again);
	RUN(test_writes_change_their_bytes_and_no_others);
	RUN(test_names_of_enum_constants);
	RUN(test_written_bits_are_read_again_and_the_others_stay);
	native_ctx_end(c);
	return unit_done();
}
