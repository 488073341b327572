/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statements as places, and how they are written.  Debug information says where variables are at the instruction. */
#include "translator/probes/statement.h"

#include <string.h>

#include "translator/session.h"

struct in_code {
	struct place place;
	const struct site *site;
	statement_ask *ask;
	bool asked;
	struct statement_variables there;
};

static const struct statement_variables *there(struct session *s, struct in_code *x)
{
	if (!x->asked)
		x->ask(s, x->site, &x->there);
	x->asked = true;
	return &x->there;
}

static struct place_variable described(const struct statement_variable *v)
{
	return (struct place_variable){v->value.name, v->parameter ? PLACE_PARAMETER : PLACE_LOCAL, MOMENT_HERE, &v->value};
}

static enum place_answer variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	struct in_code *x = (struct in_code *)place;
	const struct statement_variables *all = there(s, x);

	(void)moment;
	for (size_t i = 0; i < all->v.n; i++)
		if (!strcmp(all->v.v[i].value.name, name)) {
			*out = described(&all->v.v[i]);
			return PLACE_HAS;
		}
	if (!strcmp(name, "return"))
		problem_set(why, &s->arena, PROBLEM_NO_VALUE, "$return exists in .return probes only");
	return PLACE_HAS_NOT;
}

/* Parameters come first. */
static bool variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	const struct statement_variables *all = there(s, (struct in_code *)place);

	(void)moment;
	(void)why;
	for (int parameter = 1; parameter >= 0; parameter--)
		for (size_t i = 0; i < all->v.n; i++)
			if (all->v.v[i].parameter == parameter)
				vec_push(&s->arena, &out->v, described(&all->v.v[i]));
	return true;
}

struct place *statement_place(struct session *s, const struct site *t, statement_ask *ask, struct place_home home)
{
	static const struct place_kind kind = {variable, variables};
	struct in_code *x = arena_new(&s->arena, struct in_code);

	*x = (struct in_code){.place = {.kind = &kind, .home = home}, .site = t, .ask = ask};
	return &x->place;
}

const char *statement_text(struct session *s, const struct lines_wanted *w, const struct statement *t)
{
	struct arena *a = &s->arena;
	const char *at = t->file && t->line ? arena_printf(a, "%s@%s:%u", t->function, t->file, t->line) : t->function;

	if (t->caller)
		return arena_printf(a, "function(%s).callee(%s)", probe_quoted(s, t->caller), probe_quoted(s, at));
	if (t->label)
		return arena_printf(a, "function(%s).label(%s)", probe_quoted(s, t->function), probe_quoted(s, t->label));
	if (w->inlined_only)
		return arena_printf(a, "function(%s).inline", probe_quoted(s, at));
	return arena_printf(a, "statement(%s)", probe_quoted(s, at));
}

int statement_callees(struct session *s, const struct component *c, struct lines_wanted *w)
{
	const struct node *arg = c->arg;

	w->which = LINES_CALLEES;
	w->label = arg && arg->kind == N_STRING ? arg->text : "*";
	w->depth = 1;
	if (!arg || arg->kind != N_NUMBER)
		return 0;
	if (arg->num < 1 || arg->num > LINES_DEEPEST)
		return probe_bad_value(s, c, arena_printf(&s->arena, "the depth of callees is a number from 1 to %d", LINES_DEEPEST));
	w->depth = (unsigned)arg->num;
	return 0;
}

/* "line 9 or 12" */
static const char *nearest_lines(struct arena *a, const struct statements *found)
{
	if (found->below && found->above)
		return arena_printf(a, "lines %u and %u", found->below, found->above);
	return arena_printf(a, "line %u", found->below ? found->below : found->above);
}

void statement_none(struct session *s, const struct lines_wanted *w, const struct statements *found, const char *name,
		    struct problem why[static 1])
{
	struct arena *a = &s->arena;
	const char *file = w->file ? arena_printf(a, " in \"%s\"", w->file) : "";

	if (!found->known_function) {
		problem_set(why, a, PROBLEM_NO_FUNCTION, "no function of %s with debug information matches \"%s\"%s", name, w->function, file);
		why->near = found->near;
		return;
	}
	if (w->inlined_only) {
		problem_set(why, a, PROBLEM_NO_FUNCTION, "\"%s\" is not inlined anywhere", w->function);
		return;
	}
	if (w->which == LINES_CALLEES && found->known_function) {
		problem_set(why, a, PROBLEM_NO_FUNCTION, "\"%s\"%s calls no function \"%s\"", w->function, file, w->label);
		return;
	}
	if (!found->below && !found->above && w->which != LINES_LABEL) {
		problem_set(why, a, PROBLEM_NO_FUNCTION, "\"%s\" has no code%s", w->function, file);
		if (found->known_file)
			why->hint = arena_printf(a, "%s is in \"%s\"", found->known_function, found->known_file);
		return;
	}
	problem_set(why, a, PROBLEM_NO_FUNCTION, "%s of \"%s\"%s has no code of its own", lines_text(a, w), w->function, file);
	if (w->which != LINES_LABEL)
		why->hint = arena_printf(a, "the nearest with code: %s; .nearest at the end takes it by itself", nearest_lines(a, found));
	else
		problem_set(why, a, PROBLEM_NO_FUNCTION, "there is no %s in \"%s\"", lines_text(a, w), w->function);
}
