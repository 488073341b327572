/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Points at which no target variable is known.  See bare.h. */
#include "translator/probes/bare.h"

#include "translator/session.h"

struct bare {
	struct place place;
	const struct site *site;
	bare_reason *reason;
};

static bool no_variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	const struct bare *x = (const struct bare *)place;

	(void)moment;
	(void)out;
	x->reason(s, x->site, why);
	return false;
}

static enum place_answer no_variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				     struct problem *why)
{
	(void)name;
	(void)out;
	no_variables(s, place, moment, NULL, why);
	return PLACE_UNKNOWN;
}

struct place *bare_place(struct session *s, const struct site *t, struct place_home home, bare_reason *reason)
{
	static const struct place_kind kind = {no_variable, no_variables};
	struct bare *x = arena_new(&s->arena, struct bare);

	*x = (struct bare){{.kind = &kind, .home = home}, t, reason};
	return &x->place;
}
