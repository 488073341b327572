/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of C headers, "<sys/time.h>": a file that includes the header is compiled once to DWARF, which is kept in the cache. */
#include "translator/resolve/header.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/store.h"
#include "base/sweeper.h"

#define CACHE_BYTES (64ull << 20)

static bool is_plain(const char *name)
{
	size_t n = strlen(name), body = strspn(name + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-");

	return n > 2 && name[0] == '<' && body == n - 2 && name[n - 1] == '>';
}

/* Changes with the installed header, so that an update is seen; what it includes is not looked at. */
static const char *object_path(struct session *s, const char *name, const char *folder)
{
	const char *file = arena_printf(&s->arena, "/usr/include/%.*s", (int)strlen(name) - 2, name + 1);
	struct hash128 h = hash128_add_str(hash128_init(), name);
	struct stat st;
	char hex[33];

	if (stat(file, &st) == 0)
		h = hash128_add(hash128_add(h, &st.st_mtim, sizeof st.st_mtim), &st.st_size, sizeof st.st_size);
	hash128_hex(h, hex);
	return arena_printf(&s->arena, "%s/%s.so", folder, hex);
}

/* In the folder, whose sweeper ends the compiler when we are ended before it. */
static int compile_in(struct session *s, const char *work, pid_t group, const char *name, const char *to, struct problem *why)
{
	const char *source = arena_printf(&s->arena, "%s/header.c", work), *object = arena_printf(&s->arena, "%s/header.so", work);
	const char *const argv[] = {"gcc", "-g", "-fno-eliminate-unused-debug-types", "-fPIC", "-shared", "-nostdlib", "-o",
				    object, source, NULL};
	struct child c = {.argv = argv, .timeout_s = 60, .group = group};
	FILE *f = fopen(source, "w");
	const char *error;
	int rc;

	if (!f)
		return problem_set(why, &s->arena, PROBLEM_NO_FILE, "%s cannot be written: %s", source, strerror(errno));
	fprintf(f, "#include %s\n", name);
	fclose(f);
	rc = child_run(&c);
	error = c.err.s ? strstr(c.err.s, "error: ") : NULL;
	error = error ? error + strlen("error: ") : c.err.s ? c.err.s : "gcc cannot be started";
	if (rc)
		problem_set(why, &s->arena, PROBLEM_NO_FILE, "the header %s does not compile: %.*s", name, (int)strcspn(error, "\n"), error);
	else if (store_publish(object, to))
		rc = problem_set(why, &s->arena, PROBLEM_NO_FILE, "%s cannot be written: %s", to, strerror(errno));
	sb_free(&c.out);
	sb_free(&c.err);
	return rc;
}

static int compile(struct session *s, const char *name, const char *folder, const char *to, struct problem *why)
{
	char *work = arena_printf(&s->arena, "%s/work-XXXXXX", folder);
	struct sweeper sweeper;
	int rc;

	if (!sweeper_make_folder(&sweeper, work))
		return problem_set(why, &s->arena, PROBLEM_NO_FILE, "%s cannot be written: %s", folder, strerror(errno));
	rc = compile_in(s, work, sweeper.pid, name, to, why);
	file_remove_tree(work);
	sweeper_end(&sweeper);
	return rc;
}

const char *header_object(struct session *s, const char *name, struct problem *why)
{
	const char *cache = paths_cache(), *folder = cache ? arena_printf(&s->arena, "%s/headers", cache) : NULL, *path;

	if (!is_plain(name)) {
		problem_set(why, &s->arena, PROBLEM_NO_FILE, "this is not the name of a header: it is written \"<sys/time.h>\"");
		return NULL;
	}
	if (!folder || file_make_folder(folder, 0700)) {
		problem_set(why, &s->arena, PROBLEM_NO_FILE, "there is no cache to keep the types of %s in", name);
		return NULL;
	}
	path = object_path(s, name, folder);
	if (store_use(path))
		return path;
	store_trim((const struct store_part[]){{folder, 0}, {0}}, CACHE_BYTES, NULL);
	return compile(s, name, folder, path, why) == 0 ? path : NULL;
}
