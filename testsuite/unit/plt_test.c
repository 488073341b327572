// SPDX-License-Identifier: GPL-2.0-or-later
/* Procedure linkage tables as linkers make them, entries of both architectures, and files that are damaged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testsuite/unit/elf_compile.h"
#include "translator/debuginfo/plt.h"

static const char source[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
	"int (*put)(const char *) = puts;\nchar *(*volatile get)(const char *);\n"
	"int main(int n, char **v) { get = getenv; put(getenv(\"A\") ? \"a\" : get(\"B\")); free(v[n]); if (n > 9 && !vfork()) _exit(1); "
	"return puts(v[n - 1]); }\n";

/* The program, linked so. */
static struct elf_image *linked(const char *name, const char *how)
{
	const char *calls = write_file("calls.c", source, strlen(source));
	const char *path = compile(name, arena_printf(&arena, "cc -O1 -o %%O %s %s", calls, how));

	return path ? open_image(path) : NULL;
}

static unsigned count(const struct plt_entries *all, const char *name)
{
	unsigned n = 0;

	for (size_t i = 0; i < all->v.n; i++)
		n += !strcmp(all->v.v[i].name, name);
	return n;
}

static void check_entries(struct elf_image *e)
{
	const struct plt_entries *all = e ? plt_entries(e) : NULL;

	if (!CHECK(all != NULL))
		return;
	CHECK_EQ(count(all, "puts"), 1);
	CHECK_EQ(count(all, "free"), 1);
	CHECK_EQ(count(all, "getenv"), 1);
	CHECK_EQ(count(all, "vfork"), 1);
	CHECK_EQ(count(all, "main"), 0);
	for (size_t i = 0; i < all->v.n; i++) {
		const struct plt_entry *x = &all->v.v[i];

		CHECK_EQ(x->no_return != NULL, !strcmp(x->name, "vfork"));
		CHECK(x->file_off && x->address);
		for (size_t k = 0; k < i; k++)
			CHECK(all->v.v[k].address != x->address);
	}
	CHECK(plt_entries(e) == all);
	elf_close(e);
}

static void test_a_table_that_is_bound_at_the_first_call(void)
{
	check_entries(linked("lazy", "-Wl,-z,lazy"));
}

static void test_a_table_that_is_bound_at_the_start(void)
{
	check_entries(linked("now", "-Wl,-z,now"));
}

static void test_a_program_at_fixed_addresses(void)
{
	check_entries(linked("fixed", "-no-pie"));
}

static void test_a_second_table_for_indirect_branch_tracking(void)
{
#ifdef __x86_64__
	check_entries(linked("ibt", "-fcf-protection -Wl,-z,ibtplt"));
#endif
}

static void test_calls_that_go_without_a_table(void)
{
	struct elf_image *e = linked("without", "-fno-plt");

	if (!CHECK(e != NULL))
		return;
	CHECK_EQ(count(plt_entries(e), "puts"), 0);
	elf_close(e);
}

static void test_entries_of_the_architectures(void)
{
	static const unsigned char plain[] = "\xff\x25\xe2\x2f\x00\x00\x68\x00";
	static const unsigned char ibt[] = "\xf3\x0f\x1e\xfa\xf2\xff\x25\xe5\xff\xff\xff\x0f";
	static const unsigned char arm[] = "\x90\x00\x00\xb0\x11\x0a\x40\xf9\x10\x42\x00\x91";
	static const unsigned char bti[] = "\x5f\x24\x03\xd5\xf0\xff\xff\x90\x11\x02\x40\xf9";
	uint64_t slot = 0;

	CHECK(target_x86_64.plt_slot(plain, 8, 0x1030, &slot));
	CHECK_EQ(slot, 0x1036 + 0x2fe2);
	CHECK(target_x86_64.plt_slot(ibt, 12, 0x1030, &slot));
	CHECK_EQ(slot, 0x1030 + 11 - 27);
	CHECK(!target_x86_64.plt_slot(plain, 5, 0x1030, &slot));
	CHECK(!target_x86_64.plt_slot(ibt, 10, 0x1030, &slot));
	CHECK(!target_x86_64.plt_slot(arm, 12, 0x1030, &slot));
	CHECK(target_arm64.plt_slot(arm, 12, 0x400530, &slot));
	CHECK_EQ(slot, 0x411010);
	CHECK(target_arm64.plt_slot(bti, 12, 0x400530, &slot)); /* a page before */
	CHECK_EQ(slot, 0x3fc000);
	CHECK(!target_arm64.plt_slot(arm, 8, 0x400530, &slot));
	CHECK(!target_arm64.plt_slot(ibt, 12, 0x400530, &slot));
}

static void ask(struct elf_image *e)
{
	const struct plt_entries *all = plt_entries(e);

	for (size_t i = 0; i < all->v.n; i++)
		CHECK(all->v.v[i].name[0]);
}

static void test_damaged_files(void)
{
	struct elf_image *e = linked("whole", "-s");

	CHECK(survive(e ? elf_facts(e)->path : NULL, 600, damage_byte, ask) > 200);
	if (e)
		elf_close(e);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		return 99;
	UNIT_RUN(test_a_table_that_is_bound_at_the_first_call);
	UNIT_RUN(test_a_table_that_is_bound_at_the_start);
	UNIT_RUN(test_a_program_at_fixed_addresses);
	UNIT_RUN(test_a_second_table_for_indirect_branch_tracking);
	UNIT_RUN(test_calls_that_go_without_a_table);
	UNIT_RUN(test_entries_of_the_architectures);
	UNIT_RUN(test_damaged_files);
	run((const char *const[]){"rm", "-rf", dir, NULL});
	arena_free(&arena);
	return unit_done();
}
