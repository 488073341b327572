// SPDX-License-Identifier: GPL-2.0-or-later
/* How long instructions are, and whether one begins at an address of a program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testsuite/unit/elf_compile.h"
#include "translator/debuginfo/target.h"
#include "translator/debuginfo/unpack.h"

static struct bytes read_whole(const char *path)
{
	FILE *f = fopen(path, "r");
	unsigned char *p = arena_alloc(&arena, 1 << 20);
	size_t n = f ? fread(p, 1, 1 << 20, f) : 0;

	if (f)
		fclose(f);
	return (struct bytes){.p = p, .n = n};
}

static void test_lengths_are_those_of_the_assembler(void)
{
	const char *instructions = unit_source_path("testsuite/unit/data/x86_64_instructions.S");
	const char *path = compile("lengths.o", arena_printf(&arena, "cc -c -o %%O %s", instructions));
	struct bytes file = read_whole(path ? path : "");
	const unsigned char *text, *lengths;
	size_t ntext, n, at = 0;

	if (!CHECK(unpack_section(&file, ".text", &text, &ntext) && unpack_section(&file, ".lengths", &lengths, &n)))
		return;
	CHECK(n > 100);
	for (size_t i = 0; i < n; at += lengths[i++]) {
		unsigned length = target_x86_64.length(text + at, ntext - at);

		if (length != lengths[i])
			printf("# instruction %zu begins with %02x %02x %02x\n", i + 1, text[at], text[at + 1], text[at + 2]);
		CHECK_EQ(length, lengths[i]);
		for (size_t less = 0; less < lengths[i]; less++)
			CHECK_EQ(target_x86_64.length(text + at, less), 0);
	}
	CHECK_EQ(at, ntext);
}

static void test_what_no_program_can_run_is_unknown(void)
{
	static const char *const unknown[] = {
		"\x06", "\x60", "\x9a\0\0\0\0\0\0", "\xd6", "\xea\0\0\0\0\0\0", /* of 32-bit programs */
		"\x66\xe8\0\0\0\0", "\x66\x0f\x84\0\0\0\0", /* makers differ */
		"\x8f\xe8\x78\xc2\xf5\x0b", "\x0f\x04", "\x0f\x20\xc0", "\x48\xc5\xf8\x77", "\x62\xf1\x78\x48\x58\xc0", "\xc4\xe8\x78\x58\xc0",
		"\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90",
	};

	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		CHECK_EQ(target_x86_64.length((const unsigned char *)unknown[i], 15), 0);
}

static void test_all_instructions_of_arm64_are_of_one_length(void)
{
	CHECK_EQ(target_arm64.length((const unsigned char *)"\0\0\0\0\0", 5), 4);
	CHECK_EQ(target_arm64.length((const unsigned char *)"\0\0\0", 3), 0);
}

static const char source[] = "struct pair { int a; long b; };\n"
			     "static inline __attribute__((always_inline)) long twice(long x)\n"
			     "{ long y = x + x; __asm__ volatile(\"nop\" : \"+r\"(y)); return y; }\n"
			     "__attribute__((noipa)) long work(long n, struct pair *p)\n"
			     "{ long sum = 0; for (long i = 0; i < n; i++) sum += twice(i) * p->b; return sum; }\n"
			     "int main(int argc, char **argv) { struct pair p = {1, argc}; return (int)work(argc, &p) + !argv; }\n";

static const struct elf_function *function(struct elf_image *e, const char *name)
{
	struct problem why = {0};
	const struct elf_function *f = elf_function(e, name, &why);

	CHECK(f != NULL);
	return f;
}

/* Every address of the code is either that of an instruction, as they follow each other, or in the middle of one. */
static void check_code(struct elf_image *e, uint64_t entry, uint64_t size, const char *name)
{
	struct bytes file = read_whole(elf_facts(e)->path);
	const struct target *target = target_native();
	uint64_t next = entry;
	struct statement t;
	bool has_scope;

	for (uint64_t at = entry; at < entry + size; at++) {
		struct problem why = {0};
		int rc = elf_instruction(e, at, &t, &has_scope, &why);

		CHECK_EQ(rc, at == next ? 0 : -1);
		if (rc) {
			CHECK_HAS(why.text, "is in the middle of an instruction");
			CHECK_HAS(why.hint, arena_printf(&arena, "the next one at 0x%llx", (unsigned long long)next));
			continue;
		}
		next = at + target->length(unpack_at(&file, at, 1), 15);
		CHECK_EQ(t.address, at);
		CHECK_EQ(has_scope, elf_has_dwarf(e));
		if (!has_scope)
			CHECK_STR(t.function, name);
		else
			CHECK(!strcmp(t.function, "work") || (!strcmp(t.function, "twice") && t.inlined));
		CHECK_EQ(t.entry, *name ? entry : 0);
	}
	CHECK_EQ(next, entry + size);
}

static const char *const ways[] = {"cc -O2 -g", "cc -O2 -g -gsplit-dwarf", "cc -O2", "clang -O2 -g"};

static void test_instructions_begin_where_they_follow_each_other(void)
{
	const char *c = write_file("work.c", source, strlen(source));

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const char *path = compile(arena_printf(&arena, "work%zu", i), arena_printf(&arena, "%s -o %%O %s", ways[i], c));
		struct elf_image *e = path ? open_image(path) : NULL;
		const struct elf_function *f = e ? function(e, "work") : NULL;

		if (f)
			check_code(e, f->entry, f->size, "work");
		if (e)
			elf_close(e);
	}
}

static void test_call_frame_information_is_enough(void)
{
	const char *c = write_file("work.c", source, strlen(source));
	const char *path = compile("whole", arena_printf(&arena, "cc -O2 -o %%O %s", c));
	struct elf_image *e = path ? open_image(path) : NULL;
	const struct elf_function *f = e ? function(e, "work") : NULL;

	if (!f)
		return;
	path = compile("stripped", arena_printf(&arena, "cc -O2 -s -o %%O %s", c));
	struct elf_image *stripped = path ? open_image(path) : NULL;
	if (!stripped)
		return;
	check_code(stripped, f->entry, f->size, "");
	elf_close(stripped);
	elf_close(e);
}

static void test_other_addresses_are_refused(void)
{
	const char *c = write_file("work.c", source, strlen(source));
	const char *path = compile("bare", arena_printf(&arena, "cc -O2 -s -fno-asynchronous-unwind-tables -o %%O %s", c));
	struct elf_image *e = path ? open_image(path) : NULL;
	struct problem why = {0};
	struct statement t;
	bool has_scope;

	if (!e)
		return;
	CHECK_EQ(elf_instruction(e, 8, &t, &has_scope, &why), -1);
	CHECK_HAS(why.text, "no code of");
	CHECK_HAS(why.hint, "its code is linked to 0x");
	const struct elf_code *code;
	if (!CHECK(elf_code(e, &code) == 1))
		return;
	/* what follows the last instruction of .fini is no code, or padding of no function */
	CHECK_EQ(elf_instruction(e, code[0].address + code[0].size, &t, &has_scope, &why), -1);
	CHECK_EQ(elf_instruction(e, 0x7fff00000000, &t, &has_scope, &why), -1);
	CHECK_HAS(why.hint, "process(PID).statement(ADDRESS).absolute");
	CHECK_EQ(elf_instruction(e, code[0].address, &t, &has_scope, &why), -1);
	CHECK_HAS(why.text, "is not known");
	elf_close(e);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		return 99;
	UNIT_RUN(test_what_no_program_can_run_is_unknown);
	UNIT_RUN(test_all_instructions_of_arm64_are_of_one_length);
	if (target_native() == &target_x86_64)
		UNIT_RUN(test_lengths_are_those_of_the_assembler);
	UNIT_RUN(test_instructions_begin_where_they_follow_each_other);
	UNIT_RUN(test_call_frame_information_is_enough);
	UNIT_RUN(test_other_addresses_are_refused);
	run((const char *const[]){"rm", "-rf", dir, NULL});
	arena_free(&arena);
	return unit_done();
}
