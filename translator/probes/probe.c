/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of probe families and mechanisms, from probes.def and mechanisms.def, and what families share. */
#include "translator/probes/probe.h"

#include <string.h>

#include "base/visible.h"
#include "translator/session.h"

const struct probe_family *const probe_families[] = {
#define FAMILY(symbol) &symbol,
#include "translator/probes/probes.def"
#undef FAMILY
};

const unsigned probe_nfamilies = sizeof probe_families / sizeof probe_families[0];

const struct probe_mechanism *const probe_mechanisms[] = {
#define MECHANISM(symbol) &symbol,
#include "translator/probes/mechanisms.def"
#undef MECHANISM
};

const unsigned probe_nmechanisms = sizeof probe_mechanisms / sizeof probe_mechanisms[0];

struct site *probe_site(struct session *s, const struct probe_family *f, const struct point *p, struct sites *out)
{
	struct site *t = arena_new(&s->arena, struct site);

	t->family = f;
	t->mechanism = f->mechanism;
	t->loc = p->c[0].loc;
	t->optional = p->optional;
	t->function = "";
	t->point = probe_point_text(s, p);
	vec_push(&s->arena, &out->v, t);
	return t;
}

const char probe_restartable[] = "it is in a restartable sequence (rseq), which would not begin again where it is interrupted";

const char *probe_keep_advice(struct session *s, const struct site *t)
{
	return arena_printf(&s->arena, "keep it at the entry in an array, whose key is %s",
			    t->is_go ? arena_printf(&s->arena, "the goroutine, u_register(\"%s\")", s->target->goroutine) : "tid()");
}

const char *probe_quoted(struct session *s, const char *name)
{
	struct sb b = {0};
	const char *text;

	visible_put_quoted(&b, name);
	text = arena_strdup(&s->arena, b.s);
	sb_free(&b);
	return text;
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

const struct component *probe_component(const struct point *p, const char *name)
{
	for (unsigned i = 1; i < p->n; i++)
		if (!strcmp(p->c[i].name, name))
			return &p->c[i];
	return NULL;
}

int probe_bad_value(struct session *s, const struct component *c, const char *why)
{
	s_error(s, c->arg->loc, E_POINT_VALUE, "%s", why);
	return -1;
}

bool probe_has_name(struct session *s, const char *name)
{
	for (unsigned i = 0; i < probe_nfamilies; i++)
		if (probe_families[i]->has_name && probe_families[i]->has_name(s, name))
			return true;
	return false;
}

static const struct probe_local *local_number(const struct site *t, const char *name, size_t n)
{
	for (const struct probe_local *l = t->locals; l && l->name; l++)
		if (!l->is_text && !strncmp(l->name, name, n) && (!l->name[n] || !strcmp(l->name + n, "_uaddr")))
			return l;
	return NULL;
}

const struct probe_local *probe_local_number(const struct site *t, const char *name)
{
	/* what the kernel's functions call an argument, and what handlers have it as; in another call another word is the right one */
	static const struct {
		const char *name, *others;
	} same[] = {
		{"fd", "sockfd filedes fildes"},
		{"filename", "pathname path"},
		{"pathname", "filename path"},
	};
	/* $arg2 is the second argument of every call, also where one has a variable arg2: handlers of many calls are one. */
	if (!strncmp(name, "arg", 3) && name[3] >= '1' && name[3] <= '9' && !name[4])
		return NULL;
	const struct probe_local *l = local_number(t, name, strlen(name));

	for (size_t i = 0; i < sizeof same / sizeof *same && !l; i++)
		for (const char *p = strcmp(same[i].name, name) ? "" : same[i].others; *p && !l; p += strcspn(p, " "), p += *p == ' ')
			l = local_number(t, p, strcspn(p, " "));
	return l;
}
