/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches probe points against the forms of the families, and suggests what would match when nothing does. */
#include "translator/probes/forms.h"

#include <string.h>

#include "base/intern.h"
#include "parser/habit.h"
#include "translator/session.h"

bool forms_next(struct forms *f)
{
	if (!f->form)
		f->form = probe_families[0]->forms;
	else
		f->form++;
	while (!f->form->text) {
		if (++f->n == probe_nfamilies)
			return false;
		f->form = probe_families[f->n]->forms;
	}
	f->family = probe_families[f->n];
	return true;
}

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

bool forms_match(const struct point *p, struct forms *out)
{
	*out = (struct forms){0};
	while (forms_next(out))
		if (matches(p, out->form->text))
			return true;
	return false;
}

/* How many components, from the first on, point and form have in common; next: the name of the next one of the form, or "". */
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

unsigned forms_known(const struct point *p)
{
	unsigned best = 0;
	char next[64];

	for (struct forms f = {0}; forms_next(&f);) {
		unsigned n = agreement(p, f.form->text, next, sizeof next);
		best = n > best ? n : best;
	}
	return best;
}

/* ---- wildcards ---- */

/* In a listing, an argument that a wildcard leaves open is shown by one that can be typed. */
static struct node *example(struct session *s, struct loc loc, char kind, int64_t number)
{
	struct node *n = kind == 's' ? ast_new(&s->arena, N_STRING, loc, 0) : ast_number(&s->arena, loc, number);

	if (kind == 's')
		n->text = intern("*");
	return n;
}

bool forms_point(struct session *s, const struct point *p, const struct probe_form *form, int64_t number, struct point *q, bool *open)
{
	bool all = s->opt.list && p->n == 1 && !p->c[0].arg && (!strcmp(p->c[0].name, "*") || !strcmp(p->c[0].name, "**"));
	char name[64], arg;

	*q = *p;
	q->n = 0;
	*open = false;
	for (const char *rest = form->text; rest; q->n++) {
		rest = form_component(rest, name, sizeof name, &arg);
		if (!all && (q->n == p->n || !str_glob(p->c[q->n].name, name)))
			return false;
		const struct component *c = &p->c[all ? 0 : q->n];
		bool wild = s->opt.list && arg && !c->arg && str_has_glob(c->name);
		if (!all && !wild && arg != arg_kind(c))
			return false;
		if (wild && arg == 's' && !strcmp(name, "process")) /* which ones there are says the folder where spile is called, by chance */
			return false;
		*open |= wild;
		q->c[q->n] = (struct component){intern(name), wild ? example(s, c->loc, arg, number) : c->arg, c->loc};
	}
	return all || q->n == p->n;
}

/* ---- points without a form ---- */

/* Does the form have the component at a later place than the point has it? */
static bool comes_later(const struct point *p, unsigned at, const char *text)
{
	char name[64], arg;
	unsigned i = 0;

	for (const char *rest = text; rest; i++) {
		rest = form_component(rest, name, sizeof name, &arg);
		if (i > at && !strcmp(name, p->c[at].name))
			return true;
	}
	return false;
}

/* True, with a hint, when the component would be right after others. */
static bool hint_later(struct session *s, const struct point *p, unsigned at, struct diag *d)
{
	char next[64];

	for (struct forms f = {0}; at && forms_next(&f);)
		if (agreement(p, f.form->text, next, sizeof next) == at && comes_later(p, at, f.form->text)) {
			diag_hint(&s->diags, d, "\"%s\" comes after \"%s\": the form is %s", p->c[at].name, next, f.form->text);
			return true;
		}
	return false;
}

/* True, with a hint, when the component is right but for its argument. */
static bool hint_argument(struct session *s, const struct point *p, unsigned at, struct diag *d)
{
	char next[64];

	for (struct forms f = {0}; at < p->n && forms_next(&f);)
		if (agreement(p, f.form->text, next, sizeof next) == at && !strcmp(next, p->c[at].name)) {
			bool text = strstr(f.form->text, "(s)"), number = strstr(f.form->text, "(n)");

			diag_hint(&s->diags, d, "the form is %s%s%s%s", f.form->text, text ? ": (s) is a text" : "", number ? text ? "," : ":" : "",
				  !number ? "" : text ? " (n) a number" : " (n) is a number");
			return true;
		}
	return false;
}

/* Are the words so many that nobody reads them? */
static bool are_many(const struct sb *words)
{
	return words->n > 400;
}

/* What is possible there: components of names like the point's, or an alias of a name like the whole, or all components. */
static void hint_names(struct session *s, const struct point *p, unsigned at, const char *alias, const forms_words *words, struct diag *d)
{
	struct nearest near;
	struct point head = *p;
	forms_words all = *words;
	struct sb list = {0};
	char next[64];

	nearest_init(&near, at < p->n ? p->c[at].name : "");
	for (struct forms f = {0}; forms_next(&f);)
		if (agreement(p, f.form->text, next, sizeof next) == at && *next)
			vec_push(&s->arena, &all, intern(next));
	for (size_t i = 0, k; i < all.n; i++) {
		nearest_add(&near, all.v[i]);
		for (k = 0; all.v[k] != all.v[i]; k++)
			;
		if (k == i)
			sb_printf(&list, "%s%s", list.n ? ", " : "", all.v[i]);
	}
	const char *text = at < p->n ? nearest_text(&near, &s->arena) : NULL;
	if (alias && at < p->n && (!text || !at || words->n))
		text = alias;
	head.n = at;
	if (text)
		diag_hint(&s->diags, d, "did you mean %s?", text);
	else if (are_many(&list))
		diag_hint(&s->diags, d, "spile -l '%s.*' lists what is possible here", probe_point_text(s, &head));
	else if (list.n)
		diag_hint(&s->diags, d, at ? "possible here: %s" : "probe points begin with: %s", arena_strdup(&s->arena, list.s));
	sb_free(&list);
}

void forms_report(struct session *s, const struct point *p, unsigned known, const char *alias, const forms_words *words)
{
	bool incomplete = known == p->n;
	struct diag *d = s_error(s, p->c[incomplete ? known - 1 : known].loc, E_NO_PROBE_POINT, incomplete ?
				 "the probe point \"%s\" is not complete" : "there is no probe point \"%s\"",
				 probe_point_text(s, p->alias ? p->alias : p));

	if (hint_argument(s, p, known, d) || (!known && habit_hint(&s->diags, d, HABIT_POINT, p->c[0].name)))
		return;
	if (incomplete || !hint_later(s, p, known, d))
		hint_names(s, p, known, alias, words, d);
}
