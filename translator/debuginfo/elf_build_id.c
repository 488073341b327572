/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the program or library of a build-id: by the links that distributions install, or among the programs in $PATH. */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/debuginfo/debug_files.h"
#include "translator/debuginfo/elf_image.h"

enum { DIGITS = 40 }; /* SHA-1, which linkers use */

bool elf_is_build_id(const char *text)
{
	return strlen(text) == DIGITS && strspn(text, "0123456789abcdefABCDEF") == DIGITS;
}

/* Is the file itself of the build, rather than a script that such a program runs? */
static bool is_of_build(const struct target *target, const char *path, const char *id)
{
	struct arena scratch = {0};
	struct problem ignored = {0};
	struct elf_image *e = access(path, R_OK) == 0 ? elf_open(&scratch, target, path, &ignored) : NULL;
	const struct elf_facts *facts = e ? elf_facts(e) : NULL;
	bool yes = facts && !facts->script && facts->build_id && !strcmp(facts->build_id, id);

	if (e)
		elf_close(e);
	arena_free(&scratch);
	return yes;
}

static const char *by_link(struct arena *a, const struct target *target, const char *folder, const char *id)
{
	const char *path = arena_printf(a, "%s/.build-id/%.2s/%s", folder, id, id + 2);

	return is_of_build(target, path, id) ? path : NULL;
}

static const char *in_folder(struct arena *a, const struct target *target, const char *folder, const char *id)
{
	DIR *d = opendir(folder);
	const char *path = NULL;
	struct dirent *f;

	while (d && !path && (f = readdir(d)))
		if (f->d_type == DT_REG || f->d_type == DT_UNKNOWN) { /* most links lead to other files of these folders */
			path = arena_printf(a, "%s/%s", folder, f->d_name);
			path = access(path, X_OK) == 0 && is_of_build(target, path, id) ? path : NULL;
		}
	if (d)
		closedir(d);
	return path;
}

static const char *small_letters(struct arena *a, const char *text)
{
	char *small = arena_strdup(a, text);

	for (char *c = small; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return small;
}

const char *elf_find_build_id(struct arena *a, const struct target *target, const char *text)
{
	const char *id = small_letters(a, text), *path = by_link(a, target, "/usr/lib", id), *folder, *p = getenv("PATH");
	char buffer[PATH_MAX];

	for (unsigned i = 0; !path && (folder = debug_files_folder(i, buffer, sizeof buffer)); i++)
		path = by_link(a, target, folder, id);
	for (; !path && p && *p; p += strcspn(p, ":"), p += *p == ':')
		path = in_folder(a, target, arena_strndup(a, p, strcspn(p, ":")), id);
	return path;
}
