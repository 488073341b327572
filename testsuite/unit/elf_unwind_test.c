// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables for walking up stacks, of programs that are compiled here, of the C library, and of damaged files. */
#include "testsuite/unit/elf_compile.h"
#include "translator/debuginfo/unwind.h"

/* Rows ascend from the beginning of the file on, and name rules that are there. */
static void check_unwind(const struct unwind_table *t)
{
	for (size_t i = 0; t && i < t->nrows; i++)
		if (t->rule[i] >= t->nrules || (i ? t->at[i] <= t->at[i - 1] : t->at[i] != 0)) {
			CHECK_EQ(t->at[i], -1);
			return;
		}
	for (size_t i = 0; t && i < t->nrules; i++)
		CHECK(t->rules[i].reg < UNWIND_REGISTERS && t->rules[i].cfa <= UNWIND_PARENT);
}

static const struct unwind_rule *rule_at(const struct unwind_table *t, uint64_t off)
{
	size_t i = 0;

	while (i + 1 < t->nrows && t->at[i + 1] <= off)
		i++;
	return &t->rules[t->rule[i]];
}

/* At the first instruction of a function, the return address is on the stack and all else is as it was; where the program begins, there is none. */
static void test_rows_for_walking_up_stacks(void)
{
	const char *path = compile("rows", "gcc -g -O2 -o %O %P");
	struct elf_image *e = path ? open_image(path) : NULL;
	const struct unwind_table *t = e ? elf_unwind(e) : NULL;
	struct problem why;
	const struct elf_function *walk, *start;
	const struct unwind_rule *r;

	CHECK(t && t->nrows > 50 && t->nrules > 5);
	if (!t)
		return;
	check_unwind(t);
	CHECK(elf_unwind(e) == t);
	walk = elf_function(e, "walk", &why);
	start = elf_function(e, "_start", &why);
	CHECK(walk && start);
	r = rule_at(t, walk ? walk->file_off : 0);
	CHECK_EQ(r->cfa, UNWIND_REGISTER);
	CHECK_EQ(r->reg, 0);
	CHECK_EQ(r->off, 8);
	CHECK_EQ(r->saved[0].how, UNWIND_AT_CFA);
	CHECK_EQ(r->saved[0].off, -8);
	CHECK_EQ(r->saved[1].how, UNWIND_SAME);
	CHECK_EQ(rule_at(t, start ? start->file_off : 0)->cfa, UNWIND_OUTERMOST);
	CHECK_EQ(rule_at(t, 0)->cfa, UNWIND_UNKNOWN);
	CHECK_EQ(rule_at(t, t->at[t->nrows - 1] + 100)->cfa, UNWIND_UNKNOWN);
	CHECK_HAS(elf_interpreter(e), "/ld-");
	elf_close(e);
}

/* A function that has its entry in .debug_frame only: at its first instruction, and that of the program elsewhere. */
static void check_debug_frame(const char *path)
{
	struct elf_image *e = path ? open_image(path) : NULL;
	const struct unwind_table *t = e ? elf_unwind(e) : NULL;
	const struct elf_function *walk, *start;
	const struct unwind_rule *r;
	struct problem why;

	CHECK(t);
	if (!t)
		return;
	check_unwind(t);
	walk = elf_function(e, "walk", &why);
	start = elf_function(e, "_start", &why);
	CHECK(walk && start);
	r = rule_at(t, walk ? walk->file_off : 0);
	CHECK_EQ(r->cfa, UNWIND_REGISTER);
	CHECK_EQ(r->off, 8);
	CHECK_EQ(r->saved[0].how, UNWIND_AT_CFA);
	CHECK_EQ(r->saved[0].off, -8);
	CHECK_EQ(rule_at(t, start ? start->file_off : 0)->cfa, UNWIND_OUTERMOST);
	elf_close(e);
}

static void test_rows_by_debug_frame(void)
{
	const char *path = compile("debugframe", "gcc -g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -o %O %P"), *debug;

	if (!path)
		return;
	check_debug_frame(path);
	debug = arena_printf(&arena, "%s.debug", path);
	CHECK(run((const char *[]){"objcopy", "--only-keep-debug", path, debug, NULL}));
	CHECK(run((const char *[]){"objcopy", "--strip-debug", arena_printf(&arena, "--add-gnu-debuglink=%s", debug), path, NULL}));
	check_debug_frame(path);
	check_debug_frame(compile("packed", "gcc -g -gz -O2 -fno-pie -no-pie -fno-asynchronous-unwind-tables -fno-unwind-tables -o %O %P"));
}

/* After the system call: the return address of vfork() is in a register, clone() has none in the child. */
static void check_makers(struct elf_image *e, const struct unwind_table *t, const char *libc)
{
	static const struct {
		const char *name;
		enum unwind_cfa cfa;
		int off;
	} all[] = {{"vfork", UNWIND_KEPT, 0}, {"clone", UNWIND_PARENT, 8}};
	struct problem why;

	for (unsigned i = 0; e && t && libc && i < 2; i++) {
		const struct elf_function *f = elf_function(e, all[i].name, &why);
		const char *code = f ? libc + f->file_off : "", *call = memmem(code, f ? 100 : 0, "\x0f\x05", 2);
		const struct unwind_rule *r = call ? rule_at(t, f->file_off + (size_t)(call - code) + 2) : NULL;

		if (!CHECK(r))
			continue;
		CHECK_EQ(r->cfa, all[i].cfa);
		CHECK_EQ(r->reg, 0);
		CHECK_EQ(r->off, all[i].off);
		CHECK_EQ(r->saved[0].how, UNWIND_AT_CFA);
		CHECK_EQ(r->saved[0].off, -8);
		CHECK(r->n > 0 && r->n < UNWIND_REGISTERS);
	}
}

/* The C library has what compilers do not write: stubs, and frames of signals. */
static void test_rows_of_the_c_library(void)
{
	struct elf_image *e = open_image("/lib/x86_64-linux-gnu/libc.so.6");
	const struct unwind_table *t = e ? elf_unwind(e) : NULL;
	bool stub = false, is_signal = false;
	const char *libc;
	size_t n = 0;

	CHECK(t && t->nrows > 10000);
	check_unwind(t);
	for (size_t i = 0; t && i < t->nrules; i++) {
		stub |= t->rules[i].cfa == UNWIND_STUB && t->rules[i].n == 11;
		is_signal |= t->rules[i].is_signal && t->rules[i].cfa == UNWIND_MEMORY && t->rules[i].saved[0].how == UNWIND_AT_REGISTER;
	}
	CHECK(stub);
	CHECK(is_signal);
	libc = file_read(&arena, "/lib/x86_64-linux-gnu/libc.so.6", &n);
	check_makers(e, t, libc);
	if (e)
		elf_close(e);
}

/* Hand-written code of OpenSSL says that the CFA is so much more than a word in its frame: here, 8 more than that at the stack pointer + 40. */
static void test_a_distance_from_a_word_in_memory(void)
{
	static const char text[] = ".globl f\n.type f, @function\nf: .cfi_startproc\n"
				   ".cfi_escape 0x0f, 5, 0x77, 40, 0x06, 0x23, 8\nnop\n"
				   ".cfi_escape 0x0f, 6, 0x77, 40, 0x06, 0x23, 0xac, 2\nret\n"
				   ".cfi_endproc\n.size f, .-f\n";
	const char *source = arena_printf(&arena, "%s/distance.s", dir), *path;
	const struct elf_function *f;
	const struct unwind_table *t;
	const struct unwind_rule *r;
	struct problem why;
	struct elf_image *e;

	CHECK_EQ(file_write(source, text, sizeof text - 1), 0);
	path = compile("distance", arena_printf(&arena, "gcc -shared -nostdlib -o %%O %s", source));
	e = path ? open_image(path) : NULL;
	t = e ? elf_unwind(e) : NULL;
	f = t ? elf_function(e, "f", &why) : NULL;
	CHECK(f);
	if (!f)
		return;
	r = rule_at(t, f->file_off);
	CHECK_EQ(r->cfa, UNWIND_MEMORY);
	CHECK_EQ(r->reg, 0);
	CHECK_EQ(r->off, 40);
	CHECK_EQ(r->n, 8);
	CHECK_EQ(r->saved[0].how, UNWIND_AT_CFA);
	CHECK_EQ(rule_at(t, f->file_off + 1)->cfa, UNWIND_UNKNOWN); /* 300 more: rows have no room for that */
	elf_close(e);
}

static void ask(struct elf_image *e)
{
	check_unwind(elf_unwind(e));
}

/* Bytes of the list, or of the entries that follow it. */
static size_t damage_frames(char *bytes, size_t n, unsigned round)
{
	size_t at, size = section(bytes, ".eh_frame_hdr", &at);

	if (CHECK(size > 4)) {
		at += round % 2 ? 4 : size;
		damage_part(bytes + at, n - at < 2000 ? n - at : 2000, 1 + round / 8, round);
	}
	return n;
}

static void test_damaged_frames_are_survived(void)
{
	CHECK_EQ(survive(compile("frames", "gcc -O2 -o %O %P"), 120, damage_frames, ask), 120);
}

static size_t damage_debug_frame(char *bytes, size_t n, unsigned round)
{
	size_t at, size = section(bytes, ".debug_frame", &at);

	CHECK(size > 100 && at + size < n);
	damage_part(bytes + at, size, 1 + round / 8, round);
	return n;
}

static void test_a_damaged_debug_frame_is_survived(void)
{
	const char *path = compile("frames", "gcc -g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables -o %O %P");

	CHECK_EQ(survive(path, 120, damage_debug_frame, ask), 120);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		return 1;
	UNIT_RUN(test_rows_for_walking_up_stacks);
	UNIT_RUN(test_rows_by_debug_frame);
	UNIT_RUN(test_rows_of_the_c_library);
	UNIT_RUN(test_a_distance_from_a_word_in_memory);
	UNIT_RUN(test_damaged_frames_are_survived);
	UNIT_RUN(test_a_damaged_debug_frame_is_survived);
	run((const char *[]){"rm", "-r", dir, NULL});
	arena_free(&arena);
	return unit_done();
}
