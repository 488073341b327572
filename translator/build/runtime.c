/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles runtime/ for a kernel: rt/ freestanding, kernel/ with the kernel's headers and the variants of
 * compat/ that fit.
 *
 * Parsing the kernel's headers takes longer than compiling the rest of a file of kernel/.  So these files are
 * compiled in two units, each a file that includes half of them.  If a unit does not compile, each file is compiled
 * by itself.  Then either the compiler's error is about one file of ours; or there is none, as the files only
 * cannot be in one unit, which costs time and nothing else.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "translator/build/private.h"

enum { UNITS = 2 }; /* not the number of CPUs: the result is to be the same everywhere */

struct compiling {
	const struct kbuild_commands *cmd;
	const char *work, *dir, *config;
	struct compat *compat;
	build_argv files; /* of runtime/ */
	build_argv cc;    /* for those of kernel/ */
	struct sb log;
	struct runtime_objects *out;
};

typedef VEC(struct run) runs;

static const struct loc nowhere;

/* What compilers emit calls to by themselves, and instrumented kernels: a script may need the version of any of these. */
static const char *const helpers[] = {
	"memcpy",
	"memmove",
	"memset",
	"memcmp",
	"__stack_chk_fail",
	"__fentry__",
	"__asan_*",
	"__kasan_*",
	"__tsan_*",
	"__msan_*",
	"__ubsan_*",
	"__sanitizer_*",
	NULL,
};

/* The shortest script: all tables are zero; it is never loaded. */
static const char stub[] = "#include \"rt/rt.h\"\nconst struct rt_script rt_script;\n";

static int write_text(struct build *b, const char *path, const char *text, size_t len)
{
	if (file_write(path, text ? text : "", len) == 0)
		return 0;
	diag_report(b->diags, nowhere, E_IO, "cannot write %s: %s", path, strerror(errno));
	return -1;
}

/* --- the files --- */

static bool is_c(const char *file, const char *folder)
{
	size_t n = strlen(file);

	return n > 2 && !strcmp(file + n - 2, ".c") && !strncmp(file, folder, strlen(folder));
}

/* The file's name without its folders and ".c". */
static const char *stem(struct build *b, const char *file)
{
	const char *name = strrchr(file, '/') + 1;

	return arena_strndup(b->arena, name, strlen(name) - 2);
}

static void add_files(struct build *b, struct compiling *c, const char *folder, const build_argv *cc, build_argv *objects, runs *out)
{
	for (size_t i = 0; i < c->files.n; i++) {
		const char *file = c->files.v[i];
		const char *object;

		if (!is_c(file, folder))
			continue;
		object = arena_printf(b->arena, "%s/%s-%zu.o", c->work, stem(b, file), i);
		vec_push(b->arena, objects, object);
		vec_push(b->arena, out,
			 run_compile(b, cc, c->cmd->cwd,
				     arena_printf(b->arena, "%s/%s", b->runtime_dir, file), object,
				     arena_printf(b->arena, "cc %s", file)));
	}
}

/* --- units of files --- */

/* Which unit each of the files belongs to: the largest first, to the unit that is the smallest then. */
static void divide(struct build *b, const struct compiling *c, unsigned *unit)
{
	size_t *size = arena_alloc(b->arena, (c->files.n + 1) * sizeof *size), sum[UNITS] = {0};
	struct stat st;

	for (size_t i = 0; i < c->files.n; i++) {
		unit[i] = UNITS;
		if (is_c(c->files.v[i], "kernel/") &&
		    !stat(arena_printf(b->arena, "%s/%s", b->runtime_dir, c->files.v[i]), &st))
			size[i] = (size_t)st.st_size + 1;
	}
	for (;;) {
		size_t largest = 0;
		unsigned to = 0;

		for (size_t i = 1; i < c->files.n; i++)
			if (size[i] > size[largest])
				largest = i;
		if (!c->files.n || !size[largest])
			return;
		for (unsigned u = 1; u < UNITS; u++)
			if (sum[u] < sum[to])
				to = u;
		unit[largest] = to;
		sum[to] += size[largest];
		size[largest] = 0;
	}
}

/* The first unit also includes all wrappers, so that those are compiled too that no file uses. */
static int add_units(struct build *b, struct compiling *c, runs *out)
{
	unsigned *unit = arena_alloc(b->arena, (c->files.n + 1) * sizeof *unit);

	divide(b, c, unit);
	for (unsigned u = 0; u < UNITS; u++) {
		const char *source = arena_printf(b->arena, "%s/kernel%u.c", c->work, u);
		const char *object = arena_printf(b->arena, "%s/kernel%u.o", c->work, u);
		struct sb text = {0};
		int rc;

		for (size_t i = 0; i < c->files.n; i++)
			if (unit[i] == u)
				sb_printf(&text, "#include \"%s/%s\"\n", b->runtime_dir, c->files.v[i]);
		if (!u)
			compat_put_includes(c->compat, &text);
		rc = write_text(b, source, text.s, text.n);
		sb_free(&text);
		if (rc)
			return -1;
		vec_push(b->arena, &c->out->kernel, object);
		vec_push(b->arena, out, run_compile(b, &c->cc, c->cmd->cwd, source, object, arena_printf(b->arena, "cc kernel, unit %u", u)));
	}
	return 0;
}

/* --- rounds --- */

static void keep_log(struct build *b, struct compiling *c, const runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		sb_puts(&c->log, run_log(b, &r->v[i]));
}

/* Reports what went wrong in the runs from first on, and keeps all that the compiler said. */
static int finish(struct build *b, struct compiling *c, const runs *r, size_t first)
{
	int rc = 0;

	for (size_t i = first; i < r->n; i++) {
		const char *text = run_log(b, &r->v[i]);

		sb_puts(&c->log, text);
		if (!r->v[i].status)
			continue;
		diag_report(b->diags, nowhere, E_RUNTIME, "the runtime does not compile for kernel %s: %s",
			    b->release, kbuild_first_error(b->arena, text));
		rc = -1;
	}
	return rc;
}

/* stub.c, and refs.c that makes the kernel's build record the version of every helper. */
static int add_stub(struct build *b, struct compiling *c, const struct headers *h, runs *out)
{
	const char *refs_c = arena_printf(b->arena, "%s/refs.c", c->work);
	const char *stub_c = arena_printf(b->arena, "%s/stub.c", c->work);
	build_argv names = {0};
	struct sb text = {0};
	int rc;

	if (headers_exports(b, h, helpers, &names) || (b->helpers && headers_exports(b, h, b->helpers, &names)))
		return -1;
	for (size_t i = 0; i < names.n; i++)
		sb_printf(&text, "extern char ref_%zu[] __asm__(\"%s\");\n", i, names.v[i]);
	sb_puts(&text, "extern char *const refs[];\nchar *const refs[] = {\n");
	for (size_t i = 0; i < names.n; i++)
		sb_printf(&text, "\tref_%zu,\n", i);
	sb_puts(&text, "\t0\n};\n");
	rc = write_text(b, refs_c, text.s, text.n);
	sb_free(&text);
	if (rc || write_text(b, stub_c, stub, sizeof stub - 1))
		return -1;
	c->out->refs = arena_printf(b->arena, "%s/refs.o", c->work);
	c->out->stub = arena_printf(b->arena, "%s/stub.o", c->work);
	vec_push(b->arena, out, run_compile(b, &c->out->cc, NULL, refs_c, c->out->refs, "cc refs"));
	vec_push(b->arena, out, run_compile(b, &c->out->cc, NULL, stub_c, c->out->stub, "cc stub"));
	return 0;
}

/* Compiles rt/ and all else that needs no choice of variants, together with the first try of that choice. */
static int first_round(struct build *b, struct compiling *c, const struct headers *h)
{
	build_argv rt_cc = {0};
	struct run try;
	runs r = {0};

	if (compat_try(b, c->compat, &try))
		return -1;
	vec_push(b->arena, &r, try);
	argv_append(b, &rt_cc, &c->out->cc);
	frame_bound_runtime(b, &rt_cc);
	add_files(b, c, "rt/", &rt_cc, &c->out->rt, &r);
	if (add_stub(b, c, h, &r))
		return -1;
	run_all(b, r.v, r.n);
	if (finish(b, c, &r, 1))
		return -1;
	return compat_finish(b, c->compat, &r.v[0], c->config);
}

static void add_runtime_flags(struct build *b, build_argv *cc)
{
	vec_push(b->arena, cc, "-pipe");
	vec_push(b->arena, cc, arena_printf(b->arena, "-I%s", b->runtime_dir));
}

static int second_round(struct build *b, struct compiling *c)
{
	runs units = {0}, each = {0};
	int rc;

	argv_append(b, &c->cc, &c->out->kernel_cc);
	frame_bound_runtime(b, &c->cc);
	if (add_units(b, c, &units))
		return -1;
	rc = run_all(b, units.v, units.n);
	keep_log(b, c, &units);
	if (!rc)
		return 0;
	if (compat_check(b, c->compat))
		return -1;
	c->out->kernel.n = 0;
	add_files(b, c, "kernel/", &c->cc, &c->out->kernel, &each);
	run_all(b, each.v, each.n);
	return finish(b, c, &each, 0);
}

int runtime_compile(struct build *b, const struct headers *h, const struct kbuild_commands *cmd,
		    const char *work, const char *dir, struct runtime_objects *out)
{
	struct compiling c = {.cmd = cmd, .work = work, .dir = dir, .out = out};
	int rc;

	c.config = arena_printf(b->arena, "%s/compat_config.h", dir);
	kbuild_freestanding(b, cmd, &out->cc);
	argv_append(b, &out->kernel_cc, &cmd->cc);
	add_runtime_flags(b, &out->kernel_cc);
	vec_push(b->arena, &out->kernel_cc, "-include");
	vec_push(b->arena, &out->kernel_cc, c.config);
	c.compat = compat_begin(b, &cmd->cc, cmd->cwd, work);
	if (!c.compat || sources_of_runtime(b, &c.files))
		return -1;
	rc = first_round(b, &c, h);
	if (!rc)
		rc = second_round(b, &c);
	if (!rc)
		rc = write_text(b, arena_printf(b->arena, "%s/runtime.log", dir), c.log.s, c.log.n);
	else if (b->verbose)
		fputs(c.log.s ? c.log.s : "", stderr);
	sb_free(&c.log);
	return rc;
}
