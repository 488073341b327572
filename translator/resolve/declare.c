/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Part of pass "parse": the globals and functions of all files, by name.  A private name is seen only in its own file, where it
 * hides the common one.  Functions of one name and number of arguments form a chain in the order in which they are tried at run
 * time.  And which library files have probes, which belong to the script when it uses something of the file.
 * Writes: prog.globals, prog.functions, library_probes.
 */
#include <string.h>

#include "base/intern.h"
#include "translator/resolve/embedded.h"
#include "translator/resolve/resolve.h"

enum { USER_PRIORITY = 0, TAPSET_PRIORITY = 1 };

/* "name", "name/2", "name@3", "name/2@3": file 0: seen by all files. */
static const char *key(const char *name, int nargs, unsigned file)
{
	struct sb b = {0};
	const char *text;

	sb_puts(&b, name);
	if (nargs >= 0)
		sb_printf(&b, "/%d", nargs);
	if (file)
		sb_printf(&b, "@%u", file);
	text = intern_n(b.s, b.n);
	sb_free(&b);
	return text;
}

/* Text from a macro belongs to the file of the macro, and to the files it was expanded in. */
static struct symbol *find(struct session *s, struct map *all, const char *name, int nargs, struct loc at)
{
	struct symbol *v;

	for (;;) {
		if (at.source && (v = map_get(all, key(name, nargs, at.source))))
			return v;
		if (!at.expansion)
			return map_get(all, key(name, nargs, 0));
		at = s->sources.expansions[at.expansion - 1].at;
	}
}

struct symbol *declare_find_global(struct session *s, const char *name, struct loc at)
{
	return find(s, &s->prog.globals, name, -1, at);
}

struct symbol *declare_find_function(struct session *s, const char *name, unsigned nargs, struct loc at)
{
	return find(s, &s->prog.functions, name, (int)nargs, at);
}

static void clash(struct session *s, const struct node *n, const struct node *old, const char *fmt)
{
	struct diag *d = s_error(s, n->loc, E_DUPLICATE, fmt, n->name);

	diag_note(&s->diags, d, old->loc, "first declared here");
}

static void declare_global(struct session *s, struct node *n)
{
	struct symbol *v = arena_new(&s->arena, struct symbol), *old;

	v->kind = SYM_GLOBAL;
	v->name = n->name;
	v->decl = n;
	v->is_array = n->flags & NF_SIZED;
	v->file = n->flags & NF_PRIVATE ? n->loc.source : 0;
	if (GLOBAL_VALUE(n)) {
		v->type = GLOBAL_VALUE(n)->kind == N_STRING ? T_STRING : T_LONG;
		v->type_origin = GLOBAL_VALUE(n);
	}
	n->sym = v;
	old = map_get(&s->prog.globals, key(n->name, -1, v->file ? 0 : n->loc.source));
	if (old && old->decl->loc.source == n->loc.source) {
		clash(s, n, old->decl, "\"%s\" is a private and a common global of one file");
		return;
	}
	old = map_set(&s->arena, &s->prog.globals, key(n->name, -1, v->file), v);
	if (old)
		clash(s, n, old->decl, "global \"%s\" is declared twice");
}

static bool has_next(const struct node *n)
{
	if (n->kind == N_EMBEDDED)
		return strstr(n->text, "STAP_NEXT");
	if (n->kind == N_NEXT)
		return true;
	AST_EACH(child, n)
		if (has_next(*child))
			return true;
	return false;
}

static int64_t priority(const struct function *f)
{
	if (f->decl->num >= 1)
		return f->decl->num;
	return f->decl->flags & NF_TAPSET ? TAPSET_PRIORITY : USER_PRIORITY;
}

/* With equal priorities the script's come first, then the order of declaration counts. */
static bool goes_before(const struct function *a, const struct function *b)
{
	bool lib_a = a->decl->flags & NF_TAPSET, lib_b = b->decl->flags & NF_TAPSET;

	if (priority(a) != priority(b))
		return priority(a) < priority(b);
	return !lib_a && lib_b;
}

static void insert_overload(struct session *s, const char *name, struct function *f)
{
	struct symbol *head = map_get(&s->prog.functions, name);
	struct function **at, *first = head ? head->function : NULL;

	for (at = &first; *at && !goes_before(f, *at);)
		at = &(*at)->overload;
	f->overload = *at;
	*at = f;
	map_set(&s->arena, &s->prog.functions, name, first->sym);
}

static void declare_function(struct session *s, struct node *n)
{
	struct symbol *v = arena_new(&s->arena, struct symbol), *old;
	struct function *f = arena_new(&s->arena, struct function);
	int nargs = (int)FUNCTION_PARAMS(n);

	v->kind = SYM_FUNCTION;
	v->name = n->name;
	v->decl = n;
	v->type = n->type;
	v->type_origin = n->type != T_UNKNOWN ? n : NULL;
	v->function = f;
	v->file = n->flags & NF_PRIVATE ? n->loc.source : 0;
	f->sym = v;
	f->decl = n;
	f->body = FUNCTION_BODY(n);
	f->gives_way = has_next(f->body);
	for (unsigned i = 0; i < FUNCTION_PARAMS(n); i++) {
		struct symbol *p = arena_new(&s->arena, struct symbol);
		struct node *param = FUNCTION_PARAM(n, i);
		p->kind = SYM_LOCAL;
		p->is_param = true;
		p->name = param->name;
		p->decl = param;
		p->type = param->type;
		p->type_origin = p->type != T_UNKNOWN ? p->decl : NULL;
		p->index = i;
		param->sym = p;
		vec_push(&s->arena, &f->params, p);
		map_set(&s->arena, &f->scope, p->name, p);
	}
	n->sym = v;
	old = map_get(&s->prog.functions, key(n->name, nargs, v->file ? 0 : n->loc.source));
	for (struct function *g = old ? old->function : NULL; g; g = g->overload)
		if (g->decl->loc.source == n->loc.source) {
			clash(s, n, g->decl, "\"%s\" is a private and a common function of one file");
			return;
		}
	insert_overload(s, key(n->name, nargs, v->file), f);
}

/* ---- library files with probes ---- */

struct library_probes {
	struct node *file;
	bool used, asked;
};

static bool has_probes(const struct node *file)
{
	for (unsigned i = 0; i < FILE_DECLARATIONS(file); i++)
		if (FILE_DECLARATION(file, i)->kind == N_PROBE)
			return true;
	return false;
}

/* A declaration of a macro's text has another source than its file, so it is looked for. */
static bool is_in(const struct node *file, const struct node *decl)
{
	for (unsigned i = 0; i < FILE_DECLARATIONS(file); i++)
		if (FILE_DECLARATION(file, i) == decl)
			return true;
	return false;
}

void declare_used(struct session *s, const struct node *decl)
{
	for (size_t i = 0; i < s->library_probes.n; i++) {
		struct library_probes *l = s->library_probes.v[i];

		l->used = l->used || is_in(l->file, decl);
	}
}

struct node *declare_next_used(struct session *s)
{
	for (size_t i = 0; i < s->library_probes.n; i++) {
		struct library_probes *l = s->library_probes.v[i];

		if (!l->used || l->asked)
			continue;
		l->asked = true;
		return l->file;
	}
	return NULL;
}

void declare_file(struct session *s, struct node *file, bool tapset)
{
	if (tapset && has_probes(file)) {
		struct library_probes *l = arena_new(&s->arena, struct library_probes);

		l->file = file;
		vec_push(&s->arena, &s->library_probes, l);
	}
	for (unsigned i = 0; i < FILE_DECLARATIONS(file); i++) {
		struct node *n = FILE_DECLARATION(file, i);
		if (tapset)
			n->flags |= NF_TAPSET;
		if (n->kind == N_GLOBAL)
			declare_global(s, n);
		else if (n->kind == N_FUNCTION)
			declare_function(s, n);
		else if (n->kind == N_EMBEDDED && !tapset)
			embedded_declarations(s, n);
	}
}

/*
 * A script may put a function of its own before one of the tapset.  A function of the script that is never reached is a mistake.
 */
static void order_overloads(struct session *s, struct function *first)
{
	const struct function *last = NULL;
	unsigned order = 0;

	for (struct function *f = first; f; f = f->overload) {
		f->first = first;
		f->order = order++;
		if (last && !(f->decl->flags & NF_TAPSET)) {
			struct diag *d = s_error(s, f->decl->loc, W_UNREACHABLE,
						 "this function \"%s\" is never reached", f->sym->name);
			diag_note(&s->diags, d, last->decl->loc,
				  "this one goes before it, and has no \"next\"");
		}
		if (!last && !f->gives_way)
			last = f;
	}
}

void declare_done(struct session *s)
{
	for (size_t i = 0; i < s->prog.functions.n; i++)
		order_overloads(s, ((const struct symbol *)s->prog.functions.entries[i].value)->function);
}
