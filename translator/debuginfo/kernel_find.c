/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the build directory, modules and image of a kernel by release or by directory, where distributions install them. */
#include "translator/debuginfo/kernel_find.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/kernels.h"

static bool is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The first of the paths, made from formats, root and release, that exists. */
static const char *first_there(struct arena *a, bool (*there)(const char *), const char *const *formats,
			       const char *root, const char *release)
{
	for (; *formats; formats++) {
		struct sb path = {0};
		const char *s, *found = NULL;

		for (s = *formats; *s; s++) {
			if (*s == '@')
				sb_puts(&path, root);
			else if (*s == '%')
				sb_puts(&path, release);
			else
				sb_putc(&path, *s);
		}
		if (there(path.s))
			found = arena_strdup(a, path.s);
		sb_free(&path);
		if (found)
			return found;
	}
	return NULL;
}

static const char *const modules_formats[] = {"@/lib/modules/%", "@/usr/lib/modules/%", NULL};
static const char *const image_formats[] = {
	"@/boot/vmlinuz-%", "@/lib/modules/%/vmlinuz", "@/usr/lib/modules/%/vmlinuz",
	"@/boot/bzImage-%", "@/boot/kernel-%",         NULL};
static const char *const vmlinux_formats[] = {
	"@/usr/lib/debug/boot/vmlinux-%", "@/usr/lib/debug/lib/modules/%/vmlinux", "@/boot/vmlinux-%", NULL};
static const char *const headers_formats[] = {"@/usr/src/linux-headers-%", "@/usr/src/kernels/%", NULL};

/* A link "build" made for "/" leads out of another root: then its target is looked for inside that root. */
static const char *build_dir(struct arena *a, const char *root, const char *modules, const char *release)
{
	char target[PATH_MAX], path[PATH_MAX];
	ssize_t n;

	if (modules && snprintf(path, sizeof path, "%s/build", modules) < (int)sizeof path) {
		n = readlink(path, target, sizeof target - 1);
		if (n > 0 && target[0] == '/' && root[0]) {
			target[n] = 0;
			if (snprintf(path, sizeof path, "%s%s", root, target) < (int)sizeof path &&
			    is_dir(path))
				return arena_strdup(a, path);
		} else if (is_dir(path)) {
			return arena_strdup(a, path);
		}
	}
	return first_there(a, is_dir, headers_formats, root, release);
}

/* The text between the quotes, or all of it, if it can be a release. */
static const char *release_in(struct arena *a, char *line)
{
	char *quote = strchr(line, '"');

	if (quote)
		line = quote + 1;
	line[strcspn(line, "\"\r\n \t")] = 0;
	return line[0] && !strchr(line, '/') ? arena_strdup(a, line) : NULL;
}

static const char *first_line(struct arena *a, const char *path)
{
	char line[256];
	FILE *f = fopen(path, "re");
	const char *release = NULL;

	if (!f)
		return NULL;
	if (fgets(line, sizeof line, f))
		release = release_in(a, line);
	fclose(f);
	return release;
}

/*
 * The release for which a build directory was configured: what the kernel calls itself.  kernel.release is the second choice, because
 * Debian's headers have the upstream version there (6.1.192 for 6.1.0-56).
 */
static const char *release_of_build(struct arena *a, const char *dir)
{
	const char *release = first_line(a, arena_printf(a, "%s/include/generated/utsrelease.h", dir));

	return release ? release : first_line(a, arena_printf(a, "%s/include/config/kernel.release", dir));
}

static bool find_in_root(struct arena *a, const char *root, const char *release, struct kernel_places *out)
{
	out->modules = first_there(a, is_dir, modules_formats, root, release);
	out->image = first_there(a, is_file, image_formats, root, release);
	out->debug_vmlinux = first_there(a, is_file, vmlinux_formats, root, release);
	out->build = build_dir(a, root, out->modules, release);
	return out->modules || out->image || out->build || out->debug_vmlinux;
}

static const char *other_root(const struct kernel_where *where)
{
	const char *root = where->root ? where->root : getenv("SPILE_KERNELS");

	return root && root[0] ? root : NULL;
}

static const char *running_release(struct arena *a)
{
	struct utsname u;

	return uname(&u) == 0 ? arena_strdup(a, u.release) : "";
}

static const char *release_or_folder(struct arena *a, const struct kernel_where *where)
{
	const struct target *t = where->target ? where->target : target_native();

	return arena_printf(a, "give a release (spile -r 6.1.0-1-%s) or a directory in which a kernel was configured and built", t->distro);
}

/* A directory: a build tree, .../lib/modules/RELEASE, or a link to one. */
static int find_by_dir(struct arena *a, const struct kernel_where *where, struct kernel_places *out,
		       struct problem *why)
{
	const char *given = where->release, *release, *build = given;
	const char *sub;

	if (!is_dir(given)) {
		problem_set(why, a, PROBLEM_NO_KERNEL, "there is no kernel build directory %s", given);
		if (why)
			why->hint = release_or_folder(a, where);
		return -1;
	}
	release = release_of_build(a, given);
	if (!release) {
		sub = arena_printf(a, "%s/build", given);
		release = release_of_build(a, sub);
		build = sub;
	}
	if (!release) {
		problem_set(
			why, a, PROBLEM_NO_KERNEL,
			"%s is not the build directory of a kernel: it has no include/config/kernel.release",
			given);
		if (why)
			why->hint = release_or_folder(a, where);
		return -1;
	}
	if (!(other_root(where) && find_in_root(a, other_root(where), release, out)))
		find_in_root(a, "", release, out);
	out->release = release;
	out->build = build;
	return 0;
}

static const char *all_installed(struct arena *a, const char *const *all, size_t n)
{
	const char *text = arena_printf(a, "installed: %s", all[0]);

	for (size_t i = 1; i < n; i++)
		text = arena_printf(a, "%s, %s", text, all[i]);
	return text;
}

static int not_found(struct arena *a, const struct kernel_where *where, const char *release,
		     struct problem *why)
{
	const char *const *all;
	const char *like;
	struct nearest near;
	size_t n, i, len = strlen(release);

	problem_set(why, a, PROBLEM_NO_KERNEL, "no kernel \"%s\" is installed", release);
	if (!why)
		return -1;
	nearest_init(&near, release);
	n = kernels_installed(a, (const char *const[]){"", other_root(where), NULL}, &all);
	for (i = 0; i < n && !why->near; i++) /* "6.1" is meant for 6.1.0-56 */
		if (strncmp(all[i], release, len) == 0 && !isdigit((unsigned char)all[i][len]))
			why->near = arena_printf(a, "\"%s\"", all[i]);
	for (i = 0; i < n; i++)
		nearest_add(&near, all[i]);
	if (why->near)
		return -1;
	why->near = nearest_text(&near, a);
	like = kernels_like(all, n, release);
	if (!why->near && like)
		why->near = arena_printf(a, "\"%s\"", like);
	if (!n || isdigit((unsigned char)*release))
		why->hint = arena_printf(a, "install the packages linux-image-%s and linux-headers-%s", release, release);
	else
		why->hint = all_installed(a, all, n);
	return -1;
}

static int not_of_target(struct arena *a, const struct kernel_where *where, struct problem *why)
{
	problem_set(why, a, PROBLEM_NO_KERNEL, "this machine's kernel is not for %s", where->target->name);
	if (why)
		why->hint = "-r names one that is: its release, or the folder in which it was built, with its vmlinux";
	return -1;
}

int kernel_find(struct arena *a, const struct kernel_where *where, struct kernel_places *out,
		struct problem *why)
{
	const char *release = where->release, *running = running_release(a);

	bool foreign = where->target && where->target != target_native();

	memset(out, 0, sizeof *out);
	if (foreign && !release)
		return not_of_target(a, where, why);
	if (release && strchr(release, '/'))
		return find_by_dir(a, where, out, why);
	if (!release || !release[0])
		release = running;
	out->release = release;
	if (strcmp(release, ".") == 0 || strcmp(release, "..") == 0)
		return not_found(a, where, release, why);
	if (other_root(where) && find_in_root(a, other_root(where), release, out))
		return 0;
	out->running = !foreign && strcmp(release, running) == 0;
	out->loaded = out->running && !where->for_guest && access("/proc/modules", R_OK) == 0 ? "/proc/modules" : NULL;
	if (find_in_root(a, "", release, out) || out->running)
		return 0;
	return not_found(a, where, release, why);
}

bool kernel_is_complete(struct arena *a, const char *release)
{
	struct kernel_places p = {0};

	return find_in_root(a, "", release, &p) && p.image && p.modules && p.build &&
	       access(arena_printf(a, "%s/Makefile", p.build), R_OK) == 0 &&
	       access(arena_printf(a, "%s/modules.dep", p.modules), R_OK) == 0;
}
