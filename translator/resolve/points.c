/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass "points": probe points -> sites.  Expands braces and aliases, asks the families, and makes one struct probe for all
 * sites that can share a handler.
 * Reads: s->script (or s->listed), aliases of the tapset.  Writes: prog.probes.
 * Afterwards no N_ALIAS matters and every site has one family.
 */
#include <string.h>

#include "base/intern.h"
#include "translator/pipeline.h"
#include "translator/probes/forms.h"
#include "translator/resolve/braces.h"
#include "translator/resolve/site_locals.h"
#include "translator/resolve/resolve.h"
#include "translator/resolve/select.h"
#include "translator/resolve/values.h"

enum { MAX_ALIAS_DEPTH = 50, MAX_STEPS = 100000 };

typedef VEC(struct point) point_list;

/* ---- braces ---- */

/* Appends each way to continue from the i-th component of the node to the prefix. */
static void expand(struct session *s, struct node *node, unsigned i, struct point prefix, point_list *out)
{
	if (out->n > MAX_STEPS)
		return; /* resolve_point() reports it */
	if (i == POINT_COMPONENTS(node)) {
		vec_push(&s->arena, out, prefix);
		return;
	}
	struct node *c = POINT_COMPONENT(node, i);
	for (unsigned k = 0; k < COMPONENT_ALTERNATIVES(c); k++) {
		struct node *alternative = COMPONENT_ALTERNATIVE(c, k);
		point_list heads = {0};
		struct point start = prefix;
		expand(s, alternative, 0, start, &heads);
		for (size_t h = 0; h < heads.n; h++) {
			heads.v[h].optional |= alternative->flags & (NF_OPTIONAL | NF_SUFFICIENT);
			heads.v[h].sufficient |= alternative->flags & NF_SUFFICIENT;
			expand(s, node, i + 1, heads.v[h], out);
		}
	}
	if (COMPONENT_ALTERNATIVES(c))
		return;
	if (prefix.n == sizeof prefix.c / sizeof prefix.c[0]) {
		s_error(s, c->loc, E_NO_PROBE_POINT, "a probe point has at most %zu components",
			sizeof prefix.c / sizeof prefix.c[0]);
		return;
	}
	prefix.c[prefix.n++] = (struct component){c->name, COMPONENT_LITERAL(c), c->loc};
	expand(s, node, i + 1, prefix, out);
}

/* ---- what is not a point ---- */

/* NULL: it is no alias. */
static const struct node *alias_names(const struct node *declaration)
{
	return declaration->kind == N_ALIAS ? ALIAS_NAME_LIST(declaration) : NULL;
}

/* Names of aliases, as suggestions for a point that no family has: similar ones, or those that begin with it. */
struct suggested {
	struct nearest near;
	struct session *s;
	const char *point;
	const char *beginning; /* with the dot after it */
	struct sb longer;
	unsigned nlonger;
};

/*
 * Of a pattern, "syscall.*", the name that the point has there: "syscall.openat" for "syscal.openat".  NULL: not as many names, one that
 * no alias has, as of kernel.function("f"), or one that means nothing at the star.
 */
static const char *as_in_point(struct suggested *x, const char *pattern)
{
	const char *p = x->point;
	struct sb name = {0};
	const char *text;
	size_t n, m;

	bool is_there = false;

	for (;; pattern += n + 1, p += m + 1) {
		n = strcspn(pattern, ".");
		m = strcspn(p, ".");
		is_there |= n == 1 && *pattern == '*' && probe_has_name(x->s, arena_strndup(&x->s->arena, p, m));
		sb_putn(&name, n == 1 && *pattern == '*' ? p : pattern, n == 1 && *pattern == '*' ? m : n);
		if (!pattern[n] || !p[m])
			break;
		sb_putc(&name, '.');
	}
	text = pattern[n] || p[m] || !is_there || strchr(x->point, '(') ? NULL : arena_strdup(&x->s->arena, name.s);
	sb_free(&name);
	return text;
}

static void suggest_alias(struct suggested *x, const char *name)
{
	enum { MOST = 6 };
	const char *like = strchr(name, '*') ? as_in_point(x, name) : name;

	if (like)
		nearest_add(&x->near, like);
	if (!strncmp(name, x->beginning, strlen(x->beginning)) && !strchr(name, '*') && x->nlonger++ < MOST)
		sb_printf(&x->longer, "%s\"%s\"", x->longer.n ? " or " : "", name);
}

static void suggest_aliases(const struct node *file, struct suggested *x)
{
	for (unsigned i = 0; file && i < FILE_DECLARATIONS(file); i++) {
		const struct node *names = alias_names(FILE_DECLARATION(file, i));

		for (unsigned k = 0; names && k < LIST_ITEMS(names); k++) {
			struct sb name = {0};

			ast_unparse_short(LIST_ITEM(names, k), &name);
			suggest_alias(x, intern(name.s));
			sb_free(&name);
		}
	}
}

/* The names of aliases similar to the point's, or some of which it is the beginning, or NULL. */
static const char *near_alias(struct session *s, const struct point *p)
{
	const char *point = probe_point_text(s, p), *text;
	size_t n = strlen(point);
	bool any = n > 2 && !strcmp(point + n - 2, ".*"); /* of the names that follow, which none has as its last */
	struct suggested x = {.s = s, .point = point};
	const char *const *others;

	x.beginning = any ? arena_strndup(&s->arena, point, n - 1) : arena_printf(&s->arena, "%s.", point);
	nearest_init(&x.near, point);
	suggest_aliases(s->script, &x);
	for (size_t i = 0; i < s->tapset.n; i++)
		suggest_aliases(s->tapset.v[i], &x);
	for (size_t i = select_other_aliases(s->select, &others); i--;)
		suggest_alias(&x, others[i]);
	text = x.nlonger ? arena_strdup(&s->arena, x.longer.s) : nearest_text(&x.near, &s->arena);
	sb_free(&x.longer);
	return text;
}

/* Each name once that follows the beginning in the name of an alias. */
static void add_next(struct session *s, const char *name, const char *beginning, forms_words *out)
{
	size_t n = strlen(beginning);
	const char *word;

	if (strncmp(name, beginning, n) || name[n] == '*')
		return;
	word = intern(arena_strndup(&s->arena, name + n, strcspn(name + n, ".")));
	for (size_t i = 0; i < out->n; i++)
		if (out->v[i] == word)
			return;
	vec_push(&s->arena, out, word);
}

static void add_next_of_file(struct session *s, const struct node *file, const char *beginning, forms_words *out)
{
	for (unsigned i = 0; file && i < FILE_DECLARATIONS(file); i++) {
		const struct node *names = alias_names(FILE_DECLARATION(file, i));

		for (unsigned k = 0; names && k < LIST_ITEMS(names); k++) {
			struct sb name = {0};

			ast_unparse_short(LIST_ITEM(names, k), &name);
			add_next(s, name.s, beginning, out);
			sb_free(&name);
		}
	}
}

/* What follows the longest beginning of the point that aliases begin with, too.  How many names that has; 0: none begins so. */
static unsigned next_of_aliases(struct session *s, const struct point *p, forms_words *out)
{
	struct point head = *p;
	const char *const *others;

	while (!out->n && --head.n) {
		const char *beginning = arena_printf(&s->arena, "%s.", probe_point_text(s, &head));
		size_t n = select_other_aliases(s->select, &others);

		add_next_of_file(s, s->script, beginning, out);
		for (size_t i = 0; i < s->tapset.n; i++)
			add_next_of_file(s, s->tapset.v[i], beginning, out);
		for (size_t i = 0; i < n; i++)
			add_next(s, others[i], beginning, out);
	}
	return head.n;
}

static void no_form(struct session *s, const struct point *p)
{
	unsigned known = forms_known(p), of_aliases;
	const char *alias = near_alias(s, p);
	forms_words words = {0};

	/* another alias of the same beginning was meant, rather than one of SystemTap's */
	bool is_near = alias && !known && strstr(alias, arena_printf(&s->arena, "\"%s.", p->c[0].name));

	if (!is_near && probe_absent(s, p, known))
		return;
	of_aliases = next_of_aliases(s, p, &words);
	if (of_aliases < known)
		words.n = 0;
	forms_report(s, p, known > of_aliases ? known : of_aliases, alias, &words);
}

/* ---- probes ---- */

/* One probe of the script on its way through the aliases. */
struct resolving {
	struct session *s;
	struct node *decl;  /* N_PROBE, or NULL in a listing */
	struct node *node;  /* N_POINT of the script */
	size_t found;       /* sites */
	const struct node *inside[MAX_ALIAS_DEPTH]; /* aliases that are being expanded */
	unsigned depth;
	unsigned steps;     /* points looked at: aliases and braces multiply */
};

/* What the sites of a point will run, and when. */
struct handler {
	struct node *body;
	struct node *condition; /* of all levels, or NULL */
};

static struct node *block_of(struct session *s, struct node *a, struct node *b)
{
	if (!a || !b)
		return a ? a : b;
	struct node *n = ast_new(&s->arena, N_BLOCK, b->loc, 0);
	ast_add(&s->arena, n, a);
	ast_add(&s->arena, n, b);
	return n;
}

/* ---- conditions ---- */

static void not_global(struct session *s, const struct node *n)
{
	struct diag *d = s_error(s, n->loc, E_CONDITION, "\"%s\" is not a global: a condition sees global variables only", n->name);
	struct nearest near;

	nearest_init(&near, n->name);
	for (size_t i = 0; i < s->prog.globals.n; i++) {
		const struct symbol *v = s->prog.globals.entries[i].value;
		if (!v->file || v->file == n->loc.source)
			nearest_add(&near, v->name);
	}
	if (!diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena)))
		diag_hint(&s->diags, d, "keep what it depends on in a global, or check it in the handler: if (...) { ... }");
}

/* The parser has refused calls and assignments. */
static void check_condition(struct session *s, const struct node *n)
{
	if (n->kind == N_NAME) {
		const struct symbol *v = declare_find_global(s, n->name, n->loc);

		if (v)
			declare_used(s, v->decl);
		else
			not_global(s, n);
		return;
	}
	if (n->kind != N_NUMBER && n->kind != N_STRING && n->kind != N_UNARY && n->kind != N_BINARY && n->kind != N_TERNARY &&
	    n->kind != N_REGEX) {
		struct diag *d = s_error(s, n->loc, E_CONDITION, "a condition sees global scalars only");
		diag_hint(&s->diags, d, "keep what it depends on in a global, or check it in the handler: if (...) { ... }");
		return;
	}
	AST_EACH(child, n)
		check_condition(s, *child);
}

static struct node *both(struct session *s, struct node *a, struct node *b)
{
	if (b)
		check_condition(s, b);
	if (!a || !b)
		return a ? a : b;
	struct node *n = ast_new(&s->arena, N_BINARY, b->loc, 2);
	n->op = OP_LAND;
	BINARY_LEFT(n) = a;
	BINARY_RIGHT(n) = b;
	return n;
}

static struct node *with_condition(struct session *s, struct node *condition, struct node *body)
{
	if (!condition)
		return body;
	struct node *n = ast_new(&s->arena, N_IF, condition->loc, 3);
	n->flags = NF_ARMING;
	IF_CONDITION(n) = condition;
	IF_THEN(n) = body;
	return n;
}

static struct node *handler_of(struct session *s, struct handler h, const struct sites *sites)
{
	return with_condition(s, h.condition, sites->v.n ? values_guard(s, sites->v.v[0], h.body) : h.body);
}

static struct probe *add_probe(struct session *s, struct node *decl, const struct point *p, struct node *body)
{
	struct probe *probe = arena_new(&s->arena, struct probe);
	struct node *copy = ast_copy(&s->arena, probewrite_answer(s, body, body));

	probe->decl = decl;
	probe->point = p->node;
	if (copy->kind != N_BLOCK) {
		probe->body = ast_new(&s->arena, N_BLOCK, copy->loc, 0);
		ast_add(&s->arena, probe->body, copy);
	} else {
		probe->body = copy;
	}
	vec_push(&s->arena, &s->prog.probes, probe);
	return probe;
}

/* Sites that see the same body share a probe, unless the body depends on the probed place. */
static void add_sites(struct session *s, struct node *decl, const struct point *p, struct node *body, struct sites *sites)
{
	struct probe *probe = NULL;
	bool alike = sites->v.n && sites->v.v[0]->family->alike;
	bool target = !alike && (target_used(body) || context_called(s, body));

	for (size_t i = 0; i < sites->v.n && !target; i++)
		target = site_locals_used(s, sites->v.v[i], body);
	for (size_t i = 0; i < sites->v.n; i++) {
		if (!probe || target) {
			probe = add_probe(s, decl, p, body);
			values_bind(s, sites->v.v[i], probe->body);
			probe->body = site_locals_bind(s, sites->v.v[i], probe->body);
		}
		vec_push(&s->arena, &probe->sites, sites->v.v[i]);
	}
}

static int resolve_point(struct resolving *r, const struct point *p, struct handler h);

/* ---- aliases ---- */

/* In the name of an alias, "*" stands for any one name: that of the point is put in for "*" as an argument of the alias's points. */
static bool is_star(const char *name)
{
	return !strcmp(name, "*");
}

static bool has_star(const struct node *name)
{
	for (unsigned i = 0; i < POINT_COMPONENTS(name); i++)
		if (is_star(POINT_COMPONENT(name, i)->name))
			return true;
	return false;
}

/* What stands at the "*" of the alias; a name that has one. */
static const struct component *component_at_star(const struct node *name, const struct point *p)
{
	unsigned i = 0;

	while (i + 1 < p->n && !is_star(POINT_COMPONENT(name, i)->name) && strcmp(p->c[i].name, "**"))
		i++;
	return &p->c[i];
}

/* The names of the point from the i-th against those of the alias from the k-th; "**" matches one or more. */
static bool names_match(const struct point *p, unsigned i, unsigned n, const struct node *name, unsigned k)
{
	bool end = k == POINT_COMPONENTS(name);

	if (i == n || end)
		return i == n && end;
	const struct component *c = &p->c[i];
	if (c->arg || (!is_star(POINT_COMPONENT(name, k)->name) && !str_glob(c->name, POINT_COMPONENT(name, k)->name)))
		return false;
	if (names_match(p, i + 1, n, name, k + 1))
		return true;
	return !strcmp(c->name, "**") && names_match(p, i, n, name, k + 1);
}

/* Does the name match the first n components of the point? */
static bool alias_matches(const struct node *name, const struct point *p, unsigned n)
{
	return names_match(p, 0, n, name, 0);
}

static bool has_glob(const struct point *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (str_has_glob(p->c[i].name))
			return true;
	return false;
}

/* Adds to the messages after last which are not at the point itself a note of where it was used. */
static void tell_user(struct resolving *r, struct diag *last)
{
	struct diags *ds = &r->s->diags;
	struct loc at = r->node->loc;

	for (struct diag *d = last ? last->next : ds->first; d; d = d->next)
		if (d->loc.source && (d->loc.source != at.source || d->loc.off < at.off || d->loc.off >= at.off + at.len))
			diag_note(ds, d, at, "the alias is used here");
}

static void fill_star(struct session *s, struct point *q, const struct component *from)
{
	for (unsigned k = 0; k < q->n; k++) {
		struct component *c = &q->c[k];

		if (!c->arg || c->arg->kind != N_STRING || !is_star(c->arg->text))
			continue;
		c->arg = ast_copy(&s->arena, c->arg);
		c->arg->text = from->name;
		c->arg->loc = from->loc;
	}
}

/* Does it end in .maxactive(n), without which it is a point, and with it none?  No such number limits the returns of system calls, say. */
static bool is_limit_of_nothing(const struct point *q)
{
	const struct component *last = &q->c[q->n - 1];
	struct point without = *q;
	struct forms f = {0}, other = {0};

	if (q->n < 2 || strcmp(last[-1].name, "return") != 0 || !last->arg || last->arg->kind != N_NUMBER)
		return false;
	if (!str_glob(last->name, "maxactive") || forms_match(q, &f))
		return false;
	without.n--;
	return forms_match(&without, &other);
}

/* One of the points of the alias, with what follows the first n components of p. */
static int expand_target(struct resolving *r, const struct node *name, struct point q, const struct point *p, unsigned n, struct handler h)
{
	q.alias = p->alias ? p->alias : p;
	if (has_star(name))
		fill_star(r->s, &q, component_at_star(name, p));
	for (unsigned k = n; k < p->n; k++) {
		if (q.n == sizeof q.c / sizeof q.c[0]) {
			s_error(r->s, p->c[k].loc, E_NO_PROBE_POINT, "with its alias expanded, the probe point has more than %zu components",
				sizeof q.c / sizeof q.c[0]);
			return -1;
		}
		q.c[q.n++] = p->c[k];
	}
	if (p->n > n && is_limit_of_nothing(&q))
		q.n--;
	return resolve_point(r, &q, h);
}

/* The sites of an alias have its name as well: p's, and what is at its "*". */
static void name_sites(struct session *s, const struct node *name, const struct point *p, unsigned n, size_t first)
{
	for (size_t i = first; i < s->prog.probes.n; i++)
		for (size_t j = 0; j < s->prog.probes.v[i]->sites.n; j++) {
			struct site *t = s->prog.probes.v[i]->sites.v[j];
			struct point q = {0};

			if (POINT_COMPONENTS(name) + p->n - n > sizeof q.c / sizeof q.c[0])
				return; /* as long as no point may be */
			for (unsigned k = 0; k < POINT_COMPONENTS(name); k++) {
				const char *word = POINT_COMPONENT(name, k)->name;
				q.c[q.n++].name = is_star(word) && t->function[0] ? t->function : word;
			}
			for (unsigned k = n; k < p->n; k++)
				q.c[q.n++] = p->c[k];
			t->name = probe_point_text(s, &q);
		}
}

static int expand_alias(struct resolving *r, struct node *alias, const struct node *name, const struct point *p, unsigned n,
			struct handler h)
{
	struct session *s = r->s;
	struct diag *last = s->diags.last;
	size_t first = s->prog.probes.n;
	bool enough = false;
	int rc = 0;

	for (unsigned i = 0; i < r->depth; i++)
		if (r->inside[i] == alias) {
			s_error(s, p->c[0].loc, E_ALIAS_LOOP, "the alias \"%s\" expands to itself", probe_point_text(s, p));
			return -1;
		}
	if (r->depth == MAX_ALIAS_DEPTH) {
		s_error(s, p->c[0].loc, E_TOO_DEEP, "more than %d aliases within each other", MAX_ALIAS_DEPTH);
		return -1;
	}
	const struct node *targets = ALIAS_POINT_LIST(alias);
	declare_used(s, alias);
	h.body = block_of(s, block_of(s, probewrite_answer(s, ALIAS_PROLOGUE(alias), h.body), h.body),
			  probewrite_answer(s, ALIAS_EPILOGUE(alias), h.body));
	r->inside[r->depth++] = alias;
	for (unsigned i = 0; !rc && !enough && i < LIST_ITEMS(targets); i++) {
		struct node *target = LIST_ITEM(targets, i);
		struct handler inner = {h.body, both(s, h.condition, POINT_CONDITION(target))};
		point_list list = {0};
		size_t before = r->found;
		expand(s, target, 0, (struct point){.node = p->node}, &list);
		for (size_t j = 0; !rc && !enough && j < list.n; j++) {
			size_t found = r->found;
			list.v[j].optional |= p->optional || (target->flags & (NF_OPTIONAL | NF_SUFFICIENT));
			rc = expand_target(r, name, list.v[j], p, n, inner);
			enough = list.v[j].sufficient && r->found > found;
		}
		enough |= (target->flags & NF_SUFFICIENT) && r->found > before;
	}
	if (--r->depth)
		return rc;
	tell_user(r, last);
	name_sites(s, name, p, n, first);
	return rc;
}

static int try_aliases(struct resolving *r, struct node *file, const struct point *p, unsigned n, struct handler h, bool open,
		       bool *matched)
{
	for (unsigned i = 0; file && i < FILE_DECLARATIONS(file); i++) {
		struct node *a = FILE_DECLARATION(file, i);
		const struct node *names = alias_names(a);
		if (!names || ((a->flags & NF_PRIVATE) && p->c[0].loc.source != a->loc.source))
			continue;
		for (unsigned k = 0; k < LIST_ITEMS(names); k++)
			if (has_star(LIST_ITEM(names, k)) == open && alias_matches(LIST_ITEM(names, k), p, n)) {
				*matched = true;
				if (expand_alias(r, a, LIST_ITEM(names, k), p, n, h))
					return -1;
				break;
			}
	}
	return 0;
}

/* The aliases whose name is the first n components of the point; those with a "*" if there is no other. */
static int aliases(struct resolving *r, const struct point *p, unsigned n, struct handler h, bool *matched)
{
	for (int open = 0; open <= 1 && !*matched; open++) {
		if (try_aliases(r, r->s->script, p, n, h, open, matched))
			return -1;
		for (size_t i = 0; i < r->s->tapset.n; i++)
			if (try_aliases(r, r->s->tapset.v[i], p, n, h, open, matched))
				return -1;
	}
	return 0;
}

/* ---- points ---- */

/* A name in quotes that is empty names nothing: no family is asked for it.  The first of the point, or NULL. */
static const struct component *unnamed(const struct point *p)
{
	for (unsigned i = 0; i < p->n; i++)
		if (p->c[i].arg && p->c[i].arg->kind == N_STRING && !*p->c[i].arg->text)
			return &p->c[i];
	return NULL;
}

static int tell_unnamed(struct session *s, const struct component *c, const char *form)
{
	struct diag *d = s_error(s, c->arg->loc, E_POINT_VALUE, "the name in %s(\"\") is empty", c->name);

	diag_hint(&s->diags, d, "the form is %s: (s) is a text, (n) a number", form);
	return -1;
}

static int resolve_form(struct resolving *r, const struct point *p, struct handler h, bool quiet)
{
	const struct component *empty = unnamed(p);
	const struct diag *last = r->s->diags.last;
	struct forms f;
	struct sites sites = {0};
	int rc;

	if (!forms_match(p, &f)) {
		if (!quiet)
			no_form(r->s, p);
		return quiet ? 0 : -1;
	}
	if (empty)
		return p->optional ? 0 : tell_unnamed(r->s, empty, f.form->text);
	rc = f.family->resolve(r->s, p, f.form, &sites);
	if (rc || !sites.v.n)
		braces_tell(r->s, p, last);
	if (rc)
		return -1;
	r->found += sites.v.n;
	add_sites(r->s, r->decl, p, handler_of(r->s, h, &sites), &sites);
	return 0;
}

/* The sites of one of these forms; false if there are none, or the point has not this form. */
static bool resolve_wild_form(struct resolving *r, const struct point *p, const struct forms *f, int64_t number, struct handler h)
{
	struct session *s = r->s;
	struct diags all = s->diags;
	struct sites sites = {0}, shown = {0};
	struct point q;
	bool open;
	int rc;

	if (!forms_point(s, p, f->form, number, &q, &open) || unnamed(&q))
		return false;
	if (s->opt.list)
		s->diags = (struct diags){.arena = &s->arena, .sources = &s->sources};
	q.optional |= !open;
	q.one = open;
	rc = f->family->resolve(s, &q, f->form, &sites);
	if (s->opt.list)
		s->diags = all;
	if (rc || !sites.v.n)
		return false;
	if (open) /* an example, of which no family knows more than the text */
		probe_site(s, f->family, &q, &shown)->place = arena_new(&s->arena, struct place);
	r->found += sites.v.n;
	add_sites(s, r->decl, &q, handler_of(s, h, &sites), open ? &shown : &sites);
	return true;
}

/* Adds the sites of all forms that the names with wildcards match; forms without a site are skipped. */
static void resolve_forms(struct resolving *r, const struct point *p, struct handler h)
{
	for (struct forms f = {0}; forms_next(&f);)
		if (!resolve_wild_form(r, p, &f, 1, h) && r->s->opt.list)
			resolve_wild_form(r, p, &f, 1000, h);
}

/* The aliases of the longest beginning of the name that has any. */
static int longest_aliases(struct resolving *r, const struct point *p, struct handler h, bool *matched)
{
	int rc = 0;

	for (unsigned n = p->n; !rc && n && !*matched; n--)
		rc = aliases(r, p, n, h, matched);
	return rc;
}

/* Names with wildcards mean every alias that fits; an alias after which the rest does not fit is skipped. */
static int resolve_wild(struct resolving *r, const struct point *p, struct handler h)
{
	struct point q = *p;
	size_t before = r->found;
	bool matched = false;

	q.optional = true;
	if (longest_aliases(r, &q, h, &matched))
		return -1;
	resolve_forms(r, p, h);
	if (r->found > before || p->optional)
		return 0;
	if (!matched)
		return resolve_form(r, p, h, false);
	matched = false;
	if (longest_aliases(r, p, h, &matched)) /* again, not optional, for the message */
		return -1;
	s_error(r->s, p->c[0].loc, E_NO_MATCH, "nothing that \"%s\" means can be probed", probe_point_text(r->s, p));
	return -1;
}

/* First an alias of the whole name, then a probe point, then an alias of the beginning of the name. */
static int resolve_point(struct resolving *r, const struct point *p, struct handler h)
{
	struct forms f;
	bool matched = false;

	if (++r->steps > MAX_STEPS) {
		if (r->steps == MAX_STEPS + 1)
			s_error(r->s, r->node->loc, E_TOO_BIG, "this means more than %d probe points", MAX_STEPS);
		return -1;
	}
	if (has_glob(p))
		return resolve_wild(r, p, h);
	if (aliases(r, p, p->n, h, &matched))
		return -1;
	if (matched)
		return 0;
	if (!forms_match(p, &f))
		for (unsigned n = p->n - 1; n && !matched; n--)
			if (aliases(r, p, n, h, &matched))
				return -1;
	return matched ? 0 : resolve_form(r, p, h, p->optional);
}

/*
 * An alias stands for optional points only, and the kernel has none of them: the handler would wait for what never comes.  The advice is
 * the list of the aliases beside it that there are.
 */
static void tell_absent(struct resolving *r, const struct point *p)
{
	struct session *s = r->s;
	struct point beside = *p;
	struct component star = {.name = "*", .loc = p->c[0].loc};

	struct diag *d = diag_report(&s->diags, p->c[0].loc, W_ALIAS_ABSENT, "this kernel has nothing that \"%s\" stands for",
				     probe_point_text(s, p));
	diag_note(&s->diags, d, r->inside[0]->loc, "these points are optional");
	if (p->n > 1 && !strcmp(p->c[p->n - 1].name, "return"))
		beside.n--;
	if (beside.n < 2)
		return;
	beside.c[beside.n - 1] = star;
	diag_hint(&s->diags, d, "what it has instead: spile -l '%s%s' lists it; write ? after the point if the script can do without it",
		  probe_point_text(s, &beside), beside.n < p->n ? ".return" : "");
}

/* True: the points after this one in its probe are to be ignored. */
static bool resolve_probe(struct session *s, struct node *decl, struct node *node, struct node *body)
{
	struct resolving r = {.s = s, .decl = decl, .node = node};
	struct handler h = {body, both(s, NULL, POINT_CONDITION(node))};
	point_list list = {0};

	expand(s, node, 0, (struct point){.node = node}, &list);
	for (size_t i = 0; i < list.n; i++) {
		size_t before = r.found;
		list.v[i].optional |= node->flags & (NF_OPTIONAL | NF_SUFFICIENT);
		r.inside[0] = NULL;
		if (!resolve_point(&r, &list.v[i], h) && r.found == before && r.inside[0] && !list.v[i].optional && !has_glob(&list.v[i]))
			tell_absent(&r, &list.v[i]);
		if (list.v[i].sufficient && r.found > before)
			return true;
	}
	return r.found && (node->flags & NF_SUFFICIENT);
}

static void resolve_file(struct session *s, struct node *file)
{
	for (unsigned i = 0; i < FILE_DECLARATIONS(file); i++) {
		struct node *probe = FILE_DECLARATION(file, i);

		for (unsigned k = 0; probe->kind == N_PROBE && k < PROBE_POINTS(probe); k++)
			if (resolve_probe(s, probe, PROBE_POINT(probe, k), PROBE_BODY(probe)))
				break;
	}
}

bool points_of_library(struct session *s)
{
	struct node *file = declare_next_used(s);
	size_t before = s->prog.probes.n;

	if (!file)
		return false;
	resolve_file(s, file);
	site_locals_check(s, before);
	return true;
}

int points_pass(struct session *s)
{
	if (s->opt.list) {
		struct node *empty = ast_new(&s->arena, N_BLOCK, s->listed->loc, 0);
		resolve_probe(s, NULL, s->listed, empty);
		return s->diags.errors ? -1 : 0;
	}
	resolve_file(s, s->script);
	site_locals_check(s, 0);
	if (!s->prog.probes.n && !s->diags.errors)
		s_error(s, (struct loc){0}, E_NO_PROBES, "the script has no probe to run");
	return s->diags.errors ? -1 : 0;
}
