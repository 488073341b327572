/* SPDX-License-Identifier: GPL-2.0-or-later */
/* begin, end, error, never: the session's own events. */
#include "base/intern.h"
#include "runtime/sites/begin.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

enum { NEVER = -1 };

static const struct probe_form forms[] = {
	{"begin", SITE_BEGIN, "the session begins"},
	{"begin(n)", SITE_BEGIN, "in ascending order of n"},
	{"end", SITE_END, "the session ends"},
	{"end(n)", SITE_END, "in ascending order of n"},
	{"error", SITE_ERROR, "the session ends after an error"},
	{"error(n)", SITE_ERROR, "in ascending order of n"},
	{"never", NEVER, "compiled, never run"},
	{0},
};

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	struct site *t = probe_site(s, &probe_begin, p, out);

	t->is_never = form->variant == NEVER;
	t->kind = t->is_never ? 0 : (unsigned)form->variant;
	t->is_alone = true;
	t->n[0] = p->c[0].arg ? p->c[0].arg->num : 0;
	return 0;
}

struct site *probe_at_end(struct session *s, struct loc loc)
{
	struct point p = {.n = 1, .c[0] = {.name = intern("end"), .loc = loc}};
	struct sites sites = {0};
	struct site *t = probe_site(s, &probe_begin, &p, &sites);

	t->kind = SITE_END;
	t->is_alone = true;
	t->n[0] = INT64_MAX;
	return t;
}

const struct probe_mechanism mechanism_begin = {.name = "begin"};

const struct probe_family probe_begin = {
	.mechanism = &mechanism_begin,
	.forms = forms,
	.resolve = resolve,
};
