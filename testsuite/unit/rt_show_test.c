// SPDX-License-Identifier: GPL-2.0-or-later
/* Pretty-printing in runtime/rt/show.c; bytes and wide text of memory, JSON, names of numbers and flags. */
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

static const struct rt_loc locs[] = {{"a.stp", 1, 2, "identifier '$x'"}};
static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "test", .limits = &native_limits, .locs = locs, .nlocs = 1, .probes = probes, .nprobes = 1,
};

static struct rt_ctx *c;

static struct {
	rt_u32 number;
	signed char small;
	char letter;
	rt_u16 bits; /* 3, 5 and 8 of them */
	const char *text, *null;
	char name[8];
} object = {0xfffffffe, -5, '\'', 0xab << 8 | 0x1c << 3 | 5, "a \"text\"", NULL, "12345678"};

#define AT(member) ((rt_u64)((char *)&object.member - (char *)&object))
#define PIECE(literal, ...) {.text = {literal, sizeof(literal) - 1}, __VA_ARGS__}
#define NUMBER(literal, kind, member, ...) PIECE(literal, .conv = kind, .in_memory = 1, .off = AT(member), __VA_ARGS__)

static const struct rt_show_piece pieces[] = {
	PIECE("{", .conv = 'n', .n = 11),
	NUMBER(".a=", 'u', number, .width = 32),
	NUMBER(", .b=", 'd', number, .width = 32, .is_signed = 1),
	NUMBER(", .c=", 'd', small, .width = 8, .is_signed = 1),
	NUMBER(", .d=", 'c', letter, .width = 8),
	NUMBER(", .e=", 'u', bits, .width = 3),
	NUMBER(", .f=", 'd', bits, .bit_off = 3, .width = 5, .is_signed = 1),
	NUMBER(", .g=", 'x', bits, .bit_off = 0, .width = 16),
	NUMBER(", .h=", 's', text, .width = 64),
	NUMBER(", .i=", 's', null, .width = 64),
	NUMBER(", .j=", 'a', name, .n = 8),
	PIECE("}", 0),
	PIECE(" ", .conv = 'd', .input = 1),
};
#define NPIECES (sizeof(pieces) / sizeof(pieces[0]))

static struct rt_str show(rt_u64 at)
{
	rt_u64 inputs[] = {at, 42};

	return rt_show(c, pieces, NPIECES, inputs);
}

static void check(struct rt_str got, const char *want, int line)
{
	unit_check_mem(got.p, got.n, want, strlen(want), __FILE__, line, "string");
	unit_check(c->error == RT_OK, __FILE__, line, "no error");
}
#define CHECK_SHOWN(got, want) check((got), (want), __LINE__)

static void test_members_of_all_kinds_are_shown(void)
{
	CHECK_SHOWN(show((rt_u64)(unsigned long)&object),
		    "{.a=4294967294, .b=-2, .c=-5, .d='\\'', .e=5, .f=-4, .g=0xabe5, .h=\"a \\\"text\\\"\", .i=0x0, .j=\"12345678\"} 42");
}

static void test_null_is_shown_and_not_read(void)
{
	CHECK_SHOWN(show(0), "{0x0 42");
}

static void test_what_cannot_be_read_is_shown_as_such(void)
{
	native_bad_from = (rt_u64)(unsigned long)&object.small;
	native_bad_to = (rt_u64)(unsigned long)&object.text;
	CHECK_SHOWN(show((rt_u64)(unsigned long)&object),
		    "{.a=4294967294, .b=-2, .c=ERROR, .d=ERROR, .e=ERROR, .f=ERROR, .g=ERROR, .h=\"a \\\"text\\\"\", .i=0x0, .j=\"12345678\"} 42");
	native_bad_from = native_bad_to = 0;
}

static void test_a_string_that_cannot_be_read_is_shown_as_its_pointer(void)
{
	static const struct rt_show_piece text[] = {PIECE("", .conv = 's')};
	rt_u64 at[] = {0xdead0};

	native_bad_from = 0xdead0;
	native_bad_to = 0xdead1;
	CHECK_SHOWN(rt_show(c, text, 1, at), "0xdead0");
	native_bad_from = native_bad_to = 0;
}

static void test_a_bit_field_may_lie_in_nine_bytes(void)
{
	static const struct rt_show_piece field[] = {PIECE("", .conv = 'x', .in_memory = 1, .bit_off = 5, .width = 62)};
	rt_u8 raw[9] = {0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
	rt_u64 at[] = {(rt_u64)(unsigned long)raw};

	CHECK_SHOWN(rt_show(c, field, 1, at), "0x17ffffffffffffff");
}

static void test_a_text_that_is_too_long_ends_with_dots(void)
{
	rt_u32 max = native_limits.string_max;

	native_limits.string_max = 20;
	CHECK_SHOWN(show((rt_u64)(unsigned long)&object), "{.a=4294967294, ....");
	native_limits.string_max = max;
}

static void test_a_full_string_space_is_an_error(void)
{
	char *mark = rt_mark(c);

	c->arena_pos = c->arena_end - 30;
	CHECK_EQ(show((rt_u64)(unsigned long)&object).n, 0);
	CHECK_EQ(c->error, RT_SOFT);
	rt_release(c, mark);
	native_ctx_again(c);
}

/* ---- what the library makes of memory and numbers ---- */

#define CHECK_SLICE(got, want)                                                                         \
	do {                                                                                           \
		struct rt_str slice = (got);                                                           \
		unit_check_mem(slice.p, slice.n, (want), strlen(want), __FILE__, __LINE__, "string"); \
	} while (0)
#define CHECK_ERROR(want)                     \
	do {                                  \
		CHECK_STR(c->message, (want)); \
		native_ctx_again(c);          \
	} while (0)

static struct rt_str str(const char *s)
{
	return (struct rt_str){s, (rt_u32)strlen(s)};
}

static void test_bytes_of_memory_may_be_zero(void)
{
	static const char bytes[] = {'a', 0, '\n', 0, 'b'};
	char *mark = rt_mark(c);
	struct rt_str got = rt_read_bytes(c, RT_KERNEL, (rt_u64)(rt_size)bytes, sizeof(bytes));

	unit_check_mem(got.p, got.n, bytes, sizeof(bytes), __FILE__, __LINE__, "bytes");
	CHECK_SLICE(rt_text_str(c, got, 0, 1), "\"a\\000\\n\\000b\"");
	CHECK_EQ(rt_read_bytes(c, RT_USER, 0, 0).n, 0);
	CHECK_EQ(c->error, RT_OK);
	native_bad_to = 0x1000;
	CHECK_SLICE(rt_read_bytes(c, RT_USER, 0x10, 3), "");
	CHECK_ERROR("user read fault at 0x10");
	CHECK_SLICE(rt_read_wide(c, RT_USER, 0x10, 2), "");
	CHECK_ERROR("user read fault at 0x10");
	native_bad_to = 0;
	rt_release(c, mark);
}

static void test_wide_text_becomes_UTF_8(void)
{
	static const rt_u16 two[] = {'h', 0xe9, 0x20ac, 0xd83d, 0xde00, 0}, halves[] = {0xd83d, 'x', 0xde00, 0};
	static const rt_u32 four[] = {'h', 0xe9, 0x20ac, 0x1f600, 0x110000, 0xdfff, 0}, nothing[] = {0};
	rt_u16 many[600];
	char *mark = rt_mark(c);

	CHECK_SLICE(rt_read_wide(c, RT_KERNEL, (rt_u64)(rt_size)two, 2), "h\303\251\342\202\254\360\237\230\200");
	CHECK_SLICE(rt_read_wide(c, RT_KERNEL, (rt_u64)(rt_size)halves, 2), "\357\277\275x\357\277\275");
	CHECK_SLICE(rt_read_wide(c, RT_KERNEL, (rt_u64)(rt_size)four, 4), "h\303\251\342\202\254\360\237\230\200\357\277\275\357\277\275");
	CHECK_SLICE(rt_read_wide(c, RT_KERNEL, (rt_u64)(rt_size)nothing, 4), "");
	for (size_t i = 0; i < 600; i++)
		many[i] = 0x20ac;
	CHECK_EQ(rt_read_wide(c, RT_KERNEL, (rt_u64)(rt_size)many, 2).n, 510); /* no part of a character */
	CHECK_EQ(c->error, RT_OK);
	rt_release(c, mark);
}

static void test_texts_of_JSON(void)
{
	char many[600] = {0};
	char *mark = rt_mark(c);
	struct rt_str got;

	CHECK_SLICE(rt_json_quoted(c, str("")), "\"\"");
	CHECK_SLICE(rt_json_quoted(c, str("a\"b\\c\nd\te\001\037 \303\251")), "\"a\\\"b\\\\c\\nd\\u0009e\\u0001\\u001f \303\251\"");
	memset(many, '"', 511);
	got = rt_json_quoted(c, str(many));
	CHECK_EQ(got.n, 510); /* an escape is not cut */
	CHECK(got.p[got.n - 1] == '"' && got.p[got.n - 2] == '"');
	CHECK_EQ(c->error, RT_OK);
	rt_release(c, mark);
}

static void test_numbers_and_flags_have_names(void)
{
	static const char *const names[] = {"zero", NULL, "two", "twofold", ""};
	static const struct rt_flag flags[] = {{3, "BOTH"}, {1, "ONE"}, {2, "TWO"}, {0, "NONE"}, {1ULL << 63, "TOP"}};

	CHECK_EQ(rt_str_index(names, 5, str("zero")), 0);
	CHECK_EQ(rt_str_index(names, 5, str("two")), 2);
	CHECK_EQ(rt_str_index(names, 5, str("")), 4);
	CHECK_EQ(rt_str_index(names, 5, str("tw")), -1);
	CHECK_EQ(rt_str_index(names, 5, str("zeros")), -1);
	CHECK_SLICE(rt_flag_names(c, flags, 5, 3), "BOTH");
	CHECK_SLICE(rt_flag_names(c, flags, 5, 1ULL << 63 | 1), "ONE|TOP");
	CHECK_SLICE(rt_flag_names(c, flags, 5, 0x8f3), "BOTH|0x8f0");
	CHECK_SLICE(rt_flag_names(c, flags, 5, 0), "0x0");
	CHECK_SLICE(rt_flag_names(c, flags, 0, ~0ULL), "0xffffffffffffffff");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	c = native_ctx();
	UNIT_RUN(test_members_of_all_kinds_are_shown);
	UNIT_RUN(test_null_is_shown_and_not_read);
	UNIT_RUN(test_what_cannot_be_read_is_shown_as_such);
	UNIT_RUN(test_a_string_that_cannot_be_read_is_shown_as_its_pointer);
	UNIT_RUN(test_a_bit_field_may_lie_in_nine_bytes);
	UNIT_RUN(test_a_text_that_is_too_long_ends_with_dots);
	UNIT_RUN(test_a_full_string_space_is_an_error);
	UNIT_RUN(test_bytes_of_memory_may_be_zero);
	UNIT_RUN(test_wide_text_becomes_UTF_8);
	UNIT_RUN(test_texts_of_JSON);
	UNIT_RUN(test_numbers_and_flags_have_names);
	native_ctx_end(c);
	return unit_done();
}
