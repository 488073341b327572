/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the place of a site, which the family makes when it is first asked. */
#include "translator/probes/place.h"

#include "translator/session.h"

enum moment place_moment(const struct site *t)
{
	return t->is_return ? MOMENT_RETURN : MOMENT_HERE;
}

static struct place *place_of(struct session *s, struct site *t)
{
	if (!t->place)
		t->place = t->family->place ? t->family->place(s, t) : arena_new(&s->arena, struct place);
	return t->place;
}

const struct place_home *place_home(struct session *s, struct site *t)
{
	return &place_of(s, t)->home;
}

const struct place_text *place_texts(struct session *s, struct site *t)
{
	return place_of(s, t)->texts;
}

static void no_variables(struct session *s, struct problem *why)
{
	problem_set(why, &s->arena, PROBLEM_NO_DEBUGINFO, "the probe point has no target variables");
}

enum place_answer place_variable(struct session *s, struct site *t, const char *name, enum moment moment, struct place_variable *out,
				 struct problem *why)
{
	struct place *p = place_of(s, t);

	if (p->kind)
		return p->kind->variable(s, p, name, moment, out, why);
	no_variables(s, why);
	return PLACE_UNKNOWN;
}

bool place_variables(struct session *s, struct site *t, enum moment moment, struct place_variables *out, struct problem *why)
{
	struct place *p = place_of(s, t);

	if (p->kind)
		return p->kind->variables(s, p, moment, out, why);
	no_variables(s, why);
	return false;
}
