/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process("path").mark: markers (USDT) of programs and shared libraries, which their authors placed. */
#include <string.h>

#include "runtime/sites/uprobe.h"
#include "translator/debuginfo/usdt.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"

#define FORMS(of, where)                                                                     \
	{of ".mark(s)", 0, "markers (USDT) that the pattern matches" where},                  \
	{of ".provider(s).mark(s)", 0, "the same, of one provider"}

static const struct probe_form forms[] = {
	IMAGE_FORMS(FORMS),
	{0},
};

struct search {
	struct image_search in;
	const struct component *name, *provider; /* provider: NULL: any */
	const char *pattern; /* of the name, as notes have it */
	const struct usdt_marker *refused, *twice; /* the first */
	unsigned nrefused;
};

/* What is probed. */
struct code {
	struct elf_image *image;
	const struct usdt_marker *marker;
};

/* A script may write "query-begin", as a user of DTrace would, for what a note calls "query__begin". */
static const char *name_in_notes(struct session *s, const char *name)
{
	struct sb b = {0};
	const char *text;

	for (const char *p = name; *p; p++)
		sb_puts(&b, *p == '-' ? "__" : (char[]){*p, 0});
	text = arena_strdup(&s->arena, b.s ? b.s : "");
	sb_free(&b);
	return text;
}

static bool is_meant(const struct search *c, const struct usdt_marker *m)
{
	return str_glob(c->pattern, m->name) && (!c->provider || str_glob(c->provider->arg->text, m->provider));
}

static void add(struct search *c, const struct usdt_marker *m)
{
	struct session *s = c->in.s;
	struct site *t;

	if (m->why) {
		if (!c->nrefused++)
			c->refused = m;
		return;
	}
	if (m->is_twice && !c->twice)
		c->twice = m;
	t = image_site(&c->in, &probe_mark);
	t->optional |= str_has_glob(c->pattern);
	t->point = arena_printf(&s->arena, "process(%s).provider(%s).mark(%s)", probe_quoted(s, t->s[0]), probe_quoted(s, m->provider),
				probe_quoted(s, m->name));
	t->kind = SITE_UPROBE_ENTRY;
	t->n[0] = (int64_t)m->file_off;
	t->n[1] = (int64_t)m->address;
	t->n[2] = (int64_t)m->semaphore;
	t->data = arena_memdup(&s->arena, &(struct code){c->in.image, m}, sizeof(struct code));
}

static bool has_provider(const struct usdt_markers *all, const char *pattern)
{
	for (size_t i = 0; i < all->v.n; i++)
		if (str_glob(pattern, all->v.v[i].provider))
			return true;
	return false;
}

static void add_near(struct search *c, const struct usdt_markers *all, bool providers, struct diag *d)
{
	struct session *s = c->in.s;
	struct nearest near;

	nearest_init(&near, providers ? c->provider->arg->text : c->pattern);
	for (size_t i = 0; i < all->v.n; i++)
		nearest_add(&near, providers ? all->v.v[i].provider : all->v.v[i].name);
	if (!diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena)))
		diag_hint(&s->diags, d, "all of them: spile -l 'process(%s).mark(\"*\")'", probe_quoted(s, elf_facts(c->in.image)->path));
}

static void report_no_match(struct search *c, const struct usdt_markers *all)
{
	const char *path = elf_facts(c->in.image)->path;
	struct session *s = c->in.s;
	struct diag *d;

	if (!all->v.n) {
		d = s_error(s, c->in.loc, E_NO_MATCH, "%s has no markers (USDT)", path);
		diag_hint(&s->diags, d, "probe its functions: spile -l 'process(%s).function(\"*\")' lists them", probe_quoted(s, path));
	} else if (c->nrefused) {
		s_error(s, c->name->arg->loc, E_NOT_PROBEABLE, "the marker %s of %s cannot be probed: %s", c->refused->name, path,
			c->refused->why);
	} else if (c->provider && !has_provider(all, c->provider->arg->text)) {
		d = s_error(s, c->provider->arg->loc, E_NO_MATCH, "no provider of markers of %s matches %s", path,
			    probe_quoted(s, c->provider->arg->text));
		add_near(c, all, true, d);
	} else {
		d = s_error(s, c->name->arg->loc, E_NO_MATCH, "no marker of %s matches %s", path, probe_quoted(s, c->name->arg->text));
		add_near(c, all, false, d);
	}
}

/* Programs that pass the marker only if its semaphore is not 0 pass it nowhere then. */
static void report_twice(const struct search *c)
{
	struct session *s = c->in.s;
	struct diag *d = diag_report(&s->diags, c->name->arg->loc, W_NOT_PROBED,
				     "the semaphore of the marker %s is not raised in processes that begin %s later", c->twice->name,
				     elf_facts(c->in.image)->path);

	diag_hint(&s->diags, d, "its page of the file is mapped twice (by lld, without -z separate-loadable-segments), and the kernel "
		  "takes the other one; in processes that run already it is raised");
}

static int look(struct image_search *in)
{
	struct search *c = (struct search *)in;
	const struct usdt_markers *all = usdt_markers(in->image);
	size_t before = in->out->v.n;

	c->nrefused = 0;
	c->twice = NULL;
	for (size_t i = 0; i < all->v.n && !(in->p->one && in->out->v.n > before); i++)
		if (is_meant(c, &all->v.v[i]))
			add(c, &all->v.v[i]);
	if (c->nrefused && in->out->v.n > before)
		diag_report(&in->s->diags, c->name->arg->loc, W_NOT_PROBED, "%u place%s of markers of %s %s left out, the first is of %s: %s",
			    c->nrefused, str_plural(c->nrefused), elf_facts(in->image)->path, c->nrefused == 1 ? "is" : "are", c->refused->name,
			    c->refused->why);
	if (c->twice)
		report_twice(c);
	if (in->out->v.n > before || in->p->optional)
		return 0;
	report_no_match(c, all);
	return -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	struct search c = {.in = {.s = s, .p = p, .out = out, .sought = "marker", .look = look}, .name = probe_component(p, "mark"),
			   .provider = probe_component(p, "provider")};

	(void)form;
	c.pattern = name_in_notes(s, c.name->arg->text);
	return image_search(&c.in);
}

/* ---- what has a name there ---- */

struct in_marker {
	struct place place;
	struct proto arguments;
	const struct code *code;
	bool asked;
	struct statement_variables locals; /* of the function that has the marker */
};

/* Debug information is looked at when a name is asked for that is no argument's. */
static const struct statement_variables *locals(struct in_marker *x)
{
	struct statement at;

	if (!x->asked && elf_statement_at(x->code->image, x->code->marker->address, &at)) {
		elf_statement_variables(x->code->image, &at, &x->locals);
		x->place.home.scope = at.scope;
	}
	x->asked = true;
	return &x->locals;
}

static struct place_variable parameter(const struct proto_value *v)
{
	return (struct place_variable){v->name, PLACE_PARAMETER, MOMENT_HERE, v};
}

static enum place_answer variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	struct in_marker *x = (struct in_marker *)place;
	const struct proto *all = &x->arguments;
	const struct statement_variables *others;

	(void)moment;
	for (size_t i = 0; i < all->nparams; i++)
		if (!strcmp(all->params[i].name, name)) {
			*out = parameter(&all->params[i]);
			return PLACE_HAS;
		}
	others = locals(x);
	for (size_t i = 0; i < others->v.n; i++)
		if (!strcmp(others->v.v[i].value.name, name)) {
			*out = (struct place_variable){name, PLACE_LOCAL, MOMENT_HERE, &others->v.v[i].value};
			return PLACE_HAS;
		}
	if (!all->nparams && (!place->home.scope || !strncmp(name, "arg", 3)))
		problem_set(why, &s->arena, PROBLEM_NO_VALUE, "the marker has no arguments here");
	return PLACE_HAS_NOT;
}

static bool variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	const struct proto *all = &((const struct in_marker *)place)->arguments;

	(void)moment, (void)why;
	for (size_t i = 0; i < all->nparams; i++)
		vec_push(&s->arena, &out->v, parameter(&all->params[i]));
	return true;
}

static struct place *place(struct session *s, const struct site *t)
{
	static const struct place_kind kind = {variable, variables};
	const struct code *code = t->data;
	struct in_marker *x = arena_new(&s->arena, struct in_marker);
	struct place_text *texts = arena_array(&s->arena, struct place_text, 3);

	texts[0] = (struct place_text){"name", code->marker->name};
	texts[1] = (struct place_text){"provider", code->marker->provider};
	x->place = (struct place){&kind, {.image = code->image, .in_code = true}, texts};
	x->code = code;
	usdt_arguments(code->image, code->marker, &x->arguments);
	return &x->place;
}

const struct probe_family probe_mark = {
	.mechanism = &mechanism_uprobe,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
