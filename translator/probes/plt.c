/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process("path").plt: calls of functions of other files, through the table of the program or library that calls (PLT). */
#include <string.h>

#include "runtime/sites/uprobe.h"
#include "translator/debuginfo/plt.h"
#include "translator/probes/image.h"
#include "translator/probes/probe.h"

enum { RETURN = 1 };

#define FORMS(of, where)                                                                                     \
	{of ".plt(s)", 0, "calls of functions of other files that the pattern matches" where},                \
	{of ".plt(s).return", RETURN, "the calls return"},                                                    \
	{of ".plt", 0, "all calls of functions of other files" where},                                        \
	{of ".plt.return", RETURN, "all these calls return"}

static const struct probe_form forms[] = {
	IMAGE_FORMS(FORMS),
	{0},
};

struct search {
	struct image_search in;
	const struct component *plt;
	const char *pattern; /* of the name */
	bool is_return;
	const struct plt_entry *refused; /* the first return that cannot be probed */
	unsigned nrefused;
};

/* What is probed. */
struct code {
	struct elf_image *image;
	const struct plt_entry *entry;
};

static struct loc loc_of(const struct search *c)
{
	return c->plt->arg ? c->plt->arg->loc : c->plt->loc;
}

static void add(struct search *c, const struct plt_entry *entry)
{
	struct session *s = c->in.s;
	struct site *t;

	if (c->is_return && entry->no_return) {
		if (!c->nrefused++)
			c->refused = entry;
		return;
	}
	t = image_site(&c->in, &probe_plt);
	t->optional |= str_has_glob(c->pattern);
	t->function = entry->name;
	t->point = arena_printf(&s->arena, "process(%s).plt(%s)%s", probe_quoted(s, t->s[0]), probe_quoted(s, entry->name),
				c->is_return ? ".return" : "");
	t->kind = c->is_return ? SITE_UPROBE_RETURN : SITE_UPROBE_ENTRY;
	t->is_return = c->is_return;
	t->n[0] = (int64_t)entry->file_off;
	t->n[1] = (int64_t)entry->address;
	t->data = arena_memdup(&s->arena, &(struct code){c->in.image, entry}, sizeof(struct code));
}

static void report_no_match(struct search *c, const struct plt_entries *all)
{
	const char *path = elf_facts(c->in.image)->path;
	struct session *s = c->in.s;
	struct nearest near;
	struct diag *d;

	if (!all->v.n) {
		d = s_error(s, c->in.loc, E_NO_MATCH, "%s has no table of calls (PLT)", path);
		diag_hint(&s->diags, d, "the functions can be probed where they are: process(\"libc.so.6\").function(\"...\"), with the library that "
			  "has them");
		return;
	}
	if (c->nrefused) {
		d = s_error(s, loc_of(c), E_NOT_PROBEABLE, "the return of %s cannot be probed: %s", c->refused->name, c->refused->no_return);
		diag_hint(&s->diags, d, "probe the call: plt(%s)", probe_quoted(s, c->refused->name));
		return;
	}
	d = s_error(s, loc_of(c), E_NO_MATCH, "%s calls no function that matches %s through its table (PLT)", path,
		    probe_quoted(s, c->pattern));
	nearest_init(&near, c->pattern);
	for (size_t i = 0; i < all->v.n; i++)
		nearest_add(&near, all->v.v[i].name);
	if (!diag_hint_near(&s->diags, d, nearest_text(&near, &s->arena)))
		diag_hint(&s->diags, d, "all of them: spile -l 'process(%s).plt'", probe_quoted(s, path));
}

static int look(struct image_search *in)
{
	struct search *c = (struct search *)in;
	const struct plt_entries *all = plt_entries(in->image);
	size_t before = in->out->v.n;

	c->nrefused = 0;
	for (size_t i = 0; i < all->v.n && !(in->p->one && in->out->v.n > before); i++)
		if (str_glob(c->pattern, all->v.v[i].name))
			add(c, &all->v.v[i]);
	if (c->nrefused && in->out->v.n > before)
		diag_report(&in->s->diags, loc_of(c), W_NOT_PROBED, "the returns of %u function%s that %s calls are left out, the first is %s: %s",
			    c->nrefused, str_plural(c->nrefused), elf_facts(in->image)->path, c->refused->name, c->refused->no_return);
	if (in->out->v.n > before || in->p->optional)
		return 0;
	report_no_match(c, all);
	return -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *plt = probe_component(p, "plt");
	struct search c = {.in = {.s = s, .p = p, .out = out, .sought = "call", .look = look}, .plt = plt,
			   .pattern = plt->arg ? plt->arg->text : "*", .is_return = form->variant & RETURN};

	return image_search(&c.in);
}

static struct place *place(struct session *s, const struct site *t)
{
	const struct code *code = t->data;
	struct place *p = arena_new(&s->arena, struct place);
	struct place_text *texts = arena_array(&s->arena, struct place_text, 2);

	texts[0] = (struct place_text){"name", code->entry->name};
	*p = (struct place){.home = {.image = code->image, .in_code = true}, .texts = texts};
	return p;
}

const struct probe_family probe_plt = {
	.mechanism = &mechanism_uprobe,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
