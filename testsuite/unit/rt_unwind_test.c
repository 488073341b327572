// SPDX-License-Identifier: GPL-2.0-or-later
/* Stacks of programs in runtime/rt/unwind.h: a stack and tables that are made here, one row for each kind of rule. */
#include "testsuite/unit/port_native.h"
#include "testsuite/unit/unit.h"

enum { SP, FRAME, OTHER, KEPT_IN = 7, RESULT_IN };

/* Rows of 16 bytes, from offset 0 of the file on. */
enum { NOTHING, PLAIN, FRAMED, INDIRECT, STUB, STUB_END, SIGNAL, LOSES, OUTERMOST, KEPT, PARENT, LAST };
#define OFF(row) ((row) * 16u)
#define SAVED0(off) {[0] = RT_SAVED(AT_CFA, off)}
static const struct rt_unwind_rule rules[] = {
	{.cfa = RT_CFA_UNKNOWN},
	[PLAIN] = {.cfa = RT_CFA_PLAIN, .reg = SP, .off = 24, .changed = 1 << FRAME, .saved = {RT_SAVED(AT_CFA, -8), RT_SAVED(AT_CFA, -16)}},
	[FRAMED] = {.cfa = RT_CFA_PLAIN, .reg = FRAME, .off = 16, .changed = 1 << FRAME, .saved = {RT_SAVED(AT_CFA, -8), RT_SAVED(AT_CFA, -16)}},
	[INDIRECT] = {.cfa = RT_CFA_MEMORY, .reg = FRAME, .n = 8, .off = -8, .changed = 1 << FRAME,
		      .saved = {RT_SAVED(AT_CFA, -8), RT_SAVED(AT_REGISTER, 0)}},
	[STUB] = {.cfa = RT_CFA_STUB, .reg = SP, .n = 11, .off = 8, .saved = SAVED0(-8)},
	[SIGNAL] = {.cfa = RT_CFA_MEMORY, .reg = SP, .off = 16, .is_signal = 1, .changed = 1 << FRAME | 1 << OTHER,
		    .saved = {RT_SAVED(AT_REGISTER, 8), RT_SAVED(AT_REGISTER, 0), RT_SAVED(LOST, 0)}},
	[LOSES] = {.cfa = RT_CFA_REGISTER, .reg = SP, .off = 8, .changed = 1 << FRAME, .saved = {RT_SAVED(AT_CFA, -8), RT_SAVED(LOST, 0)}},
	[OUTERMOST] = {.cfa = RT_CFA_OUTERMOST},
	[KEPT] = {.cfa = RT_CFA_KEPT, .reg = SP, .n = KEPT_IN, .off = 0, .saved = SAVED0(-8)},
	[PARENT] = {.cfa = RT_CFA_PARENT, .reg = SP, .n = RESULT_IN, .off = 8, .saved = SAVED0(-8)},
};
static const rt_u32 at[] = {0, OFF(PLAIN), OFF(FRAMED), OFF(INDIRECT), OFF(STUB), OFF(SIGNAL), OFF(LOSES), OFF(OUTERMOST), OFF(KEPT),
	OFF(PARENT), OFF(LAST)};
static const rt_u16 rule[] = {0, PLAIN, FRAMED, INDIRECT, STUB, SIGNAL, LOSES, OUTERMOST, KEPT, PARENT, 0};
static const rt_u32 blocks[] = {0, 7};
#define FIFTY "abcdefghijklmnopqrstuvwxyz.abcdefghijklmnopqrstuvw"
#define EIGHT(x) x x x x x x x x
#define LONG_NAME EIGHT(FIFTY) EIGHT(FIFTY)
static const struct rt_image_symbol symbols[] = {{OFF(PLAIN), 16, 0}, {OFF(FRAMED), 20, 6}, {OFF(STUB), 16, 19}, {OFF(OUTERMOST), 16, 13}};
static const struct rt_image_code code[] = {{0, OFF(STUB), 0x1000}, {OFF(STUB), 32, 0x8000}};
/* a.c:10 from 16 on, b.c:7 from 20, none from 32, a.c:300 from 40 and one line more for each of 60 bytes; in a second block b.c:1 from 200 on. */
#define TEN_LINES 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1, 4
#define FIRST_BLOCK 0, 41, 1, 4, 11, 2, 12, 27, 0, 8, 177, 9, 1, TEN_LINES, TEN_LINES, TEN_LINES, TEN_LINES, TEN_LINES, TEN_LINES
static const rt_u8 packed[] = {FIRST_BLOCK, 0, 5, 2};
static const struct rt_lines_block line_blocks[] = {{16, 0}, {200, sizeof packed - 3}};
static const rt_u32 files[] = {0, 1, 5};
static const struct rt_lines lines = {.blocks = line_blocks, .packed = packed, .files = files, .names = "\0a.c\0b.c", .nblocks = 2, .nfiles = 3,
	.npacked = sizeof packed};
static const struct rt_image images[] = {
	{.path = "/bin/program", .build_id = "abcd", .at = at, .rule = rule, .rules = rules, .blocks = blocks, .nrows = 11, .nblocks = 2,
	 .nsymbols = 4, .symbols = symbols, .names = "plain\0framed\0start\0" LONG_NAME,
	 .ncode = 2, .code = code, .lines = &lines},
	{.path = "/lib/untold.so"},
};

/* Code of the kernel: the same table twice, one of a module that is not loaded. */
#define TEXT 0xffffffff81000000ULL
static struct rt_ksymbol ksymbols[] = {{.name = "gone", .module = "m", .optional = 1}, {.name = "_stext", .address = TEXT}};
static const struct rt_kernel_lines kernel_lines[] = {{0, &lines}, {1, &lines}};

static const struct rt_probe probes[] = {{.point = "begin"}};
const struct rt_script rt_script = {
	.abi = RT_ABI, .name = "test", .limits = &native_limits, .probes = probes, .nprobes = 1, .images = images, .nimages = 2,
	.ksymbols = ksymbols, .nksymbols = 2, .kernel_lines = kernel_lines, .nkernel_lines = 2,
};

static struct rt_ctx *c;
static rt_u64 stack[64], start_at, start_frame, start_kept, start_result;
static unsigned asked; /* for code */
static rt_u64 mapped;  /* bytes of the program */

#define BASE 0x400000ULL
#define UNTOLD 0x500000ULL
#define DATA 0x900022ULL /* of the program, where others have code */
#define FAR_AWAY 0x3fff000000000000ULL
#define FOUND 0x600000ULL /* of a file that the platform found */
#define CODE(row, n) (BASE + OFF(row) + (n))
#define ADDR(i) ((rt_u64)(unsigned long)&stack[i])

static enum rt_stack_end begin_at(struct rt_unwind *u)
{
	u->at = start_at;
	u->reg[SP] = ADDR(0);
	u->reg[FRAME] = start_frame;
	u->reg[KEPT_IN] = start_kept;
	u->reg[RESULT_IN] = start_result;
	return RT_END_LIMIT;
}

static struct rt_code code_at(rt_u64 addr)
{
	asked++;
	if (addr - BASE < 0x1000)
		return (struct rt_code){.start = BASE, .end = BASE + mapped, .base = BASE, .image = 0};
	if (addr - UNTOLD < 0x1000)
		return (struct rt_code){.start = UNTOLD, .end = UNTOLD + 0x1000, .base = UNTOLD, .image = 1};
	if (addr - FOUND < 0x1000)
		return (struct rt_code){.start = FOUND, .end = FOUND + 0x1000, .base = FOUND, .image = 2, .why = RT_END_FOREIGN};
	return (struct rt_code){.start = addr, .end = addr + 1, .image = RT_NO_IMAGE, .why = RT_END_NO_CODE, .is_unmapped = addr != DATA};
}

/* What is printed of the stack: frames[n], and the reason for which it ends. */
static struct rt_frame frames[64];
static unsigned nframes;
static rt_u64 reason;

static void look(void)
{
	struct rt_part part, last;
	rt_u32 n;

	native_out_reset();
	c = native_ctx();
	asked = nframes = 0;
	rt_print_ubacktrace(c, 0);
	native_ctx_end(c);
	reason = RT_END_OUTERMOST;
	if (native_out_n < 2 * sizeof part)
		return;
	memcpy(&last, native_out + native_out_n - sizeof last, sizeof last);
	memcpy(&part, native_out + native_out_n - 2 * sizeof part, sizeof part);
	n = part.frames & ~RT_PART_USER;
	CHECK(part.frames & RT_PART_USER);
	CHECK_EQ(last.frames, 0);
	CHECK_EQ(native_out_n, n * sizeof *frames + 2 * sizeof part);
	memcpy(frames, native_out, n * sizeof *frames);
	if (n && !frames[n - 1].at)
		reason = frames[--n].where;
	nframes = n;
}

static void begin(rt_u64 at_first, rt_u64 frame)
{
	native_unwind_begin = begin_at;
	native_unwind_code = code_at;
	memset(stack, 0, sizeof stack);
	native_bad_from = native_bad_to = 0;
	start_at = at_first;
	start_frame = frame;
	mapped = 0x1000;
}

/* Frame by frame, then many at once while rules get known, and when they are. */
static void check_stack(const rt_u64 *want, unsigned n, rt_u64 end, int line)
{
	for (unsigned times = 0; times < 3; times++) {
		native_unwind_carefully = !times;
		look();
		unit_check_eq((long long)nframes, (long long)n, __FILE__, line, "frames");
		for (unsigned i = 0; i < n && i < nframes; i++)
			unit_check_eq((long long)frames[i].at, (long long)want[i], __FILE__, line, "address");
		unit_check_eq((long long)reason, (long long)end, __FILE__, line, "reason");
	}
}

#define CHECK_STACK(end, ...)                                                                                \
	do {                                                                                                 \
		static rt_u64 want_[16];                                                                     \
		const rt_u64 given_[] = {__VA_ARGS__};                                                       \
		memcpy(want_, given_, sizeof given_);                                                        \
		check_stack(want_, sizeof given_ / sizeof *given_, end, __LINE__);                           \
	} while (0)

#define CHECK_TEXT(s, text)                                                                                  \
	do {                                                                                                 \
		struct rt_str s_ = s;                                                                        \
		CHECK_MEM(s_.p, s_.n, text, strlen(text));                                                   \
	} while (0)

static void test_frames_of_every_kind(void)
{
	begin(CODE(PLAIN, 3), 0xbad);
	stack[1] = ADDR(5); /* the caller's frame register */
	stack[2] = CODE(FRAMED, 9);
	stack[5] = ADDR(9);
	stack[6] = CODE(INDIRECT, 1);
	stack[8] = ADDR(11); /* below the frame register: 8 bytes below where the frame is */
	stack[9] = 77;
	stack[11] = CODE(STUB, 11);
	stack[12] = 1234; /* that the stub has pushed */
	stack[13] = CODE(OUTERMOST, 16);
	CHECK_STACK(RT_END_OUTERMOST, CODE(PLAIN, 3), CODE(FRAMED, 9), CODE(INDIRECT, 1), CODE(STUB, 11), CODE(OUTERMOST, 16));
	CHECK_EQ(asked, 1);
	CHECK_EQ(frames[0].where, RT_WHERE(0, OFF(PLAIN) + 3, 0));
	CHECK_EQ(frames[1].where, RT_WHERE(0, OFF(FRAMED) + 9, 1));
}

/* Of a call that is the last instruction of its function, the next one belongs to another function. */
static void test_a_return_address_belongs_to_the_call_before_it(void)
{
	char text[256];

	begin(CODE(PLAIN, 0), ADDR(5));
	stack[1] = ADDR(5);
	stack[2] = CODE(INDIRECT, 0); /* after the end of FRAMED */
	stack[6] = CODE(OUTERMOST, 1);
	CHECK_STACK(RT_END_OUTERMOST, CODE(PLAIN, 0), CODE(INDIRECT, 0), CODE(OUTERMOST, 1));
	rt_where_text(frames[1].where, text, sizeof text);
	CHECK_STR(text, "framed+0x10/0x14 [/bin/program]");
	rt_where_text(frames[0].where, text, sizeof text);
	CHECK_STR(text, "plain+0x0/0x10 [/bin/program]");
}

static void test_a_stub_pushes_a_word_at_its_end(void)
{
	begin(CODE(STUB, 10), 0);
	stack[0] = CODE(OUTERMOST, 1);
	CHECK_STACK(RT_END_OUTERMOST, CODE(STUB, 10), CODE(OUTERMOST, 1));
	begin(CODE(STUB, 11), 0);
	stack[0] = 99;
	stack[1] = CODE(OUTERMOST, 1);
	CHECK_STACK(RT_END_OUTERMOST, CODE(STUB, 11), CODE(OUTERMOST, 1));
}

/* What was interrupted is at its next instruction; its stack may be below that of the handler. */
static void test_through_a_signal(void)
{
	begin(CODE(SIGNAL, 0), 0);
	stack[0] = ADDR(40);         /* the frame register */
	stack[1] = CODE(FRAMED, 0);  /* not in the row before it */
	stack[2] = (rt_u64)(unsigned long)stack - 4096;
	stack[41] = CODE(OUTERMOST, 1);
	CHECK_STACK(RT_END_OUTERMOST, CODE(SIGNAL, 0), CODE(FRAMED, 0), CODE(OUTERMOST, 1));
	CHECK(!RT_WHERE_IS_RETURN(frames[1].where));
	CHECK(RT_WHERE_IS_RETURN(frames[2].where));
}

/* As in vfork(): what is where the return address was may be anything.  The same code in a handler of a signal has other registers. */
static void test_a_return_address_in_a_register(void)
{
	begin(CODE(KEPT, 0), 0);
	start_kept = CODE(STUB, 1);
	stack[0] = CODE(OUTERMOST, 1);
	CHECK_STACK(RT_END_OUTERMOST, CODE(KEPT, 0), CODE(STUB, 1), CODE(OUTERMOST, 1));
	start_kept = 0;
	CHECK_STACK(RT_END_OUTERMOST, CODE(KEPT, 0));
	start_kept = CODE(STUB, 1);
	begin(CODE(STUB, 1), 0);
	stack[0] = CODE(KEPT, 1);
	CHECK_STACK(RT_END_UNKNOWN, CODE(STUB, 1), CODE(KEPT, 1));
}

/* As in clone(): the child begins there. */
static void test_code_with_a_caller_in_the_parent_only(void)
{
	begin(CODE(PARENT, 0), 0);
	start_result = 1;
	stack[0] = CODE(OUTERMOST, 1);
	CHECK_STACK(RT_END_OUTERMOST, CODE(PARENT, 0), CODE(OUTERMOST, 1));
	start_result = 0;
	CHECK_STACK(RT_END_OUTERMOST, CODE(PARENT, 0));
	start_result = 1;
	begin(CODE(STUB, 1), 0);
	stack[0] = CODE(PARENT, 1);
	stack[1] = CODE(OUTERMOST, 1);
	CHECK_STACK(RT_END_UNKNOWN, CODE(STUB, 1), CODE(PARENT, 1));
}

static void test_a_lost_register_is_not_guessed(void)
{
	begin(CODE(LOSES, 0), ADDR(5));
	stack[0] = CODE(FRAMED, 1);
	CHECK_STACK(RT_END_UNKNOWN, CODE(LOSES, 0), CODE(FRAMED, 1));
}

static void test_memory_that_cannot_be_read_ends_the_stack(void)
{
	begin(CODE(PLAIN, 0), 0);
	stack[2] = CODE(FRAMED, 1);
	native_bad_from = ADDR(1); /* where the frame register is saved */
	native_bad_to = ADDR(2);
	CHECK_STACK(RT_END_MEMORY, CODE(PLAIN, 0), CODE(FRAMED, 1));
	native_bad_to = ADDR(3);
	CHECK_STACK(RT_END_MEMORY, CODE(PLAIN, 0));
	native_bad_to = 0;
}

/* Nobody needs the register: that it cannot be read does not matter. */
static void test_what_is_not_needed_is_not_read(void)
{
	begin(CODE(PLAIN, 0), 0);
	stack[2] = CODE(OUTERMOST, 1);
	native_bad_from = ADDR(1);
	native_bad_to = ADDR(2);
	CHECK_STACK(RT_END_OUTERMOST, CODE(PLAIN, 0), CODE(OUTERMOST, 1));
	native_bad_to = 0;
}

static void test_code_without_rows_ends_the_stack(void)
{
	begin(CODE(PLAIN, 0), 0);
	stack[2] = 0x12345;
	CHECK_STACK(RT_END_NO_CODE, CODE(PLAIN, 0), 0x12345);
	CHECK_EQ(frames[1].where, 0);
	stack[2] = UNTOLD + 5;
	CHECK_STACK(RT_END_UNKNOWN, CODE(PLAIN, 0), UNTOLD + 5);
	stack[2] = CODE(LAST, 5);
	CHECK_STACK(RT_END_UNKNOWN, CODE(PLAIN, 0), CODE(LAST, 5));
	stack[2] = BASE + 0xfff;
	CHECK_STACK(RT_END_UNKNOWN, CODE(PLAIN, 0), BASE + 0xfff);
	stack[2] = CODE(NOTHING, 5);
	CHECK_STACK(RT_END_UNKNOWN, CODE(PLAIN, 0), CODE(NOTHING, 5));
	stack[2] = 0;
	CHECK_STACK(RT_END_OUTERMOST, CODE(PLAIN, 0));
}

/* The script has no tables of it: the stack ends, with the place in the file. */
static void test_code_of_a_file_that_was_found(void)
{
	static const struct rt_image image = {.path = "lib.so"};
	char text[256];

	native_found = &image;
	begin(CODE(PLAIN, 0), 0);
	stack[2] = FOUND + 0x15;
	CHECK_STACK(RT_END_FOREIGN, CODE(PLAIN, 0), FOUND + 0x15);
	CHECK_EQ(frames[1].where, RT_WHERE(2, 0x15, 1));
	rt_where_text(frames[1].where, text, sizeof text);
	CHECK_STR(text, "[lib.so+0x15]");
	begin(FOUND + 0x20, 0);
	CHECK_STACK(RT_END_FOREIGN, FOUND + 0x20);
	c = native_ctx();
	CHECK_TEXT(rt_ubacktrace(c, -1, 0), "0x600020");
	CHECK_TEXT(rt_ubacktrace(c, -1, 1), "[lib.so+0x20]");
	CHECK_TEXT(rt_usymdata(c, FOUND + 1), "[lib.so+0x1]");
	CHECK_TEXT(rt_usymname(c, FOUND + 1), "0x600001");
	CHECK_TEXT(rt_umodname(c, FOUND), "lib.so");
	CHECK_TEXT(rt_umodbuildid(c, FOUND), "");
	CHECK_TEXT(rt_usymline(c, FOUND, RT_LINE_FILE), "0x600000");
	CHECK_EQ(rt_umodaddr(c, FOUND), 0);
	native_ctx_end(c);
	native_found = NULL;
}

static rt_u64 seen_at(rt_u64 addr)
{
	if (addr == FAR_AWAY)
		return 0x1000;
	return addr - 0x900000 < 0x1000 ? 0x900000 : 0;
}

/* By what is there now, or if nothing is, by what stacks had there. */
static void test_names_of_code_whose_process_is_gone(void)
{
	begin(CODE(PLAIN, 0), 0);
	native_unwind_seen = seen_at;
	c = native_ctx();
	CHECK_TEXT(rt_usymdata(c, 0x900000 + OFF(PLAIN) + 2), "plain+0x2/0x10 [/bin/program]");
	CHECK_TEXT(rt_usymdata(c, 0x901000), "0x901000");
	CHECK_TEXT(rt_usymdata(c, DATA), "0x900022"); /* another process had code there */
	CHECK_TEXT(rt_usymdata(c, FAR_AWAY), "0x3fff000000000000"); /* no offset of a frame */
	CHECK_TEXT(rt_usymdata(c, CODE(FRAMED, 2)), "framed+0x2/0x14 [/bin/program]");
	native_unwind_past = 1;
	CHECK_TEXT(rt_usymdata(c, CODE(FRAMED, 2)), "0x400022");
	CHECK_TEXT(rt_usymname(c, 0x900000 + OFF(FRAMED)), "framed");
	CHECK_TEXT(rt_umodname(c, 0x900000), "program");
	native_unwind_past = 0;
	native_unwind_begin = NULL;
	CHECK_TEXT(rt_usymname(c, 0x900000 + OFF(FRAMED)), "framed");
	native_ctx_end(c);
	native_unwind_seen = NULL;
}

static enum rt_stack_end begin_in_32_bit_code(struct rt_unwind *u)
{
	u->at = start_at;
	return RT_END_MACHINE;
}

static void test_a_stack_of_32_bit_code_has_its_address(void)
{
	begin(CODE(PLAIN, 3), 0);
	native_unwind_begin = begin_in_32_bit_code;
	look();
	CHECK_EQ(nframes, 1);
	CHECK_EQ(frames[0].at, CODE(PLAIN, 3));
	CHECK_EQ(frames[0].where, RT_WHERE(0, OFF(PLAIN) + 3, 0));
	CHECK_EQ(reason, RT_END_MACHINE);
	c = native_ctx();
	CHECK_TEXT(rt_ubacktrace(c, -1, 0), "0x400013");
	CHECK_TEXT(rt_ubacktrace(c, -1, 1), "plain+0x3/0x10 [/bin/program]");
	CHECK_TEXT(rt_usymname(c, CODE(PLAIN, 1)), "plain");
	native_ctx_end(c);
}

/* What is remembered of one file is not taken for another one, nor for another place; and is the same the second time. */
static void test_rules_that_are_remembered(void)
{
	for (unsigned i = 0; i < 3; i++) {
		begin(CODE(PLAIN, 1), 0);
		stack[2] = BASE + OFF(PLAIN) + 1;
		stack[5] = UNTOLD + OFF(PLAIN) + 1;
		CHECK_STACK(RT_END_UNKNOWN, CODE(PLAIN, 1), CODE(PLAIN, 1), UNTOLD + OFF(PLAIN) + 1);
		CHECK_EQ(frames[2].where, RT_WHERE(1, OFF(PLAIN) + 1, 1));
		CHECK_EQ(asked, 2);
		begin(CODE(FRAMED, 0), ADDR(1)); /* one byte further than where the calls of PLAIN end */
		stack[2] = CODE(FRAMED, 0);
		stack[5] = CODE(OUTERMOST, 1);
		CHECK_STACK(RT_END_OUTERMOST, CODE(FRAMED, 0), CODE(FRAMED, 0), CODE(OUTERMOST, 1));
	}
}

static void test_callers_are_above(void)
{
	begin(CODE(PLAIN, 0), 0);
	stack[1] = ADDR(0); /* a frame at the same place */
	stack[2] = CODE(FRAMED, 1);
	CHECK_STACK(RT_END_DAMAGED, CODE(PLAIN, 0), CODE(FRAMED, 1));
}

static void test_a_hooked_return_that_is_not_known_ends_the_stack(void)
{
	begin(CODE(PLAIN, 0), 0);
	stack[2] = CODE(PLAIN, 1);
	stack[5] = CODE(FRAMED, 4);
	native_trampoline = CODE(FRAMED, 4);
	CHECK_STACK(RT_END_HOOKED, CODE(PLAIN, 0), CODE(PLAIN, 1));
	native_trampoline = 0;
	CHECK_STACK(RT_END_DAMAGED, CODE(PLAIN, 0), CODE(PLAIN, 1), CODE(FRAMED, 4));
}

static void test_a_stack_without_end_is_cut(void)
{
	begin(CODE(STUB, 1), 0);
	for (unsigned i = 0; i < 64; i++)
		stack[i] = CODE(STUB, 1 + i % 2);
	look();
	CHECK_EQ(nframes, native_limits.backtrace);
	CHECK_EQ(reason, RT_END_OUTERMOST);
	c = native_ctx();
	CHECK_EQ(rt_ustack(c, 5), CODE(STUB, 1));
	CHECK_EQ(rt_ustack(c, 1000), 0);
	CHECK_TEXT(rt_ubacktrace(c, 2, 0), "0x400041 0x400041");
	native_ctx_end(c);
}

/* Each frame is an action. */
static void test_frames_are_charged(void)
{
	begin(CODE(STUB, 1), 0);
	for (unsigned i = 0; i < 64; i++)
		stack[i] = CODE(STUB, 1);
	c = native_ctx();
	rt_s64 before = c->budget;
	rt_ustack(c, 9);
	CHECK_EQ(before - c->budget, 9);
	native_ctx_end(c);
}

static void test_code_of_a_mapping_beyond_4_gb_is_nowhere_known(void)
{
	begin(CODE(PLAIN, 0), 0);
	mapped = 1ULL << 32;
	look();
	CHECK_EQ(nframes, 1);
	CHECK_EQ(frames[0].where, 0);
	c = native_ctx();
	CHECK_TEXT(rt_usymdata(c, CODE(PLAIN, 0)), "0x400010");
	CHECK_EQ(rt_umodname(c, BASE).n, 0);
	native_ctx_end(c);
	begin(CODE(PLAIN, 0), 0);
	mapped = (1ULL << 32) - 1;
	c = native_ctx();
	CHECK_TEXT(rt_umodname(c, BASE), "program");
	native_ctx_end(c);
}

static void test_symbols_of_addresses(void)
{
	begin(CODE(PLAIN, 0), 0);
	c = native_ctx();
	CHECK_TEXT(rt_usymdata(c, CODE(FRAMED, 2)), "framed+0x2/0x14 [/bin/program]");
	CHECK_TEXT(rt_usymname(c, CODE(FRAMED, 19)), "framed");
	CHECK_TEXT(rt_usymname(c, CODE(FRAMED, 20)), "0x400034");
	CHECK_TEXT(rt_usymdata(c, CODE(FRAMED, 20)), "[/bin/program+0x34]");
	CHECK_TEXT(rt_usymdata(c, CODE(NOTHING, 1)), "[/bin/program+0x1]");
	CHECK_TEXT(rt_usymname(c, CODE(OUTERMOST, 1)), "start");
	CHECK_TEXT(rt_umodname(c, UNTOLD), "untold.so");
	CHECK_TEXT(rt_umodbuildid(c, UNTOLD), "");
	CHECK_TEXT(rt_umodbuildid(c, BASE), "abcd");
	CHECK_TEXT(rt_usymdata(c, 0), "0x0");
	CHECK_TEXT(rt_usymname(c, 0xffffffffffffffff), "0xffffffffffffffff");
	CHECK_EQ(rt_umodname(c, 0).n, 0);
	native_ctx_end(c);
	native_unwind_begin = NULL;
	c = native_ctx();
	CHECK_TEXT(rt_usymdata(c, CODE(PLAIN, 0)), "0x400010");
	CHECK_EQ(rt_ubacktrace(c, -1, 1).n, 0);
	native_ctx_end(c);
}

static void test_lines_of_addresses(void)
{
	const rt_u32 both = RT_LINE_FILE | RT_LINE_NUMBER;
	char text[752] = "";

	begin(CODE(PLAIN, 0), 0);
	c = native_ctx();
	CHECK_TEXT(rt_usymline(c, BASE + 16, both), "a.c:10");
	CHECK_TEXT(rt_usymline(c, BASE + 19, both), "a.c:10");
	CHECK_TEXT(rt_usymline(c, BASE + 20, RT_LINE_FILE), "b.c");
	CHECK_TEXT(rt_usymline(c, BASE + 31, RT_LINE_NUMBER), "7");
	CHECK_TEXT(rt_usymline(c, BASE + 40, both), "a.c:300");
	CHECK_TEXT(rt_usymline(c, BASE + 99, both), "a.c:359");
	CHECK_TEXT(rt_usymline(c, BASE + 199, both), "a.c:360");
	CHECK_TEXT(rt_usymline(c, BASE + 200, both), "b.c:1");
	CHECK_TEXT(rt_usymline(c, BASE + 15, both), "0x40000f"); /* before all rows */
	CHECK_TEXT(rt_usymline(c, BASE + 32, both), "0x400020"); /* no line */
	CHECK_TEXT(rt_usymline(c, BASE + 39, RT_LINE_NUMBER), "0x400027");
	CHECK_TEXT(rt_usymline(c, UNTOLD, RT_LINE_FILE), "0x500000");
	CHECK_TEXT(rt_usymline(c, 0, both), "0x0");
	native_ctx_end(c);
	rt_where_text(RT_WHERE(0, OFF(PLAIN) + 4, 1) | RT_WHERE_LINE, text, sizeof text); /* the call is before it */
	CHECK_STR(text, "plain+0x4/0x10 at a.c:10 [/bin/program]");
	rt_where_text(RT_WHERE(0, OFF(PLAIN) + 4, 0) | RT_WHERE_LINE, text, sizeof text);
	CHECK_STR(text, "plain+0x4/0x10 at b.c:7 [/bin/program]");
	rt_where_text(RT_WHERE(0, OFF(FRAMED), 0) | RT_WHERE_LINE, text, sizeof text);
	CHECK_STR(text, "framed+0x0/0x14 [/bin/program]");
}

static void test_lines_of_the_kernel(void)
{
	const rt_u32 both = RT_LINE_FILE | RT_LINE_NUMBER;
	rt_u64 where = RT_WHERE_KERNEL(TEXT + 20, 1);
	char text[64];

	begin(CODE(PLAIN, 0), 0);
	c = native_ctx();
	CHECK_TEXT(rt_symline(c, TEXT + 19, both), "a.c:10");
	CHECK_TEXT(rt_symline(c, TEXT + 20, RT_LINE_FILE), "b.c");
	CHECK_TEXT(rt_symline(c, TEXT + 32, both), "0xffffffff81000020");
	CHECK_TEXT(rt_symline(c, TEXT - 1, both), "0xffffffff80ffffff");
	CHECK_TEXT(rt_symline(c, 16, both), "0x10"); /* no address of the module that is not there */
	native_ctx_end(c);
	CHECK_EQ(rt_line_text(TEXT + 16, text, sizeof text), 10);
	CHECK_STR(text, " at a.c:10");
	CHECK_EQ(rt_line_text(16, text, sizeof text), 0);
	CHECK_STR(text, "");
	CHECK(RT_WHERE_IS_KERNEL(where) && RT_WHERE_KERNEL_IS_RETURN(where));
	CHECK_EQ(RT_WHERE_ADDRESS(where), TEXT + 20);
	CHECK(!RT_WHERE_KERNEL_IS_RETURN(RT_WHERE_KERNEL(TEXT, 0)));
	CHECK(!RT_WHERE_IS_KERNEL(RT_WHERE(RT_IMAGES_MOST - 1, ~0u, 1)));
	CHECK(!RT_WHERE_IS_KERNEL(TEXT));
}

/* Segments may be moved against each other. */
static void test_addresses_as_the_file_has_them(void)
{
	begin(CODE(PLAIN, 0), 0);
	c = native_ctx();
	CHECK_EQ(rt_umodaddr(c, CODE(PLAIN, 2)), 0x1000 + OFF(PLAIN) + 2);
	CHECK_EQ(rt_umodaddr(c, CODE(STUB, 0) - 1), 0x1000 + OFF(STUB) - 1);
	CHECK_EQ(rt_umodaddr(c, CODE(STUB, 0)), 0x8000);
	CHECK_EQ(rt_umodaddr(c, CODE(STUB, 31)), 0x801f);
	CHECK_EQ(rt_umodaddr(c, CODE(STUB, 32)), 0); /* no code of the file */
	CHECK_EQ(rt_umodaddr(c, UNTOLD), 0);
	CHECK_EQ(rt_umodaddr(c, 0), 0);
	native_ctx_end(c);
}

/* The names of C++ have no bound; the record that carries one has. */
static void test_a_long_name_leaves_room_for_the_place(void)
{
	char text[752] = "";

	CHECK_EQ(rt_where_text(RT_WHERE(0, OFF(STUB) + 2, 0), text, sizeof text), 427);
	CHECK_STR(text, EIGHT(FIFTY) "...+0x2/0x10 [/bin/program]");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	native_limits.backtrace = 20;
	UNIT_RUN(test_frames_of_every_kind);
	UNIT_RUN(test_a_return_address_belongs_to_the_call_before_it);
	UNIT_RUN(test_a_stub_pushes_a_word_at_its_end);
	UNIT_RUN(test_through_a_signal);
	UNIT_RUN(test_a_return_address_in_a_register);
	UNIT_RUN(test_code_with_a_caller_in_the_parent_only);
	UNIT_RUN(test_a_lost_register_is_not_guessed);
	UNIT_RUN(test_memory_that_cannot_be_read_ends_the_stack);
	UNIT_RUN(test_what_is_not_needed_is_not_read);
	UNIT_RUN(test_code_without_rows_ends_the_stack);
	UNIT_RUN(test_code_of_a_file_that_was_found);
	UNIT_RUN(test_a_stack_of_32_bit_code_has_its_address);
	UNIT_RUN(test_names_of_code_whose_process_is_gone);
	UNIT_RUN(test_rules_that_are_remembered);
	UNIT_RUN(test_callers_are_above);
	UNIT_RUN(test_a_hooked_return_that_is_not_known_ends_the_stack);
	UNIT_RUN(test_a_stack_without_end_is_cut);
	UNIT_RUN(test_frames_are_charged);
	UNIT_RUN(test_code_of_a_mapping_beyond_4_gb_is_nowhere_known);
	UNIT_RUN(test_symbols_of_addresses);
	UNIT_RUN(test_lines_of_addresses);
	UNIT_RUN(test_lines_of_the_kernel);
	UNIT_RUN(test_addresses_as_the_file_has_them);
	UNIT_RUN(test_a_long_name_leaves_room_for_the_place);
	return unit_done();
}
