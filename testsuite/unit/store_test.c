// SPDX-License-Identifier: GPL-2.0-or-later
/* Entries of a store, in a temporary folder. */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/store.h"
#include "testsuite/unit/unit.h"

static struct arena arena;
static char top[] = "/tmp/spile-store-test-XXXXXX";

static const char *at(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

static bool there(const char *name)
{
	return !access(at(name), F_OK);
}

static void used_before(const char *name, int seconds)
{
	struct timespec t[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};

	CHECK_EQ(utimensat(AT_FDCWD, at(name), t, 0), 0);
}

/* An entry of 64 KiB. */
static void file(const char *name, int seconds)
{
	CHECK_EQ(file_write(at(name), arena_alloc(&arena, 1 << 16), 1 << 16), 0);
	used_before(name, seconds);
}

static void folder(const char *name, int seconds)
{
	CHECK_EQ(file_make_folder(at(name), 0700), 0);
	file(arena_printf(&arena, "%s/f", name), seconds);
	used_before(name, seconds);
}

static void trim(const char *dir, int depth, unsigned long long limit, const char *grave)
{
	store_trim((const struct store_part[]){{at(dir), depth}, {0}}, limit, grave ? at(grave) : NULL);
}

/* As in another user's cache, or on a file system that is mounted read-only: the times of this one cannot be set. */
static void test_an_entry_that_cannot_be_marked_is_used_all_the_same(void)
{
	CHECK(utimensat(AT_FDCWD, "/proc/self/ns/mnt", NULL, 0));
	CHECK(store_use("/proc/self/ns/mnt"));
}

static void test_an_entry_appears_by_its_name(void)
{
	CHECK(!store_use(at("entry")));
	CHECK_EQ(file_write(at("entry.1"), "x", 1), 0);
	CHECK_EQ(store_publish(at("entry.1"), at("entry")), 0);
	CHECK(!there("entry.1"));
	CHECK_STR(file_read(&arena, at("entry"), NULL), "x");
	errno = 0;
	CHECK_EQ(store_publish(at("entry.2"), at("entry")), -1);
	CHECK_EQ(errno, ENOENT);
	CHECK_STR(file_read(&arena, at("entry"), NULL), "x");
}

static void test_of_two_folders_the_first_stays(void)
{
	folder("one", 0);
	folder("two", 0);
	CHECK_EQ(file_write(at("two/more"), "", 0), 0);
	CHECK_EQ(store_publish(at("one"), at("both")), 0);
	CHECK_EQ(store_publish(at("two"), at("both")), 0);
	CHECK(there("both/f") && !there("both/more") && there("two/more"));
}

static void test_the_least_recently_used_go(void)
{
	CHECK_EQ(file_make_folder(at("s"), 0700), 0);
	file("s/a", 300);
	file("s/b", 400);
	file("s/c", 500);
	file("s/.hidden", 900);
	trim("s", 0, 3 << 16, NULL);
	CHECK(there("s/a") && there("s/b") && there("s/c")); /* room for three */
	CHECK(store_use(at("s/c")));
	trim("s", 0, (3 << 16) - 1, NULL);
	CHECK(there("s/a") && !there("s/b") && there("s/c"));
	trim("s", 0, 0, NULL);
	CHECK(!there("s/a") && there("s/c")); /* used just now */
	CHECK(there("s/.hidden"));
}

static void test_folders_go_into_the_grave_and_files_beside_them_stay(void)
{
	folder("t/xx/old", 500);
	folder("t/xx/new", 0);
	file("t/xx/file", 500);
	folder("grave", 0);
	trim("t", 1, 0, "grave");
	CHECK(!there("t/xx/old") && there("t/xx/new") && there("t/xx/file"));
	CHECK(there("grave/f") && !there("grave/gone-0"));
	trim("t", 1, 0, NULL);
	CHECK(there("t/xx/new") && !there("t/xx/file"));
	trim("absent", 0, 0, NULL);
}

int main(int argc, char **argv)
{
	int rc;

	unit_init(argc, argv);
	if (!mkdtemp(top))
		return 1;
	UNIT_RUN(test_an_entry_that_cannot_be_marked_is_used_all_the_same);
	UNIT_RUN(test_an_entry_appears_by_its_name);
	UNIT_RUN(test_of_two_folders_the_first_stays);
	UNIT_RUN(test_the_least_recently_used_go);
	UNIT_RUN(test_folders_go_into_the_grave_and_files_beside_them_stay);
	rc = unit_done();
	file_remove_tree(top);
	arena_free(&arena);
	return rc;
}
