/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds one script: compile freestanding, objtool, link with the kernel's kit.  Contract in build.h. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "translator/build/private.h"

static const struct loc nowhere;

struct objects {
	const char *const *extra; /* texts */
	build_argv all;           /* the script's objects, followed by those of the extra texts */
	size_t nscript;
	struct map wanted;        /* symbols that they leave undefined, and the parts */
	build_argv parts, raw;    /* of the runtime, which they need; the same before objtool */
	const char *mod; /* *.mod.o with the name set, in work_dir */
};

void build_end(struct build *b)
{
	cache_close(b);
	b->kit = NULL;
	b->pieces = NULL; /* what was compiled of them was in work_dir */
	if (!b->keep)
		b->work_dir = NULL;
}

static struct hash128 hash_texts(struct hash128 h, const char *c_text, const char *const *extra_c)
{
	h = hash128_add_str(h, c_text);
	for (; extra_c && *extra_c; extra_c++)
		h = hash128_add_str(h, *extra_c);
	return h;
}

const char *build_module_name(struct arena *a, const struct build *b, const char *c_text,
			      const char *const *extra_c)
{
	char hex[33];

	hash128_hex(hash_texts(hash128_add_str(hash128_init(), b->release), c_text, extra_c), hex);
	return arena_printf(a, "spile_%.16s", hex);
}

/* --- the compiler's complaints --- */

/* Place in one of the session's sources when the line is "FILE:LINE:COLUMN: ..." (generated C has #line
 * directives). */
static struct loc script_place(struct build *b, const char *line)
{
	struct sources *ss = b->diags->sources;
	struct loc loc = {0};
	unsigned long n, col;
	char *end;

	for (size_t i = 0; ss && i < ss->n; i++) {
		struct source *s = ss->v[i];
		size_t name = strlen(s->name), len;
		const char *text;

		if (strncmp(s->name, line, name) || line[name] != ':' || (n = strtoul(line + name + 1, &end, 10)) == 0)
			continue;
		col = *end == ':' ? strtoul(end + 1, NULL, 10) : 1;
		text = source_line(s, (unsigned)n, &len);
		if (!text)
			continue;
		loc.source = (uint16_t)s->id;
		loc.off = (uint32_t)(text - s->text) + (uint32_t)(col && col <= len ? col - 1 : 0);
		loc.len = 1;
		return loc;
	}
	return loc;
}

static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');

	return end ? end + 1 : line + strlen(line);
}

/* "error: ..." in the line, or NULL. */
static const char *error_in(const char *line)
{
	const char *what = strstr(line, "error: ");

	return what && what < next_line(line) ? what + 7 : NULL;
}

/* An error inside one of our macros is placed where the script uses it, which the compiler says in the lines after it. */
static struct loc error_place(struct build *b, const char *line)
{
	struct loc loc = script_place(b, line);

	for (line = next_line(line); !loc.source && *line && !error_in(line); line = next_line(line))
		loc = script_place(b, line);
	return loc;
}

static void compiler_advice(struct build *b, struct diag *d, const char *what)
{
	if (strstr(what, "STAP_ARG_"))
		diag_hint(b->diags, d, "STAP_ARG_x is the parameter x of the function");
	else if (strstr(what, "STAP_RETVALUE") || strstr(what, "\"STAP_RETURN\""))
		diag_hint(b->diags, d, "what a function gives back is declared with it: function name:long() or name:string()");
	else if (strstr(what, "did you mean"))
		return;
	else if (strstr(what, "undeclared") || strstr(what, "implicit declaration") || strstr(what, "incomplete type"))
		diag_hint(b->diags, d, "include the kernel header that declares it: %%{ #include <linux/...> %%} before the functions");
}

/* Reports what the compiler says about lines of the script, once for each line; returns how many were reported. */
static unsigned report_script_errors(struct build *b, const char *log)
{
	struct loc last = {0};
	unsigned reported = 0, line, column, before = 0;

	for (; *log; log = next_line(log)) {
		const char *what = error_in(log);
		struct loc loc = what ? error_place(b, log) : (struct loc){0};

		if (!loc.source)
			continue;
		source_position(source_by_id(b->diags->sources, loc.source), loc.off, &line, &column);
		if (loc.source == last.source && line == before)
			continue;
		what = arena_strndup(b->arena, what, strcspn(what, "\n"));
		compiler_advice(b, diag_report(b->diags, loc, E_EMBEDDED_C, "the C compiler says: %s", what), what);
		last = loc;
		before = line;
		reported++;
	}
	return reported;
}

static void compile_failed(struct build *b, const struct run *r, bool extra)
{
	const char *log = run_log(b, r), *line;

	if (report_script_errors(b, log))
		return;
	line = kbuild_first_error(b->arena, log);
	if (extra)
		diag_report(b->diags, nowhere, E_EMBEDDED_C, "the C compiler rejects the embedded code: %s", line);
	else
		diag_report(b->diags, nowhere, E_INTERNAL, "the C compiler rejects the generated code: %s", line);
}

/* --- steps --- */

static int write_or_tell(struct build *b, const char *path, const void *data, size_t len)
{
	if (file_write(path, data, len) == 0)
		return 0;
	diag_report(b->diags, nowhere, E_IO, "cannot write %s: %s", path, strerror(errno));
	return -1;
}

/*
 * The compiler's time grows with the text.  From this size on it would be too long.  It is half as long without the greater
 * optimisations, which save handlers little: what takes time in them is in the runtime.
 */
enum { BIG_SCRIPT = 256 * 1024 };

const char script_columns[] = "-ftabstop=1";

static build_argv script_cc(struct build *b, const char *c_text)
{
	build_argv cc = {0};

	argv_append(b, &cc, &b->kit->cc);
	if (strlen(c_text) >= BIG_SCRIPT)
		vec_push(b->arena, &cc, "-Og");
	return cc;
}

typedef VEC(struct run) runs;

/* The script's text: for each part a compile of all of it. */
static int add_script(struct build *b, const char *c_text, struct objects *o, runs *out)
{
	const char *c = arena_printf(b->arena, "%s/script.c", b->work_dir);

	if (write_or_tell(b, c, c_text, strlen(c_text)))
		return -1;
	o->nscript = b->parts ? b->parts : 1;
	for (size_t i = 0; i < o->nscript; i++) {
		const char *object = arena_printf(b->arena, "%s/script%zu.o", b->work_dir, i);
		build_argv cc = script_cc(b, c_text);

		if (o->nscript > 1)
			vec_push(b->arena, &cc, arena_printf(b->arena, "-DRT_PART=%zu", i));
		vec_push(b->arena, &o->all, object);
		vec_push(b->arena, out, driver_run(b, &cc, c, object));
	}
	return 0;
}

static int add_extra(struct build *b, struct objects *o, runs *out)
{
	build_argv cc = {0};

	argv_append(b, &cc, &b->kit->kernel_cc);
	vec_push(b->arena, &cc, script_columns);
	vec_push(b->arena, &cc, frame_usage_flag());
	for (size_t n = 0; o->extra && o->extra[n]; n++) {
		const char *c = arena_printf(b->arena, "%s/extra%zu.c", b->work_dir, n);
		const char *object = arena_printf(b->arena, "%s/extra%zu.o", b->work_dir, n);

		if (write_or_tell(b, c, o->extra[n], strlen(o->extra[n])))
			return -1;
		vec_push(b->arena, &o->all, object);
		vec_push(b->arena, out, run_compile(b, &cc, b->kit->cwd.v[0], c, object, "cc extra"));
	}
	return 0;
}

/* A script that is one small text, which is nearly each: without gcc in between.  1: it is not, or that cannot be done. */
static int compile_small(struct build *b, const char *c_text, const struct objects *o, const runs *all)
{
	struct run runs[2];

	if (all->n != 1 || o->nscript != 1 || strlen(c_text) >= BIG_SCRIPT || driver_runs(b, runs))
		return 1;
	if (run_pipe(b, runs) == 0)
		return 0;
	if (runs[0].start_errno || runs[1].start_errno)
		return 1;
	compile_failed(b, &runs[runs[0].status ? 0 : 1], false);
	return -1;
}

static int compile(struct build *b, const char *c_text, struct objects *o)
{
	bool reported = false;
	runs r = {0};
	int rc;

	if (add_script(b, c_text, o, &r) || add_extra(b, o, &r))
		return -1;
	rc = compile_small(b, c_text, o, &r);
	if (rc <= 0 || run_all(b, r.v, r.n) == 0)
		return rc < 0 ? rc : 0;
	for (size_t i = 0; i < r.n; i++) {
		if (!r.v[i].status || (reported && i < o->nscript)) /* an error before all parts is in the log of each */
			continue;
		compile_failed(b, &r.v[i], i >= o->nscript);
		reported = true;
	}
	return -1;
}

static int set_name(struct build *b, const char *from, const char *name, struct objects *o)
{
	const struct build_kit *k = b->kit;
	size_t len, at[8];
	char *image = file_read(b->arena, from, &len);
	int n = image ? object_find_name(image, len, k->name.v[0], at, 8) : -1;

	if (n < 1 || n > 8) {
		diag_report(b->diags, nowhere, E_INTERNAL, "cannot set the module name in %s", from);
		return -1;
	}
	for (int i = 0; i < n; i++) {
		memset(image + at[i], 0, BUILD_NAME_MAX);
		memcpy(image + at[i], name, strlen(name));
	}
	o->mod = arena_printf(b->arena, "%s/mod.o", b->work_dir);
	return write_or_tell(b, o->mod, image, len);
}

/*
 * Takes the parts of the runtime that the objects need.  Then: the symbols that are neither in these nor in the kit: their number, -1
 * with diagnostics.
 */
static int unknown_symbols(struct build *b, struct objects *o, struct map *unknown)
{
	struct map own = {0};

	for (size_t i = 0; i < o->all.n; i++) {
		if (!object_symbols(b, o->all.v[i], true, &o->wanted) && !object_symbols(b, o->all.v[i], false, &own))
			continue;
		diag_report(b->diags, nowhere, E_INTERNAL, "cannot read the symbols of the script's objects in %s", b->work_dir);
		return -1;
	}
	return parts_take(b, &o->wanted, &own, &o->parts, &o->raw, unknown) ? -1 : (int)unknown->n;
}

static bool is_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

/* The last place of the word in the script: in C a use comes after the declaration. */
static struct loc word_place(struct build *b, const char *word)
{
	struct sources *ss = b->diags->sources;
	size_t n = strlen(word);
	struct loc loc = {0};

	for (size_t i = 0; ss && i < ss->n; i++) {
		const struct source *s = ss->v[i];
		for (const char *at = s->is_own ? NULL : strstr(s->text, word); at; at = strstr(at + 1, word))
			if ((at == s->text || !is_word(at[-1])) && !is_word(at[n]))
				loc = (struct loc){(uint16_t)s->id, (uint16_t)n, (uint32_t)(at - s->text), 0};
	}
	return loc;
}

/* Is it an error of modpost about a symbol?  Then reports it in our words. */
static bool not_exported(struct build *b, const struct diags *own)
{
	static const char before[] = "modpost: \"";
	const char *name = own->first ? strstr(own->first->text, before) : NULL;
	struct diag *d;

	if (!name || !strstr(name, "undefined!"))
		return false;
	name += sizeof before - 1;
	name = arena_strndup(b->arena, name, strcspn(name, "\""));
	d = diag_report(b->diags, word_place(b, name), E_EMBEDDED_C, "kernel %s does not export \"%s\" to modules", b->release, name);
	diag_hint(b->diags, d, "modules see what the kernel exports: the names in Module.symvers of its headers package");
	return true;
}

/*
 * Embedded C that calls kernel functions which the runtime does not call: only the kernel's own build can check that they are
 * exported, and record their versions.  It takes as long as building a template.
 */
static int own_template(struct build *b, const struct objects *o, const char **mod)
{
	const struct build_kit *k = b->kit;
	const char *dir = arena_printf(b->arena, "%s/template", b->work_dir);
	struct kbuild_commands cmd = {0};
	build_argv parts = {0};
	struct diags *diags = b->diags, own = {.arena = b->arena, .sources = diags->sources};
	int rc;

	argv_append(b, &parts, &o->all);
	argv_append(b, &parts, &o->raw);
	vec_push(b->arena, &parts, arena_printf(b->arena, "%s/runtime-raw.o", k->dir));
	if (file_make_folder(dir, 0700)) {
		diag_report(b->diags, nowhere, E_IO, "cannot make %s: %s", dir, strerror(errno));
		return -1;
	}
	b->diags = &own;
	rc = kbuild_template(b, &k->headers, dir, k->name.v[0], parts.v, parts.n, &cmd);
	b->diags = diags;
	if (rc && !not_exported(b, &own))
		diag_move(diags, &own);
	if (rc)
		return -1;
	*mod = cmd.glue.v[0];
	return 0;
}

static int glue(struct build *b, const char *name, struct objects *o)
{
	const char *mod = arena_printf(b->arena, "%s/mod.o", b->kit->dir);
	struct map unknown = {0};
	int n = unknown_symbols(b, o, &unknown);

	if (n < 0)
		return -1;
	if (n && o->all.n == o->nscript && headers_not_exported(b, &b->kit->headers, &unknown))
		return -1;
	for (int i = 0; i < n && o->all.n == o->nscript; i++) {
		if (!unknown.entries[i].value)
			continue;
		diag_report(b->diags, nowhere, E_INTERNAL,
			    "the generated code uses %s, which the runtime does not have",
			    unknown.entries[i].key);
		return -1;
	}
	if (n && own_template(b, o, &mod))
		return -1;
	return set_name(b, mod, name, o);
}

static int tools(struct build *b, const struct objects *o)
{
	const struct build_kit *k = b->kit;

	return kit_tool(b, "objtool script", &k->object_tool, &k->env, &o->all) ||
	       kit_tool(b, "objtool script", &k->link_tool, &k->env, &o->all) ? -1 : 0;
}

/*
 * The linker would hash all that it wrote.  The key is already a hash of all that the module is made of, and tells modules of one name apart
 * as well.
 */
static const char *link_word(struct build *b, const char *word, const char *key)
{
	static const char kinds[][20] = {"--build-id", "--build-id=sha1", "--build-id=md5", "--build-id=tree", "--build-id=uuid"};

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (!strcmp(word, kinds[i]))
			return arena_printf(b->arena, "--build-id=0x%s", key);
	return word;
}

static int link_module(struct build *b, struct objects *o, const char *key, const char *ko)
{
	const struct build_kit *k = b->kit;
	build_argv argv = {0};
	struct run r = {.what = "ld module", .log = arena_printf(b->arena, "%s/ld.log", b->work_dir)};
	const char *calls = NULL;

	if (b->calls && parts_calls(b, &calls))
		return -1;
	for (size_t i = 0; i < k->link.n; i++)
		vec_push(b->arena, &argv, link_word(b, k->link.v[i], key));
	vec_push(b->arena, &argv, "-T");
	vec_push(b->arena, &argv, arena_printf(b->arena, "%s/module.lds", k->dir));
	vec_push(b->arena, &argv, "-o");
	vec_push(b->arena, &argv, ko);
	argv_append(b, &argv, &o->all);
	vec_push(b->arena, &argv, o->mod);
	argv_append(b, &argv, &o->parts);
	for (size_t i = 0; i < k->inputs.n; i++)
		vec_push(b->arena, &argv, arena_printf(b->arena, "%s/%s", k->dir, k->inputs.v[i]));
	if (calls)
		vec_push(b->arena, &argv, calls);
	r.argv = run_argv(b, &argv);
	if (run_all(b, &r, 1) == 0)
		return 0;
	diag_report(b->diags, nowhere, E_KBUILD, "the module does not link: %s",
		    kbuild_first_error(b->arena, run_log(b, &r)));
	return -1;
}

static bool name_is_good(const char *name)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	return *name && strlen(name) <= BUILD_NAME_MAX && !name[strspn(name, good)];
}

static void set_texts(struct build *b, const char *c_text, const char *const *extra_c)
{
	build_argv texts = {0};

	vec_push(b->arena, &texts, c_text);
	for (; extra_c && *extra_c; extra_c++)
		vec_push(b->arena, &texts, *extra_c);
	b->texts = run_argv(b, &texts);
}

int build_module(struct build *b, const char *c_text, const char *const *extra_c, const char *name,
		 const char **ko_path)
{
	struct objects o = {.extra = extra_c};
	const char *dir;
	char key[33];

	if (!name_is_good(name)) {
		diag_report(b->diags, nowhere, E_USAGE,
			    "\"%s\" is not a module name: letters, digits and '_', at most %d of them", name,
			    BUILD_NAME_MAX);
		return -1;
	}
	set_texts(b, c_text, extra_c);
	if (kit_get(b))
		return -1;
	hash128_hex(hash_texts(hash128_add_str(hash128_add_str(hash128_init(), b->kit->key), name), c_text,
			       extra_c),
		    key); /* b->calls depends on c_text */
	*ko_path = arena_printf(b->arena, "%s/%s.ko", cache_path(b, "script", key), name);
	if (b->poison_cache)
		file_remove_tree(cache_path(b, "script", key));
	b->module_was_cached = !b->disable_cache && cache_has(b, "script", key);
	b->module_is_temporary = cache_is_temporary(b);
	if (b->module_was_cached)
		return 0;
	dir = cache_prepare(b);
	if (!dir || compile(b, c_text, &o) || frame_measure(b, &o.all) || glue(b, name, &o) || tools(b, &o) ||
	    link_module(b, &o, key, arena_printf(b->arena, "%s/%s.ko", dir, name)))
		return -1;
	if (b->disable_cache || cache_publish(b, dir, "script", key)) {
		b->module_is_temporary = true;
		*ko_path = arena_printf(b->arena, "%s/%s.ko", dir, name);
	}
	return 0;
}
