// SPDX-License-Identifier: GPL-2.0-or-later
/* Which lines code is of: for programs that are compiled in many ways, and the C library, what addr2line says. */
#include <sys/resource.h>

#include "testsuite/unit/elf_compile.h"

/* Of that offset, as "FILE:LINE"; "?": it has none. */
static const char *line_at(const struct line_table *t, uint64_t off)
{
	size_t i = t->rows.n;

	while (i && t->rows.v[i - 1].off > off)
		i--;
	if (!i || !t->rows.v[i - 1].file)
		return "?";
	return arena_printf(&arena, "%s:%u", t->files.v[t->rows.v[i - 1].file], t->rows.v[i - 1].line);
}

static void check_table(const struct line_table *t)
{
	for (size_t i = 0; i < t->rows.n; i++)
		if ((i && t->rows.v[i].off <= t->rows.v[i - 1].off) || t->rows.v[i].file >= t->files.n ||
		    !t->rows.v[i].file != !t->rows.v[i].line) {
			CHECK_EQ(i, -1);
			return;
		}
	CHECK(t->rows.n && !t->rows.v[t->rows.n - 1].file);
	CHECK_STR(t->files.v[0], "");
}

/* addr2line has another file where one includes another that has functions, and with -flto: then only lines are compared. */
enum { ALL_BYTES = 1, FILES = 2 };

/*
 * Every byte of code, or each 97th row's first one, as addr2line has it, except so many; the number of those with a line.  Where code of a
 * unit follows other code of it without a gap, only rows that begin statements are certain, and addr2line may have a later one.
 */
static unsigned compare(struct elf_image *e, const char *debug, unsigned how, unsigned except)
{
	const struct line_table *t = elf_lines(e);
	const struct elf_code *code;
	size_t n = elf_code(e, &code);
	VEC(uint64_t) offs = {0};
	struct sb list = {0};
	unsigned known = 0, wrong = 0;
	const char *path = arena_printf(&arena, "%s/addresses", dir), *line;

	if (!CHECK(t && n == 1))
		return 0;
	check_table(t);
	for (uint64_t off = code->off; how & ALL_BYTES && off < code->off + code->size; off++)
		vec_push(&arena, &offs, off);
	for (size_t i = 0; !(how & ALL_BYTES) && i < t->rows.n; i += 97)
		vec_push(&arena, &offs, t->rows.v[i].off);
	for (size_t i = 0; i < offs.n; i++)
		sb_printf(&list, "0x%llx\n", (unsigned long long)(offs.v[i] - code->off + code->address));
	CHECK(file_write(path, list.s, list.n) == 0);
	sb_free(&list);
	const char *command = arena_printf(&arena, "addr2line -e %s <%s | sed 's/ (discriminator.*//; s/.*:?$/?/; s/^??:0$/?/%s'", debug, path,
					   how & FILES ? "" : "; s/.*://");
	struct child c = {.argv = (const char *[]){"sh", "-c", command, NULL}, .timeout_s = 60};
	CHECK_EQ(child_run(&c), 0);
	line = c.out.s ? c.out.s : "";
	for (size_t i = 0; i < offs.n && wrong < except + 5; i++) {
		const char *mine = line_at(t, offs.v[i]);
		size_t len = strcspn(line, "\n");
		if (!(how & FILES))
			mine = strrchr(mine, ':') ? strrchr(mine, ':') + 1 : mine;
		known += *mine != '?';
		if (strlen(mine) != len || memcmp(mine, line, len) != 0) {
			if (wrong >= except)
				CHECK_STR(arena_printf(&arena, "0x%llx %s", (unsigned long long)offs.v[i], mine), arena_strndup(&arena, line, len));
			wrong++;
		}
		line += len + (line[len] == '\n');
	}
	sb_free(&c.out);
	sb_free(&c.err);
	return known;
}

static void test_lines_are_those_of_addr2line(void)
{
	static const struct {
		const char *command;
		unsigned how, except;
	} ways[] = {
		{"gcc -g -O0 -o %O %P", FILES, 0},
		{"gcc -g -O2 -o %O %P", FILES, 20},
		{"gcc -g -Os -ffunction-sections -o %O %P", FILES, 60},
		{"gcc -gdwarf-4 -O2 -no-pie -o %O %P", FILES, 20},
		{"gcc -g -O2 -ffunction-sections -Wl,--gc-sections -Wl,-z,noseparate-code -o %O %P", FILES, 20},
		{"gcc -g -O2 -flto -o %O %P", 0, 20},
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const char *path = compile(arena_printf(&arena, "way%zu", i), ways[i].command);
		struct elf_image *e = path ? open_image(path) : NULL;
		if (e)
			CHECK(compare(e, path, ALL_BYTES | ways[i].how, ways[i].except) > 500);
		if (e)
			elf_close(e);
	}
}

/* Code without debug information has none; a file without any has no table. */
static void test_without_debug_information(void)
{
	const char *path = compile("plain", "gcc -O2 -o %O %P");
	struct elf_image *e = path ? open_image(path) : NULL;

	CHECK(e && !elf_lines(e));
	if (e)
		elf_close(e);
}

/* It has rows of no bytes after calls that do not return, assembly, and a file of its own with the debug information, if that is installed. */
static void test_lines_of_the_c_library(void)
{
	struct elf_image *e = open_image("/lib/x86_64-linux-gnu/libc.so.6");

	if (e && elf_lines(e) && elf_facts(e)->debug_file)
		CHECK(compare(e, elf_facts(e)->debug_file, 0, 0) > 500);
	if (e)
		elf_close(e);
}

static size_t damage_lines(char *bytes, size_t n, unsigned round)
{
	size_t at, size = section(bytes, ".debug_line", &at);

	CHECK(size > 0);
	damage_part(bytes + at, size, 1 + round / 6, round);
	return n;
}

static void ask(struct elf_image *e)
{
	const struct line_table *t = elf_lines(e);

	if (t)
		check_table(t);
}

/* Whatever is in the line tables, the table is in order. */
static void test_damaged_lines_are_survived(void)
{
	CHECK_EQ(survive(compile("sound", "gcc -g -O2 -o %O %P"), 60, damage_lines, ask), 60);
}

/* MB that were in use at once. */
static long most_memory(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss / 1024;
}

/* What units and functions share takes its memory once: line tables, and not more than a million ranges. */
static void test_lists_that_are_shared(void)
{
	const char *path = compile("lists", "gcc -nostdlib -static -o %O %L");
	struct lines_wanted line = {.function = "f", .which = LINES_GIVEN};
	struct elf_image *e = path ? open_image(path) : NULL;
	long before = most_memory();
	struct statements found;
	struct problem why;

	if (!e)
		return;
	vec_push(&arena, &line.v, ((struct lines_range){3, 3}));
	CHECK(elf_lines(e) && elf_lines(e)->rows.n == 4001 + 6);
	CHECK_EQ(elf_statements(e, &line, &found, &why), 0);
	CHECK_EQ(found.v.n, 1);
	CHECK(most_memory() - before < 200);
	elf_close(e);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (!mkdtemp(dir))
		return 1;
	UNIT_RUN(test_lines_are_those_of_addr2line);
	UNIT_RUN(test_without_debug_information);
	UNIT_RUN(test_lines_of_the_c_library);
	UNIT_RUN(test_damaged_lines_are_survived);
	UNIT_RUN(test_lists_that_are_shared);
	run((const char *[]){"rm", "-r", dir, NULL});
	arena_free(&arena);
	return unit_done();
}
