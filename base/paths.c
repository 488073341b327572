// SPDX-License-Identifier: GPL-2.0-or-later
/* Finding our own files: see paths.h. */
#include "base/paths.h"

#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

#ifndef SPILE_DATADIR
#error "the build defines SPILE_DATADIR, SPILE_BINDIR and SPILE_SBINDIR"
#endif

#define MARKER "paths.build"

static struct {
	struct arena arena;
	const char *exe_dir;
	const char *build; /* top of the build tree, or NULL */
	const char *data;  /* tapset/, runtime/ and examples/ are below */
} paths;

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static const char *join(const char *folder, const char *name)
{
	return arena_printf(&paths.arena, "%s/%s", folder, name);
}

/* Without its last part; "/" stays. */
static const char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || slash == path)
		return "/";
	return arena_strndup(&paths.arena, path, (size_t)(slash - path));
}

/* The source tree that the marker in the folder names, or NULL.  A relative one counts from the marker. */
static const char *marked_source(const char *folder)
{
	char line[PATH_MAX];
	FILE *f = fopen(join(folder, MARKER), "re");
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f))
		found = !strncmp(line, "srcdir=", 7);
	if (f)
		fclose(f);
	if (!found)
		return NULL;
	line[strcspn(line, "\n")] = '\0';

	const char *named = line + 7;
	char *real = realpath(*named == '/' ? named : join(folder, named), NULL);
	const char *source = real ? arena_strdup(&paths.arena, real) : NULL;

	free(real);
	return source && is_folder(join(source, "runtime")) ? source : NULL;
}

static bool use_build_tree(const char *folder)
{
	const char *source = marked_source(folder);

	if (!source)
		return false;
	paths.build = folder;
	paths.data = source;
	return true;
}

void paths_init_at(const char *executable)
{
	const char *up;

	arena_free(&paths.arena);
	paths.build = NULL;
	paths.exe_dir = parent_of(arena_strdup(&paths.arena, executable));
	if (use_build_tree(paths.exe_dir))
		return;
	up = parent_of(paths.exe_dir);
	paths.data = join(up, "share/spile");
	if (is_folder(join(paths.data, "runtime")))
		return;
	if (use_build_tree(up) || use_build_tree(parent_of(up)))
		return;
	paths.data = SPILE_DATADIR;
}

void paths_init(const char *argv0)
{
	char *real = realpath("/proc/self/exe", NULL);

	if (!real && argv0 && strchr(argv0, '/'))
		real = realpath(argv0, NULL);
	paths_init_at(real ? real : SPILE_BINDIR "/spile");
	free(real);
}

static void need_init(void)
{
	if (!paths.exe_dir)
		paths_init(NULL);
}

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? arena_strdup(&paths.arena, value) : NULL;
}

static const char *data_folder(const char *variable, const char *name)
{
	need_init();

	const char *chosen = from_environment(variable);

	return chosen ? chosen : join(paths.data, name);
}

const char *paths_tapset(void)
{
	return data_folder("SPILE_TAPSET", "tapset");
}

const char *paths_runtime(void)
{
	return data_folder("SPILE_RUNTIME", "runtime");
}

const char *paths_examples(void)
{
	return data_folder("SPILE_EXAMPLES", "examples");
}

static const char *program_in(const char *folder, const char *name)
{
	const char *path = join(folder, name);
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK) ? path : NULL;
}

const char *paths_helper(const char *name)
{
	need_init();
	if (paths.build)
		return program_in(paths.build, name);

	const char *up = parent_of(paths.exe_dir);
	const char *folders[] = {paths.exe_dir, join(up, "bin"), join(up, "sbin"), join(up, "libexec/spile"),
				 SPILE_BINDIR,  SPILE_SBINDIR};

	for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		const char *path = program_in(folders[i], name);

		if (path)
			return path;
	}
	return NULL;
}

/*
 * Root may have the environment of the user who called sudo.  Modules are not loaded into the kernel from a folder that this
 * user can write.
 */
static bool is_ours(const char *folder)
{
	struct stat st;

	return geteuid() || (!stat(folder, &st) && st.st_uid == 0);
}

/* From $HOME, else from /etc/passwd itself: no name service, since spile-vm is linked statically. */
static const char *home(void)
{
	const char *dir = from_environment("HOME");

	if (dir && is_ours(dir))
		return dir;
	dir = NULL;

	FILE *f = fopen("/etc/passwd", "re");

	for (struct passwd *pw; f && !dir && (pw = fgetpwent(f));)
		if (pw->pw_uid == geteuid() && pw->pw_dir[0] == '/')
			dir = arena_strdup(&paths.arena, pw->pw_dir);
	if (f)
		fclose(f);
	return dir;
}

/* name in the folder of this kind that the environment or else the user's home has. */
static const char *in_users_folder(const char *variable, const char *otherwise, const char *name)
{
	const char *dir = from_environment(variable);

	if (dir && *dir == '/' && is_ours(dir)) /* relative ones are to be ignored, says their specification */
		return join(dir, name);
	dir = home();
	return dir ? join(join(dir, otherwise), name) : NULL;
}

const char *paths_rc(void)
{
	need_init();

	const char *dir = from_environment("SYSTEMTAP_DIR");

	if (getenv("SPILE_RC"))
		return from_environment("SPILE_RC");
	return dir ? join(dir, "rc") : in_users_folder("XDG_CONFIG_HOME", ".config", "spile/rc");
}

const char *paths_cache(void)
{
	need_init();

	const char *dir = from_environment("SPILE_DIR");

	if (dir)
		return dir;
	return in_users_folder("XDG_CACHE_HOME", ".cache", "spile");
}
