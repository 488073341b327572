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
#include "translator/resolve/resolve.h"

enum { MAX_ALIAS_DEPTH = 20 };

typedef VEC(struct point) point_list;

/* ---- braces ---- */

/* All ways to go on from the i-th component of the node, each appended to the prefix. */
static void expand(struct session *s, struct node *node, unsigned i, struct point prefix, point_list *out)
{
	if (i == node->nk) {
		vec_push(&s->arena, out, prefix);
		return;
	}
	struct node *c = node->k[i];
	if (c->nk > 1) { /* {a, b.c, ...}: each alternative is a point of its own */
		for (unsigned k = 1; k < c->nk; k++) {
			point_list heads = {0};
			struct point start = prefix;
			expand(s, c->k[k], 1, start, &heads);
			for (size_t h = 0; h < heads.n; h++)
				expand(s, node, i + 1, heads.v[h], out);
		}
		return;
	}
	if (prefix.n == sizeof prefix.c / sizeof prefix.c[0]) {
		s_error(s, c->loc, E_NO_PROBE_POINT, "a probe point has at most %zu components",
			sizeof prefix.c / sizeof prefix.c[0]);
		return;
	}
	prefix.c[prefix.n++] = (struct component){c->name, c->nk ? c->k[0] : NULL, c->loc};
	expand(s, node, i + 1, prefix, out);
}

/* ---- matching ---- */

/* One component of a form's text: "function(s)". Returns what follows its dot, or NULL at the end. */
static const char *form_component(const char *text, char *name, size_t size, char *arg)
{
	size_t n = strcspn(text, ".(");

	snprintf(name, size, "%.*s", (int)n, text);
	*arg = text[n] == '(' ? text[n + 1] : 0;
	text += n + (*arg ? 3 : 0);
	return *text == '.' ? text + 1 : NULL;
}

static char arg_kind(const struct component *c)
{
	return !c->arg ? 0 : c->arg->kind == N_STRING ? 's' : 'n';
}

static bool matches(const struct point *p, const char *text)
{
	char name[64], arg;
	unsigned i = 0;

	for (const char *rest = text; rest; i++) {
		rest = form_component(rest, name, sizeof name, &arg);
		if (i == p->n || arg != arg_kind(&p->c[i]))
			return false;
		if (!str_glob(p->c[i].name, name))
			return false;
	}
	return i == p->n;
}

/* How many leading components of the point the form agrees with. */
static unsigned agreement(const struct point *p, const char *text, char *next, size_t size)
{
	char arg;
	unsigned i = 0;

	*next = 0;
	for (const char *rest = text; rest; i++) {
		rest = form_component(rest, next, size, &arg);
		if (i == p->n || strcmp(p->c[i].name, next) || arg != arg_kind(&p->c[i]))
			return i;
	}
	*next = 0;
	return i;
}

static void no_form(struct session *s, const struct point *p)
{
	unsigned best = 0;
	char next[64];
	struct nearest near;
	struct sb follow = {0};

	for (unsigned f = 0; f < probe_nfamilies; f++)
		for (const struct probe_form *form = probe_families[f]->forms; form->text; form++) {
			unsigned n = agreement(p, form->text, next, sizeof next);
			best = n > best ? n : best;
		}
	struct loc loc = best < p->n ? p->c[best].loc : p->c[p->n - 1].loc;
	struct diag *d = s_error(s, loc, E_NO_PROBE_POINT, best < p->n ? "there is no probe point \"%s\"" :
				 "the probe point \"%s\" is not complete", probe_point_text(s, p));
	nearest_init(&near, best < p->n ? p->c[best].name : "");
	for (unsigned f = 0; f < probe_nfamilies; f++)
		for (const struct probe_form *form = probe_families[f]->forms; form->text; form++) {
			if (agreement(p, form->text, next, sizeof next) != best || !*next)
				continue;
			const char *word = intern(next);
			if (best < p->n && word == p->c[best].name) {
				diag_hint(&s->diags, d, "the form is %s: (s) stands for a text, (n) for a number", form->text);
				sb_free(&follow);
				return;
			}
			nearest_add(&near, word);
			if (!strstr(follow.s ? follow.s : "", word))
				sb_printf(&follow, "%s%s", follow.n ? ", " : "", word);
		}
	const char *text = nearest_text(&near, &s->arena);
	if (best < p->n && text)
		diag_hint(&s->diags, d, "did you mean %s?", text);
	else if (follow.n)
		diag_hint(&s->diags, d, best ? "here can stand: %s" : "probe points begin with: %s",
			  arena_strdup(&s->arena, follow.s));
	sb_free(&follow);
}

const struct probe_form *probe_match(struct session *s, const struct point *p, const struct probe_family **family, bool quiet)
{
	for (unsigned i = 0; i < probe_nfamilies; i++)
		for (const struct probe_form *form = probe_families[i]->forms; form->text; form++)
			if (matches(p, form->text)) {
				*family = probe_families[i];
				return form;
			}
	if (!quiet)
		no_form(s, p);
	return NULL;
}

struct site *probe_site(struct session *s, const struct probe_family *f, const struct point *p, struct sites *out)
{
	struct site *t = arena_new(&s->arena, struct site);

	t->family = f;
	t->loc = p->c[0].loc;
	t->optional = p->optional;
	t->function = "";
	t->point = probe_point_text(s, p);
	vec_push(&s->arena, &out->v, t);
	return t;
}

const char *probe_point_text(struct session *s, const struct point *p)
{
	struct sb b = {0};

	for (unsigned i = 0; i < p->n; i++) {
		sb_printf(&b, "%s%s", i ? "." : "", p->c[i].name);
		if (p->c[i].arg) {
			sb_putc(&b, '(');
			ast_unparse_short(p->c[i].arg, &b);
			sb_putc(&b, ')');
		}
	}
	const char *text = arena_strdup(&s->arena, b.s ? b.s : "");
	sb_free(&b);
	return text;
}

/* ---- probes ---- */

static struct node *block_of(struct session *s, struct node *a, struct node *b)
{
	if (!a || !b)
		return a ? a : b;
	struct node *n = ast_new(&s->arena, N_BLOCK, b->loc, 0);
	ast_add(&s->arena, n, a);
	ast_add(&s->arena, n, b);
	return n;
}

static struct node *with_condition(struct session *s, struct node *condition, struct node *body)
{
	if (!condition)
		return body;
	struct node *n = ast_new(&s->arena, N_IF, condition->loc, 3);
	n->k[0] = ast_copy(&s->arena, condition);
	n->k[1] = body;
	return n;
}

static struct probe *add_probe(struct session *s, struct node *decl, const struct point *p, struct node *body)
{
	struct probe *probe = arena_new(&s->arena, struct probe);
	struct node *copy = ast_copy(&s->arena, body);

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

/* Sites that see the same body share a probe, unless the body looks at the probed place. */
static void add_sites(struct session *s, struct node *decl, const struct point *p, struct node *body, struct sites *sites)
{
	struct probe *probe = NULL;
	bool target = target_used(body);

	for (size_t i = 0; i < sites->v.n; i++) {
		if (!probe || target)
			probe = add_probe(s, decl, p, body);
		probe->uses_target = target;
		vec_push(&s->arena, &probe->sites, sites->v.v[i]);
	}
}

static int resolve_point(struct session *s, struct node *decl, const struct point *p, struct node *body, unsigned depth,
			 size_t *found);

/* The N_ALIAS of the file whose name is a prefix of the point; *len = components of the name. */
static bool alias_matches(const struct node *name, const struct point *p)
{
	if (name->nk - 1 > p->n)
		return false;
	for (unsigned i = 1; i < name->nk; i++) {
		const struct node *c = name->k[i];
		if (c->name != p->c[i - 1].name || p->c[i - 1].arg || (c->nk && c->k[0]))
			return false;
	}
	return true;
}

static int expand_alias(struct session *s, struct node *alias, struct node *name, struct node *decl, const struct point *p,
			struct node *body, unsigned depth, size_t *found)
{
	struct node *full = block_of(s, block_of(s, alias->k[2], body), alias->k[3]);

	if (depth > MAX_ALIAS_DEPTH) {
		s_error(s, p->c[0].loc, E_ALIAS_LOOP, "the alias \"%s\" expands to itself", probe_point_text(s, p));
		return -1;
	}
	for (unsigned i = 0; i < alias->k[1]->nk; i++) {
		struct node *target = alias->k[1]->k[i];
		point_list list = {0};
		size_t before = *found;
		expand(s, target, 1, (struct point){.node = p->node}, &list);
		for (size_t j = 0; j < list.n; j++) {
			struct point q = list.v[j];
			q.optional = p->optional || (target->flags & (NF_OPTIONAL | NF_SUFFICIENT));
			for (unsigned k = name->nk - 1; k < p->n && q.n < 16; k++)
				q.c[q.n++] = p->c[k];
			if (resolve_point(s, decl, &q, with_condition(s, target->k[0], full), depth + 1, found))
				return -1;
		}
		if ((target->flags & NF_SUFFICIENT) && *found > before)
			break;
	}
	return 0;
}

static int try_aliases(struct session *s, struct node *file, struct node *decl, const struct point *p, struct node *body,
		       unsigned depth, size_t *found, bool *matched)
{
	for (unsigned i = 0; file && i < file->nk; i++) {
		struct node *a = file->k[i];
		for (unsigned k = 0; a->kind == N_ALIAS && k < a->k[0]->nk; k++)
			if (alias_matches(a->k[0]->k[k], p)) {
				*matched = true;
				if (expand_alias(s, a, a->k[0]->k[k], decl, p, body, depth, found))
					return -1;
				break;
			}
	}
	return 0;
}

static int resolve_point(struct session *s, struct node *decl, const struct point *p, struct node *body, unsigned depth,
			 size_t *found)
{
	const struct probe_family *family;
	struct sites sites = {0};
	bool matched = false;

	if (try_aliases(s, s->script, decl, p, body, depth, found, &matched))
		return -1;
	for (size_t i = 0; i < s->tapset.n; i++)
		if (try_aliases(s, s->tapset.v[i], decl, p, body, depth, found, &matched))
			return -1;
	if (matched)
		return 0;
	const struct probe_form *form = probe_match(s, p, &family, p->optional);
	if (!form)
		return p->optional ? 0 : -1;
	if (family->resolve(s, p, form, &sites))
		return -1;
	*found += sites.v.n;
	add_sites(s, decl, p, body, &sites);
	return 0;
}

static void resolve_probe(struct session *s, struct node *decl, struct node *node, struct node *body, size_t *found)
{
	point_list list = {0};

	expand(s, node, 1, (struct point){.node = node}, &list);
	for (size_t i = 0; i < list.n; i++) {
		list.v[i].optional = node->flags & (NF_OPTIONAL | NF_SUFFICIENT);
		resolve_point(s, decl, &list.v[i], with_condition(s, node->k[0], body), 0, found);
	}
}

int points_pass(struct session *s)
{
	size_t found;

	if (s->opt.list) {
		struct node *empty = ast_new(&s->arena, N_BLOCK, s->listed->loc, 0);
		found = 0;
		resolve_probe(s, NULL, s->listed, empty, &found);
		return s->diags.errors ? -1 : 0;
	}
	for (unsigned i = 0; i < s->script->nk; i++) {
		struct node *probe = s->script->k[i];
		for (unsigned k = 1; probe->kind == N_PROBE && k < probe->nk; k++) {
			found = 0;
			resolve_probe(s, probe, probe->k[k], probe->k[0], &found);
			if (found && (probe->k[k]->flags & NF_SUFFICIENT))
				break;
		}
	}
	if (!s->prog.probes.n && !s->diags.errors)
		s_error(s, (struct loc){0}, E_NO_PROBES, "the script has no probe to run");
	return s->diags.errors ? -1 : 0;
}
