/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions as places.  The prototype says where parameters are when the function is entered; later their places are not known. */
#include "translator/probes/function.h"

#include <string.h>

#include "translator/debuginfo/kernel.h"
#include "translator/session.h"

struct in_function {
	struct place place;
	const struct site *site;
	function_prototype *ask;
	bool at_end; /* it is probed where it returns, and its entry is not */
	bool asked;
	const struct proto *proto; /* or NULL: */
	struct problem why_not;
};

static const struct proto *prototype(struct session *s, struct in_function *f)
{
	struct proto *p;

	if (f->asked)
		return f->proto;
	f->asked = true;
	p = arena_new(&s->arena, struct proto);
	if (f->ask(s, f->site, p, &f->why_not) == 0)
		f->proto = p;
	return f->proto;
}

/* Wanted at this moment.  Parameters can be read at the entry only. */
static struct place_variable known(const struct proto_value *v, enum moment moment)
{
	if (v->of_hit)
		return (struct place_variable){v->name, PLACE_LOCAL, moment, v};
	return (struct place_variable){v->name, PLACE_PARAMETER, moment == MOMENT_RETURN ? MOMENT_ENTRY : moment, v};
}

static void no_result(struct session *s, const struct in_function *f, enum moment moment, struct problem *why)
{
	if (moment == MOMENT_ENTRY) {
		problem_set(why, &s->arena, PROBLEM_NO_VALUE, "$return has no value when the function is entered");
		return;
	}
	problem_set(why, &s->arena, PROBLEM_NO_VALUE, "$return exists in .return probes only");
	if (why)
		why->hint = arena_printf(&s->arena, "probe %s.return", f->site->point);
}

/* Of a function of Go, which may have several. */
static const struct proto_value *result(const struct proto *proto, const char *name)
{
	for (size_t i = 0; i < proto->nresults; i++)
		if (proto->results[i].name[0] && !strcmp(proto->results[i].name, name))
			return &proto->results[i];
	return NULL;
}

static enum place_answer result_at(struct session *s, const struct in_function *f, const struct proto_value *v, enum moment moment,
				   struct place_variable *out, struct problem *why)
{
	*out = (struct place_variable){v->name, PLACE_RESULT, moment, v};
	if (f->at_end || moment == MOMENT_RETURN)
		return PLACE_HAS;
	problem_set(why, &s->arena, PROBLEM_NO_VALUE, "$%s is a result, which has a value in .return probes only", v->name);
	if (why)
		why->hint = arena_printf(&s->arena, "probe %s.return", f->site->point);
	return PLACE_HAS_NOT;
}

static enum place_answer parameter(struct session *s, const struct in_function *f, const struct proto_value *v, enum moment moment,
				   struct place_variable *out, struct problem *why)
{
	*out = known(v, moment);
	if (!f->at_end)
		return PLACE_HAS;
	problem_set(why, &s->arena, PROBLEM_NO_VALUE, "$%s has its value at the entry of the function, and is not known any more where %s returns",
		    v->name, f->site->is_go ? "a function of Go" : "one of this program");
	if (why)
		why->hint = probe_keep_advice(s, f->site);
	return PLACE_HAS_NOT;
}

static enum place_answer variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	struct in_function *f = (struct in_function *)place;
	const struct proto *proto = prototype(s, f);

	if (!proto) {
		problem_copy(why, &f->why_not);
		return PLACE_UNKNOWN;
	}
	if (!strcmp(name, "return")) {
		*out = (struct place_variable){"return", PLACE_RESULT, moment, &proto->ret};
		if (moment == MOMENT_RETURN || f->at_end)
			return PLACE_HAS;
		no_result(s, f, moment, why);
		return PLACE_HAS_NOT;
	}
	if (result(proto, name))
		return result_at(s, f, result(proto, name), moment, out, why);
	for (size_t i = 0; i < proto->nparams; i++)
		if (!strcmp(proto->params[i].name, name))
			return parameter(s, f, &proto->params[i], moment, out, why);
	return PLACE_HAS_NOT;
}

static bool variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	struct in_function *f = (struct in_function *)place;
	const struct proto *proto = prototype(s, f);

	if (!proto) {
		problem_copy(why, &f->why_not);
		return false;
	}
	for (size_t i = 0; i < proto->nparams && !f->at_end; i++) {
		const struct proto_value *v = &proto->params[i];
		if (v->name[0])
			vec_push(&s->arena, &out->v, known(v, moment));
	}
	if ((moment == MOMENT_RETURN || f->at_end) && proto->returns)
		vec_push(&s->arena, &out->v, ((struct place_variable){"return", PLACE_RESULT, moment, &proto->ret}));
	for (size_t i = 0; i < proto->nresults && f->at_end; i++)
		if (proto->results[i].name[0])
			vec_push(&s->arena, &out->v, ((struct place_variable){proto->results[i].name, PLACE_RESULT, moment, &proto->results[i]}));
	return true;
}

struct place *function_place(struct session *s, const struct site *t, function_prototype *ask, struct place_home home)
{
	static const struct place_kind kind = {variable, variables};
	struct in_function *f = arena_new(&s->arena, struct in_function);

	*f = (struct in_function){.place = {.kind = &kind, .home = home}, .site = t, .ask = ask};
	return &f->place;
}

struct place *function_end_place(struct session *s, const struct site *t, function_prototype *ask, struct place_home home)
{
	struct in_function *f = (struct in_function *)function_place(s, t, ask, home);

	f->at_end = true;
	return &f->place;
}

static int call_prototype(struct session *s, const struct site *t, struct proto *out, struct problem *why)
{
	(void)t;
	if (s->kernel)
		return kernel_call_proto(s->kernel, out, why);
	problem_copy(why, &s->no_kernel);
	return -1;
}

struct place *function_call_place(struct session *s, const struct site *t, struct place_home home)
{
	return function_place(s, t, call_prototype, home);
}
