/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compiles runtime/ for a kernel: rt/ freestanding, kernel/ with the kernel's headers and the variants of
 * compat/ that fit.  Only the pieces that are wanted (pieces.c).
 *
 * Parsing the kernel's headers takes longer than compiling the rest of a file of kernel/.  So the files of a piece are
 * compiled in one unit, a file that includes them.  If a unit does not compile, each file is compiled
 * by itself.  Then either the compiler's error is about one file of ours; or there is none, as the files only
 * cannot be in one unit, which costs time and nothing else.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "translator/build/private.h"

struct compiling {
	struct build *b;
	const struct runtime_commands *cmd;
	struct pieces *pieces;
	struct compat *compat; /* whose choice is not made yet, or NULL */
	const char *config;
	build_argv rt_cc, kernel_cc; /* for the runtime's files */
	VEC(struct run) runs;
	VEC(struct piece *) of;      /* that a run compiles; NULL: none */
	int rc;                      /* of the choice */
};

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

/* The file's name without its folders and ".c". */
static const char *stem(struct build *b, const char *file)
{
	const char *name = strrchr(file, '/') + 1;

	return arena_strndup(b->arena, name, strlen(name) - 2);
}

/* Guessed, in seconds on some machine: they only matter in relation to each other. */
static double work_of(const struct piece *p)
{
	return (double)p->bytes * 6e-6 + (p->kind == PIECE_RT ? 0.02 : 0.3);
}

static void add_run(struct compiling *c, struct piece *p, struct run r)
{
	vec_push(c->b->arena, &c->runs, r);
	vec_push(c->b->arena, &c->of, p);
}

static const build_argv *command(struct compiling *c, const struct piece *p)
{
	return p->kind == PIECE_RT ? &c->rt_cc : p->kind == PIECE_CALLS ? &c->cmd->kernel_cc : &c->kernel_cc;
}

/* The unit of the core also includes all wrappers, so that those are compiled too that no file uses. */
static int write_unit(struct compiling *c, const struct piece *p, const char *source)
{
	struct sb text = {0};
	int rc;

	for (size_t i = 0; i < p->files.n; i++)
		sb_printf(&text, "#include \"%s/%s\"\n", c->b->runtime_dir, p->files.v[i]);
	if (c->compat && p->kind == PIECE_CORE)
		compat_put_includes(c->compat, &text);
	rc = write_text(c->b, source, text.s, text.n);
	sb_free(&text);
	return rc;
}

static int add_piece(struct compiling *c, struct piece *p)
{
	struct build *b = c->b;
	const char *object = arena_printf(b->arena, "%s/%s.o", c->cmd->work, p->name);
	const char *source = arena_printf(b->arena, "%s/%s.c", c->cmd->work, p->name);
	struct run r;

	p->object = object;
	if (p->files.n == 1 && p->kind != PIECE_CORE)
		source = arena_printf(b->arena, "%s/%s", b->runtime_dir, p->files.v[0]);
	else if (write_unit(c, p, source))
		return -1;
	r = run_compile(b, command(c, p), c->cmd->cwd, source, object,
			arena_printf(b->arena, "cc %s", p->files.n == 1 ? p->files.v[0] : arena_printf(b->arena, "kernel, %s", p->name)));
	r.work = work_of(p);
	r.waits = c->compat && p->kind != PIECE_RT;
	add_run(c, p, r);
	return 0;
}

static bool is_to_be_compiled(const struct piece *p)
{
	return p->is_wanted && !p->object;
}

/* Those that take long first. */
static int add_pieces(struct compiling *c)
{
	for (int kernel = 1; kernel >= 0; kernel--)
		for (size_t i = 0; i < c->pieces->all.n; i++) {
			struct piece *p = c->pieces->all.v[i];

			if (is_to_be_compiled(p) && (p->kind != PIECE_RT) == kernel && add_piece(c, p))
				return -1;
		}
	return 0;
}

/* --- when a unit does not compile --- */

static int report(struct build *b, const struct run *r)
{
	if (!r->status)
		return 0;
	diag_report(b->diags, nowhere, E_RUNTIME, "the runtime does not compile for kernel %s: %s", b->release,
		    kbuild_first_error(b->arena, run_log(b, r)));
	return -1;
}

static void add_log(struct build *b, struct piece *p, const struct run *r)
{
	p->log = arena_printf(b->arena, "%s%s", p->log ? p->log : "", run_log(b, r));
}

/* Each file of the piece by itself. */
static int compile_apart(struct compiling *c, struct piece *p)
{
	struct build *b = c->b;
	build_argv objects = {0};
	VEC(struct run) runs = {0};
	int rc = 0;

	for (size_t i = 0; i < p->files.n; i++) {
		const char *object = arena_printf(b->arena, "%s/%s-%zu.o", c->cmd->work, stem(b, p->files.v[i]), i);

		vec_push(b->arena, &objects, object);
		vec_push(b->arena, &runs,
			 run_compile(b, command(c, p), c->cmd->cwd, arena_printf(b->arena, "%s/%s", b->runtime_dir, p->files.v[i]), object,
				     arena_printf(b->arena, "cc %s", p->files.v[i])));
	}
	run_all(b, runs.v, runs.n);
	for (size_t i = 0; i < runs.n; i++) {
		add_log(b, p, &runs.v[i]);
		rc |= report(b, &runs.v[i]);
	}
	return rc ? -1 : runtime_link(b, c->cmd->work, p->object, &objects);
}

int runtime_link(struct build *b, const char *work, const char *out, const build_argv *objects)
{
	build_argv argv = {0};
	struct run r = {.what = "ld runtime", .log = arena_printf(b->arena, "%s/ld.log", work)};

	/* The command that kbuild links with is not known yet.  To put objects together any linker will do. */
	vec_push(b->arena, &argv, "ld");
	vec_push(b->arena, &argv, "-r");
	vec_push(b->arena, &argv, "-o");
	vec_push(b->arena, &argv, out);
	argv_append(b, &argv, objects);
	r.argv = run_argv(b, &argv);
	if (run_all(b, &r, 1) == 0)
		return 0;
	diag_report(b->diags, nowhere, E_RUNTIME, "the runtime does not link for kernel %s: %s", b->release,
		    kbuild_first_error(b->arena, run_log(b, &r)));
	return -1;
}

/* --- rounds --- */

/* The choice of variants is made as soon as the first try has ended, and then what needs it is compiled. */
static void ended(void *data, struct run *r)
{
	struct compiling *c = data;

	if (!c->compat || r != &c->runs.v[0])
		return;
	c->rc = compat_finish(c->b, c->compat, r, c->config);
	for (size_t i = 0; i < c->runs.n; i++)
		c->runs.v[i].waits &= c->rc != 0;
}

/* Is a wrapper the reason that a piece does not compile?  It is asked once. */
static int blame_wrappers(struct compiling *c)
{
	struct compat *compat = c->compat;

	c->compat = NULL;
	return compat ? compat_check(c->b, compat) : 0;
}

/* What came out of a run other than the try, which is judged already. */
static int judge(struct compiling *c, size_t i)
{
	struct piece *p = c->of.v[i];
	struct run *r = &c->runs.v[i];

	if (p)
		add_log(c->b, p, r);
	if (!r->status)
		return 0;
	if (p && p->kind != PIECE_RT && blame_wrappers(c))
		return -1;
	return p && p->files.n > 1 ? compile_apart(c, p) : report(c->b, r);
}

/* Runs all; what the compiler says is kept. */
static int run_pieces(struct compiling *c)
{
	struct build *b = c->b;
	int rc = 0;

	run_each(b, c->runs.v, c->runs.n, ended, c);
	if (c->rc)
		return -1;
	for (size_t i = c->compat ? 1 : 0; i < c->runs.n; i++)
		rc |= judge(c, i);
	for (size_t i = 0; rc && b->verbose && i < c->of.n; i++)
		fputs(c->of.v[i] && c->of.v[i]->log ? c->of.v[i]->log : "", stderr);
	return rc;
}

/* The HEADER(pattern) lines of kernel/exports.def: what functions in the kernel's headers use of the kernel. */
static void read_headers_def(struct build *b, build_argv *out)
{
	const char *text = file_read(b->arena, arena_printf(b->arena, "%s/kernel/exports.def", b->runtime_dir), NULL);

	for (const char *p = text; p && (p = strstr(p, "\nHEADER("));) {
		p += 8;
		vec_push(b->arena, out, arena_strndup(b->arena, p, strcspn(p, ")\n")));
	}
}

/*
 * stub.c, and refs.c that makes the kernel's build record the version of every helper, and of every function and variable of the kernel that
 * a part may use which is not compiled yet.
 */
static int add_stub(struct compiling *c, const struct headers *h, struct runtime_objects *out)
{
	struct build *b = c->b;
	const char *refs_c = arena_printf(b->arena, "%s/refs.c", c->cmd->work);
	const char *stub_c = arena_printf(b->arena, "%s/stub.c", c->cmd->work);
	build_argv names = {0}, headers = {0};
	struct sb text = {0};
	int rc;

	read_headers_def(b, &headers);
	if (headers_exports(b, h, helpers, &names) || (b->helpers && headers_exports(b, h, b->helpers, &names)) ||
	    headers_exports(b, h, run_argv(b, &headers), &names) || headers_exports_of(b, h, &c->pieces->kernel_words, &names))
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
	out->refs = arena_printf(b->arena, "%s/refs.o", c->cmd->work);
	out->stub = arena_printf(b->arena, "%s/stub.o", c->cmd->work);
	add_run(c, NULL, run_compile(b, &c->cmd->cc, NULL, refs_c, out->refs, "cc refs"));
	add_run(c, NULL, run_compile(b, &c->cmd->cc, NULL, stub_c, out->stub, "cc stub"));
	return 0;
}

static void begin(struct build *b, const struct runtime_commands *cmd, struct compiling *c)
{
	*c = (struct compiling){.b = b, .cmd = cmd, .pieces = b->pieces};
	argv_append(b, &c->rt_cc, &cmd->cc);
	frame_bound_runtime(b, &c->rt_cc);
	argv_append(b, &c->kernel_cc, &cmd->kernel_cc);
	frame_bound_runtime(b, &c->kernel_cc);
}

static void take_commands(struct build *b, const struct kbuild_commands *cmd, const char *work, const char *config,
			  struct runtime_commands *out)
{
	out->cwd = cmd->cwd;
	out->work = work;
	kbuild_freestanding(b, cmd, &out->cc);
	argv_append(b, &out->kernel_cc, &cmd->cc);
	vec_push(b->arena, &out->kernel_cc, "-pipe");
	vec_push(b->arena, &out->kernel_cc, arena_printf(b->arena, "-I%s", b->runtime_dir));
	vec_push(b->arena, &out->kernel_cc, "-include");
	vec_push(b->arena, &out->kernel_cc, config);
}

int runtime_compile(struct build *b, const struct headers *h, const struct kbuild_commands *cmd,
		    const char *work, const char *dir, struct runtime_objects *out)
{
	const char *config = arena_printf(b->arena, "%s/compat_config.h", dir);
	struct compiling c;
	struct run try;

	take_commands(b, cmd, work, config, &out->cmd);
	begin(b, &out->cmd, &c);
	c.config = config;
	c.compat = compat_begin(b, &cmd->cc, cmd->cwd, work);
	if (!c.compat || compat_try(b, c.compat, &try))
		return -1;
	try.work = 0.4;
	add_run(&c, NULL, try);
	if (add_pieces(&c) || add_stub(&c, h, out))
		return -1;
	for (size_t i = 0; i < c.runs.n; i++)
		b->work += c.runs.v[i].work;
	return run_pieces(&c);
}

int runtime_compile_wanted(struct build *b, const struct runtime_commands *cmd)
{
	struct compiling c;

	begin(b, cmd, &c);
	if (add_pieces(&c))
		return -1;
	for (size_t i = 0; i < c.runs.n; i++)
		b->work += c.runs.v[i].work;
	return run_pieces(&c);
}
