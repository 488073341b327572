/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.trace, kernel.tracepoint and module.tracepoint: tracepoints of the kernel and its modules, known from BTF. */
#include <stdio.h>
#include <string.h>

#include "runtime/sites/tracepoint.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

enum variant { TRACE, TRACEPOINT, IN_MODULE };

static const struct probe_form forms[] = {
	{"kernel.trace(s)", TRACE, "tracepoints of the kernel and its modules: \"name\" or \"system:name\""},
	{"kernel.tracepoint(s)", TRACEPOINT, "tracepoints of the kernel itself"},
	{"module(s).tracepoint(s)", IN_MODULE, "tracepoints of modules, also of those that are loaded later"},
	{0},
};

struct search {
	struct session *s;
	const struct point *p;
	struct sites *out;
	enum variant variant;
	const char *system;  /* the pattern before the colon, or NULL */
	const char *name;    /* the pattern after it */
	const char *module;  /* pattern, or NULL: the kernel itself */
	unsigned found, undescribed;
	const char *other;   /* the system in which the name is, if it is another one */
	struct problem undescribed_why;
};

/* ---- sites ---- */

static const char *point_text(const struct search *c, const char *module, const char *system, const char *name)
{
	struct arena *a = &c->s->arena;
	const char *full = c->variant == TRACE && system ? arena_printf(a, "%s:%s", system, name) : name;

	if (c->variant == IN_MODULE)
		return arena_printf(a, "module(%s).tracepoint(%s)", probe_quoted(c->s, module), probe_quoted(c->s, full));
	return arena_printf(a, "kernel.%s(%s)", c->variant == TRACE ? "trace" : "tracepoint", probe_quoted(c->s, full));
}

/* Is a task among the values? */
static bool is_about_tasks(struct session *s, const struct proto *p)
{
	for (size_t i = 0; i < p->nparams; i++)
		if (dtype_kind(p->params[i].type) == DTYPE_POINTER &&
		    !strcmp(dtype_text(&s->arena, dtype_target(p->params[i].type)), "struct task_struct"))
			return true;
	return false;
}

static bool is_of_system(struct search *c, const char *system)
{
	/* The name of a tracepoint is unique; so where its system is not known, it is taken as it is written. */
	if (!c->system || (system ? str_glob(c->system, system) : !str_has_glob(c->name)))
		return true;
	c->other = system;
	return false;
}

/* False: no more are wanted. */
static bool add(void *ctx, const char *module, const char *name)
{
	struct search *c = ctx;
	const char *system = kernel_tracepoint_system(c->s->kernel, module, name);
	struct proto *proto = arena_new(&c->s->arena, struct proto);
	struct site *t;

	if (!is_of_system(c, system))
		return true;
	if (kernel_tracepoint(c->s->kernel, module, name, proto, c->undescribed++ ? NULL : &c->undescribed_why) < 0)
		return true;
	c->undescribed--;
	c->found++;
	t = probe_site(c->s, &probe_trace, c->p, c->out);
	t->s[0] = arena_strdup(&c->s->arena, name);
	t->s[1] = module ? session_module(c->s, module) : NULL;
	t->point = point_text(c, t->s[1], system, name);
	t->n[0] = proto->nparams < SITE_TRACEPOINT_VALUES ? (int64_t)proto->nparams : SITE_TRACEPOINT_VALUES;
	t->n[1] = is_about_tasks(c->s, proto);
	t->optional |= str_has_glob(c->name);
	t->data = proto;
	return !c->p->one;
}

/* ---- searching ---- */

/* -1 with why; what was found is counted. */
static long search_in(struct search *c, const char *module, struct problem *why)
{
	struct kernel_search k = {.modules = module, .functions = c->name, .found = add, .ctx = c};
	long n = kernel_tracepoints(c->s->kernel, &k, why);
	struct diag *d;

	if (n > 0 && k.nunknown) {
		d = diag_report(&c->s->diags, c->p->c[0].loc, W_NOT_PROBED, "the tracepoints of %zu of the %zu modules that match are not known",
				k.nunknown, k.nmodules);
		diag_hint(&c->s->diags, d, "the first is %s: %s", k.unknown, k.unknown_why);
	}
	return n;
}

/*
 * A tracepoint that is not the kernel's own: of the module that is called like the system, or like the beginning of the name, or else of
 * one that is loaded here.  To read thousands of modules that are only installed would take too long.
 */
static void search_modules(struct search *c)
{
	struct kernel_info *k = c->s->kernel;

	if (c->system && !str_has_glob(c->system))
		search_in(c, c->system, NULL);
	for (size_t n = strlen(c->name); n && !c->found; n--)
		if (c->name[n] == '_' && !str_has_glob(arena_strndup(&c->s->arena, c->name, n)))
			search_in(c, arena_strndup(&c->s->arena, c->name, n), NULL);
	if (!c->found && kernel_runs_here(k))
		search_in(c, "*", NULL);
}

static void search(struct search *c, struct problem *why)
{
	if (c->variant == IN_MODULE) {
		search_in(c, c->module, why);
		return;
	}
	search_in(c, NULL, why);
	if (!c->found && c->variant == TRACE)
		search_modules(c);
}

/* Events that the kernel makes of two tracepoints for all system calls; NULL: it is no such name. */
static const char *of_system_calls(struct session *s, const char *system, const char *name)
{
	size_t n = !strncmp(name, "sys_enter_", 10) ? 10 : !strncmp(name, "sys_exit_", 9) ? 9 : 0;

	if (!n && (!system || strcmp(system, "syscalls")))
		return NULL;
	return arena_printf(&s->arena, "no tracepoints, but events of system calls have such names: syscall.%s%s", n && name[n] ? name + n : "NAME",
			    n == 9 ? ".return" : "");
}

static void report_no_match(struct search *c, const struct component *name, struct problem why[static 1])
{
	struct session *s = c->s;

	if (c->undescribed) {
		session_problem(s, name->arg->loc, &c->undescribed_why, "%s", "");
		return;
	}
	const char *calls = c->variant == IN_MODULE ? NULL : of_system_calls(s, c->system, c->name);
	if (c->other || !why->text) {
		problem_set(why, &s->arena, PROBLEM_NO_FUNCTION, "no tracepoint matches \"%s\"", name->arg->text);
		if (c->other && !str_has_glob(c->name))
			why->hint = arena_printf(&s->arena, "it is in the system \"%s\": kernel.trace(\"%s:%s\")", c->other, c->other, c->name);
		else if (c->system && !kernel_knows_systems(s->kernel))
			why->hint = "neither the kernel's image nor /sys/kernel/tracing can be read here, so the systems are not known: "
				    "write the name alone";
	} else if (!why->hint && !why->near && c->variant == TRACE && !str_has_glob(c->name)) {
		why->hint = "of a module that is not loaded: module(\"NAME\").tracepoint(\"NAME\")";
	}
	if (calls) {
		why->near = NULL;
		why->hint = calls;
	}
	session_problem(s, why->code == PROBLEM_NO_MODULE ? c->p->c[0].loc : name->arg->loc, why, "%s", "");
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	const struct component *name = &p->c[1];
	struct search c = {.s = s, .p = p, .out = out, .variant = (enum variant)form->variant, .name = name->arg->text};
	const char *colon = c.variant == TRACE ? strchr(c.name, ':') : NULL;
	struct problem why = {0};

	if (!s->kernel) {
		session_problem(s, name->arg->loc, &s->no_kernel, "%s", "");
		return -1;
	}
	if (colon) {
		c.system = arena_strndup(&s->arena, c.name, (size_t)(colon - c.name));
		c.name = colon + 1;
	}
	if (c.variant == IN_MODULE)
		c.module = kernel_module_name(&s->arena, p->c[0].arg->text);
	search(&c, p->optional ? NULL : &why); /* nobody reads why an optional point is absent: see kernel.c */
	if (c.found || p->optional)
		return 0;
	report_no_match(&c, name, &why);
	return -1;
}

/* ---- what has a name there ---- */

struct in_trace {
	struct place place;
	const struct proto *proto;
};

/* $argN, counted from 1, as a name for each. */
static const struct proto_value *by_number(const struct proto *p, const char *name)
{
	unsigned n;
	int end;

	if (sscanf(name, "arg%u%n", &n, &end) != 1 || name[end] || !n || n > p->nparams)
		return NULL;
	return &p->params[n - 1];
}

static struct place_variable parameter(const struct proto_value *v)
{
	return (struct place_variable){v->name, PLACE_PARAMETER, MOMENT_HERE, v};
}

static enum place_answer variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	const struct proto *proto = ((const struct in_trace *)place)->proto;
	const struct proto_value *v = by_number(proto, name);

	(void)moment;
	for (size_t i = 0; i < proto->nparams; i++)
		if (!strcmp(proto->params[i].name, name))
			v = &proto->params[i];
	if (v) {
		*out = parameter(v);
		return PLACE_HAS;
	}
	if (!strcmp(name, "return"))
		problem_set(why, &s->arena, PROBLEM_NO_VALUE, "a tracepoint has no $return: it is no function");
	return PLACE_HAS_NOT;
}

static bool variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	const struct proto *proto = ((const struct in_trace *)place)->proto;

	(void)moment;
	(void)why;
	for (size_t i = 0; i < proto->nparams; i++)
		vec_push(&s->arena, &out->v, parameter(&proto->params[i]));
	return true;
}

static struct place *place(struct session *s, const struct site *t)
{
	static const struct place_kind kind = {variable, variables};
	struct in_trace *x = arena_new(&s->arena, struct in_trace);
	struct place_text *texts = arena_array(&s->arena, struct place_text, 3);
	const char *system = kernel_tracepoint_system(s->kernel, t->s[1], t->s[0]);

	texts[0] = (struct place_text){"name", t->s[0]};
	/* one without an event is in none, where the systems are known */
	texts[1] = (struct place_text){"system", system || !kernel_knows_systems(s->kernel) ? system : ""};
	*x = (struct in_trace){.place = {&kind, {.module = t->s[1]}, texts}, .proto = t->data};
	return &x->place;
}

const struct probe_mechanism mechanism_tracepoint = {
	.name = "tracepoint",
	.disarms = true,
	.briefs = true,
};

const struct probe_family probe_trace = {
	.mechanism = &mechanism_tracepoint,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
