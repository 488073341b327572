/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles runtime/ for a kernel: rt/ freestanding, kernel/ with the kernel's headers and the variants of
 * compat/ that fit.
 *
 * Parsing the kernel's headers is most of the work.  So they are compiled once, to a precompiled header: the union of what the
 * files of kernel/ include, without headers that the kernel does not have.  If that union does not compile, every file is compiled
 * with its own includes; the result is the same, but takes longer.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "translator/build/private.h"

struct compiling {
	const struct kbuild_commands *cmd;
	const char *work, *dir, *config;
	build_argv files;   /* of runtime/ */
	build_argv fast_cc; /* the kernel's command with the precompiled header */
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

/* --- the precompiled header --- */

/* Adds the <...> of each #include line. */
static void collect_includes(struct build *b, const char *file, struct map *out)
{
	struct arena scratch = {0};
	const char *text = file_read(&scratch, arena_printf(&scratch, "%s/%s", b->runtime_dir, file), NULL);
	static const char mark[] = "#include <";

	for (const char *p = text; p && (p = strstr(p, mark)); p++) {
		const char *name = p + sizeof mark - 1;
		size_t n = strcspn(name, ">\n");

		if (name[n] == '>' && (p == text || p[-1] == '\n'))
			map_set(b->arena, out, intern_n(name, n), b);
	}
	arena_free(&scratch);
}

/*
 * Writes all.h: first what the kernel's command includes by -include, since a precompiled header must come before that, then the
 * rest.  fast_cc is the command that starts with all.h instead.
 */
static int write_all_h(struct build *b, struct compiling *c, const char *all_h)
{
	struct map names = {0};
	struct sb text = {0};
	int rc;

	for (size_t i = 0; i < c->cmd->cc.n; i++) {
		const char *w = c->cmd->cc.v[i];

		if (strcmp(w, "-include")) {
			vec_push(b->arena, &c->fast_cc, w);
			continue;
		}
		w = c->cmd->cc.v[++i];
		sb_printf(&text, *w == '/' ? "#include \"%s\"\n" : "#include \"%2$s/%1$s\"\n", w,
			  c->cmd->cwd);
	}
	for (size_t i = 0; i < c->files.n; i++)
		if (!strncmp(c->files.v[i], "kernel/", 7))
			collect_includes(b, c->files.v[i], &names);
	for (size_t i = 0; i < names.n; i++)
		sb_printf(&text, "#if __has_include(<%s>)\n#include <%s>\n#endif\n", names.entries[i].key,
			  names.entries[i].key);
	rc = write_text(b, all_h, text.s, text.n);
	sb_free(&text);
	return rc;
}

static struct run header_run(struct build *b, const struct compiling *c, const char *all_h)
{
	build_argv cc = {0};

	argv_append(b, &cc, &c->fast_cc);
	vec_push(b->arena, &cc, "-x");
	vec_push(b->arena, &cc, "c-header");
	return run_compile(b, &cc, c->cmd->cwd, all_h, arena_printf(b->arena, "%s.gch", all_h),
			   "precompile headers");
}

/* --- the files --- */

static bool is_c(const char *file, const char *folder)
{
	size_t n = strlen(file);

	return n > 2 && !strcmp(file + n - 2, ".c") && !strncmp(file, folder, strlen(folder));
}

static void add_files(struct build *b, struct compiling *c, const char *folder, const build_argv *cc,
		      runs *out)
{
	for (size_t i = 0; i < c->files.n; i++) {
		const char *file = c->files.v[i];
		const char *object = arena_printf(b->arena, "%s/%zu.o", c->work, i);

		if (!is_c(file, folder))
			continue;
		vec_push(b->arena, &c->out->objects, object);
		vec_push(b->arena, out,
			 run_compile(b, cc, c->cmd->cwd,
				     arena_printf(b->arena, "%s/%s", b->runtime_dir, file), object,
				     arena_printf(b->arena, "cc %s", file)));
	}
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

/* Compiles rt/ and all else that needs no choice of variants, together with the precompiled header. */
static int first_round(struct build *b, struct compiling *c, const struct headers *h)
{
	const char *all_h = arena_printf(b->arena, "%s/all.h", c->work);
	build_argv rt_cc = {0};
	runs r = {0};

	if (write_all_h(b, c, all_h))
		return -1;
	vec_push(b->arena, &r, header_run(b, c, all_h));
	argv_append(b, &rt_cc, &c->out->cc);
	frame_bound_runtime(b, &rt_cc);
	add_files(b, c, "rt/", &rt_cc, &r);
	if (add_stub(b, c, h, &r))
		return -1;
	run_all(b, r.v + b->plain_headers, r.n - b->plain_headers);
	if (b->plain_headers || r.v[0].status) {
		c->fast_cc.n = 0;
		argv_append(b, &c->fast_cc, &c->cmd->cc);
	} else {
		vec_push(b->arena, &c->fast_cc, "-include");
		vec_push(b->arena, &c->fast_cc, all_h);
	}
	return finish(b, c, &r, 1);
}

static void add_runtime_flags(struct build *b, build_argv *cc)
{
	vec_push(b->arena, cc, "-pipe");
	vec_push(b->arena, cc, arena_printf(b->arena, "-I%s", b->runtime_dir));
}

static int second_round(struct build *b, struct compiling *c)
{
	runs r = {0};

	if (compat_choose(b, &c->fast_cc, c->cmd->cwd, c->work, c->config))
		return -1;
	add_runtime_flags(b, &c->fast_cc);
	vec_push(b->arena, &c->fast_cc, "-include");
	vec_push(b->arena, &c->fast_cc, c->config);
	frame_bound_runtime(b, &c->fast_cc);
	add_files(b, c, "kernel/", &c->fast_cc, &r);
	run_all(b, r.v, r.n);
	return finish(b, c, &r, 0);
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
	if (sources_of_runtime(b, &c.files))
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
