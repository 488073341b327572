/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that tests of debuginfo/ compile, and files that they write, in a folder of the test. */
#ifndef UNIT_ELF_COMPILE_H
#define UNIT_ELF_COMPILE_H

#include <elf.h>
#include <sys/stat.h>

#include "base/child.h"
#include "base/file.h"
#include "testsuite/unit/unit.h"
#include "translator/debuginfo/elf.h"

static struct arena arena;
static char dir[] = "/tmp/spile-elf-XXXXXX";

static bool run(const char *const *argv)
{
	struct child c = {.argv = argv, .merge = true, .timeout_s = 300};
	struct sb text = {0};
	bool ok = child_run(&c) == 0;

	if (!ok) {
		for (size_t i = 0; argv[i]; i++)
			sb_printf(&text, "%s ", argv[i]);
		printf("# %s: %s\n", text.s, c.out.s ? c.out.s : "");
		sb_free(&text);
	}
	sb_free(&c.out);
	sb_free(&c.err);
	return ok;
}

/* Splits at blanks; %P is the program's source, %C that of the C++ program, %L that of the lists, %O the output. */
static bool shell_less(const char *command, const char *out)
{
	const char *argv[32];
	char *copy = arena_strdup(&arena, command), *word;
	size_t n = 0;

	while ((word = strsep(&copy, " ")) != NULL && n < 31) {
		if (strcmp(word, "%P") == 0)
			argv[n++] = arena_strdup(&arena, unit_source_path("testsuite/unit/data/elf_prog.c"));
		else if (strcmp(word, "%C") == 0)
			argv[n++] = arena_strdup(&arena, unit_source_path("testsuite/unit/data/elf_prog.cc"));
		else if (strcmp(word, "%L") == 0)
			argv[n++] = arena_strdup(&arena, unit_source_path("testsuite/unit/data/shared_lists.S"));
		else if (strncmp(word, "%O", 2) == 0)
			argv[n++] = arena_printf(&arena, "%s%s", out, word + 2);
		else if (strstr(word, "=%O"))
			argv[n++] = arena_printf(&arena, "%.*s%s%s", (int)(strstr(word, "=%O") - word + 1),
						 word, out, strstr(word, "=%O") + 3);
		else
			argv[n++] = word;
	}
	argv[n] = NULL;
	return run(argv);
}

static inline const char *compile(const char *name, const char *command)
{
	const char *out = arena_printf(&arena, "%s/%s", dir, name);

	return CHECK(shell_less(command, out)) ? out : NULL;
}

static inline struct elf_image *open_image(const char *path)
{
	struct problem why = {0};
	struct elf_image *e = elf_open(&arena, target_native(), path, &why);

	if (!e)
		printf("# %s\n", why.text);
	CHECK(e != NULL);
	return e;
}

static inline const char *write_file(const char *name, const void *data, size_t n)
{
	const char *path = arena_printf(&arena, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	CHECK(f && fwrite(data, 1, n, f) == n);
	if (f)
		fclose(f);
	chmod(path, 0755);
	return path;
}

/* Where a section is in the file; its size, or 0. */
static inline size_t section(const char *file, const char *name, size_t *at)
{
	Elf64_Shdr names, s;
	Elf64_Ehdr h;

	memcpy(&h, file, sizeof h);
	memcpy(&names, file + h.e_shoff + h.e_shstrndx * sizeof names, sizeof names);
	for (unsigned i = 0; i < h.e_shnum; i++) {
		memcpy(&s, file + h.e_shoff + i * sizeof s, sizeof s);
		*at = s.sh_offset;
		if (!strcmp(file + names.sh_offset + s.sh_name, name))
			return s.sh_size;
	}
	return 0;
}

/* ---- damaged files ---- */

/* Damages the bytes of a file; how many of them are left. */
typedef size_t damage_fn(char *bytes, size_t n, unsigned round);

/* One byte, anywhere; each third file ends there. */
static inline size_t damage_byte(char *bytes, size_t n, unsigned round)
{
	size_t at = round * 7919UL % n;

	bytes[at] = (char)~bytes[at];
	return round % 3 ? n : at;
}

/* So many bytes of a part. */
static inline void damage_part(char *part, size_t n, unsigned times, unsigned round)
{
	unsigned seed = round + 1;

	while (n && times--)
		part[(unsigned)rand_r(&seed) % n] = (char)rand_r(&seed);
}

/* Asks each damaged form of a file, if it can be opened at all: how many could.  Any answer is right, but nothing crashes (ASan and UBSan watch). */
static inline unsigned survive(const char *path, unsigned rounds, damage_fn *damage, void (*ask)(struct elf_image *e))
{
	struct arena all = {0};
	size_t n = 0;
	const char *good = path ? file_read(&all, path, &n) : NULL;
	char *bad = arena_alloc(&all, n + 1);
	unsigned opened = 0;

	CHECK(good && n > 1000);
	for (unsigned round = 0; good && round < rounds; round++) {
		struct problem why;
		struct elf_image *e;

		memcpy(bad, good, n);
		e = elf_open(&arena, target_native(), write_file("damaged", bad, damage(bad, n, round)), &why);
		if (!e)
			continue;
		opened++;
		ask(e);
		elf_close(e);
	}
	arena_free(&all);
	return opened;
}

#endif
