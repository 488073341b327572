// SPDX-License-Identifier: GPL-2.0-or-later
/* Whole files and folders, in a temporary folder. */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "testsuite/unit/unit.h"

static struct arena arena;
static char top[] = "/tmp/spile-file-test-XXXXXX";

static const char *at(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & 07777;
}

static void test_what_is_written_is_read(void)
{
	static const char bytes[] = "one\0two";
	size_t len = 0;
	char *s;

	CHECK_EQ(file_write(at("plain"), bytes, sizeof bytes), 0);
	CHECK_EQ(mode_of(at("plain")), 0600);
	s = file_read(&arena, at("plain"), &len);
	CHECK_EQ(len, sizeof bytes);
	CHECK(s && !memcmp(s, bytes, sizeof bytes) && !s[len]);
	CHECK_EQ(file_write(at("plain"), "", 0), 0);
	CHECK_STR(file_read(&arena, at("plain"), &len), "");
	CHECK_EQ(len, 0);
}

static void test_a_file_that_hides_its_size_is_read(void)
{
	size_t len = 0;
	char *s = file_read(&arena, "/proc/self/maps", &len), *word = file_read(&arena, "/proc/self/comm", NULL);

	CHECK(s && len > 4096 && strlen(s) == len && s[len - 1] == '\n'); /* more than the first guess */
	CHECK_HAS(word, "file_test");
}

static void test_a_large_file_is_copied(void)
{
	size_t n = (3 << 20) + 1, len = 0;
	char *s = arena_alloc(&arena, n), *copy;

	for (size_t i = 0; i < n; i++)
		s[i] = (char)(i * 7 + i / 251);
	CHECK_EQ(file_write(at("large"), s, n), 0);
	CHECK_EQ(file_copy(at("large"), at("copy")), 0);
	copy = file_read(&arena, at("copy"), &len);
	CHECK_EQ(len, n);
	CHECK(copy && !memcmp(s, copy, n));
}

static void test_what_is_no_file_is_not_read(void)
{
	errno = 0;
	CHECK(!file_read(&arena, at("absent"), NULL));
	CHECK_EQ(errno, ENOENT);
	CHECK(!file_read(&arena, top, NULL));
	CHECK_EQ(errno, EISDIR);
	CHECK_EQ(mkfifo(at("fifo"), 0600), 0); /* it has no writer */
	CHECK(!file_read(&arena, at("fifo"), NULL));
	CHECK_EQ(errno, EINVAL);
	CHECK_EQ(file_copy(at("absent"), at("nothing")), -1);
	CHECK_EQ(errno, ENOENT);
	CHECK_EQ(access(at("nothing"), F_OK), -1);
}

static void test_a_replaced_file_is_whole_or_untouched(void)
{
	mode_t mask = umask(027);

	CHECK_EQ(file_write(at("precious"), "old", 3), 0);
	CHECK_EQ(symlink("precious", at("link")), 0);
	CHECK_EQ(file_replace(at("link"), "new", 3, 0644), 0);
	CHECK_STR(file_read(&arena, at("precious"), NULL), "old"); /* the link is replaced, not followed */
	CHECK_STR(file_read(&arena, at("link"), NULL), "new");
	CHECK_EQ(mode_of(at("link")), 0640);
	CHECK_EQ(umask(mask), 027);
	CHECK_EQ(file_make_folder(at("folder/in"), 0700), 0);
	CHECK_EQ(file_replace(at("folder"), "new", 3, 0600), -1);
	CHECK_EQ(errno, EISDIR);
	CHECK_EQ(file_replace(at("absent/file"), "new", 3, 0600), -1);
	CHECK_EQ(errno, ENOENT);
	CHECK_EQ(system(arena_printf(&arena, "! ls %s | grep -q 'folder[.]\\|link[.]'", top)), 0); /* nothing is left */
}

static void test_a_full_device_is_an_error(void)
{
	int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	CHECK_EQ(file_put(fd, "x", 1), -1);
	CHECK_EQ(errno, ENOSPC);
	CHECK_EQ(file_put(fd, "", 0), 0);
	close(fd);
	CHECK_EQ(file_write("/dev/full", "x", 1), -1);
	CHECK_EQ(errno, ENOSPC);
}

static void test_pieces_are_gathered(void)
{
	char buf[8] = "";
	int p[2];

	CHECK_EQ(pipe2(p, O_CLOEXEC), 0);
	CHECK_EQ(file_put(p[1], "abcdefghij", 10), 0);
	close(p[1]);
	CHECK_EQ(file_get(p[0], buf, 7), 7);
	CHECK_STR(buf, "abcdefg");
	CHECK_EQ(file_get(p[0], buf, 7), 3);
	CHECK_EQ(file_get(p[0], buf, 7), 0);
	close(p[0]);
	CHECK_EQ(file_get(p[0], buf, 7), -1);
}

static void test_folders_are_made_with_their_parents(void)
{
	CHECK_EQ(file_make_folder(at("a/b/c"), 0700), 0);
	CHECK_EQ(file_make_folder(at("a/b/c"), 0700), 0);
	CHECK_EQ(file_make_folder(at("a/b/d/"), 0755), 0);
	CHECK_EQ(mode_of(at("a/b/c")), 0700);
	CHECK_EQ(mode_of(at("a/b/d")), 0755);
	CHECK_EQ(file_write(at("a/file"), "", 0), 0);
	errno = 0;
	CHECK_EQ(file_make_folder(at("a/file"), 0700), -1);
	CHECK_EQ(errno, ENOTDIR);
	errno = 0;
	CHECK_EQ(file_make_folder(at("a/file/x"), 0700), -1);
	CHECK_EQ(errno, ENOTDIR);
	CHECK_EQ(file_make_folder(arena_printf(&arena, "/%05000d", 0), 0700), -1);
	CHECK_EQ(errno, ENAMETOOLONG);
	CHECK_EQ(file_make_folder("", 0700), -1);
	CHECK_EQ(errno, ENOENT);
}

static void test_a_tree_is_removed_and_what_links_lead_to_stays(void)
{
	CHECK_EQ(file_make_folder(at("t/u/v"), 0700), 0);
	CHECK_EQ(file_write(at("t/u/f"), "x", 1), 0);
	CHECK_EQ(file_write(at("kept"), "x", 1), 0);
	CHECK_EQ(symlink(top, at("t/u/link")), 0);
	CHECK_EQ(file_remove_tree(at("t")), 0);
	CHECK_EQ(access(at("t"), F_OK), -1);
	CHECK_EQ(access(at("kept"), F_OK), 0);
	CHECK_EQ(file_remove_tree(at("t")), 0);
}

static bool same_identity(struct hash128 a, struct hash128 b)
{
	return a.lo == b.lo && a.hi == b.hi;
}

static void test_an_identity_changes_with_the_file(void)
{
	struct hash128 none = file_identity(hash128_init(), at("changing")), first;

	CHECK_EQ(file_write(at("changing"), "1", 1), 0);
	first = file_identity(hash128_init(), at("changing"));
	CHECK(!same_identity(none, first));
	CHECK(same_identity(first, file_identity(hash128_init(), at("changing"))));
	CHECK_EQ(file_write(at("changing"), "12", 2), 0);
	CHECK(!same_identity(first, file_identity(hash128_init(), at("changing"))));
}

/* 65,536 bytes are read at a time. */
static void test_a_hash_changes_with_what_is_in_a_file(void)
{
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000};
	char *text = calloc(1, 200000);
	size_t size;

	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		struct hash128 h = hash128_init(), same = h, other = h;

		CHECK_EQ(file_write(at("hashed"), text, sizes[i]), 0);
		CHECK_EQ(file_hash(&h, at("hashed"), &size), 0);
		CHECK_EQ(size, sizes[i]);
		CHECK_EQ(file_hash(&same, at("hashed"), &size), 0);
		CHECK(same_identity(h, same));
		if (!sizes[i])
			continue;
		text[sizes[i] - 1] = 1;
		CHECK_EQ(file_write(at("hashed"), text, sizes[i]), 0);
		CHECK_EQ(file_hash(&other, at("hashed"), &size), 0);
		CHECK(!same_identity(h, other));
		text[sizes[i] - 1] = 0;
	}
	free(text);
	CHECK_EQ(file_hash(&(struct hash128){0}, at("no-file"), &size), -1);
	CHECK_EQ(errno, ENOENT);
	CHECK_EQ(file_hash(&(struct hash128){0}, top, &size), -1);
	CHECK_EQ(errno, EISDIR);
}

static void test_temporary_files_are_where_the_environment_says(void)
{
	char *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;

	unsetenv("TMPDIR");
	CHECK_STR(file_temporary_folder(), "/tmp");
	setenv("TMPDIR", at("no-folder"), 1);
	CHECK_STR(file_temporary_folder(), "/tmp");
	CHECK_EQ(file_write(at("no-folder"), "", 0), 0);
	CHECK_STR(file_temporary_folder(), "/tmp");
	setenv("TMPDIR", ".", 1);
	CHECK_STR(file_temporary_folder(), "/tmp");
	setenv("TMPDIR", top, 1);
	CHECK_STR(file_temporary_folder(), top);
	before ? setenv("TMPDIR", before, 1) : unsetenv("TMPDIR");
	free(before);
}

static void test_a_temporary_file_has_no_name(void)
{
	int fd = file_temporary();
	struct stat st;
	char text[5] = "";

	CHECK(fd >= 0);
	CHECK(!fstat(fd, &st) && st.st_nlink == 0);
	CHECK_EQ(file_put(fd, "text", 4), 0);
	CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
	CHECK_EQ(file_get(fd, text, 4), 4);
	CHECK_STR(text, "text");
	close(fd);
}

static void test_a_name_has_the_time(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
	CHECK_STR(file_name_at(&arena, "out", 0), "out");
	CHECK_STR(file_name_at(&arena, "%Y/out-%m-%d.%H%M%S", 86400 + 3661), "1970/out-01-02.010101");
	CHECK_STR(file_name_at(&arena, "100%%", 0), "100%");
}

int main(int argc, char **argv)
{
	int rc;

	unit_init(argc, argv);
	if (!mkdtemp(top))
		return 1;
	UNIT_RUN(test_what_is_written_is_read);
	UNIT_RUN(test_a_file_that_hides_its_size_is_read);
	UNIT_RUN(test_a_large_file_is_copied);
	UNIT_RUN(test_what_is_no_file_is_not_read);
	UNIT_RUN(test_a_replaced_file_is_whole_or_untouched);
	UNIT_RUN(test_a_full_device_is_an_error);
	UNIT_RUN(test_pieces_are_gathered);
	UNIT_RUN(test_folders_are_made_with_their_parents);
	UNIT_RUN(test_a_tree_is_removed_and_what_links_lead_to_stays);
	UNIT_RUN(test_an_identity_changes_with_the_file);
	UNIT_RUN(test_a_hash_changes_with_what_is_in_a_file);
	UNIT_RUN(test_temporary_files_are_where_the_environment_says);
	UNIT_RUN(test_a_temporary_file_has_no_name);
	UNIT_RUN(test_a_name_has_the_time);
	rc = unit_done();
	file_remove_tree(top);
	arena_free(&arena);
	return rc;
}
