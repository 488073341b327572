/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The cache of built modules: damage, lack of room, several runs at once, runs that die. */
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "testsuite/unit/build_fixture.h"

static void test_damaged_entries_are_made_again(void)
{
	char *kit, *ko;
	struct fixture f;

	fixture_init(&f, newest);
	own_cache(&f);
	give_runtime(&f);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "hurt", &f.ko), 0);
	ko = arena_strdup(&f.a, f.ko);
	kit = arena_strdup(&f.a, f.b.kit ? f.b.kit->dir : "");
	build_end(&f.b);

	/* A module cut short, as after a full disk. */
	CHECK_EQ(truncate(ko, 1000), 0);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "hurt", &f.ko), 0);
	CHECK(!f.b.module_was_cached && f.b.runtime_was_cached);
	build_end(&f.b);

	/* The same size, other bytes; a missing file; a missing seal. */
	CHECK_EQ(shell("printf X | dd of='%s' bs=1 seek=700 conv=notrunc 2>/dev/null", ko), 0);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "hurt", &f.ko), 0);
	CHECK(!f.b.module_was_cached);
	build_end(&f.b);
	CHECK_EQ(unlink(arena_printf(&f.a, "%s/runtime.o", kit)), 0);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "hurt", &f.ko), 0);
	CHECK(!f.b.runtime_was_cached && f.b.module_was_cached);
	build_end(&f.b);
	CHECK_EQ(unlink(arena_printf(&f.a, "%.*s/seal", (int)(strrchr(ko, '/') - ko), ko)), 0);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "hurt", &f.ko), 0);
	CHECK(!f.b.module_was_cached);
	CHECK_EQ(f.ds.errors, 0);
	fixture_end(&f);
}

static void back_date(const char *path, time_t by)
{
	struct timespec t[2] = {{.tv_sec = time(NULL) - by}, {.tv_sec = time(NULL) - by}};

	CHECK_EQ(utimensat(AT_FDCWD, path, t, 0), 0);
}

static void test_least_recently_used_entries_make_room(void)
{
	char *old, *used, *runtime;
	struct fixture f;

	fixture_init(&f, newest);
	own_cache(&f);
	give_runtime(&f);
	/* Entries that take 600 kB each, by bulk in the module's data. */
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_a[600000] = { 1 };\n", script_text(&f)),
			      NULL, "a", &f.ko),
		 0);
	old = arena_strndup(&f.a, f.ko, (size_t)(strrchr(f.ko, '/') - f.ko));
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_b[600000] = { 1 };\n", script_text(&f)),
			      NULL, "b", &f.ko),
		 0);
	used = arena_strndup(&f.a, f.ko, (size_t)(strrchr(f.ko, '/') - f.ko));
	runtime = arena_strdup(&f.a, f.b.kit->dir);
	put(&f, f.b.cache_dir, "cache.limit", "2\n");
	back_date(old, 1000);
	back_date(used, 900);
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_c[600000] = { 1 };\n", script_text(&f)),
			      NULL, "c", &f.ko),
		 0);
	CHECK_EQ(access(old, F_OK), 0);
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_d[600000] = { 1 };\n", script_text(&f)),
			      NULL, "d", &f.ko),
		 0);
	CHECK(access(old, F_OK) != 0);
	CHECK_EQ(access(runtime, F_OK), 0);
	CHECK_EQ(access(f.ko, F_OK), 0);
	/* Entries that were used within this minute are not removed, whatever the limit. */
	put(&f, f.b.cache_dir, "cache.limit", "0 MB");
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_e[9] = { 1 };\n", script_text(&f)), NULL,
			      "e", &f.ko),
		 0);
	CHECK(access(used, F_OK) != 0);
	CHECK_EQ(access(f.ko, F_OK), 0);
	check_no_message(&f);
	put(&f, f.b.cache_dir, "cache.limit", "much");
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_f[9] = { 1 };\n", script_text(&f)), NULL,
			      "f", &f.ko),
		 0);
	CHECK_HAS(message(&f, W_CACHE), "does not hold a number of megabytes");
	fixture_end(&f);
}

static bool hash_is_kept(struct fixture *f)
{
	return shell("test -s '%s/sources/'*", f->b.cache_dir) == 0;
}

/* The hash of the runtime's texts is kept, but not of files that changed in the last seconds, which may change again without another time. */
static void test_a_changed_runtime_is_seen_whatever_its_times(void)
{
	struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
	char first[33], again[33], changed[33];
	struct fixture f;
	char *file, *text;
	size_t len;

	fixture_init(&f, newest);
	own_cache(&f);
	file = arena_printf(&f.a, "%s/rt/rt.h", own_runtime(&f));
	CHECK_EQ(utimensat(AT_FDCWD, file, times, 0), 0);
	CHECK_EQ(cache_open(&f.b), 0);
	CHECK_EQ(sources_hash(&f.b, first), 0);
	CHECK(!hash_is_kept(&f));
	for (int i = 0; i < 600 && !hash_is_kept(&f); i++) {
		usleep(100000);
		CHECK_EQ(sources_hash(&f.b, again), 0);
		CHECK_STR(again, first);
	}
	CHECK(hash_is_kept(&f));
	CHECK_EQ(sources_hash(&f.b, again), 0);
	CHECK_STR(again, first);
	text = file_read(&f.a, file, &len);
	text[len - 1] ^= 1;
	CHECK_EQ(file_write(file, text, len), 0);
	CHECK_EQ(utimensat(AT_FDCWD, file, times, 0), 0);
	CHECK_EQ(sources_hash(&f.b, changed), 0);
	CHECK(strcmp(changed, first) != 0);
	text[len - 1] ^= 1;
	CHECK_EQ(file_write(file, text, len), 0);
	CHECK_EQ(sources_hash(&f.b, again), 0);
	CHECK_STR(again, first);
	fixture_end(&f);
}

static void test_a_kept_hash_is_used_while_nothing_changes(void)
{
	char first[33], again[33];
	struct fixture f;

	fixture_init(&f, newest);
	own_cache(&f);
	CHECK_EQ(cache_open(&f.b), 0);
	for (int i = 0; i < 600 && !hash_is_kept(&f); i++) {
		usleep(i ? 100000 : 0);
		CHECK_EQ(sources_hash(&f.b, first), 0);
	}
	CHECK_EQ(shell("sed -i 's/ ..../ 0000/' '%s/sources/'*", f.b.cache_dir), 0);
	CHECK_EQ(sources_hash(&f.b, again), 0);
	CHECK(!strncmp(again, "0000", 4));
	CHECK_STR(again + 4, first + 4);
	/* What is not whole is not used. */
	CHECK_EQ(shell("truncate -s 40 '%s/sources/'*", f.b.cache_dir), 0);
	CHECK_EQ(sources_hash(&f.b, again), 0);
	CHECK_STR(again, first);
	fixture_end(&f);
}

/* To look through all of it takes time, so it is done when a sixteenth of the limit was stored. */
static void test_a_cache_is_looked_through_when_it_may_have_grown_a_part(void)
{
	struct fixture f;
	char *old;

	fixture_init(&f, newest);
	own_cache(&f);
	give_runtime(&f);
	put(&f, f.b.cache_dir, "cache.limit", "16\n");
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_a[600000] = { 1 };\n", script_text(&f)), NULL, "a", &f.ko), 0);
	old = arena_strndup(&f.a, f.ko, (size_t)(strrchr(f.ko, '/') - f.ko));
	CHECK_EQ(file_write(arena_printf(&f.a, "%s/bulk", old), arena_alloc(&f.a, 17 << 20), 17 << 20), 0);
	back_date(old, 1000);
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_b[600000] = { 1 };\n", script_text(&f)), NULL, "b", &f.ko), 0);
	CHECK_EQ(access(old, F_OK), 0);
	CHECK_EQ(build_module(&f.b, arena_printf(&f.a, "%schar bulk_c[600000] = { 1 };\n", script_text(&f)), NULL, "c", &f.ko), 0);
	CHECK(access(old, F_OK) != 0);
	CHECK_EQ(access(f.ko, F_OK), 0);
	check_no_message(&f);
	fixture_end(&f);
}

static void check_works_without_cache(const char *dir, const char *why)
{
	char *work;
	struct fixture f;

	fixture_init(&f, newest);
	f.b.cache_dir = dir;
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "homeless", &f.ko), 0);
	CHECK_HAS(message(&f, W_CACHE), "cannot use the cache directory");
	CHECK_HAS(message(&f, W_CACHE), why);
	CHECK_EQ(f.ds.errors, 0);
	CHECK(f.b.module_is_temporary);
	work = strdup(f.ko ? f.ko : "");
	CHECK_EQ(access(work, R_OK), 0);
	build_end(&f.b);
	CHECK(access(work, R_OK) != 0);
	free(work);
	fixture_end(&f);
}

static void test_unusable_cache_is_a_warning(void)
{
	struct arena a = {0};

	check_works_without_cache("/dev/null/cache", "Not a directory");
	check_works_without_cache(arena_printf(&a, "%s/with space", tmp), "cannot have ' ' in a path");
	arena_free(&a);
}

static void test_without_a_cache_any_folder_for_temporary_files_will_do(void)
{
	char *old = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL;
	struct arena a = {0};
	char *spaced = arena_printf(&a, "%s/a b", tmp);

	CHECK_EQ(mkdir(spaced, 0700), 0);
	setenv("TMPDIR", spaced, 1);
	check_works_without_cache("/dev/null/cache", "Not a directory");
	setenv("TMPDIR", "/nowhere", 1);
	check_works_without_cache("/dev/null/cache", "Not a directory");
	rmdir(spaced);
	old ? setenv("TMPDIR", old, 1) : unsetenv("TMPDIR");
	free(old);
	arena_free(&a);
}

static void test_settings_for_other_builds_stay_outside(void)
{
	static const char *const settings[][2] = {
		{"KBUILD_OUTPUT", "/nowhere"}, {"KBUILD_EXTRA_SYMBOLS", "/nowhere"}, {"KCFLAGS", "-fno-such-option"},
		{"ARCH", "arm64"},	       {"CROSS_COMPILE", "no-such-"},	     {"MAKEFILES", "/nowhere"},
		{"GNUMAKEFLAGS", "-n"},	       {"LLVM", "1"},
	};
	struct fixture f;

	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		setenv(settings[i][0], settings[i][1], 1);
	fixture_init(&f, newest);
	own_cache(&f);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "settings", &f.ko), 0);
	CHECK(!f.b.runtime_was_cached);
	check_no_message(&f);
	fixture_end(&f);
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
		unsetenv(settings[i][0]);
}

static void test_clean_empties_the_cache_unless_it_is_in_use(void)
{
	struct fixture f, other;

	fixture_init(&f, newest);
	own_cache(&f);
	CHECK_EQ(build_cache_clean(&f.b), 0); /* nothing there yet */
	build_end(&f.b);
	give_runtime(&f);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "dirt", &f.ko), 0);
	fixture_init(&other, newest);
	other.b.cache_dir = f.b.cache_dir;
	CHECK_EQ(build_cache_clean(&other.b), -1);
	CHECK_HAS(message(&other, E_IO), "another run is using it");
	CHECK_EQ(access(f.ko, R_OK), 0);
	fixture_end(&other);
	CHECK_EQ(build_cache_clean(&f.b), 0);
	CHECK(access(f.ko, R_OK) != 0);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "dirt", &f.ko), 0);
	CHECK(!f.b.runtime_was_cached);
	check_no_message(&f);
	fixture_end(&f);
}

/* Builds in a child process; its exit status: 0 used the cached runtime, 1 made it, 2 failed. */
static pid_t build_in_child(const char *cache, const char *name)
{
	pid_t pid = fork();
	struct fixture f;

	if (pid)
		return pid;
	fixture_init(&f, newest);
	f.b.cache_dir = cache;
	if (build_module(&f.b, script_text(&f), NULL, name, &f.ko) || access(f.ko, R_OK) || f.ds.first)
		_exit(2);
	build_end(&f.b);
	_exit(ran(&f, "kbuild: template"));
}

static void test_parallel_first_runs_build_the_runtime_once(void)
{
	static const char *const names[] = {"p_a", "p_b", "p_b", "p_c"};
	unsigned count[3] = {0};
	struct fixture f;
	pid_t pids[4];
	int st;

	fixture_init(&f, newest);
	own_cache(&f);
	for (int i = 0; i < 4; i++)
		pids[i] = build_in_child(f.b.cache_dir, names[i]);
	for (int i = 0; i < 4; i++) {
		waitpid(pids[i], &st, 0);
		count[WIFEXITED(st) && WEXITSTATUS(st) < 2 ? WEXITSTATUS(st) : 2]++;
	}
	CHECK_EQ(count[2], 0);
	CHECK_EQ(count[1], 1);
	CHECK_EQ(count[0], 3);
	fixture_end(&f);
}

static void test_a_killed_first_run_leaves_nothing_half(void)
{
	struct fixture f;
	pid_t pid;
	int st;

	fixture_init(&f, newest);
	own_cache(&f);
	for (int ms = 500; ms <= 2000; ms += 500) {
		pid = build_in_child(f.b.cache_dir, "victim");
		nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
		kill(pid, SIGKILL);
		waitpid(pid, &st, 0);
	}
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "victim", &f.ko), 0);
	check_no_message(&f);
	fixture_end(&f);
}

static int work_folders(struct fixture *f)
{
	int st = shell("exit $(ls '%s/tmp' | wc -l)", f->b.cache_dir);

	return WIFEXITED(st) ? WEXITSTATUS(st) : -1;
}

static void test_work_folders_of_killed_runs_go_at_the_next_run(void)
{
	struct fixture f, next, keeper;
	const char *kept;
	pid_t pid;
	int st;

	fixture_init(&f, newest);
	own_cache(&f);
	give_runtime(&f);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "living", &f.ko), 0);
	CHECK_EQ(work_folders(&f), 1);
	pid = fork();
	if (!pid) { /* then its folder is not locked */
		fixture_init(&next, newest);
		next.b.cache_dir = f.b.cache_dir;
		build_module(&next.b, script_text(&f), NULL, "living", &next.ko);
		raise(SIGKILL);
	}
	waitpid(pid, &st, 0);
	CHECK(WIFSIGNALED(st));
	CHECK_EQ(work_folders(&f), 2);

	fixture_init(&keeper, newest);
	keeper.b.cache_dir = f.b.cache_dir;
	keeper.b.keep = true;
	CHECK_EQ(build_module(&keeper.b, script_text(&f), NULL, "living", &keeper.ko), 0);
	CHECK_EQ(work_folders(&f), 2); /* that of the living process and its own */
	kept = keeper.b.work_dir;
	build_end(&keeper.b);

	fixture_init(&next, newest);
	next.b.cache_dir = f.b.cache_dir;
	CHECK_EQ(build_module(&next.b, script_text(&f), NULL, "living", &next.ko), 0);
	CHECK_EQ(work_folders(&f), 3);
	CHECK_EQ(access(f.b.work_dir, F_OK), 0);
	CHECK_EQ(access(kept, F_OK), 0);
	build_end(&next.b);
	CHECK_EQ(shell("touch -d '2 hours ago' '%s'/tmp/*", f.b.cache_dir), 0);
	CHECK_EQ(build_module(&next.b, script_text(&f), NULL, "living", &next.ko), 0);
	CHECK_EQ(access(f.b.work_dir, F_OK), 0); /* however old: it is in use */
	CHECK(access(kept, F_OK));
	fixture_end(&next);
	fixture_end(&keeper);
	fixture_end(&f);
}

/* A folder shared with a guest: neither sees the locks of the other. */
static void test_work_folders_of_other_machines_stay_for_a_day(void)
{
	static const char *const other[] = {"m0123456789abcdef-1-AAAAAA", "kept-m0123456789abcdef-1-BBBBBB", "1-CCCCCC"};
	struct fixture f;
	const char *mine;

	fixture_init(&f, newest);
	own_cache(&f);
	give_runtime(&f);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "living", &f.ko), 0);
	mine = strrchr(f.b.work_dir, '/') + 1;
	CHECK_EQ(strcspn(mine, "-"), 17); /* m and the boot of this machine */
	CHECK_EQ(*mine, 'm');
	build_end(&f.b);
	for (size_t i = 0; i < 3; i++)
		CHECK_EQ(shell("cd '%s/tmp' && mkdir -p '%s/kit' && touch -d '23 hours ago' '%s'", f.b.cache_dir, other[i], other[i]), 0);
	CHECK_EQ(shell("mkdir '%s/tmp/%.18s1-DDDDDD' '%s/tmp/kept-%.18s1-EEEEEE'", f.b.cache_dir, mine, f.b.cache_dir, mine), 0);
	CHECK_EQ(build_module(&f.b, script_text(&f), NULL, "living", &f.ko), 0);
	CHECK_EQ(work_folders(&f), 5); /* the others', its own, and the one that this machine keeps */
	build_end(&f.b);
	CHECK_EQ(build_cache_clean(&f.b), 0);
	CHECK_EQ(work_folders(&f), 3);
	for (size_t i = 0; i < 3; i++)
		CHECK_EQ(shell("touch -d '25 hours ago' '%s/tmp/%s'", f.b.cache_dir, other[i]), 0);
	CHECK_EQ(build_cache_clean(&f.b), 0);
	CHECK_EQ(work_folders(&f), 0);
	fixture_end(&f);
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	if (fixture_begin())
		return 1;
	UNIT_RUN(test_damaged_entries_are_made_again);
	UNIT_RUN(test_least_recently_used_entries_make_room);
	UNIT_RUN(test_a_changed_runtime_is_seen_whatever_its_times);
	UNIT_RUN(test_a_kept_hash_is_used_while_nothing_changes);
	UNIT_RUN(test_a_cache_is_looked_through_when_it_may_have_grown_a_part);
	UNIT_RUN(test_unusable_cache_is_a_warning);
	UNIT_RUN(test_without_a_cache_any_folder_for_temporary_files_will_do);
	UNIT_RUN(test_settings_for_other_builds_stay_outside);
	UNIT_RUN(test_clean_empties_the_cache_unless_it_is_in_use);
	UNIT_RUN(test_parallel_first_runs_build_the_runtime_once);
	UNIT_RUN(test_a_killed_first_run_leaves_nothing_half);
	UNIT_RUN(test_work_folders_of_killed_runs_go_at_the_next_run);
	UNIT_RUN(test_work_folders_of_other_machines_stay_for_a_day);
	return fixture_done();
}
