/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that the runtime is made of. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "translator/build/private.h"

static bool is_source(const char *name)
{
	const char *dot = strrchr(name, '.');

	return name[0] != '.' && dot && (!strcmp(dot, ".c") || !strcmp(dot, ".h") || !strcmp(dot, ".def"));
}

/* Not the folder user, which is not for kernels, nor modules, which is for those that people write, nor that of another architecture. */
static bool is_wanted(const struct build *b, const char *sub, const char *name)
{
	const char *end = strstr(sub, "/arch/");

	return *sub ? !end || end[6] || !strcmp(name, b->arch) : strcmp(name, "user") && strcmp(name, "modules");
}

/* Adds those below the folder sub of the runtime, relative to that, in a fixed order. */
static int sources_below(struct build *b, const char *sub, build_argv *out)
{
	struct arena *a = b->arena;
	struct dirent **list;
	const char *path = arena_printf(a, "%s/%s", b->runtime_dir, sub);
	int n = scandir(path, &list, NULL, alphasort);
	int rc = 0;

	if (n < 0)
		return errno == ENOENT ? 0 : -1;
	for (int i = 0; i < n; i++) {
		const char *name = arena_printf(a, "%s%s", sub, list[i]->d_name);
		struct stat st;

		if (list[i]->d_name[0] != '.' && stat(arena_printf(a, "%s/%s", b->runtime_dir, name), &st) == 0) {
			if (S_ISDIR(st.st_mode) && is_wanted(b, sub, list[i]->d_name))
				rc |= sources_below(b, arena_printf(a, "%s/", name), out);
			else if (S_ISREG(st.st_mode) && is_source(list[i]->d_name))
				vec_push(a, out, name);
		}
		free(list[i]);
	}
	free(list);
	return rc;
}

int sources_of_runtime(struct build *b, build_argv *out)
{
	if (access(b->runtime_dir, R_OK | X_OK) || sources_below(b, "", out)) {
		diag_report(b->diags, (struct loc){0}, E_IO, "cannot read the runtime's sources in %s: %s",
			    b->runtime_dir, strerror(errno));
		return -1;
	}
	return 0;
}
