/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "parse": reads the script, and the tapset with its macros, and declares every global and function.
 * Reads: options, parse_env.  Writes: s->script, s->tapset, prog.globals, prog.functions (not yet their bodies).
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/paths.h"
#include "parser/parse.h"
#include "translator/pipeline.h"
#include "translator/resolve/resolve.h"

typedef VEC(const char *) text_list;

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Files of the directory with the ending, sorted; a missing directory is an error only if the user named it. */
static void files_with(struct session *s, const char *dir, const char *ending, bool required, text_list *out)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t from = out->n;

	if (!d) {
		if (required)
			s_error(s, (struct loc){0}, E_IO, "tapset directory %s: %s", dir, strerror(errno));
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

	if (!src)
		s_error(s, (struct loc){0}, E_IO, "cannot read %s: %s", path, strerror(errno));
	else
		src->is_tapset = true;
	return src;
}

/* A file of the tapset with errors is left out: a warning tells the first of them. */
static bool is_broken(struct session *s, const struct diags *own)
{
	const struct diag *d = own->first;

	while (d && d->level != DIAG_ERROR)
		d = d->next;
	if (!own->errors || !d)
		return false;
	struct diag *w = diag_report(&s->diags, d->loc, W_LIBRARY, "this file of the tapset is left out: %s", d->text);
	diag_hint(&s->diags, w, "`spile --explain %s` tells more about it", diag_name(d->id));
	return true;
}

/* Adds the macros of a .stpm: those of a broken one are unknown; two of one name in the libraries are an error. */
static void read_macros(struct session *s, struct source *src)
{
	struct diags own = {.arena = &s->arena, .sources = &s->sources};
	struct parse_env env = s->env;

	env.diags = &own;
	env.library_macros = (struct map){0};
	parse_macros(&env, src);
	if (is_broken(s, &own))
		return;
	diag_move(&s->diags, &own);
	parse_add_macros(&s->env, &env.library_macros);
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

static void read_library(struct session *s)
{
	text_list dirs = {0}, macros = {0}, scripts = {0};
	const char *builtin = paths_tapset();

	for (size_t i = 0; i < s->opt.include.n; i++)
		vec_push(&s->arena, &dirs, s->opt.include.v[i]);
	if (builtin)
		vec_push(&s->arena, &dirs, builtin);
	for (size_t i = 0; i < dirs.n; i++) {
		files_with(s, dirs.v[i], ".stpm", dirs.v[i] != builtin, &macros);
		files_with(s, dirs.v[i], ".stp", false, &scripts);
	}
	for (size_t i = 0; i < macros.n; i++) {
		struct source *src = read_tapset(s, macros.v[i]);
		if (src)
			read_macros(s, src);
	}
	for (size_t i = 0; i < scripts.n; i++) {
		struct source *src = read_tapset(s, scripts.v[i]);
		struct node *file = src ? read_script(s, src) : NULL;
		if (file)
			vec_push(&s->arena, &s->tapset, file);
	}
	s->nparsed = (unsigned)(macros.n + scripts.n);
}

static void declare_global(struct session *s, struct node *n)
{
	struct symbol *v = arena_new(&s->arena, struct symbol);
	struct symbol *old;

	v->kind = SYM_GLOBAL;
	v->name = n->name;
	v->decl = n;
	v->is_array = n->flags & NF_SIZED;
	if (n->nk && n->k[0]) {
		v->type = n->k[0]->kind == N_STRING ? T_STRING : T_LONG;
		v->type_origin = n->k[0];
	}
	n->sym = v;
	if ((old = map_set(&s->arena, &s->prog.globals, n->name, v))) {
		struct diag *d = s_error(s, n->loc, E_DUPLICATE, "global \"%s\" is declared twice", n->name);
		diag_note(&s->diags, d, old->decl->loc, "first declared here");
	}
}

const char *function_key(const char *name, unsigned nargs)
{
	struct sb b = {0};

	sb_printf(&b, "%s/%u", name, nargs);
	const char *key = intern_n(b.s, b.n);
	sb_free(&b);
	return key;
}

static void declare_function(struct session *s, struct node *n)
{
	struct symbol *v = arena_new(&s->arena, struct symbol);
	struct function *f = arena_new(&s->arena, struct function);
	struct symbol *old;

	v->kind = SYM_FUNCTION;
	v->name = n->name;
	v->decl = n;
	v->type = n->type;
	v->type_origin = n->type != T_UNKNOWN ? n : NULL;
	v->function = f;
	f->sym = v;
	f->decl = n;
	f->body = n->k[0];
	if (n->k[0]->kind == N_EMBEDDED && v->type == T_UNKNOWN)
		v->type = T_VOID;
	for (unsigned i = 1; i < n->nk; i++) {
		struct symbol *p = arena_new(&s->arena, struct symbol);
		p->kind = SYM_LOCAL;
		p->is_param = true;
		p->name = n->k[i]->name;
		p->decl = n->k[i];
		p->type = n->k[i]->type;
		p->type_origin = p->type != T_UNKNOWN ? p->decl : NULL;
		p->index = i - 1;
		n->k[i]->sym = p;
		vec_push(&s->arena, &f->params, p);
		map_set(&s->arena, &f->scope, p->name, p);
	}
	n->sym = v;
	old = map_get(&s->prog.functions, function_key(n->name, n->nk - 1));
	if (old && (old->decl->flags & NF_TAPSET) && !(n->flags & NF_TAPSET))
		old = NULL; /* the user's own definition goes before the tapset's */
	else if (old && !(old->decl->flags & NF_TAPSET) && (n->flags & NF_TAPSET))
		return;
	if (old) {
		struct diag *d = s_error(s, n->loc, E_NOT_SUPPORTED,
					 "function \"%s\" is defined twice with %u arguments; overloads are not supported yet",
					 n->name, n->nk - 1);
		diag_note(&s->diags, d, old->decl->loc, "first defined here");
		return;
	}
	map_set(&s->arena, &s->prog.functions, function_key(n->name, n->nk - 1), v);
}

static void declare(struct session *s, struct node *file, bool tapset)
{
	for (unsigned i = 0; i < file->nk; i++) {
		struct node *n = file->k[i];
		if (tapset)
			n->flags |= NF_TAPSET;
		if (n->kind == N_GLOBAL)
			declare_global(s, n);
		else if (n->kind == N_FUNCTION)
			declare_function(s, n);
		else if (n->kind == N_EMBEDDED && !tapset)
			s_error(s, n->loc, E_NOT_SUPPORTED, "embedded C is not supported yet");
	}
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
			for (unsigned k = 0; file && k < file->nk; k++)
				ast_add(&s->arena, s->script, file->k[k]);
	}
}

static struct source *script_source(struct session *s)
{
	struct source *src;

	if (s->opt.script_text)
		return source_add(&s->sources, "<input>", s->opt.script_text, strlen(s->opt.script_text));
	src = source_read(&s->sources, s->opt.script_file);
	if (!src)
		s_error(s, (struct loc){0}, E_IO, "cannot read %s: %s", s->opt.script_file, strerror(errno));
	return src;
}

int parse_pass(struct session *s)
{
	struct source *src;

	read_library(s);
	for (size_t i = 0; i < s->tapset.n; i++)
		declare(s, s->tapset.v[i], true);
	if (s->opt.list) {
		parse_extra(s);
		src = source_add(&s->sources, "<command line>", s->opt.list_point, strlen(s->opt.list_point));
		s->listed = src ? parse_point(&s->env, src) : NULL;
		return s->listed && !s->diags.errors ? 0 : -1;
	}
	if (s->opt.dump_functions || s->opt.dump_probe_aliases)
		return s->diags.errors ? -1 : 0;
	src = script_source(s);
	s->script = src ? parse_source(&s->env, src) : NULL;
	if (s->script)
		parse_extra(s);
	if (s->script)
		declare(s, s->script, false);
	return s->script && !s->diags.errors ? 0 : -1;
}
