/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folders of debug files.  See debug_files.h. */
#include "translator/debuginfo/debug_files.h"

#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *given(void)
{
	const char *path = getenv("SPILE_DEBUGINFO_PATH");

	return path ? path : "";
}

bool debug_files_are_given(void)
{
	return given()[0];
}

const char *debug_files_folder(unsigned i, char *buffer, size_t size)
{
	const char *path = given();

	for (; *path; path += strcspn(path, ":"), path += *path == ':') {
		size_t n = strcspn(path, ":");

		if (n && !i--)
			return snprintf(buffer, size, "%.*s", (int)n, path) < (int)size ? buffer : NULL;
	}
	return debug_files_are_given() || i ? NULL : "/usr/lib/debug";
}

const char *debug_files_search_path(void)
{
	static char path[PATH_MAX];

	return given()[0] && snprintf(path, sizeof path, ":.debug:%s", given()) < (int)sizeof path ? path : NULL;
}

const char *debug_files_reader(void)
{
	return dwfl_version(NULL);
}
