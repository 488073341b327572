// SPDX-License-Identifier: GPL-2.0-or-later
/* What C in scripts is written with: runtime/rt/body.h, in bodies as the translator writes them. */
#include "rt/body.h"
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

#define MAX 512 /* MAXSTRINGLEN of native_limits */

const struct rt_script rt_script = {.abi = RT_ABI,
				    .name = "test",
				    .limits = &native_limits,
				    .probes = &(const struct rt_probe){.point = "begin"},
				    .nprobes = 1};

static struct rt_ctx *stap_ctx;

static void check_error(const char *want, int line)
{
	unit_check(stap_ctx->error == RT_SOFT, __FILE__, line, "an error");
	unit_check_str(stap_ctx->message, want, __FILE__, line, "message");
	native_ctx_again(stap_ctx);
}
#define CHECK_ERROR(want) check_error((want), __LINE__)

/* Each is a body: it ends at stap_out, and after a fault at deref_fault. */
#define BODY(name, type, code)                                                                               \
	static type name(type a)                                                                             \
	{                                                                                                    \
		type ret = 0;                                                                                \
		code;                                                                                        \
		goto stap_out;                                                                               \
	deref_fault:                                                                                         \
		__attribute__((unused));                                                                     \
		rt_body_fault(stap_ctx);                                                                     \
	stap_out:                                                                                            \
		__attribute__((unused));                                                                     \
		return ret;                                                                                  \
	}

BODY(read_int, long, ret = kread((int *)a))
BODY(read_byte, long, ret = kread((unsigned char *)a))
BODY(read_pointer, long, ret = (long)uread((void *const *)a))
BODY(read_two, long, ret = (long)kderef(2, a))
BODY(write_short, long, kwrite((short *)a, -2); ret = 1)
BODY(write_size, long, store_kderef(4, a, 0x1122334455667788); ret = 1)
BODY(jump, long, if (a) goto deref_fault; ret = 1)
BODY(fail, long, if (a) STAP_ERROR("%s %ld %#x", "no", a, 255); ret = 1)
BODY(copy, long, char text[4] = ""; kderef_string(text, a, sizeof(text)); ret = text[0] + text[3])
BODY(bytes, long, char text[2]; kderef_buffer(text, a, 2); ret = text[0] * 256 + text[1])

static void test_reads_have_the_width_and_sign_of_the_pointer(void)
{
	int i = -5;
	unsigned char byte = 200;
	void *self = &i;

	CHECK_EQ(read_int((long)&i), -5);
	CHECK_EQ(read_byte((long)&byte), 200);
	CHECK_EQ(read_pointer((long)&self), (long)&i);
	CHECK_EQ(read_two((long)&(unsigned short){0x8001}), 0x8001);
	CHECK(!stap_ctx->error);
}

static void test_writes_change_no_more_than_their_width(void)
{
	short s[2] = {1, 1};
	unsigned long l = ~0UL;

	CHECK_EQ(write_short((long)s), 1);
	CHECK_EQ(s[0], -2);
	CHECK_EQ(s[1], 1);
	CHECK_EQ(write_size((long)&l), 1);
	CHECK(l == 0xffffffff55667788UL);
}

static void test_faults_are_soft_errors_and_leave_the_body(void)
{
	native_bad_from = 0x1000;
	native_bad_to = 0x2000;
	CHECK_EQ(read_int(0x1000), 0);
	CHECK_ERROR("kernel read fault at 0x1000");
	CHECK_EQ(write_short(0x1008), 0);
	CHECK_ERROR("kernel write fault at 0x1008");
	CHECK_EQ(copy(0x1010), 0);
	CHECK_ERROR("kernel string copy fault at 0x1010");
	CHECK_EQ(bytes(0x1010), 0);
	CHECK_ERROR("kernel read fault at 0x1010");
	CHECK_EQ(jump(0), 1);
	CHECK_EQ(jump(1), 0);
	CHECK_ERROR("memory access fault in embedded C");
}

static void test_errors_are_formatted(void)
{
	CHECK_EQ(fail(0), 1);
	CHECK(!stap_ctx->error);
	CHECK_EQ(fail(7), 0);
	CHECK_ERROR("no 7 0xff");
}

static void test_strings_are_cut_at_the_size_of_their_buffer(void)
{
	CHECK_EQ(copy((long)"abcdef"), 'a');
	CHECK_EQ(copy((long)"a"), 'a' + 0);
	CHECK_EQ(bytes((long)"\1\2\3"), 258);
}

static void test_a_string_fits_into_its_buffer_with_a_nul(void)
{
	char text[MAX * 2];
	char *p = rt_body_string(stap_ctx, RT_STR("abc"));

	CHECK_STR(p, "abc");
	memset(text, 'x', sizeof text);
	text[sizeof text - 1] = 0;
	rt_body_copy(p, text);
	CHECK_EQ(strlen(p), MAX - 1);
	CHECK_EQ(rt_body_result(p).n, MAX - 1);
	rt_body_copy(p, p + MAX - 3);
	CHECK_STR(p, "xx");
	rt_body_copy(p, NULL);
	CHECK_STR(p, "");
	p = rt_body_string(stap_ctx, (struct rt_str){text, sizeof text - 1}); /* a long name of the kernel's */
	CHECK_EQ(strlen(p), MAX - 1);
	CHECK_EQ(rt_body_slice(NULL).n, 0);
	CHECK_EQ(rt_body_slice(text).n, MAX - 1);
}

static void test_without_space_a_string_is_empty_and_an_error(void)
{
	stap_ctx->arena_pos = stap_ctx->arena_end - 1;
	CHECK_STR(rt_body_string(stap_ctx, RT_STR("abc")), "");
	CHECK_EQ(stap_ctx->error, RT_SOFT);
	STAP_PRINTF("%d", 1);
	native_ctx_again(stap_ctx);
}

static void test_printf_goes_to_the_output_and_takes_no_space(void)
{
	char *before = stap_ctx->arena_pos;

	native_out_reset();
	STAP_PRINTF("%5.2f %s\n", 1.5, "text");
	CHECK(stap_ctx->arena_pos == before);
	rt_port_flush(stap_ctx);
	CHECK_STR(native_out, " 1.50 text\n");
	stap_ctx->out_n = 0;
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	stap_ctx = native_ctx();
	UNIT_RUN(test_reads_have_the_width_and_sign_of_the_pointer);
	UNIT_RUN(test_writes_change_no_more_than_their_width);
	UNIT_RUN(test_faults_are_soft_errors_and_leave_the_body);
	UNIT_RUN(test_errors_are_formatted);
	UNIT_RUN(test_strings_are_cut_at_the_size_of_their_buffer);
	UNIT_RUN(test_a_string_fits_into_its_buffer_with_a_nul);
	UNIT_RUN(test_without_space_a_string_is_empty_and_an_error);
	UNIT_RUN(test_printf_goes_to_the_output_and_takes_no_space);
	native_ctx_end(stap_ctx);
	return unit_done();
}
