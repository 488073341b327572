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

/* Adds those below dir/sub, relative to dir, in a fixed order; not dir/user, which is not for kernels. */
static int sources_below(struct arena *a, const char *dir, const char *sub, build_argv *out)
{
	struct dirent **list;
	const char *path = *sub ? arena_printf(a, "%s/%s", dir, sub) : dir;
	int n = scandir(path, &list, NULL, alphasort);
	int rc = 0;

	if (n < 0)
		return errno == ENOENT ? 0 : -1;
	for (int i = 0; i < n; i++) {
		const char *name = arena_printf(a, "%s%s%s", sub, *sub ? "/" : "", list[i]->d_name);
		struct stat st;

		if (list[i]->d_name[0] != '.' && stat(arena_printf(a, "%s/%s", dir, name), &st) == 0) {
			if (S_ISDIR(st.st_mode) && (*sub || strcmp(list[i]->d_name, "user")))
				rc |= sources_below(a, dir, name, out);
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
	if (access(b->runtime_dir, R_OK | X_OK) || sources_below(b->arena, b->runtime_dir, "", out)) {
		diag_report(b->diags, (struct loc){0}, E_IO, "cannot read the runtime's sources in %s: %s",
			    b->runtime_dir, strerror(errno));
		return -1;
	}
	return 0;
}
