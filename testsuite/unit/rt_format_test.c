// SPDX-License-Identifier: GPL-2.0-or-later
/* printf and print of runtime/rt/: conversions against libc's, those that libc lacks by example, and buffers. */
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "test", .limits = &native_limits, .probes = probes, .nprobes = 1};

static struct rt_ctx *c;

/* ---- one conversion at a time ---- */

static struct rt_str convert(char conv, unsigned flags, int width, int precision, union rt_val v)
{
	struct rt_fmt_piece piece = {RT_STR(""), conv, (rt_u8)flags, width, precision};

	native_ctx_again(c);
	return rt_sprintf(c, &(struct rt_fmt){&piece, 1}, &v);
}

static void check_number(char conv, unsigned flags, int width, int precision, rt_s64 v, const char *want,
			 int line)
{
	struct rt_str got = convert(conv, flags, width, precision, (union rt_val){.l = v});

	unit_check_mem(got.p, got.n, want, strlen(want), __FILE__, line, "number");
}
#define CHECK_NUMBER(conv, flags, width, precision, v, want)                                                 \
	check_number(conv, flags, width, precision, v, want, __LINE__)

static void libc_format(char *fmt, char conv, unsigned flags, int width, int precision)
{
	fmt += sprintf(fmt, "%%%s%s%s%s%s", flags & RT_FMT_MINUS ? "-" : "", flags & RT_FMT_PLUS ? "+" : "",
		       flags & RT_FMT_SPACE ? " " : "", flags & RT_FMT_ALT ? "#" : "",
		       flags & RT_FMT_ZERO ? "0" : "");
	if (width >= 0)
		fmt += sprintf(fmt, "%d", width);
	if (precision >= 0)
		fmt += sprintf(fmt, ".%d", precision);
	sprintf(fmt, "%s%c", strchr("diuoxX", conv) ? "ll" : "", conv);
}

static void test_numbers_are_printed_as_by_libc(void)
{
	static const char convs[] = "diuoxX";
	char fmt[64], want[256];
	unsigned i;

	for (i = 0; i < 200000 && !unit_state.failed; i++) {
		char conv = convs[native_below(6)];
		unsigned flags = native_below(32);
		int width = (int)native_below(40) - 5, precision = (int)native_below(60) - 30;
		rt_s64 v = native_random_long();
		struct rt_str got;

		width = width < 0 ? -1 : width;
		precision = precision < 0 ? -1 : precision;
		if (!v && flags & RT_FMT_ALT && (conv == 'x' || conv == 'X') && precision < 0)
			continue; /* 0x0: not libc's */
		libc_format(fmt, conv, flags, width, precision);
		snprintf(want, sizeof(want), fmt, v);
		got = convert(conv, flags, width, precision, (union rt_val){.l = v});
		unit_check_mem(got.p, got.n, want, strlen(want), __FILE__, __LINE__, fmt);
	}
}

static void test_strings_are_printed_as_by_libc(void)
{
	char fmt[64], want[256];
	unsigned i;

	for (i = 0; i < 20000 && !unit_state.failed; i++) {
		unsigned flags = native_below(2) ? RT_FMT_MINUS : 0;
		int width = (int)native_below(40) - 5, precision = (int)native_below(20) - 5;
		char text[17] = "0123456789abcdef";
		struct rt_str got;

		text[native_below(17)] = 0;
		width = width < 0 ? -1 : width;
		precision = precision < 0 ? -1 : precision;
		libc_format(fmt, 's', flags, width, precision);
		snprintf(want, sizeof(want), fmt, text);
		got = convert('s', flags, width, precision,
			      (union rt_val){.s = {text, (rt_u32)strlen(text)}});
		unit_check_mem(got.p, got.n, want, strlen(want), __FILE__, __LINE__, fmt);
	}
}

static void test_widths_and_precisions_of_arguments_are_those_of_libc(void)
{
	static const char convs[] = "diuoxX";
	char fmt[64], want[256], *at;
	unsigned i;

	for (i = 0; i < 50000 && !unit_state.failed; i++) {
		unsigned flags = native_below(32);
		struct rt_fmt_piece piece = {RT_STR(""), convs[native_below(6)], 0, -1, -1};
		int width = (int)native_below(80) - 40, precision = (int)native_below(60) - 30;
		rt_s64 v = native_random_long();
		struct rt_str got;

		if (!v && flags & RT_FMT_ALT && (piece.conv == 'x' || piece.conv == 'X') && precision < 0)
			continue; /* 0x0: not libc's */
		piece.flags = (rt_u8)(flags | RT_FMT_WIDTH_ARG | RT_FMT_PRECISION_ARG);
		libc_format(fmt, piece.conv, flags, -1, -1);
		at = strstr(fmt, "ll");
		memmove(at + 3, at, strlen(at) + 1);
		memcpy(at, "*.*", 3);
		snprintf(want, sizeof(want), fmt, width, precision, v);
		native_ctx_again(c);
		got = rt_sprintf(c, &(struct rt_fmt){&piece, 1},
				 (union rt_val[]){{.l = width}, {.l = precision}, {.l = v}});
		unit_check_mem(got.p, got.n, want, strlen(want), __FILE__, __LINE__, fmt);
	}
}

/* Undoes "%#s": what it shows between quotes is a string of C for the same bytes. */
static rt_u32 unescape(char *out, struct rt_str s)
{
	rt_u32 n = 0;

	for (rt_u32 i = 0; i < s.n; i++) {
		static const char names[] = "a\ab\bf\fn\nr\rt\tv\v";
		char *end;

		if (s.p[i] != '\\') {
			out[n++] = s.p[i];
		} else if (s.p[i + 1] >= '0' && s.p[i + 1] <= '7') {
			char digits[4] = {s.p[i + 1], s.p[i + 2], s.p[i + 3], 0};

			out[n++] = (char)strtol(digits, &end, 8);
			CHECK(end == digits + 3);
			i += 3;
		} else {
			const char *name = strchr(names, s.p[++i]);

			out[n++] = s.p[i] == '"' || s.p[i] == '\\' ? s.p[i] : name[1];
		}
	}
	return n;
}

static void test_escaped_strings_say_the_same_bytes(void)
{
	char text[32], again[512];
	unsigned i, k;

	for (i = 0; i < 20000 && !unit_state.failed; i++) {
		struct rt_str v = {text, native_below(sizeof(text))}, got;
		int width = (int)native_below(150) - 10, precision = (int)native_below(40) - 5;
		unsigned flags = RT_FMT_ALT | (native_below(2) ? RT_FMT_MINUS : 0);
		rt_u32 n = precision >= 0 && (rt_u32)precision < v.n ? (rt_u32)precision : v.n, blanks = 0;

		for (k = 0; k < v.n; k++)
			text[k] = (char)(1 + native_below(native_below(2) ? 255 : 127));
		if (v.n) /* so that a blank of the string is not taken for one of the field */
			text[0] = text[n ? n - 1 : 0] = text[v.n - 1] = '"';
		got = convert('s', flags, width < 0 ? -1 : width, precision < 0 ? -1 : precision,
			      (union rt_val){.s = v});
		CHECK(width < 0 || got.n >= (rt_u32)width);
		while (blanks < got.n && got.p[flags & RT_FMT_MINUS ? got.n - 1 - blanks : blanks] == ' ')
			blanks++;
		CHECK(!blanks || got.n == (rt_u32)width);
		got.p += flags & RT_FMT_MINUS ? 0 : blanks;
		got.n -= blanks;
		for (k = 0; k < got.n; k++)
			CHECK(got.p[k] >= ' ' && got.p[k] <= '~');
		unit_check_mem(again, unescape(again, got), text, n, __FILE__, __LINE__, "unescaped");
	}
}

static void test_addresses_always_have_their_0x(void)
{
	CHECK_NUMBER('x', RT_FMT_ALT, -1, -1, 0, "0x0");
	CHECK_NUMBER('X', RT_FMT_ALT, 5, -1, 0, "  0X0");
	CHECK_NUMBER('p', 0, -1, -1, 0, "0x0");
	CHECK_NUMBER('p', 0, -1, -1, -1, "0xffffffffffffffff");
	CHECK_NUMBER('p', 0, -1, -1, (rt_s64)0xffffffff00000000, "0xffffffff00000000");
	CHECK_NUMBER('p', 0, -1, -1, (rt_s64)0xfffffffeffffffff, "0xfffffffeffffffff");
	CHECK_NUMBER('p', 0, -1, -1, 0xffffffff, "0xffffffff");
	CHECK_NUMBER('p', RT_FMT_ZERO, 18, -1, 0xbeef, "0x000000000000beef");
	CHECK_NUMBER('p', RT_FMT_MINUS, 8, -1, 0x10, "0x10    ");
}

static void test_bytes_can_be_escaped(void)
{
	CHECK_NUMBER('c', 0, -1, -1, 'x', "x");
	CHECK_NUMBER('c', 0, 3, -1, 'x', "  x");
	CHECK_NUMBER('c', RT_FMT_MINUS, 3, -1, 0x141, "A  ");
	CHECK_NUMBER('c', RT_FMT_ALT, -1, -1, 'x', "x");
	CHECK_NUMBER('c', RT_FMT_ALT, -1, -1, '\n', "\\n");
	CHECK_NUMBER('c', RT_FMT_ALT, -1, -1, '\'', "\\'");
	CHECK_NUMBER('c', RT_FMT_ALT, -1, -1, '"', "\"");
	CHECK_NUMBER('c', RT_FMT_ALT, -1, -1, '\\', "\\\\");
	CHECK_NUMBER('c', RT_FMT_ALT, 6, -1, 0, "  \\000");
	CHECK_NUMBER('c', RT_FMT_ALT | RT_FMT_MINUS, 6, -1, 0xff, "\\377  ");
	CHECK_NUMBER('c', RT_FMT_ALT, -1, -1, '\a', "\\a");
	CHECK_NUMBER('c', RT_FMT_ALT, -1, -1, '\v', "\\v");
	CHECK_NUMBER('c', 0, -1, -1, 0, "");
}

/* ---- whole formats, to the print buffer ---- */

static void check_printed(const char *want, rt_size n, int line)
{
	native_ctx_again(c);
	unit_check_mem(native_out, native_out_n, want, n, __FILE__, line, "printed");
	native_out_reset();
}
#define CHECK_PRINTED(want) check_printed(want, sizeof(want) - 1, __LINE__)

static void print_pieces(const struct rt_fmt_piece *pieces, unsigned n, const union rt_val *args)
{
	rt_printf(c, &(struct rt_fmt){pieces, n}, args);
}

/* ---- stacks ---- */

#define NEWLINES 0x0a0a0a0a0a0a0a0aULL

static void test_a_stack_comes_with_the_length_of_the_text_before_it(void)
{
	static const rt_u64 at[] = {NEWLINES, 2, 3};
	struct {
		char before[4];
		rt_u64 stack[3];
		struct rt_part first;
		rt_u64 again[1];
		struct rt_part second;
		char after[8];
		struct rt_part last;
	} __attribute__((packed)) want = {"abc\n", {NEWLINES, 2, 3}, {4, 3}, {NEWLINES}, {0, 1}, "the rest", {8, 0}};

	rt_print_str(c, RT_STR("abc\n"));
	rt_print_stack(c, at, 3);
	rt_print_stack(c, at, 1);
	rt_print_stack(c, at, 0);
	rt_print_str(c, RT_STR("the rest"));
	check_printed((const char *)&want, sizeof want, __LINE__);
	rt_print_str(c, RT_STR("text only"));
	CHECK_PRINTED("text only");
}

/* With as many digits as they have, and nothing behind the room for them. */
static void test_addresses_as_a_text_are_those_of_libc(void)
{
	rt_u64 at[2 * 12];
	char want[12 * 19 + 1], after[32], *room;
	rt_u32 i, n, step, length;
	struct rt_str got;

	memset(after, 'x', sizeof after);
	for (unsigned times = 0; times < 50000 && !unit_state.failed; times++) {
		n = native_below(13);
		step = 1 + native_below(2);
		for (i = length = 0; i < n; i++) {
			rt_u64 v = native_below(8) ? ~0ULL - native_below(1 << 30) : (rt_u64)native_random_long() >> native_below(64);

			at[i * step] = native_below(50) ? v : 0;
			length += (rt_u32)sprintf(want + length, "%s0x%llx", i ? " " : "", at[i * step]);
		}
		native_ctx_again(c);
		rt_str_copy(c, "uneven", native_below(7));
		room = c->arena_pos;
		memset(room, 'x', n * 19 + sizeof after);
		got = rt_addresses_text(c, at, n, step);
		unit_check_mem(got.p, got.n, want, length, __FILE__, __LINE__, "addresses");
		CHECK_MEM(room + n * 19, sizeof after, after, sizeof after);
	}
}

static void test_addresses_are_cut_as_any_string_is(void)
{
	rt_u64 at[40];
	struct rt_str got;

	for (unsigned i = 0; i < 40; i++)
		at[i] = 0xffffffff81000000 + i;
	got = rt_addresses_text(c, at, 40, 1);
	CHECK_EQ(got.n, native_limits.string_max);
	CHECK_EQ(got.p[got.n], 0);
	CHECK_MEM(got.p, 37, "0xffffffff81000000 0xffffffff81000001", 37);
	while (!c->error)
		got = rt_addresses_text(c, at, 40, 1);
	CHECK_EQ(got.n, 0);
	CHECK_STR(c->message, "string space exhausted");
	native_ctx_again(c);
}

/* A record that is full ends with a stack or a line, and never within a stack. */
static void test_a_stack_stays_together(void)
{
	static const struct rt_part last = {0, 0};
	rt_u64 at[64];
	unsigned text = 0, frames = 0;

	for (unsigned i = 0; i < 64; i++)
		at[i] = NEWLINES;
	for (unsigned i = 0; i < 200; i++) {
		rt_print_stack(c, at, 1 + i % 64);
		for (unsigned k = 0; k < i % 7; k++)
			rt_print_str(c, RT_STR("no line "));
		CHECK(c->out_n <= 8192);
	}
	native_ctx_again(c);
	CHECK(native_records > 3);
	/* Each record was ended by a part; together they are read from the end, as the loader reads each. */
	for (rt_size n = native_out_n; n;) {
		struct rt_part part = last;

		memcpy(&part, native_out + (n -= sizeof part), sizeof part);
		for (unsigned i = 0; i < part.frames; i++)
			CHECK(!memcmp(native_out + (n -= sizeof *at), at, sizeof *at));
		CHECK(n >= part.text && !(part.text % 8));
		n -= part.text;
		text += part.text;
		frames += part.frames;
	}
	CHECK_EQ(frames, 200 / 64 * (64 * 65 / 2) + 8 * 9 / 2);
	CHECK_EQ(text, 8 * (200 / 7 * 21 + (0 + 1 + 2 + 3)));
	native_out_reset();
}

static void test_text_and_arguments_come_in_order(void)
{
	struct rt_fmt_piece pieces[] = {{RT_STR("pid "), 'd', 0, -1, -1},
					{RT_STR(" is "), 's', RT_FMT_MINUS, 6, -1},
					{RT_STR("|\n"), 0, 0, -1, -1}};
	union rt_val args[] = {{.l = -42}, {.s = RT_STR("init")}};

	print_pieces(pieces, 3, args);
	CHECK_PRINTED("pid -42 is init  |\n");
}

static void test_widths_and_precisions_can_be_arguments(void)
{
	struct rt_fmt_piece both = {RT_STR("<"), 'd', RT_FMT_WIDTH_ARG | RT_FMT_PRECISION_ARG, -1, -1};
	struct rt_fmt_piece zero = {RT_STR("<"), 'd', RT_FMT_WIDTH_ARG | RT_FMT_ZERO, -1, -1};

	print_pieces(&both, 1, (union rt_val[]){{.l = 6}, {.l = 3}, {.l = 7}});
	print_pieces(&both, 1, (union rt_val[]){{.l = -6}, {.l = -1}, {.l = 7}});
	print_pieces(&zero, 1, (union rt_val[]){{.l = 4}, {.l = 7}});
	print_pieces(&zero, 1, (union rt_val[]){{.l = -4}, {.l = 7}});
	print_pieces(&zero, 1, (union rt_val[]){{.l = -1}, {.l = 7}});
	CHECK_PRINTED("<   007<7     <0007<7   <7");
}

static void test_huge_widths_are_clamped(void)
{
	struct rt_fmt_piece piece = {RT_STR(""), 'd', RT_FMT_WIDTH_ARG | RT_FMT_PRECISION_ARG, -1, -1};

	print_pieces(&piece, 1, (union rt_val[]){{.l = 1LL << 62}, {.l = 0}, {.l = 7}});
	native_ctx_again(c);
	CHECK_EQ(native_out_n, 8192);
	native_out_reset();
	print_pieces(&piece, 1, (union rt_val[]){{.l = -0x7fffffffffffffff - 1}, {.l = 1LL << 40}, {.l = 7}});
	native_ctx_again(c);
	CHECK_EQ(native_out_n, 8192);
	native_out_reset();
	CHECK_EQ(rt_sprintf(c, &(struct rt_fmt){&piece, 1}, (union rt_val[]){{.l = 600}, {.l = 0}, {.l = 7}})
			 .n,
		 511);
}

static void test_b_writes_the_low_bytes(void)
{
	struct rt_fmt_piece pieces[] = {{RT_STR(""), 'b', 0, -1, 1}, {RT_STR(""), 'b', 0, 2, -1},
					{RT_STR(""), 'b', 0, -1, 4}, {RT_STR(""), 'b', 0, -1, -1},
					{RT_STR("<"), 'b', 0, 4, 2}, {RT_STR(">"), 'b', RT_FMT_MINUS, 4, 2}};
	union rt_val v = {.l = 0x0807060504030201};
	union rt_val args[] = {v, v, v, v, v, v};

	print_pieces(pieces, 6, args);
	CHECK_PRINTED("\1"
		      "\1\2"
		      "\1\2\3\4"
		      "\1\2\3\4\5\6\7\10"
		      "<\0\0\1\2"
		      ">\1\2\0\0");
}

static void test_a_string_ends_before_a_NUL(void)
{
	struct rt_fmt_piece pieces[] = {{RT_STR("ab"), 'b', 0, -1, 4}, {RT_STR("c"), 0, 0, -1, -1}};
	struct rt_str s = rt_sprintf(c, &(struct rt_fmt){pieces, 2}, (union rt_val[]){{.l = 'x'}});

	CHECK_MEM(s.p, s.n, "abx", 3);
}

static void test_m_dumps_memory(void)
{
	char mem[] = "hello, \x01\xfe";
	struct rt_fmt_piece pieces[] = {{RT_STR(""), 'm', 0, -1, 5},
					{RT_STR("|"), 'm', 0, 6, -1},
					{RT_STR("|"), 'm', RT_FMT_MINUS, 4, 2},
					{RT_STR("|"), 'M', 0, -1, 9},
					{RT_STR("|"), 'M', RT_FMT_ALT, 4, 1},
					{RT_STR("|"), 'M', 0, -1, 0}};
	union rt_val v = {.l = (rt_s64)(rt_size)mem};
	union rt_val args[] = {v, v, v, v, v, v};

	print_pieces(pieces, 6, args);
	CHECK_PRINTED("hello|     h|he  |68656c6c6f2c2001fe|  68|");
}

static void test_a_failed_dump_prints_nothing(void)
{
	char mem[200] = "";
	struct rt_fmt_piece pieces[] = {{RT_STR("before "), 'm', 0, -1, 200},
					{RT_STR(" after"), 0, 0, -1, -1}};
	union rt_val v = {.l = (rt_s64)(rt_size)mem};

	native_bad_from = (rt_u64)(rt_size)mem + 130;
	native_bad_to = native_bad_from + 1;
	rt_print_str(c, RT_STR("kept"));
	print_pieces(pieces, 2, &v);
	native_bad_from = native_bad_to = 0;
	CHECK_HAS(c->message, "kernel memory dump fault at 0x");
	CHECK_PRINTED("kept");
	pieces[0].precision = 4097;
	print_pieces(pieces, 2, &v);
	CHECK_STR(c->message, "4097 is too many bytes for a memory dump");
	CHECK_PRINTED("");
}

/* ---- buffers ---- */

static void test_a_hit_is_one_record(void)
{
	rt_print_str(c, RT_STR("a"));
	print_pieces(&(struct rt_fmt_piece){RT_STR(""), 'd', 0, -1, -1}, 1, &(union rt_val){.l = -5});
	rt_print_char(c, '\n');
	rt_log(c, RT_STR("line"));
	CHECK_EQ(native_records, 0);
	native_ctx_again(c);
	CHECK_EQ(native_records, 1);
	CHECK_PRINTED("a-5\nline\n");
	native_ctx_again(c);
	CHECK_EQ(native_records, 0);
}

/* Prints random pieces through a buffer of 64 bytes: nothing is lost, and records end at the ends of lines where possible. */
static void test_a_full_buffer_is_sent_in_whole_lines(void)
{
	char want[20000], text[64];
	unsigned n = 0, i;

	native_limits.out = 64;
	native_ctx_end(c);
	c = native_ctx();
	native_out_reset();
	for (i = 0; i < 200; i++) {
		unsigned len = native_below(40);

		memset(text, 'a' + (int)(i % 26), len);
		text[len] = '\n';
		rt_print_str(c, (struct rt_str){text, len + 1});
		memcpy(want + n, text, len + 1);
		n += len + 1;
		if (native_out_n)
			CHECK_EQ(native_out[native_out_n - 1], '\n');
	}
	memset(text, '-', 63);
	text[63] = 0;
	for (i = 0; i < 10; i++) {
		rt_print_str(c, (struct rt_str){text, 63});
		memcpy(want + n, text, 63);
		n += 63;
	}
	check_printed(want, n, __LINE__);
	native_limits.out = 8192;
	native_ctx_end(c);
	c = native_ctx();
	native_out_reset();
}

static void test_a_failed_print_takes_back_only_what_was_not_sent(void)
{
	char text[100];
	struct rt_fmt_piece piece = {{text, 20}, 'm', 0, -1, 1};

	memset(text, 'x', sizeof(text));
	native_limits.out = 64;
	native_ctx_end(c);
	c = native_ctx();
	native_bad_from = (rt_u64)(rt_size)text;
	native_bad_to = native_bad_from + 1;
	rt_print_str(c, (struct rt_str){text, 50});
	print_pieces(&piece, 1, &(union rt_val){.l = (rt_s64)(rt_size)text});
	CHECK_EQ(c->error, RT_SOFT);
	CHECK_EQ(c->out_n, 0);
	CHECK_EQ(native_out_n, 64);
	native_bad_from = native_bad_to = 0;
	native_limits.out = 8192;
	native_ctx_end(c);
	c = native_ctx();
	native_out_reset();
}

static void test_long_strings_are_cut_in_sprintf_and_whole_in_printf(void)
{
	char text[600];
	struct rt_fmt_piece piece = {RT_STR("12345"), 's', 0, -1, -1};
	union rt_val v = {.s = {text, 511}};

	memset(text, 'x', sizeof(text));
	CHECK_EQ(rt_sprintf(c, &(struct rt_fmt){&piece, 1}, &v).n, 511);
	CHECK_EQ(c->error, RT_OK);
	print_pieces(&piece, 1, &v);
	native_ctx_again(c);
	CHECK_EQ(native_out_n, 516);
	native_out_reset();
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	native_out_reset();
	c = native_ctx();
	UNIT_RUN(test_numbers_are_printed_as_by_libc);
	UNIT_RUN(test_strings_are_printed_as_by_libc);
	UNIT_RUN(test_widths_and_precisions_of_arguments_are_those_of_libc);
	UNIT_RUN(test_escaped_strings_say_the_same_bytes);
	UNIT_RUN(test_addresses_always_have_their_0x);
	UNIT_RUN(test_bytes_can_be_escaped);
	UNIT_RUN(test_a_stack_comes_with_the_length_of_the_text_before_it);
	UNIT_RUN(test_addresses_as_a_text_are_those_of_libc);
	UNIT_RUN(test_addresses_are_cut_as_any_string_is);
	UNIT_RUN(test_a_stack_stays_together);
	UNIT_RUN(test_text_and_arguments_come_in_order);
	UNIT_RUN(test_widths_and_precisions_can_be_arguments);
	UNIT_RUN(test_huge_widths_are_clamped);
	UNIT_RUN(test_b_writes_the_low_bytes);
	UNIT_RUN(test_a_string_ends_before_a_NUL);
	UNIT_RUN(test_m_dumps_memory);
	UNIT_RUN(test_a_failed_dump_prints_nothing);
	UNIT_RUN(test_a_hit_is_one_record);
	UNIT_RUN(test_a_full_buffer_is_sent_in_whole_lines);
	UNIT_RUN(test_a_failed_print_takes_back_only_what_was_not_sent);
	UNIT_RUN(test_long_strings_are_cut_in_sprintf_and_whole_in_printf);
	native_ctx_end(c);
	free(native_out);
	return unit_done();
}
