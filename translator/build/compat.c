/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chooses the variant of each wrapper in runtime/kernel/compat/ for a kernel, by compiling.
 *
 * A wrapper NAME.h says in its first lines "compat: NAME LOW..HIGH: what it wraps" and holds those variants,
 * selected by the macro COMPAT_NAME.  All wrappers are compiled in one go, each at its highest variant; a
 * wrapper in which the compiler finds an error goes one variant down.  All are compiled again as long as one of
 * those has a choice left.  A wrapper that is down to its lowest variant is no reason to: whether that fits is seen
 * when the runtime is compiled, and if that fails, compat_check() finds out whether a wrapper is the reason.
 * (Header parsing is nearly all of the cost: one file per variant would take ten times as long.)
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "translator/build/private.h"

struct wrapper {
	const char *name, *macro, *wraps;
	int low, high, chosen;
	const char *newest_error; /* what the compiler said about the highest variant */
	bool failed;              /* in this round */
};

typedef VEC(struct wrapper) wrappers;

struct compat {
	const build_argv *cc;
	const char *cwd, *dir;
	wrappers all;
};

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

void compat_put_includes(const struct compat *c, struct sb *out)
{
	for (size_t i = 0; i < c->all.n; i++)
		sb_printf(out, "#include \"kernel/compat/%s.h\"\n", c->all.v[i].name);
}

static void put_choice(const struct compat *c, struct sb *out)
{
	for (size_t i = 0; i < c->all.n; i++)
		sb_printf(out, "#define %s %d\n", c->all.v[i].macro, c->all.v[i].chosen);
}

static int write_text(struct build *b, const char *path, struct sb *text)
{
	int rc = file_write(path, text->s ? text->s : "", text->n);

	if (rc)
		diag_report(b->diags, nowhere, E_IO, "cannot write %s: %s", path, strerror(errno));
	sb_free(text);
	return rc;
}

int compat_try(struct build *b, const struct compat *c, struct run *r)
{
	const char *source = arena_printf(b->arena, "%s/compat.c", c->dir);
	build_argv argv = {0};
	struct sb text = {0};

	put_choice(c, &text);
	compat_put_includes(c, &text);
	if (write_text(b, source, &text))
		return -1;
	argv_append(b, &argv, c->cc);
	/* No -w here: it would also silence warnings that -Werror=... turns into errors, "implicit declaration" above all. */
	vec_push(b->arena, &argv, "-fsyntax-only");
	vec_push(b->arena, &argv, "-fdiagnostics-plain-output");
	vec_push(b->arena, &argv, arena_printf(b->arena, "-I%s", b->runtime_dir));
	vec_push(b->arena, &argv, source);
	*r = (struct run){.what = "compat: try", .cwd = c->cwd, .log = arena_printf(b->arena, "%s/compat.log", c->dir)};
	r->argv = run_argv(b, &argv);
	return 0;
}

static void no_form(struct build *b, const struct wrapper *w)
{
	diag_report(b->diags, nowhere, E_COMPAT,
		    "kernel %s offers no form of an interface that spile knows: %s (%s); the compiler says: %s",
		    b->release, w->name, w->wraps, w->newest_error);
}

/*
 * Takes the wrappers that failed one variant down.  1: all must be tried again; 0: they need not; -1 with diagnostics:
 * one has no variant left, or no wrapper is to blame.  After a fatal error all are tried again, as it hides what follows.
 */
static int step_down(struct build *b, struct compat *c, const char *log)
{
	bool moved = false, again = strstr(log, "fatal error: ") != NULL;
	int rc = 0;

	blame(b, &c->all, log);
	for (size_t i = 0; i < c->all.n; i++) {
		struct wrapper *w = &c->all.v[i];

		if (!w->failed)
			continue;
		moved = true;
		w->failed = false;
		again |= --w->chosen > w->low;
		if (w->chosen >= w->low)
			continue;
		no_form(b, w);
		rc = -1;
	}
	if (moved)
		return rc ? rc : again;
	diag_report(b->diags, nowhere, E_COMPAT, "the kernel headers of %s do not compile: %s", b->release,
		    kbuild_first_error(b->arena, log));
	return -1;
}

struct compat *compat_begin(struct build *b, const build_argv *cc, const char *cwd, const char *dir)
{
	struct compat *c = arena_new(b->arena, struct compat);
	build_argv files = {0};

	*c = (struct compat){.cc = cc, .cwd = cwd, .dir = dir};
	if (sources_of_runtime(b, &files))
		return NULL;
	for (size_t i = 0; i < files.n; i++)
		if (!strncmp(files.v[i], "kernel/compat/", 14) && read_wrapper(b, files.v[i], &c->all))
			return NULL;
	return c;
}

int compat_finish(struct build *b, struct compat *c, struct run *r, const char *config_h)
{
	struct sb text = {0};

	while (r->status) {
		int rc = step_down(b, c, run_log(b, r));

		if (rc < 0)
			return -1;
		if (!rc)
			break;
		if (compat_try(b, c, r))
			return -1;
		run_all(b, r, 1);
	}
	sb_puts(&text, "/* The variants of runtime/kernel/compat/ that this kernel has. */\n");
	put_choice(c, &text);
	return write_text(b, config_h, &text);
}

int compat_check(struct build *b, struct compat *c)
{
	struct run r;
	int rc = 0;

	if (compat_try(b, c, &r))
		return -1;
	if (!run_all(b, &r, 1))
		return 0;
	blame(b, &c->all, run_log(b, &r));
	for (size_t i = 0; i < c->all.n; i++) {
		if (!c->all.v[i].failed)
			continue;
		no_form(b, &c->all.v[i]);
		rc = -1;
	}
	return rc;
}
