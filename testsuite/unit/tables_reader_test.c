// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A process of its own reads a file that may be anybody's: whatever the file is, the one that asks gets its tables, or none.  Without sanitizers,
 * which take more address space than that process may.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tables/reader.h"
#include "tables/tables.h"
#include "testsuite/unit/elf_compile.h"
#include "translator/debuginfo/unwind.h"

enum { ANYBODY = 12345, LIMIT_MS = 60000 };

static struct reader reader = {.session = -1, .limit_ms = LIMIT_MS, .make = tables_make};

static bool ask(const char *path, struct sb *out)
{
	struct wire_program p = {.fd = open(path, O_RDONLY | O_CLOEXEC), .wanted = ~0u};
	bool made;

	CHECK(p.fd >= 0);
	made = reader_ask(&reader, &p, out);
	close(p.fd);
	CHECK(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
	return made;
}

static bool has_tables(const char *path, const char *name)
{
	struct sb out = {0};
	bool has = ask(path, &out) && memmem(out.s, out.n, name, strlen(name) + 1);

	sb_free(&out);
	return has;
}

static bool ask_with(int (*make)(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out))
{
	struct sb out = {0};
	bool made;

	reader.make = make;
	made = ask("/proc/self/exe", &out);
	reader.make = tables_make;
	sb_free(&out);
	return made;
}

/* ---- whose the file is ---- */

static void test_a_file_is_read(void)
{
	const char *program = compile("mine", "gcc -g -o %O %P");

	CHECK(has_tables(program, "main"));
	CHECK(!has_tables("/etc/passwd", ""));
}

/* Only what everybody may read. */
static void test_a_file_of_others_is_read_as_nobody(void)
{
	const char *program = compile("others", "gcc -g -o %O %P");

	CHECK(!chown(program, ANYBODY, ANYBODY) && !chmod(program, 0755));
	CHECK(has_tables(program, "main"));
	CHECK(!chmod(program, 0700));
	CHECK(!has_tables(program, "main"));
}

static void test_a_file_that_others_may_write_is_read_as_nobody(void)
{
	const char *program = compile("shared", "gcc -g -o %O %P");

	CHECK(!chmod(program, 0720));
	CHECK(!has_tables(program, "main"));
	CHECK(!chmod(program, 0724));
	CHECK(has_tables(program, "main"));
}

static int make_identity(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	uid_t real, effective, saved;

	(void)a, (void)path, (void)name, (void)wanted, (void)tracked;
	if (getresuid(&real, &effective, &saved) || real != 65534 || effective != 65534 || saved != 65534 || getgroups(0, NULL))
		return -1;
	sb_puts(out, "nobody");
	return 0;
}

static void test_nobody_is_all_that_it_is(void)
{
	const char *program = compile("nobody", "gcc -o %O %P");
	struct sb out = {0};

	CHECK(!chown(program, ANYBODY, ANYBODY));
	reader.make = make_identity;
	CHECK(ask(program, &out));
	reader.make = tables_make;
	sb_free(&out);
}

/* ---- names of other files in it ---- */

/* Somebody's FIFO: to open it is to wait for its other end. */
static void put_fifo(const char *name)
{
	const char *path = arena_printf(&arena, "%s/%s", dir, name);

	unlink(path);
	CHECK(!mkfifo(path, 0666));
}

static void test_a_debug_file_is_not_opened_by_its_name(void)
{
	const char *program = compile("linked", "gcc -Wl,--build-id=none -o %O %P"), *link = write_file("linked.debug", "x", 1);

	CHECK(shell_less(arena_printf(&arena, "objcopy --add-gnu-debuglink=%s %%O", link), program));
	put_fifo("linked.debug");
	CHECK(has_tables(program, "main"));
}

/* Where the machine's own debug files are. */
static void test_a_debug_file_is_found_by_the_build_id(void)
{
	static const char id[] = "0123456789abcdef0123456789abcdef01234567";
	const char *program = compile("stripped", arena_printf(&arena, "gcc -g -Wl,--build-id=0x%s -o %%O %%P", id));
	const char *folder = arena_printf(&arena, "%s/.build-id/%.2s", dir, id);

	CHECK(has_tables(program, "main"));
	CHECK(!file_make_folder(folder, 0755));
	CHECK(!file_copy(program, arena_printf(&arena, "%s/%s.debug", folder, id + 2)));
	CHECK(shell_less("strip %O", program));
	CHECK(!has_tables(program, "main"));
	setenv("SPILE_DEBUGINFO_PATH", dir, 1);
	CHECK(has_tables(program, "main"));
	unsetenv("SPILE_DEBUGINFO_PATH");
}

static void test_a_shared_part_is_not_opened_by_its_name(void)
{
	static const char name[] = "shared.part\0abcdefghijklmnopqrst";
	const char *program = compile("alternative", "gcc -g -Wl,--build-id=none -o %O %P"), *link = write_file("link", name, sizeof name - 1);

	CHECK(shell_less(arena_printf(&arena, "objcopy --add-section .gnu_debugaltlink=%s %%O", link), program));
	put_fifo("shared.part");
	CHECK(has_tables(program, "main"));
}

static void test_split_files_are_not_opened_by_their_names(void)
{
	const char *program = compile("split", "gcc -g -gsplit-dwarf -dumpdir %O. -o %O %P");
	const char *found = program ? arena_printf(&arena, "%s.elf_prog.dwo", program) : "";

	CHECK(!access(found, F_OK));
	put_fifo(strrchr(found, '/') + 1);
	put_fifo("split.dwp");
	CHECK(has_tables(program, "main"));
}

/* ---- what goes wrong ---- */

static int make_none(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	(void)a, (void)path, (void)name, (void)wanted, (void)tracked;
	sb_puts(out, "x");
	return -1;
}

static int make_fault(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	(void)a, (void)path, (void)name, (void)wanted, (void)tracked, (void)out;
	return raise(SIGBUS);
}

static int make_nothing(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	(void)a, (void)path, (void)name, (void)wanted, (void)tracked, (void)out;
	while (pause() < 0)
		;
	return 0;
}

static int make_much(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	(void)path, (void)name, (void)wanted, (void)tracked;
	sb_putn(out, arena_alloc(a, TABLES_MOST + 1), TABLES_MOST + 1);
	return 0;
}

static int make_large(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	(void)path, (void)name, (void)wanted, (void)tracked;
	arena_alloc(a, (size_t)1 << 30);
	sb_puts(out, "x");
	return 0;
}

static void test_what_fails_is_no_answer(void)
{
	CHECK(!ask_with(make_none));
	CHECK(!ask_with(make_fault));
	CHECK(!ask_with(make_much));
	CHECK(!ask_with(make_large));
	CHECK(ask_with(tables_make));
}

static void test_what_does_not_end_is_ended(void)
{
	reader.limit_ms = 50;
	CHECK(!ask_with(make_nothing));
	reader.limit_ms = LIMIT_MS;
	CHECK(ask_with(tables_make));
}

static int make_while_it_changes(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	int fd = open(path, O_WRONLY);

	(void)a, (void)name, (void)wanted, (void)tracked;
	sb_puts(out, "x");
	return ftruncate(fd, 1);
}

static void test_a_file_that_changes_has_none(void)
{
	const char *program = compile("changing", "gcc -o %O %P");
	struct sb out = {0};
	struct stat st;

	CHECK(!chmod(program, 0777));
	reader.make = make_while_it_changes;
	CHECK(!ask(program, &out));
	reader.make = tables_make;
	CHECK(!stat(program, &st) && st.st_size == 1);
	sb_free(&out);
}

/* What it has: the file, the pipe, no more, and no privilege to come. */
static int make_limits(struct arena *a, const char *path, const char *name, unsigned wanted, unsigned tracked, struct sb *out)
{
	struct rlimit memory, cpu, core;

	(void)name, (void)wanted, (void)tracked;
	if (getrlimit(RLIMIT_AS, &memory) || getrlimit(RLIMIT_CPU, &cpu) || getrlimit(RLIMIT_CORE, &core) || memory.rlim_max != 1 << 30 ||
	    cpu.rlim_max != 5 || core.rlim_max || strcmp(path, "/proc/self/fd/0") || fcntl(3, F_GETFD) >= 0 ||
	    strcmp(file_read(a, "/proc/self/oom_score_adj", &(size_t){0}), "1000\n"))
		return -1;
	sb_puts(out, "x");
	return 0;
}

static void test_it_has_limits(void)
{
	CHECK(ask_with(make_limits));
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	CHECK(mkdtemp(dir) != NULL);
	if (geteuid()) {
		printf("1..0 # SKIP only root reads files of others\n");
		return 77;
	}
	UNIT_RUN(test_a_file_is_read);
	UNIT_RUN(test_a_file_of_others_is_read_as_nobody);
	UNIT_RUN(test_a_file_that_others_may_write_is_read_as_nobody);
	UNIT_RUN(test_nobody_is_all_that_it_is);
	UNIT_RUN(test_a_debug_file_is_not_opened_by_its_name);
	UNIT_RUN(test_a_debug_file_is_found_by_the_build_id);
	UNIT_RUN(test_a_shared_part_is_not_opened_by_its_name);
	UNIT_RUN(test_split_files_are_not_opened_by_their_names);
	UNIT_RUN(test_what_fails_is_no_answer);
	UNIT_RUN(test_what_does_not_end_is_ended);
	UNIT_RUN(test_a_file_that_changes_has_none);
	UNIT_RUN(test_it_has_limits);
	file_remove_tree(dir);
	arena_free(&arena);
	return unit_done();
}
