/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks a kernel's kbuild how it builds modules: lets it build a template, and reads the commands that it
 * recorded in its .cmd files.  Nothing about a kernel's flags, objtool options, linker script or glue objects
 * is known here.
 *
 * The template has two parts.  kbuild compiles the first, an empty file, and then waits, because the second is
 * the runtime, which we compile with the command that the first has shown.  (One run of make for each part would
 * take 0.8 s of CPU time more, to find out a second time which options the compiler has.)
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "translator/build/private.h"

static const struct loc nowhere;

const char *kbuild_first_error(struct arena *a, const char *log)
{
	static const char *const marks[] = {"error: ",   "ERROR: ",      "undefined reference",
					    "not found", "No such file", "Error "};
	const char *last = "";
	size_t len = 0;

	for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
		const char *hit = strstr(log, marks[i]);

		if (!hit)
			continue;
		while (hit > log && hit[-1] != '\n')
			hit--;
		return arena_strndup(a, hit, strcspn(hit, "\n"));
	}
	for (const char *p = log; *p; p += len + (p[len] == '\n')) {
		len = strcspn(p, "\n");
		if (len)
			last = arena_strndup(a, p, len);
	}
	return last;
}

/* --- taking recorded commands apart --- */

/* Undoes make's quoting: $$ and $(pound). */
static char *unquote_make(struct arena *a, const char *s, size_t n)
{
	char *out = arena_alloc(a, n + 1), *o = out;

	for (size_t i = 0; i < n; i++) {
		if (!strncmp(s + i, "$(pound)", 8)) {
			*o++ = '#';
			i += 7;
			continue;
		}
		if (s[i] == '$' && s[i + 1] == '$')
			i++;
		*o++ = s[i];
	}
	return out;
}

const char *kbuild_word(struct arena *a, const char **p)
{
	const char *s = *p;
	char *out = arena_alloc(a, strlen(s) + 1), *o = out;
	char quote = 0;

	s += strspn(s, " \t");
	if (!*s || *s == ';') {
		*p = s;
		return NULL;
	}
	for (; *s && (quote || !strchr(" \t;", *s)); s++) {
		if (quote ? *s == quote : *s == '\'' || *s == '"')
			quote = quote ? 0 : *s;
		else if (*s == '\\' && quote != '\'' && s[1])
			*o++ = *++s;
		else
			*o++ = *s;
	}
	*p = s;
	return out;
}

typedef VEC(build_argv) commands;

/* The commands, separated by ";", that kbuild recorded for making target in dir.  -1 when there is no record. */
static int recorded(struct build *b, const char *dir, const char *target, commands *out)
{
	const char *path = arena_printf(b->arena, "%s/.%s.cmd", dir, target);
	struct arena scratch = {0};
	char *text = file_read(&scratch, path, NULL);
	const char *p = text ? strstr(text, "cmd_") : NULL;

	p = p ? strstr(p, " := ") : NULL;
	if (!p) {
		arena_free(&scratch);
		diag_report(b->diags, nowhere, E_KBUILD,
			    "kbuild of %s left no usable record of how it made %s", b->release, target);
		return -1;
	}
	p += 4;
	p = unquote_make(&scratch, p, strcspn(p, "\n"));
	while (*p) {
		build_argv v = {0};
		const char *w;

		while ((w = kbuild_word(&scratch, &p)))
			vec_push(b->arena, &v, arena_strdup(b->arena, w));
		p += *p == ';';
		if (v.n && strcmp(v.v[0], "true") && strcmp(v.v[0], ":"))
			vec_push(b->arena, out, v);
	}
	arena_free(&scratch);
	if (out->n)
		return 0;
	diag_report(b->diags, nowhere, E_KBUILD, "kbuild of %s left no usable record of how it made %s",
		    b->release, target);
	return -1;
}

static const char *base_name(const char *path)
{
	const char *s = strrchr(path, '/');

	return s ? s + 1 : path;
}

/* The record with objtool in it, if any, without its last word, the object; its program by full path. */
static void take_tool(struct build *b, const struct headers *h, const commands *all, build_argv *out)
{
	for (size_t i = 1; i < all->n; i++) {
		const build_argv *v = &all->v[i];

		if (strcmp(base_name(v->v[0]), "objtool"))
			continue;
		out->n = 0;
		for (size_t k = 0; k + 1 < v->n; k++)
			vec_push(b->arena, out, v->v[k]);
		if (out->n && *out->v[0] != '/')
			out->v[0] = arena_printf(b->arena, "%s/%s", h->dir, v->v[0]);
	}
}

/* --- running kbuild --- */

static struct run make_run(struct build *b, const struct headers *h, const char *what, const char *dir, const char *jobs)
{
	const char *cc = arena_printf(b->arena, "CC=%s", h->cc);
	const char *m = arena_printf(b->arena, "M=%s", dir);
	const char *log = arena_printf(b->arena, "%s/make.log", dir);
	/* No debug information: a module that is loaded does not need it, and it would take longer than all the rest. */
	const char *const words[] = {
		h->make, "-C", h->dir, m, cc, "KCFLAGS=-g0", "CONFIG_DEBUG_INFO_BTF_MODULES=", jobs, "--no-print-directory", "modules",
	};
	build_argv argv = {0};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		vec_push(b->arena, &argv, words[i]);
	return (struct run){.what = what, .argv = run_argv(b, &argv), .log = log};
}

static int make_failed(struct build *b, const struct run *r)
{
	struct diag *d = diag_report(b->diags, nowhere, E_KBUILD, "kbuild of %s failed: %s", b->release,
				     kbuild_first_error(b->arena, run_log(b, r)));

	diag_hint(b->diags, d, "the whole output is in %s (kept with -k)", r->log);
	return -1;
}

static int no_write(struct build *b, const char *dir)
{
	diag_report(b->diags, nowhere, E_IO, "cannot write to %s: %s", dir, strerror(errno));
	return -1;
}

/* Options whose argument is the next word; other words without a '-' are files. */
static bool takes_next_word(const char *option)
{
	static const char *const options[] = {"-include", "-imacros", "-isystem", "--param", "-mllvm"};

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (!strcmp(option, options[i]))
			return true;
	return false;
}

/* Leaves out what is about the one file, debug information, and ftrace's hooks: our functions are not to be traced. */
static void take_compile(struct build *b, const build_argv *v, build_argv *out)
{
	static const char *const drop[] = {"-c", "-pg", "-mrecord-mcount", "-mfentry"};
	static const char *const drop_prefix[] = {
		"-Wp,-MMD",           "-Wp,-MD",           "-g",
		"-DKBUILD_BASENAME=", "-DKBUILD_MODNAME=", "-D__KBUILD_MODNAME="};

	out->n = 0;
	for (size_t i = 0; i < v->n; i++) {
		const char *w = v->v[i];
		bool dropped = false;

		for (size_t k = 0; k < sizeof drop_prefix / sizeof drop_prefix[0]; k++)
			dropped |= !strncmp(w, drop_prefix[k], strlen(drop_prefix[k]));
		for (size_t k = 0; k < sizeof drop / sizeof drop[0]; k++)
			dropped |= !strcmp(w, drop[k]);
		if (!strcmp(w, "-o")) {
			i++;
			continue;
		}
		if (!dropped && (i == 0 || *w == '-' || takes_next_word(v->v[i - 1])))
			vec_push(b->arena, out, w);
	}
	vec_push(b->arena, out, "-DKBUILD_BASENAME=\"spile\"");
	vec_push(b->arena, out, "-DKBUILD_MODNAME=\"spile\"");
	vec_push(b->arena, out, "-D__KBUILD_MODNAME=kmod_spile");
	vec_push(b->arena, out, "-c");
}

/*
 * The module has two parts, learn.o and parts.o, because kbuild treats a module of one file as a linked object: objtool would be run
 * twice on ours.  The rule for parts.o uses stdin to wait; nothing else of kbuild reads it, since kbuild is mostly run from a terminal.  Of
 * jobs at the same time, make gives stdin to the first only: so there is one at a time.
 * modpost wants a .cmd file for each part, even if it is empty.
 */
static int write_kbuild(struct build *b, const char *dir, const char *name)
{
	const char *text = arena_printf(b->arena, "obj-m := %s.o\n%s-y := learn.o parts.o\n$(file >$(obj)/srcarch,$(SRCARCH))\n"
					"$(obj)/parts.o: $(obj)/learn.o\n\t@echo learned >&0; read go\n", name, name);

	if (file_write(arena_printf(b->arena, "%s/Kbuild", dir), text, strlen(text)) ||
	    file_write(arena_printf(b->arena, "%s/.parts.o.cmd", dir), "#\n", 2) ||
	    file_write(arena_printf(b->arena, "%s/learn.c", dir), "", 0))
		return no_write(b, dir);
	return 0;
}

static int take_learned(struct build *b, const struct headers *h, struct kbuild_commands *c)
{
	commands all = {0};
	char *arch;

	if (recorded(b, c->dir, "learn.o", &all))
		return -1;
	take_compile(b, &all.v[0], &c->cc);
	take_tool(b, h, &all, &c->object_tool);
	c->cwd = h->dir; /* relative paths in the record are below it; since 6.13 there are none */
	arch = file_read(b->arena, arena_printf(b->arena, "%s/srcarch", c->dir), NULL);
	if (!arch) {
		diag_report(b->diags, nowhere, E_IO, "cannot read %s/srcarch: %s", c->dir, strerror(errno));
		return -1;
	}
	arch[strcspn(arch, "\n")] = 0;
	c->srcarch = arch;
	return 0;
}

int kbuild_learn(struct build *b, const struct headers *h, const char *dir, const char *name, struct kbuild_commands *c)
{
	c->dir = dir;
	c->name = name;
	if (write_kbuild(b, dir, name))
		return -1;
	c->make = make_run(b, h, "kbuild: learn", dir, "-j1");
	if (run_begin(b, &c->make, &c->halfway))
		return make_failed(b, &c->make);
	c->waiting = true;
	return take_learned(b, h, c);
}

const char *kbuild_parts(struct build *b, const struct kbuild_commands *c)
{
	return arena_printf(b->arena, "%s/parts.o", c->dir);
}

void kbuild_give_up(struct build *b, struct kbuild_commands *c)
{
	if (c->waiting)
		run_end(b, &c->make, &c->halfway, false);
	c->waiting = false;
}

static int take_link(struct build *b, const struct headers *h, const char *dir, const char *name,
		     const build_argv *v, struct kbuild_commands *c)
{
	const char *own = arena_printf(b->arena, "%s.o", name);
	bool seen = false;

	for (size_t i = 0; i < v->n; i++) {
		const char *w = v->v[i];

		if (!strcmp(w, "-o")) {
			i++;
		} else if (!strcmp(w, "-T") && i + 1 < v->n) {
			w = v->v[++i];
			c->lds = *w == '/' ? w : arena_printf(b->arena, "%s/%s", h->dir, w);
		} else if (strlen(w) > 2 && !strcmp(w + strlen(w) - 2, ".o")) {
			if (!strcmp(base_name(w), own))
				seen = true;
			else
				vec_push(b->arena, &c->glue,
					 *w == '/' ? w : arena_printf(b->arena, "%s/%s", dir, w));
		} else {
			vec_push(b->arena, &c->link, w);
		}
	}
	if (seen && c->lds && c->glue.n &&
	    !strcmp(base_name(c->glue.v[0]), arena_printf(b->arena, "%s.mod.o", name)))
		return 0;
	diag_report(b->diags, nowhere, E_KBUILD,
		    "kbuild of %s links modules in a way that spile does not know", b->release);
	return -1;
}

/* From the records that a whole build left. */
static int take_template(struct build *b, const struct headers *h, const char *dir, const char *name, struct kbuild_commands *c)
{
	commands link = {0}, part = {0};

	if (recorded(b, dir, arena_printf(b->arena, "%s.ko", name), &link) ||
	    recorded(b, dir, arena_printf(b->arena, "%s.o", name), &part))
		return -1;
	take_tool(b, h, &part, &c->link_tool);
	return take_link(b, h, dir, name, &link.v[0], c);
}

int kbuild_continue(struct build *b, const struct headers *h, struct kbuild_commands *c)
{
	c->waiting = false;
	c->make.what = "kbuild: template";
	if (run_end(b, &c->make, &c->halfway, true))
		return make_failed(b, &c->make);
	return take_template(b, h, c->dir, c->name, c);
}

int kbuild_template(struct build *b, const struct headers *h, const char *dir, const char *name,
		    const char *const *objects, size_t n, struct kbuild_commands *c)
{
	struct sb text = {0};
	struct run r;
	int rc = 0;

	/*
	 * An object that is there and has no source is taken as it is.  ("_shipped" would be kbuild's way, but from 6.13 on it runs in the module's
	 * folder, and the rule for that, which is for "./%" then, matches any name: make uses such a rule for no object.)
	 */
	sb_printf(&text, "obj-m := %s.o\n%s-y :=", name, name);
	for (size_t i = 0; i < n; i++) {
		sb_printf(&text, " part%zu.o", i);
		if (symlink(objects[i], arena_printf(b->arena, "%s/part%zu.o", dir, i)) ||
		    file_write(arena_printf(b->arena, "%s/.part%zu.o.cmd", dir, i), "#\n", 2))
			rc = -1;
	}
	sb_putc(&text, '\n');
	if (rc || file_write(arena_printf(b->arena, "%s/Kbuild", dir), text.s, text.n))
		rc = no_write(b, dir);
	sb_free(&text);
	if (rc)
		return -1;
	r = make_run(b, h, "kbuild: template", dir, b->jobs ? arena_printf(b->arena, "-j%u", b->jobs) : "-j2");
	if (run_all(b, &r, 1))
		return make_failed(b, &r);
	return take_template(b, h, dir, name, c);
}

void kbuild_freestanding(struct build *b, const struct kbuild_commands *c, build_argv *out)
{
	for (size_t i = 0; i < c->cc.n; i++) {
		const char *w = c->cc.v[i];

		if (!strcmp(w, "-include")) {
			i++;
			continue;
		}
		/* Keeps only warnings that the kernel makes errors: warnings about generated C are not for the user. */
		if (!strncmp(w, "-I", 2) || !strncmp(w, "-D", 2) || !strncmp(w, "-fmacro-prefix-map", 18) ||
		    (!strncmp(w, "-W", 2) && strncmp(w, "-Werror=", 8)))
			continue;
		vec_push(b->arena, out, w);
	}
	vec_push(b->arena, out, "-ffreestanding");
	vec_push(b->arena, out, "-pipe");
	vec_push(b->arena, out, arena_printf(b->arena, "-I%s", b->runtime_dir));
}
