/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the place of a site, which the family makes when it is first asked. */
#include "translator/probes/place.h"

#include <string.h>

#include "translator/debuginfo/elf.h"
#include "translator/debuginfo/kernel.h"
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
	if (why)
		why->hint = "names with $ are variables of the probed code; a variable of the script has none";
}

/* Values that are no memory, if the point has some, were looked at before. */
static void no_such_variable(struct session *s, const struct site *t, const char *name, struct problem *why)
{
	struct nearest near;

	no_variables(s, why);
	if (!why || !t->values || !t->values->name)
		return;
	problem_set(why, &s->arena, PROBLEM_NO_DEBUGINFO, "the probe point has only $%s", t->values->name);
	nearest_init(&near, arena_printf(&s->arena, "$%s", name));
	for (const struct probe_value *v = t->values; v->name; v++)
		nearest_add(&near, arena_printf(&s->arena, "$%s", v->name));
	why->near = nearest_text(&near, &s->arena);
}

/* A variable outside of functions, which the function's code could name too. */
static bool in_scope(struct session *s, const struct site *t, const char *name, enum moment moment, struct place_variable *out,
		     struct problem *why)
{
	const struct place_home *home = &t->place->home;
	struct fetch f = {0};
	struct proto_value *v;

	if (!home->in_code || (home->image && !home->scope))
		return false;
	if (home->image ? elf_variable_in_scope(home->image, home->scope, name, &f, why) :
			  kernel_variable_in_scope(s->kernel, home->module, home->scope, t->function, name, &f, why))
		return false;
	v = arena_new(&s->arena, struct proto_value);
	*v = (struct proto_value){.name = name, .type = f.type, .placed = true, .fetch = f};
	*out = (struct place_variable){name, PLACE_LOCAL, moment, v};
	return true;
}

/* Constants of the kernel are of thousands of enumerations, and few names that are asked for are of one. */
static bool may_be_constant(const char *name)
{
	return name[0] >= 'A' && name[0] <= 'Z' && !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")];
}

/* A constant of an enumeration, which the function's code could name too. */
bool place_constant(struct session *s, struct site *t, const char *name, enum moment moment, struct place_variable *out)
{
	const struct place_home *home = place_home(s, t);
	struct proto_value *v;
	struct dtypes *types;
	int64_t value;

	if (!home->in_code || (!home->image && !may_be_constant(name)))
		return false;
	types = home->image ? elf_types(home->image, NULL) : kernel_types(s->kernel, home->module, NULL);
	if (!types || !dtypes_enumerator(types, name, &value))
		return false;
	v = arena_new(&s->arena, struct proto_value);
	*v = (struct proto_value){.name = name, .type = dtypes_find(types, "long", NULL), .placed = true,
				  .fetch = {.where = FETCH_AS_VALUE, .space = home->image ? FETCH_USER : FETCH_KERNEL}};
	if (!v->type)
		v->type = dtypes_find(types, "int", NULL);
	v->fetch.type = v->type;
	v->fetch = fetch_append(&s->arena, &v->fetch, (struct fetch_op){.code = FETCH_CONST, .n = value});
	*out = (struct place_variable){name, PLACE_LOCAL, moment, v};
	return v->type;
}

enum place_answer place_variable(struct session *s, struct site *t, const char *name, enum moment moment, struct place_variable *out,
				 struct problem *why)
{
	struct place *p = place_of(s, t);
	enum place_answer answer;

	if (p->kind) {
		answer = p->kind->variable(s, p, name, moment, out, why);
		if (answer == PLACE_HAS_NOT && (!why || !why->text) &&
		    (in_scope(s, t, name, moment, out, why) || place_constant(s, t, name, moment, out)))
			answer = PLACE_HAS;
		return answer;
	}
	no_such_variable(s, t, name, why);
	return PLACE_UNKNOWN;
}

bool place_own_variable(struct session *s, struct site *t, const char *name, enum moment moment, struct place_variable *out)
{
	struct place *p = place_of(s, t);
	struct problem ignored = {0};

	return p->kind && p->kind->variable(s, p, name, moment, out, &ignored) == PLACE_HAS;
}

bool place_variables(struct session *s, struct site *t, enum moment moment, struct place_variables *out, struct problem *why)
{
	struct place *p = place_of(s, t);

	if (p->kind)
		return p->kind->variables(s, p, moment, out, why);
	no_variables(s, why);
	return false;
}
