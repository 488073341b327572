/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kit of a kernel: everything that building a script for it needs, made once and kept in the cache.
 *
 *   runtime.o          the core of runtime/kernel and what it needs of runtime/rt, compiled with the kernel's flags, linked and gone through objtool
 *   runtime-raw.o      the same before objtool, for scripts that need a template of their own
 *   mod.o, *.o         what kbuild adds to a module
 *   module.lds         the kernel's linker script for modules
 *   compat_config.h    the variants chosen
 *   runtime.log        what the compiler said about the runtime, empty when all is well
 *   kit                commands, one word per line after the name of its list
 *
 * The other pieces of the runtime are kept beside it: parts.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/busy.h"
#include "translator/build/private.h"

static const struct loc nowhere;

static int io_error(struct build *b, const char *path)
{
	diag_report(b->diags, nowhere, E_IO, "cannot write %s: %s", path, strerror(errno));
	return -1;
}

static int write_text(struct build *b, const char *path, const char *text, size_t len)
{
	return file_write(path, text, len) ? io_error(b, path) : 0;
}

int kit_tool(struct build *b, const char *what, const build_argv *tool, const build_argv *env, const build_argv *objects)
{
	VEC(struct run) runs = {0};

	if (!tool->n)
		return 0;
	for (size_t i = 0; i < objects->n; i++) {
		const char *object = objects->v[i];
		build_argv argv = {0};

		argv_append(b, &argv, tool);
		vec_push(b->arena, &argv, object);
		vec_push(b->arena, &runs, ((struct run){.what = what, .log = arena_printf(b->arena, "%s.log", object), .env = env->v}));
		runs.v[i].argv = run_argv(b, &argv);
	}
	if (run_all(b, runs.v, runs.n) == 0)
		return 0;
	for (size_t i = 0; i < runs.n; i++)
		if (runs.v[i].status)
			diag_report(b->diags, nowhere, E_KBUILD, "%s failed on %s: %s", tool->v[0], objects->v[i],
				    kbuild_first_error(b->arena, run_log(b, &runs.v[i])));
	return -1;
}

/* --- making --- */

struct making {
	const struct headers *h;
	const char *dir;  /* the entry that is being prepared */
	const char *work; /* folder for all that is not kept */
	const char *name; /* the template's module name */
	struct kbuild_commands cmd;
	struct runtime_objects rt;
	build_argv env;
	build_argv cc1, as;     /* of driver_learn() */
};

static int unreadable(struct build *b, const struct making *m)
{
	diag_report(b->diags, nowhere, E_INTERNAL, "cannot read the symbols of the runtime's objects in %s", m->work);
	return -1;
}

/* The objects of the core and of the pieces of rt/ that it needs, of those that are compiled. */
static int take_objects(struct build *b, struct making *m, struct map *wanted, struct map *defined, build_argv *objects)
{
	build_argv rt = {0};
	const char *core = b->pieces->all.v[0]->object;

	vec_push(b->arena, objects, core);
	for (size_t i = 0; i < b->pieces->all.n; i++)
		if (b->pieces->all.v[i]->kind == PIECE_RT && b->pieces->all.v[i]->object)
			vec_push(b->arena, &rt, b->pieces->all.v[i]->object);
	if (object_symbols(b, core, true, wanted) || members_take(b, &rt, wanted, objects, NULL))
		return unreadable(b, m);
	for (size_t i = 0; i < objects->n; i++)
		if (object_symbols(b, objects->v[i], false, defined))
			return unreadable(b, m);
	return 0;
}

/* Marks the pieces of rt/ that are not compiled and seem to define what is wanted; or all, if it seems that none does.  -1, or how many. */
static int want_more(struct build *b, const struct making *m, const struct map *wanted, const struct map *defined)
{
	struct map orphans = {0};
	bool nowhere_defined = false;
	int n = 0;

	for (size_t i = 0; i < wanted->n; i++) {
		const char *symbol = wanted->entries[i].key;

		if (!map_get(defined, symbol) && strcmp(symbol, "rt_script") && strcmp(symbol, "__this_module"))
			map_set(b->arena, &orphans, symbol, b);
	}
	pieces_want(b->pieces, &orphans);
	if (headers_not_exported(b, m->h, &orphans))
		return -1;
	for (size_t i = 0; i < orphans.n; i++)
		nowhere_defined |= orphans.entries[i].value && !map_get(&b->pieces->owner, orphans.entries[i].key);
	for (size_t i = 0; i < b->pieces->all.n; i++) {
		struct piece *p = b->pieces->all.v[i];

		p->is_wanted = p->kind == PIECE_RT && (p->is_wanted || nowhere_defined);
		n += p->is_wanted && !p->object;
	}
	return n;
}

/* runtime-raw.o */
static int link_runtime(struct build *b, struct making *m, const char *raw)
{
	build_argv objects;
	int more;

	do {
		struct map wanted = {0}, defined = {0};

		objects = (build_argv){0};
		if (take_objects(b, m, &wanted, &defined, &objects))
			return -1;
		more = want_more(b, m, &wanted, &defined);
		if (more < 0 || (more && runtime_compile_wanted(b, &m->rt.cmd)))
			return -1;
	} while (more);
	for (size_t i = 0; i < objects.n; i++)
		for (size_t k = 0; k < b->pieces->all.n; k++)
			b->pieces->all.v[k]->is_in_kit |= b->pieces->all.v[k]->object == objects.v[i];
	return runtime_link(b, m->work, raw, &objects);
}

/* The template's only object. */
static int link_template(struct build *b, struct making *m)
{
	const char *raw = arena_printf(b->arena, "%s/runtime-raw.o", m->dir);
	build_argv parts = {0};

	if (link_runtime(b, m, raw))
		return -1;
	vec_push(b->arena, &parts, raw);
	vec_push(b->arena, &parts, m->rt.stub);
	vec_push(b->arena, &parts, m->rt.refs);
	return runtime_link(b, m->work, kbuild_parts(b, &m->cmd), &parts);
}

static int finish_runtime(struct build *b, struct making *m)
{
	const char *raw = arena_printf(b->arena, "%s/runtime-raw.o", m->dir), *out = arena_printf(b->arena, "%s/runtime.o", m->dir);
	build_argv objects = {0};
	struct sb log = {0};
	int rc;

	if (file_copy(raw, out))
		return io_error(b, out);
	vec_push(b->arena, &objects, out);
	if (kit_tool(b, "objtool runtime", &m->cmd.object_tool, &m->env, &objects) ||
	    kit_tool(b, "objtool runtime", &m->cmd.link_tool, &m->env, &objects))
		return -1;
	unlink(arena_printf(b->arena, "%s.log", out));
	for (size_t i = 0; i < b->pieces->all.n; i++)
		if (b->pieces->all.v[i]->is_in_kit && b->pieces->all.v[i]->log)
			sb_puts(&log, b->pieces->all.v[i]->log);
	rc = write_text(b, arena_printf(b->arena, "%s/runtime.log", m->dir), log.s ? log.s : "", log.n);
	sb_free(&log);
	return rc;
}

/*
 * The kernel's linker script, without one list that objtool makes: entry points that are never called indirectly, which the kernel
 * disarms at load.  The lists are made from the runtime and the script separately, so they miss that each takes addresses of the
 * other's functions.
 */
static int copy_lds(struct build *b, struct making *m)
{
	static const char more[] = "SECTIONS { /DISCARD/ : { *(.ibt_endbr_seal) } }\n";
	char *text = file_read(b->arena, m->cmd.lds, NULL);
	const char *path = arena_printf(b->arena, "%s/module.lds", m->dir);

	if (!text) {
		diag_report(b->diags, nowhere, E_IO, "cannot read %s: %s", m->cmd.lds, strerror(errno));
		return -1;
	}
	text = arena_printf(b->arena, "%s%s", more, text);
	return write_text(b, path, text, strlen(text));
}

static void put_list(struct sb *out, const char *list, const build_argv *v)
{
	for (size_t i = 0; i < v->n; i++)
		sb_printf(out, "%s %s\n", list, v->v[i]);
}

static int copy_glue(struct build *b, struct making *m, struct sb *kit)
{
	size_t len, at[8];
	char *image = file_read(b->arena, m->cmd.glue.v[0], &len);
	int n = image ? object_find_name(image, len, m->name, at, 8) : -1;

	if (n < 1 || n > 8) {
		diag_report(b->diags, nowhere, E_KBUILD,
			    "kbuild of %s: the module name is not where it is expected in %s", b->release,
			    m->cmd.glue.v[0]);
		return -1;
	}
	if (write_text(b, arena_printf(b->arena, "%s/mod.o", m->dir), image, len))
		return -1;
	sb_puts(kit, "input runtime.o\n");
	for (size_t i = 1; i < m->cmd.glue.n; i++) {
		const char *name = arena_printf(b->arena, "glue%zu.o", i);

		if (file_copy(m->cmd.glue.v[i], arena_printf(b->arena, "%s/%s", m->dir, name)))
			return io_error(b, name);
		sb_printf(kit, "input %s\n", name);
	}
	return 0;
}

static int put_symbols(struct build *b, struct making *m, struct sb *kit)
{
	struct map names = {0};
	const char *raw = arena_printf(b->arena, "%s/runtime-raw.o", m->dir);

	if (object_symbols(b, raw, false, &names) || object_symbols(b, raw, true, &names) || object_symbols(b, m->rt.refs, true, &names))
		return unreadable(b, m);
	for (size_t i = 0; i < names.n; i++)
		sb_printf(kit, "symbol %s\n", names.entries[i].key);
	return 0;
}

static void put_parts(struct build *b, struct sb *kit)
{
	const struct pieces *ps = b->pieces;

	for (size_t i = 0; i < ps->all.n; i++)
		if (!ps->all.v[i]->is_in_kit)
			sb_printf(kit, "part %s\n", ps->all.v[i]->name);
	for (size_t i = 0; i < ps->owner.n; i++) {
		const struct piece *p = ps->owner.entries[i].value;

		if (!p->is_in_kit)
			sb_printf(kit, "offer %s %s\n", ps->owner.entries[i].key, p->name);
	}
}

static int write_kit(struct build *b, struct making *m)
{
	struct sb kit = {0};
	int rc = copy_glue(b, m, &kit);

	put_list(&kit, "cc", &m->rt.cmd.cc);
	put_list(&kit, "cc1", &m->cc1);
	put_list(&kit, "as", &m->as);
	put_list(&kit, "kernel_cc", &m->rt.cmd.kernel_cc);
	put_list(&kit, "object_tool", &m->cmd.object_tool);
	put_list(&kit, "link_tool", &m->cmd.link_tool);
	put_list(&kit, "link", &m->cmd.link);
	put_list(&kit, "env", &m->env);
	sb_printf(&kit, "name %s\ncwd %s\n", m->name, m->cmd.cwd);
	put_parts(b, &kit);
	if (!rc)
		rc = put_symbols(b, m, &kit);
	if (!rc)
		rc = write_text(b, arena_printf(b->arena, "%s/kit", m->dir), kit.s, kit.n);
	sb_free(&kit);
	return rc;
}

static const char *template_name(struct arena *a)
{
	char *name = arena_alloc(a, BUILD_NAME_MAX + 1);

	memset(name, '_', BUILD_NAME_MAX);
	memcpy(name, "spile_template", 14);
	return name;
}

/* Guessed seconds, for the progress. */
#define LEARN_WORK 0.8
#define TEMPLATE_WORK 0.6

/* The core, and what the script seems to need. */
static int want_pieces(struct build *b)
{
	struct map words = {0};

	if (!pieces_read(b))
		return -1;
	for (size_t i = 0; b->texts && b->texts[i]; i++)
		pieces_words(b, b->texts[i], &words);
	if (b->calls && pieces_find(b->pieces, "calls"))
		pieces_find(b->pieces, "calls")->is_wanted = true;
	b->pieces->all.v[0]->is_wanted = true;
	pieces_want(b->pieces, &b->pieces->all.v[0]->words);
	pieces_want(b->pieces, &words);
	return 0;
}

static int make_kit(struct build *b, const struct headers *h, const char *dir)
{
	struct making m = {.h = h,
			   .dir = dir,
			   .work = arena_printf(b->arena, "%s/kit", b->work_dir),
			   .name = template_name(b->arena)};
	const char *template = arena_printf(b->arena, "%s/template", m.work);
	int rc;

	if (file_make_folder(template, 0700))
		return io_error(b, template);
	if (headers_check_exports(b, h) || want_pieces(b))
		return -1;
	b->work = LEARN_WORK + TEMPLATE_WORK;
	rc = kbuild_learn(b, h, template, m.name, &m.cmd) ? -1 : 0;
	run_progress(b, LEARN_WORK);
	rc = rc || runtime_compile(b, h, &m.cmd, m.work, dir, &m.rt) || link_template(b, &m) ? -1 : 0;
	if (rc) {
		kbuild_give_up(b, &m.cmd);
		return rc;
	}
	vec_push(b->arena, &m.env, arena_printf(b->arena, "SRCARCH=%s", m.cmd.srcarch));
	run_argv(b, &m.env);
	if (kbuild_continue(b, h, &m.cmd) || finish_runtime(b, &m) || copy_lds(b, &m))
		return -1;
	driver_learn(b, &m.rt.cmd.cc, m.work, &m.cc1, &m.as);
	return write_kit(b, &m);
}

/* --- loading --- */

/* The kit was made in another folder than the one it is in now: replaces the folder's name. */
static const char *kit_word(struct build *b, const struct build_kit *k, const char *word, size_t len)
{
	static const char config[] = "/compat_config.h";
	const char *w = arena_strndup(b->arena, word, len);

	if (len > sizeof config - 1 && !strcmp(w + len - (sizeof config - 1), config))
		return arena_printf(b->arena, "%s%s", k->dir, config);
	return w;
}

static int load_kit(struct build *b, struct build_kit *k)
{
	const struct {
		const char *list;
		build_argv *v;
	} lists[] = {
		{"cc", &k->cc},
		{"cc1", &k->cc1},
		{"as", &k->as},
		{"kernel_cc", &k->kernel_cc},
		{"object_tool", &k->object_tool},
		{"link_tool", &k->link_tool},
		{"link", &k->link},
		{"env", &k->env},
		{"name", &k->name},
		{"cwd", &k->cwd},
		{"part", &k->parts},
		{"offer", &k->offers},
		{"input", &k->inputs},
		{"symbol", &k->symbols},
	};
	struct arena scratch = {0};
	char *text = file_read(&scratch, arena_printf(b->arena, "%s/kit", k->dir), NULL);
	size_t len;

	for (const char *p = text; p && *p; p += len + (p[len] == '\n')) {
		size_t n = strcspn(p, " \n");

		len = strcspn(p, "\n");
		for (size_t i = 0; n < len && i < sizeof lists / sizeof lists[0]; i++)
			if (strlen(lists[i].list) == n && !strncmp(lists[i].list, p, n))
				vec_push(b->arena, lists[i].v, kit_word(b, k, p + n + 1, len - n - 1));
	}
	arena_free(&scratch);
	run_argv(b, &k->env);
	if (k->cc.n && k->link.n && k->name.n && k->cwd.n && k->inputs.n)
		return 0;
	diag_report(b->diags, nowhere, E_IO, "cannot read %s/kit; --clean-cache starts afresh", k->dir);
	return -1;
}

/* Pieces that were compiled with the runtime and are not part of it. */
static int keep_parts(struct build *b)
{
	build_argv names = {0}, dirs = {0};

	for (size_t i = 0; i < b->pieces->all.n; i++)
		if (b->pieces->all.v[i]->object && !b->pieces->all.v[i]->is_in_kit)
			vec_push(b->arena, &names, b->pieces->all.v[i]->name);
	return parts_get(b, &names, &dirs);
}

int kit_get(struct build *b)
{
	struct build_kit *k = arena_new(b->arena, struct build_kit);
	char key[33], *real;
	bool is_new = false;
	int lock, rc = 0;

	if (b->kit)
		return 0;
	real = realpath(b->runtime_dir, NULL);
	if (real)
		b->runtime_dir = arena_strdup(b->arena, real);
	free(real);
	if (headers_find(b, &k->headers) || cache_open(b) || headers_key(b, &k->headers, key))
		return -1;
	k->key = arena_strdup(b->arena, key);
	k->dir = cache_path(b, "runtime", key);
	b->runtime_was_cached = cache_has(b, "runtime", key);
	if (!b->runtime_was_cached) {
		lock = cache_lock(b, key);
		if (!cache_has(b, "runtime", key)) {
			const char *dir = cache_prepare(b);

			is_new = true;
			(void)cache_watch_work(b); /* before it is said: whoever reads that may end us */
			(b->silent ? busy_begin : busy_begin_long)("Compiling the runtime for kernel %s, %s", b->release,
								   cache_is_temporary(b) ? "as there is no cache" : "which is done once");
			rc = dir ? make_kit(b, &k->headers, dir) : -1;
			if (!rc && cache_publish(b, dir, "runtime", key))
				k->dir = dir;
			busy_begin("Building the module"); /* again: the text above has replaced it */
		}
		cache_unlock(lock);
	}
	if (rc || load_kit(b, k))
		return -1;
	b->kit = k;
	return is_new ? keep_parts(b) : 0;
}
