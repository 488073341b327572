// SPDX-License-Identifier: GPL-2.0-or-later
/* Pretty-printing in runtime/rt/show.c. */
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
	native_ctx_end(c);
	return unit_done();
}
