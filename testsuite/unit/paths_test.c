// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Our own files, found from build trees, installations and staged installations made up in a temporary
 * folder.
 */
#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/paths.h"
#include "testsuite/unit/unit.h"

static struct arena arena;
static const char *top; /* the temporary folder */

static const char *at(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

static void folder(const char *name)
{
	CHECK_EQ(file_make_folder(at(name), 0700), 0);
}

static void file(const char *name, const char *text, mode_t mode)
{
	FILE *f = fopen(at(name), "w");

	if (!CHECK(f != NULL))
		return;
	fputs(text, f);
	fclose(f);
	CHECK_EQ(chmod(at(name), mode), 0);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void begin(void)
{
	char name[] = "/tmp/paths_testXXXXXX", *real;

	unsetenv("SPILE_TAPSET");
	unsetenv("SPILE_RUNTIME");
	unsetenv("SPILE_EXAMPLES");
	real = realpath(mkdtemp(name), NULL);
	top = arena_strdup(&arena, real);
	free(real);
}

static void end(void)
{
	nftw(top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void test_a_build_in_the_source_tree(void)
{
	begin();
	folder("src/runtime");
	file("src/paths.build", "# a comment\n# another\nsrcdir=.\n", 0644);
	file("src/spilerun", "", 0755);
	paths_init_at(at("src/spile"));
	CHECK_STR(paths_tapset(), at("src/tapset"));
	CHECK_STR(paths_runtime(), at("src/runtime"));
	CHECK_STR(paths_examples(), at("src/examples"));
	CHECK_STR(paths_helper("spilerun"), at("src/spilerun"));
	CHECK_STR(paths_helper("spile-vm"), NULL);
	end();
}

static void test_a_build_elsewhere(void)
{
	begin();
	folder("src/runtime");
	folder("b/deep");
	file("b/deep/paths.build", "srcdir=../../src\n", 0644);
	file("b/deep/spile-vm", "", 0755);
	paths_init_at(at("b/deep/spile"));
	CHECK_STR(paths_runtime(), at("src/runtime"));
	CHECK_STR(paths_helper("spile-vm"), at("b/deep/spile-vm"));
	file("b/deep/paths.build", arena_printf(&arena, "srcdir=%s\n", at("src")), 0644);
	paths_init_at(at("b/deep/spile"));
	CHECK_STR(paths_tapset(), at("src/tapset"));
	end();
}

static void test_a_program_in_a_folder_of_the_build_tree(void)
{
	begin();
	folder("runtime");
	folder("testsuite/unit");
	file("paths.build", "srcdir=.\n", 0644);
	file("spilerun", "", 0755);
	paths_init_at(at("testsuite/unit/x_test"));
	CHECK_STR(paths_runtime(), at("runtime"));
	CHECK_STR(paths_helper("spilerun"), at("spilerun"));
	end();
}

static void test_a_staged_installation(void)
{
	begin();
	folder("usr/local/bin");
	folder("usr/local/sbin");
	folder("usr/local/share/spile/runtime");
	file("usr/local/sbin/spilerun", "", 0755);
	file("usr/local/bin/spile-vm", "", 0755);
	paths_init_at(at("usr/local/bin/spile"));
	CHECK_STR(paths_tapset(), at("usr/local/share/spile/tapset"));
	CHECK_STR(paths_runtime(), at("usr/local/share/spile/runtime"));
	CHECK_STR(paths_helper("spilerun"), at("usr/local/sbin/spilerun"));
	CHECK_STR(paths_helper("spile-vm"), at("usr/local/bin/spile-vm"));
	paths_init_at(at("usr/local/sbin/spilerun"));
	CHECK_STR(paths_helper("spile-vm"), at("usr/local/bin/spile-vm"));
	end();
}

static void test_an_installation_inside_a_build_tree_uses_its_own_files(void)
{
	begin();
	folder("runtime");
	file("paths.build", "srcdir=.\n", 0644);
	folder("inst/bin");
	folder("inst/share/spile/runtime");
	paths_init_at(at("inst/bin/spile"));
	CHECK_STR(paths_runtime(), at("inst/share/spile/runtime"));
	end();
}

static void test_a_build_beside_an_installation_uses_its_own_files(void)
{
	begin();
	folder("spile/runtime");
	file("spile/paths.build", "srcdir=.\n", 0644);
	folder("share/spile/runtime");
	paths_init_at(at("spile/spile"));
	CHECK_STR(paths_runtime(), at("spile/runtime"));
	end();
}

static void test_a_bad_marker_is_no_marker(void)
{
	static const char *const texts[] = {"", "srcdir=", "srcdir=\n", "nonsense\n",
					    "srcdir=/no/such/tree\n"};

	begin();
	folder("bin");
	folder("share/spile/runtime");
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		file("bin/paths.build", texts[i], 0644);
		paths_init_at(at("bin/spile"));
		CHECK_STR(paths_runtime(), at("share/spile/runtime"));
	}
	end();
}

static void test_the_configured_folders_come_last(void)
{
	begin();
	paths_init_at(at("bin/spile"));
	CHECK_STR(paths_runtime(), SPILE_DATADIR "/runtime");
	paths_init_at("/spile");
	CHECK_STR(paths_tapset(), SPILE_DATADIR "/tapset");
	end();
}

static void test_helpers_are_programs(void)
{
	begin();
	folder("bin/spilerun");
	folder("share/spile/runtime");
	file("bin/spile-vm", "", 0644);
	paths_init_at(at("bin/spile"));
	CHECK_STR(paths_helper("spilerun"), NULL);
	CHECK_STR(paths_helper("spile-vm"), NULL);
	end();
}

static void test_the_environment_overrides(void)
{
	begin();
	folder("share/spile/runtime");
	paths_init_at(at("bin/spile"));
	setenv("SPILE_TAPSET", "/my/tapset", 1);
	setenv("SPILE_RUNTIME", "/my/runtime", 1);
	CHECK_STR(paths_tapset(), "/my/tapset");
	CHECK_STR(paths_runtime(), "/my/runtime");
	setenv("SPILE_TAPSET", "", 1);
	CHECK_STR(paths_tapset(), at("share/spile/tapset"));
	end();
}

static void test_the_cache_folder(void)
{
	begin();
	folder("xdg");
	folder("home");
	setenv("SPILE_DIR", "/my/cache", 1);
	setenv("XDG_CACHE_HOME", at("xdg"), 1);
	setenv("HOME", at("home"), 1);
	CHECK_STR(paths_cache(), "/my/cache");
	unsetenv("SPILE_DIR");
	CHECK_STR(paths_cache(), at("xdg/spile"));
	setenv("XDG_CACHE_HOME", "relative", 1);
	CHECK_STR(paths_cache(), at("home/.cache/spile"));
	unsetenv("XDG_CACHE_HOME");
	CHECK_STR(paths_cache(), at("home/.cache/spile"));
	unsetenv("HOME");
	const char *cache = paths_cache();
	if (geteuid() == 0)
		CHECK_STR(cache, "/root/.cache/spile");
	else
		CHECK(!cache || *cache == '/');
	end();
}

static void test_root_does_not_use_a_cache_of_somebody_else(void)
{
	if (geteuid())
		return;
	begin();
	folder("user/cache");
	CHECK_EQ(chown(at("user"), 12345, 12345), 0);
	CHECK_EQ(chown(at("user/cache"), 12345, 12345), 0);
	setenv("HOME", at("user"), 1);
	CHECK_STR(paths_cache(), "/root/.cache/spile");
	setenv("XDG_CACHE_HOME", at("user/cache"), 1);
	CHECK_STR(paths_cache(), "/root/.cache/spile");
	setenv("SPILE_DIR", at("user/cache"), 1); /* on request, it does */
	CHECK_STR(paths_cache(), at("user/cache"));
	unsetenv("SPILE_DIR");
	unsetenv("XDG_CACHE_HOME");
	end();
}

static void test_the_running_program_is_in_its_build_tree(void)
{
	const char *build = getenv("abs_top_builddir"), *source = getenv("abs_top_srcdir");
	char real[PATH_MAX];

	unsetenv("SPILE_RUNTIME");
	paths_init(NULL);
	if (build && source && realpath(source, real))
		CHECK_STR(paths_runtime(), arena_printf(&arena, "%s/runtime", real));
	else
		CHECK_HAS(paths_runtime(), "/runtime");
}

int main(int argc, char **argv)
{
	unit_init(argc, argv);
	UNIT_RUN(test_the_running_program_is_in_its_build_tree);
	UNIT_RUN(test_a_build_in_the_source_tree);
	UNIT_RUN(test_a_build_elsewhere);
	UNIT_RUN(test_a_program_in_a_folder_of_the_build_tree);
	UNIT_RUN(test_a_staged_installation);
	UNIT_RUN(test_an_installation_inside_a_build_tree_uses_its_own_files);
	UNIT_RUN(test_a_build_beside_an_installation_uses_its_own_files);
	UNIT_RUN(test_a_bad_marker_is_no_marker);
	UNIT_RUN(test_the_configured_folders_come_last);
	UNIT_RUN(test_helpers_are_programs);
	UNIT_RUN(test_the_environment_overrides);
	UNIT_RUN(test_the_cache_folder);
	UNIT_RUN(test_root_does_not_use_a_cache_of_somebody_else);
	paths_init_at("/"); /* gives the memory of the last one back */
	arena_free(&arena);
	return unit_done();
}
