// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of CPython's instructions, in programs that look like it, and in the one that is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testsuite/unit/elf_compile.h"
#include "translator/debuginfo/cpython.h"

/* An evaluator whose table is of N entries; TWO: another table beside it. */
static const char source[] =
	"const unsigned long Py_Version = VERSION;\nlong _PyRuntime[8] = {1};\nvoid other(void) { }\n"
	"void _PyEval_EvalFrameDefault(const unsigned char *p)\n{\n"
	"	static const void *const table[N] = {[0 ... N - 1] = &&none, [150] = &&quick, [151] = &&resume};\n"
	"	static const unsigned long end = 0;\n"
	"	static const void *const two[TWO] = {[0 ... TWO - 1] = &&none};\n"
	"	asm volatile(\"\" : : \"r\"(table), \"r\"(two), \"r\"(&end));\n"
	"none: _PyRuntime[0]++; goto *(&table[0])[*p++];\n"
	"quick: _PyRuntime[1] += 3; goto *(&two[0])[*p++];\n"
	"resume: _PyRuntime[2] ^= 5; goto *(&table[0])[*p++];\n}\n"
	"int main(void) { return 0; }\n";

static struct elf_image *compiled(const char *name, const char *how)
{
	const char *file = write_file("evaluator.c", source, strlen(source));
	const char *path = compile(name, arena_printf(&arena, "cc -O1 -rdynamic -o %%O %s %s", file, how));

	return path ? open_image(path) : NULL;
}

static void check_found(struct elf_image *e)
{
	struct problem why = {0};
	struct cpython found;
	bool ok;

	if (!CHECK(e != NULL))
		return;
	CHECK(cpython_is_in(e));
	ok = !cpython_find(e, &found, &why);
	if (CHECK(ok)) {
		CHECK(found.runtime != 0);
		CHECK(found.entry[0].address && found.entry[0].file_off && found.entry[1].file_off);
		CHECK(found.entry[0].address != found.entry[1].address);
	}
	elf_close(e);
}

static void check_refused(struct elf_image *e, const char *text)
{
	struct problem why = {0};
	struct cpython found;

	if (!CHECK(e != NULL))
		return;
	CHECK_EQ(cpython_find(e, &found, &why), -1);
	CHECK_HAS(why.text, text);
	elf_close(e);
}

static void test_a_table_in_a_program_at_fixed_addresses(void)
{
	check_found(compiled("fixed", "-no-pie -DVERSION=0x030b02f0 -DN=256 -DTWO=1"));
}

static void test_a_table_that_is_relocated(void)
{
	check_found(compiled("pie", "-fPIE -pie -DVERSION=0x030b02f0 -DN=256 -DTWO=1"));
	check_found(compiled("shared", "-fPIC -shared -DVERSION=0x030b02f0 -DN=256 -DTWO=1"));
}

static void test_what_is_not_understood_is_refused(void)
{
	check_refused(compiled("short", "-no-pie -DVERSION=0x030b02f0 -DN=255 -DTWO=1"), "the addresses of its instructions were not found");
	check_refused(compiled("two", "-no-pie -DVERSION=0x030b02f0 -DN=256 -DTWO=256"), "the addresses of its instructions were not found");
	check_refused(compiled("newer", "-no-pie -DVERSION=0x030c01f0 -DN=256 -DTWO=1"),
		      "is CPython 3.12: functions of Python are found in 3.11 only");
	check_refused(compiled("unnamed", "-no-pie -DVERSION=0 -DPy_Version=x -DN=256 -DTWO=1"), "is CPython before 3.11");
	check_refused(compiled("none", "-no-pie -DVERSION=0 -D_PyEval_EvalFrameDefault=x -DN=256 -DTWO=1"), "is no CPython");
}

static void ask(struct elf_image *e)
{
	struct problem why = {0};
	struct cpython found;

	CHECK(!cpython_find(e, &found, &why) || why.text);
}

static void test_damaged_files(void)
{
	struct elf_image *e = compiled("whole", "-s -fPIE -pie -DVERSION=0x030b02f0 -DN=256 -DTWO=1");

	CHECK(survive(e ? elf_facts(e)->path : NULL, 300, damage_byte, ask) > 100);
	if (e)
		elf_close(e);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		return 99;
	UNIT_RUN(test_a_table_in_a_program_at_fixed_addresses);
	UNIT_RUN(test_a_table_that_is_relocated);
	UNIT_RUN(test_what_is_not_understood_is_refused);
	UNIT_RUN(test_damaged_files);
	run((const char *const[]){"rm", "-rf", dir, NULL});
	arena_free(&arena);
	return unit_done();
}
