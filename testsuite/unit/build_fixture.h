/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of translator/build/: modules are really built, with the miniature runtime in testsuite/build-runtime. */
#ifndef TESTSUITE_BUILD_FIXTURE_H
#define TESTSUITE_BUILD_FIXTURE_H

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "base/intern.h"
#include "testsuite/unit/kernels.h"
#include "testsuite/unit/unit.h"
#include "translator/build/private.h"

static char tmp[256];          /* everything below it goes at the end */
static char shared_cache[300]; /* of tests for which a cached runtime is good enough */
static char mini[4096];        /* the miniature runtime */
static const char *releases[16], *newest;
static size_t nreleases;

struct fixture {
	struct arena a;
	struct sources ss;
	struct diags ds;
	struct build b;
	const char *ko;
};

/* As the translator gets them from its target. */
static const char *const helpers[] = {"__*_return_thunk", "__*_indirect_*", NULL};

static inline void fixture_init(struct fixture *f, const char *release)
{
	memset(f, 0, sizeof *f);
	f->ss.arena = &f->a;
	f->ds.arena = &f->a;
	f->ds.sources = &f->ss;
	f->b = (struct build){.arena = &f->a,
			      .diags = &f->ds,
			      .release = release,
			      .runtime_dir = mini,
			      .arch = "x86",
			      .helpers = helpers,
			      .cache_dir = shared_cache};
}

static inline void fixture_end(struct fixture *f)
{
	build_end(&f->b);
	arena_free(&f->a);
	intern_reset();
}

/* Text of the only message with the id, "" when there is none. */
static inline const char *message(struct fixture *f, enum diag_id id)
{
	for (struct diag *d = f->ds.first; d; d = d->next)
		if (d->id == id)
			return d->text;
	return "";
}

static inline void check_no_message(struct fixture *f)
{
	CHECK_STR(f->ds.first ? f->ds.first->text : NULL, NULL);
}

static inline const char *script_text(struct fixture *f)
{
	char *s = file_read(&f->a, unit_source_path("testsuite/build-runtime/script.c"), NULL);

	return s ? s : "";
}

static inline bool ran(const struct fixture *f, const char *step)
{
	for (unsigned i = 0; i < f->b.nsteps; i++)
		if (!strcmp(f->b.steps[i].name, step))
			return true;
	return false;
}

static inline int shell(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static inline int shell(const char *fmt, ...)
{
	struct arena a = {0};
	va_list ap;
	int rc;

	va_start(ap, fmt);
	rc = system(arena_vprintf(&a, fmt, ap));
	va_end(ap);
	arena_free(&a);
	return rc;
}

/* A copy of the miniature runtime, to be damaged. */
static inline const char *own_runtime(struct fixture *f)
{
	static int n;
	char *dir = arena_printf(&f->a, "%s/runtime%d", tmp, n++);

	CHECK_EQ(shell("cp -r '%s' '%s'", mini, dir), 0);
	f->b.runtime_dir = dir;
	return dir;
}

static inline const char *own_cache(struct fixture *f)
{
	static int n;

	return f->b.cache_dir = arena_printf(&f->a, "%s/cache%d", tmp, n++);
}

/* The cache of the fixture, its own, gets the miniature runtime as compiled for the newest kernel: for tests of something else. */
static inline void give_runtime(struct fixture *f)
{
	struct fixture maker;

	fixture_init(&maker, newest);
	CHECK_EQ(kit_get(&maker.b), 0);
	build_end(&maker.b);
	arena_free(&maker.a);
	CHECK_EQ(shell("mkdir -p '%s' && cp -a '%s/runtime' '%s/'", f->b.cache_dir, shared_cache, f->b.cache_dir), 0);
}

/* A script for the miniature runtime. */
static inline char *script_that_calls(struct fixture *f, const char *function)
{
	return arena_printf(&f->a,
			    "#include \"rt/rt.h\"\nint %s(int);\nstatic int h(int (*f)(int), int n) { return %s(f(n)); }\n"
			    "const struct rt_script rt_script = {1, 0, \"x\", h};\n", function, function);
}

static inline void put(struct fixture *f, const char *dir, const char *name, const char *text)
{
	CHECK_EQ(file_write(arena_printf(&f->a, "%s/%s", dir, name), text, strlen(text)), 0);
}

/* 0 when the tests can run; else the program's exit status. */
static inline int fixture_begin(void)
{
	const char *t = getenv("TMPDIR");

	snprintf(tmp, sizeof tmp, "%s/spile-build-test-XXXXXX", t && strlen(t) < 200 ? t : "/tmp");
	nreleases = test_kernels(releases, 16);
	newest = nreleases ? releases[nreleases - 1] : NULL;
	if (!newest || !mkdtemp(tmp)) {
		printf("Bail out! %s\n",
		       newest ? "no temporary directory"
			      : "no kernel headers installed (Debian: linux-headers-amd64)");
		return 1;
	}
	snprintf(shared_cache, sizeof shared_cache, "%s/cache", tmp);
	snprintf(mini, sizeof mini, "%s", unit_source_path("testsuite/build-runtime"));
	return 0;
}

static inline int fixture_done(void)
{
	int rc = unit_done();

	file_remove_tree(tmp);
	return rc;
}

#endif
