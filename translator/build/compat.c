/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the variant of each wrapper in runtime/kernel/compat/ for a kernel, by compiling.
 *
 * A wrapper NAME.h says in its first lines "compat: NAME LOW..HIGH: what it wraps" and holds those variants,
 * selected by the macro COMPAT_NAME.  All wrappers are compiled together, each at its highest variant; a wrapper in which the
 * compiler finds an error goes one variant down, and all are tried again.  The final choice has been compiled without error as a
 * whole.  (Nearly all of the time goes into parsing headers: one file per variant would take ten times as long.)
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/build/private.h"

struct wrapper {
	const char *name, *macro, *wraps;
	int low, high, chosen;
	const char *newest_error; /* what the compiler said about the highest variant */
	bool failed;              /* in this round */
};

typedef VEC(struct wrapper) wrappers;

static const struct loc nowhere;

static const char *macro_name(struct arena *a, const char *name)
{
	char *s = arena_printf(a, "COMPAT_%s", name);

	for (char *p = s; *p; p++)
		*p = *p == '-' ? '_' : *p >= 'a' && *p <= 'z' ? (char)(*p - 'a' + 'A') : *p;
	return s;
}

/* Reads the "compat:" line; headers without one are not wrappers. */
static int read_wrapper(struct build *b, const char *file, wrappers *out)
{
	char *text = file_read(b->arena, arena_printf(b->arena, "%s/%s", b->runtime_dir, file), NULL);
	const char *stem = strrchr(file, '/') + 1;
	struct wrapper w = {0};
	char name[64], *p = text ? strstr(text, "compat: ") : NULL;
	int n = 0;

	if (!p || p - text > 200)
		return 0;
	if (sscanf(p, "compat: %63[A-Za-z0-9_-] %d..%d:%n", name, &w.low, &w.high, &n) != 3 || !n ||
	    w.low < 1 || w.high < w.low || w.high > 20 ||
	    strcmp(arena_printf(b->arena, "%s.h", name), stem)) {
		diag_report(b->diags, nowhere, E_INTERNAL,
			    "%s/%s: the \"compat:\" line is not \"compat: NAME LOW..HIGH: what it wraps\"",
			    b->runtime_dir, file);
		return -1;
	}
	p += n;
	p += strspn(p, " ");
	w.name = arena_strdup(b->arena, name);
	w.macro = macro_name(b->arena, name);
	n = (int)strcspn(p, "*\n.");
	while (n && p[n - 1] == ' ')
		n--;
	w.wraps = arena_strndup(b->arena, p, (size_t)n);
	w.chosen = w.high;
	vec_push(b->arena, out, w);
	return 0;
}

/* The wrapper named by the text at p (".../kernel/compat/NAME.h:"). */
static struct wrapper *named_at(wrappers *all, const char *p, const char *end)
{
	static const char folder[] = "kernel/compat/";
	const char *hit = memmem(p, (size_t)(end - p), folder, sizeof folder - 1);

	if (!hit)
		return NULL;
	hit += sizeof folder - 1;
	for (size_t i = 0; i < all->n; i++) {
		size_t n = strlen(all->v[i].name);

		if (!strncmp(hit, all->v[i].name, n) && !strncmp(hit + n, ".h:", 3))
			return &all->v[i];
	}
	return NULL;
}

/*
 * Marks the wrappers that the errors in the log belong to: the file of the error, or else the wrapper from
 * which that file was included ("In file included from" lines, which the compiler repeats only when they
 * change).
 */
static void blame(struct build *b, wrappers *all, const char *log)
{
	struct wrapper *including = NULL;
	size_t len;

	for (const char *p = log; *p; p += len + (p[len] == '\n')) {
		const char *end, *what;
		struct wrapper *w;

		len = strcspn(p, "\n");
		end = p + len;
		if (!strncmp(p, "In file included from ", 22))
			including = named_at(all, p, end);
		else if (!strncmp(p, "                 from ", 22) && !including)
			including = named_at(all, p, end);
		what = memmem(p, len, "error: ", 7);
		if (!what || *p == ' ')
			continue;
		w = named_at(all, p, what);
		if (!w)
			w = including;
		if (!w)
			continue;
		w->failed = true;
		if (!w->newest_error)
			w->newest_error = arena_strndup(b->arena, what + 7, (size_t)(end - what - 7));
	}
}

static int compile(struct build *b, const build_argv *cc, const char *cwd, const char *dir,
		   const wrappers *all, const char **log)
{
	const char *source = arena_printf(b->arena, "%s/compat.c", dir);
	build_argv argv = {0};
	struct run r = {
		.what = "compat: try", .cwd = cwd, .log = arena_printf(b->arena, "%s/compat.log", dir)};
	struct sb text = {0};
	int rc;

	for (size_t i = 0; i < all->n; i++)
		sb_printf(&text, "#define %s %d\n", all->v[i].macro, all->v[i].chosen);
	for (size_t i = 0; i < all->n; i++)
		sb_printf(&text, "#include \"kernel/compat/%s.h\"\n", all->v[i].name);
	rc = file_write(source, text.s ? text.s : "", text.n);
	sb_free(&text);
	if (rc) {
		*log = arena_printf(b->arena, "cannot write %s: %s", source, strerror(errno));
		return -1;
	}
	argv_append(b, &argv, cc);
	/* No -w here: it would also silence warnings that -Werror=... turns into errors, "implicit declaration" above all. */
	vec_push(b->arena, &argv, "-fsyntax-only");
	vec_push(b->arena, &argv, "-fdiagnostics-plain-output");
	vec_push(b->arena, &argv, arena_printf(b->arena, "-I%s", b->runtime_dir));
	vec_push(b->arena, &argv, source);
	r.argv = run_argv(b, &argv);
	rc = run_all(b, &r, 1);
	*log = run_log(b, &r);
	return rc;
}

/* Takes the failed ones a variant down; -1 with diagnostics when one has none left or no wrapper is to blame. */
static int step_down(struct build *b, wrappers *all, const char *log)
{
	bool moved = false;
	int rc = 0;

	for (size_t i = 0; i < all->n; i++) {
		struct wrapper *w = &all->v[i];

		if (!w->failed)
			continue;
		moved = true;
		w->failed = false;
		if (--w->chosen >= w->low)
			continue;
		diag_report(b->diags, nowhere, E_COMPAT,
			    "kernel %s offers no form of an interface that spile knows: %s (%s); the "
			    "compiler says: %s",
			    b->release, w->name, w->wraps, w->newest_error);
		rc = -1;
	}
	if (moved)
		return rc;
	diag_report(b->diags, nowhere, E_COMPAT, "the kernel headers of %s do not compile: %s", b->release,
		    kbuild_first_error(b->arena, log));
	return -1;
}

static int write_config(struct build *b, const wrappers *all, const char *path)
{
	struct sb text = {0};
	int rc;

	sb_puts(&text, "/* The variants of runtime/kernel/compat/ that this kernel has. */\n");
	for (size_t i = 0; i < all->n; i++)
		sb_printf(&text, "#define %s %d\n", all->v[i].macro, all->v[i].chosen);
	rc = file_write(path, text.s, text.n);
	sb_free(&text);
	if (rc)
		diag_report(b->diags, nowhere, E_IO, "cannot write %s: %s", path, strerror(errno));
	return rc;
}

int compat_choose(struct build *b, const build_argv *cc, const char *cwd, const char *dir,
		  const char *config_h)
{
	build_argv files = {0};
	wrappers all = {0};
	const char *log;

	if (sources_of_runtime(b, &files))
		return -1;
	for (size_t i = 0; i < files.n; i++)
		if (!strncmp(files.v[i], "kernel/compat/", 14) && read_wrapper(b, files.v[i], &all))
			return -1;
	while (all.n && compile(b, cc, cwd, dir, &all, &log)) {
		blame(b, &all, log);
		if (step_down(b, &all, log))
			return -1;
	}
	return write_config(b, &all, config_h);
}
