// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mkmod RELEASE FILE.c OUT.ko: makes a module from C text that was written by hand in the translator's form.  For tests of the runtime
 * and the loader alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/diag_print.h"
#include "base/paths.h"
#include "translator/build/build.h"

/*
 * Appends the file; its includes "hand/NAME" are beside it and are inserted, since generated C has only one header.
 */
static void read_file(struct sb *text, const char *path)
{
	const char *slash = strrchr(path, '/');
	FILE *f = fopen(path, "re");
	char line[4096], name[64], beside[4096];

	if (!f) {
		perror(path);
		exit(1);
	}
	while (fgets(line, sizeof line, f)) {
		if (sscanf(line, "#include \"hand/%63[a-z.]\"", name) != 1) {
			sb_puts(text, line);
			continue;
		}
		snprintf(beside, sizeof beside, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
		read_file(text, beside);
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	struct arena a = { 0 };
	struct sources ss = { .arena = &a };
	struct diags ds = { .arena = &a, .sources = &ss };
	static const char *const helpers[] = { "__*_return_thunk", "__*_indirect_*", NULL }; /* as the translator gets them from its target */
	struct build b = { .arena = &a, .diags = &ds, .arch = "x86", .helpers = helpers };
	const char *ko, *base, *name;
	struct sb text = { 0 };
	int rc;

	if (argc != 4) {
		fprintf(stderr, "usage: mkmod RELEASE FILE.c OUT.ko\n");
		return 2;
	}
	paths_init(argv[0]);
	b.release = argv[1];
	b.runtime_dir = paths_runtime();
	base = strrchr(argv[3], '/');
	base = base ? base + 1 : argv[3];
	name = arena_strndup(&a, base, strcspn(base, "."));
	read_file(&text, argv[2]);
	rc = build_module(&b, text.s, NULL, name, &ko);
	if (!rc) {
		const char *const copy[] = { "cp", ko, argv[3], NULL };
		struct child c = { .argv = copy };

		rc = child_run(&c);
	}
	diag_flush(&ds, stderr, false);
	build_end(&b);
	sb_free(&text);
	return rc ? 1 : 0;
}
