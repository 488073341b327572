/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "parse": reads the script, and the tapset with its macros, and has every global and function declared (declare.c).
 * Reads: options, parse_env.  Writes: s->script, s->tapset.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "parser/parse.h"
#include "translator/examples.h"
#include "translator/pipeline.h"
#include "translator/resolve/resolve.h"
#include "translator/resolve/select.h"
#include "translator/resolve/values.h"

typedef VEC(const char *) text_list;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files of the directory with the ending, sorted.  advice: for a directory that is missing; NULL: reported elsewhere. */
static void files_with(struct session *s, const char *dir, const char *ending, const char *advice, text_list *out)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t from = out->n;

	if (!d) {
		if (advice)
			diag_hint(&s->diags, s_error(s, (struct loc){0}, E_IO, "tapset directory %s: %s", dir, strerror(errno)),
				  "%s", advice);
		return;
	}
	while ((e = readdir(d))) {
		size_t n = strlen(e->d_name), m = strlen(ending);
		if (n > m && e->d_name[0] != '.' && !strcmp(e->d_name + n - m, ending))
			vec_push(&s->arena, out, arena_printf(&s->arena, "%s/%s", dir, e->d_name));
	}
	closedir(d);
	if (out->n > from)
		qsort(out->v + from, out->n - from, sizeof out->v[0], by_text);
}

static struct source *read_tapset(struct session *s, const char *path)
{
	struct source *src = source_read(&s->sources, path);
	const char *builtin = paths_tapset();

	if (!src)
		s_error(s, (struct loc){0}, E_IO, "cannot read %s: %s", path, strerror(errno));
	else
		src->is_tapset = true;
	if (src && builtin)
		src->is_own = !strncmp(path, builtin, strlen(builtin)) && path[strlen(builtin)] == '/';
	return src;
}

/* A file of the tapset with errors is left out: a warning shows the first of them. */
static bool is_broken(struct session *s, const struct diags *own)
{
	const struct diag *d = own->first;

	while (d && d->level != DIAG_ERROR)
		d = d->next;
	if (!own->errors || !d)
		return false;
	struct diag *w = diag_report(&s->diags, d->loc, W_LIBRARY, "this file of the tapset is left out: %s", d->text);
	diag_hint(&s->diags, w, "`spile --explain %s` says more about it", diag_name(d->id));
	return true;
}

/* Adds the macros of a .stpm: macros of a file with errors are ignored; two of one name in the libraries are an error. */
static void read_macros(struct session *s, struct source *src)
{
	struct diags own = {.arena = &s->arena, .sources = &s->sources};
	struct parse_env env = s->env;

	env.diags = &own;
	env.library_macros = (struct map){0};
	env.more_macros = NULL;
	parse_macros(&env, src);
	if (is_broken(s, &own))
		return;
	diag_move(&s->diags, &own);
	parse_add_macros(&s->env, &env.library_macros);
}

/* Files with macros that nothing seems to need: most scripts need none of these. */
struct unread {
	struct session *s;
	VEC(struct source *) files;
};

/* Each parse_env is a copy of the session's, which reads them once. */
static void read_unread(void *data, struct parse_env *env)
{
	struct unread *u = data;
	struct session *s = u->s;
	size_t n = u->files.n;

	u->files.n = 0; /* they may have calls of macros */
	for (size_t i = 0; i < n; i++)
		read_macros(s, u->files.v[i]);
	s->env.more_macros = NULL;
	env->library_macros = s->env.library_macros;
}

static struct node *read_script(struct session *s, struct source *src)
{
	struct diags own = {.arena = &s->arena, .sources = &s->sources};
	struct parse_env env = s->env;

	env.diags = &own;
	struct node *file = parse_source(&env, src);
	if (is_broken(s, &own))
		return NULL;
	diag_move(&s->diags, &own);
	return file;
}

/* Adds the texts that may name something of the tapset.  With no script at all, all files are needed. */
static void ask(struct session *s, const struct source *script)
{
	if (script)
		select_asked(s->select, script->text, script->len);
	for (size_t i = 0; i < s->opt.extra.n; i++)
		select_asked(s->select, s->opt.extra.v[i], strlen(s->opt.extra.v[i]));
	for (size_t i = 0; i < s->opt.args.n; i++)
		select_asked(s->select, s->opt.args.v[i], strlen(s->opt.args.v[i]));
	for (size_t i = 0; i < s->opt.globals.n; i++)
		select_asked(s->select, s->opt.globals.v[i], strlen(s->opt.globals.v[i]));
	values_ask(s);
	select_run(s->select, !script);
}

static void read_library(struct session *s, const struct source *script)
{
	text_list dirs = {0}, macros = {0}, scripts = {0};
	VEC(struct source *) sources = {0};
	const char *builtin = paths_tapset();
	struct unread *unread = arena_new(&s->arena, struct unread);
	struct source *src;
	size_t nmacros;

	s->select = select_new(&s->arena);
	unread->s = s;

	for (size_t i = 0; i < s->opt.include.n; i++)
		vec_push(&s->arena, &dirs, s->opt.include.v[i]);
	if (builtin)
		vec_push(&s->arena, &dirs, builtin);
	for (size_t i = 0; i < dirs.n; i++) {
		files_with(s, dirs.v[i], ".stpm",
			   dirs.v[i] != builtin ? "-I takes a directory of .stp and .stpm files"
						: "it belongs to spile: install spile again, or set SPILE_TAPSET",
			   &macros);
		files_with(s, dirs.v[i], ".stp", NULL, &scripts);
	}
	for (size_t i = 0; i < macros.n; i++)
		if ((src = read_tapset(s, macros.v[i])))
			vec_push(&s->arena, &sources, src);
	nmacros = sources.n;
	for (size_t i = 0; i < scripts.n; i++)
		if ((src = read_tapset(s, scripts.v[i])))
			vec_push(&s->arena, &sources, src);
	for (size_t i = 0; i < sources.n; i++)
		select_file(s->select, sources.v[i]);
	ask(s, script);
	for (size_t i = 0; i < nmacros; i++)
		if (select_is_needed(s->select, i) || !sources.v[i]->is_own)
			read_macros(s, sources.v[i]);
		else
			vec_push(&s->arena, &unread->files, sources.v[i]);
	s->env.more_macros = read_unread;
	s->env.more_macros_data = unread;
	for (size_t i = nmacros; i < sources.n; i++) {
		struct node *file = select_is_needed(s->select, i) ? read_script(s, sources.v[i]) : NULL;
		if (file)
			vec_push(&s->arena, &s->tapset, file);
	}
	s->nparsed = (unsigned)sources.n;
}

/* The texts of -E are scripts of their own, whose declarations join those of the script. */
static void parse_extra(struct session *s)
{
	for (size_t i = 0; i < s->opt.extra.n; i++) {
		const char *text = s->opt.extra.v[i];
		struct source *src = source_add(&s->sources, arena_printf(&s->arena, "<input%zu>", i + 1), text, strlen(text));
		struct node *file = src ? parse_source(&s->env, src) : NULL;

		if (!src)
			s_error(s, (struct loc){0}, E_TOO_BIG, "the script of -E is too big");
		if (file && !s->script)
			s->script = file;
		else
			for (unsigned k = 0; file && k < FILE_DECLARATIONS(file); k++)
				ast_add(&s->arena, s->script, FILE_DECLARATION(file, k));
	}
}

/* False for a program, a module or another encoding: one message instead of one for each byte. */
static bool is_text(struct session *s, const struct source *src)
{
	struct diag *d;

	if (!memchr(src->text, 0, src->len < 256 ? src->len : 256))
		return true;
	d = s_error(s, (struct loc){0}, E_IO, "%s is not a text, so it is not a script", src->name);
	if (src->len > 4 && !memcmp(src->text, "\177ELF", 4))
		diag_hint(&s->diags, d, "process(\"PATH\") in a script names a program to be probed, -c COMMAND one to be run; spilerun "
			  "runs modules");
	else
		diag_hint(&s->diags, d, "scripts are written in UTF-8 or ASCII");
	return false;
}

static struct source *script_source(struct session *s)
{
	struct source *src;

	if (s->opt.script_text)
		return source_add(&s->sources, "<input>", s->opt.script_text, strlen(s->opt.script_text));
	src = source_read(&s->sources, s->opt.script_file);
	if (!src && errno == EFBIG) {
		s_error(s, (struct loc){0}, E_TOO_BIG, "%s is too big: a script has %d MB at most", s->opt.script_file, SOURCE_MOST_MB);
	} else if (!src) {
		struct diag *d = s_error(s, (struct loc){0}, E_IO, "cannot read %s: %s", s->opt.script_file, strerror(errno));
		if (examples_called(s, s->opt.script_file))
			diag_hint(&s->diags, d, "there is an example of that name: --example %s", s->opt.script_file);
		session_hint_vm(s, s->opt.script_file, d);
	}
	return src && is_text(s, src) ? src : NULL;
}

static void unused_arguments(struct session *s)
{
	for (size_t i = 0; i < s->opt.args.n; i++) {
		if (s->args_used[i])
			continue;
		struct diag *d = s_error(s, (struct loc){0}, W_UNUSED_ARGUMENT, "the script does not use argument %zu, \"%s\"", i + 1,
					 s->opt.args.v[i]);
		if (s->env.call)
			diag_hint(&s->diags, d, "%s", s->env.call);
		else
			diag_hint(&s->diags, d, "$%zu or @%zu in the script means it", i + 1, i + 1);
		session_hint_vm(s, s->opt.args.v[i], d);
	}
}

int parse_pass(struct session *s)
{
	bool dumps = s->opt.dump_functions || s->opt.dump_probe_aliases;
	struct source *src = NULL;

	if (s->opt.list)
		src = source_add(&s->sources, "<command line>", s->opt.list_point, strlen(s->opt.list_point));
	else if (!dumps && !(src = script_source(s)))
		return -1;
	read_library(s, src);
	for (size_t i = 0; i < s->tapset.n; i++)
		declare_file(s, s->tapset.v[i], true);
	if (s->opt.list) {
		parse_extra(s);
		declare_done(s);
		s->listed = src ? parse_point(&s->env, src) : NULL;
		unused_arguments(s);
		return s->listed && !s->diags.errors ? 0 : -1;
	}
	if (dumps) {
		declare_done(s);
		return s->diags.errors ? -1 : 0;
	}
	s->script = parse_source(&s->env, src);
	if (s->script)
		parse_extra(s);
	if (s->script && !s->diags.errors)
		arguments_declare(s);
	if (s->script && !s->diags.errors)
		unused_arguments(s);
	if (s->script && !s->diags.errors)
		declare_file(s, s->script, false);
	declare_done(s);
	context_find(s);
	return s->script && !s->diags.errors ? 0 : -1;
}
