/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.data and module.data: accesses to memory of the kernel, at an address or a variable, which the machine watches. */
#include "runtime/sites/watchpoint.h"

#include <string.h>

#include "translator/debuginfo/kernel.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

enum { RW = 1, LENGTH = 2, MODULE = 4 };

#define FORMS(head, flags, what)                                                                  \
	{head ".write", (flags), "a write to " what},                                             \
	{head ".rw", (flags) | RW, "a read or a write of it"},                                    \
	{head ".length(n).write", (flags) | LENGTH, "a write to n bytes of it: 1, 2, 4 or 8"},    \
	{head ".length(n).rw", (flags) | LENGTH | RW, "a read or a write of them"}

static const struct probe_form forms[] = {
	FORMS("kernel.data(s)", 0, "a variable of the kernel"),
	FORMS("kernel.data(n)", 0, "the byte at an address"),
	FORMS("module(s).data(s)", MODULE, "a variable of a module"),
	{0},
};

/* What is watched. */
struct watched {
	struct session *s;
	const struct point *p;
	const struct component *data, *length; /* length: NULL if the point does not have it */
	const char *module;
	const struct dtype *type; /* of the variable, or NULL: BTF does not have it */
};

static bool is_length(int64_t n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

static int check_length(const struct watched *w)
{
	struct diag *d;

	if (!w->length || is_length(w->length->arg->num))
		return 0;
	d = s_error(w->s, w->length->arg->loc, E_POINT_VALUE, "1, 2, 4 or 8 bytes can be watched together");
	diag_hint(&w->s->diags, d, "more bytes need several points");
	return -1;
}

/* ---- addresses ---- */

static int check_address(const struct watched *w, int64_t length)
{
	struct session *s = w->s;
	uint64_t at = (uint64_t)w->data->arg->num;
	struct diag *d;

	if (at < s->target->kernel_memory) {
		d = s_error(s, w->data->arg->loc, E_POINT_VALUE, "0x%llx is no address of the kernel's memory", (unsigned long long)at);
		diag_hint(&s->diags, d,
			  "addresses are those of the running kernel, as root reads them in /proc/kallsyms; memory of programs cannot be watched");
		return -1;
	}
	if (at % (uint64_t)length == 0)
		return 0;
	d = s_error(s, w->data->arg->loc, E_POINT_VALUE, "%lld bytes can be watched only at an address that is a multiple of %lld", (long long)length,
		    (long long)length);
	diag_hint(&s->diags, d, "kernel.data(0x%llx).length(%lld) has them in it, or watch fewer bytes",
		  (unsigned long long)(at - at % (uint64_t)length), (long long)length);
	return -1;
}

/* ---- variables ---- */

static int no_variable(const struct watched *w, struct problem *why)
{
	bool no_module = why->code == PROBLEM_NO_MODULE;

	if (!why->near && !w->module)
		why->hint = "a variable of a module: module(\"NAME\").data(\"VARIABLE\")";
	why->code = PROBLEM_NONE; /* no-match */
	session_problem(w->s, no_module ? w->p->c[0].loc : w->data->arg->loc, why, "%s", "");
	return -1;
}

/* The length of a variable if no other is asked for; 0: the symbols of the running kernel may have it, -1: it cannot be watched as a whole. */
static int64_t length_of_variable(const struct watched *w)
{
	uint64_t size = w->type ? dtype_size(w->type) : 0;
	struct diag *d;

	if (!size || is_length((int64_t)size))
		return (int64_t)size;
	d = s_error(w->s, w->data->arg->loc, E_POINT_VALUE, "\"%s\" has %llu bytes: 1, 2, 4 or 8 can be watched together", w->data->arg->text,
		    (unsigned long long)size);
	diag_hint(&w->s->diags, d, "data(%s).length(8) watches the first ones", probe_quoted(w->s, w->data->arg->text));
	return -1;
}

/* False, with why: it is known that there is none. */
static bool find_variable(struct watched *w, struct problem *why)
{
	struct session *s = w->s;
	const char *name = w->data->arg->text;
	struct problem none = {0};

	w->type = kernel_variable(s->kernel, w->module, name, &none);
	if (w->type)
		return true;
	if (none.code == PROBLEM_NO_MODULE) {
		*why = none;
		return false;
	}
	return kernel_has_symbol(s->kernel, w->module, name, why) != 0;
}

static int check_name(const struct watched *w)
{
	struct session *s = w->s;
	const char *name = w->data->arg->text;

	if (str_has_glob(name)) {
		struct diag *d = s_error(s, w->data->arg->loc, E_NO_MATCH, "a point watches one variable, so its name is no pattern");
		diag_hint(&s->diags, d, "machines have few watchpoints, mostly four");
		return -1;
	}
	if (s->kernel)
		return 0;
	session_problem(s, w->data->arg->loc, &s->no_kernel, "%s", "");
	return -1;
}

/* ---- sites ---- */

static const char *point_text(const struct watched *w, const struct probe_form *form)
{
	struct arena *a = &w->s->arena;
	const char *data = w->data->arg->kind == N_STRING ? probe_quoted(w->s, w->data->arg->text) :
							    arena_printf(a, "0x%llx", (unsigned long long)w->data->arg->num);

	return arena_printf(a, "%s.data(%s)%s.%s", w->module ? arena_printf(a, "module(%s)", probe_quoted(w->s, w->module)) : "kernel", data,
			    w->length ? arena_printf(a, ".length(%lld)", (long long)w->length->arg->num) : "", form->variant & RW ? "rw" : "write");
}

static int add(const struct watched *w, const struct probe_form *form, int64_t length, struct sites *out)
{
	bool by_name = w->data->arg->kind == N_STRING;
	struct site *t = probe_site(w->s, &probe_watchpoint, w->p, out);

	t->kind = form->variant & RW ? SITE_WATCHPOINT_RW : SITE_WATCHPOINT_WRITE;
	t->point = point_text(w, form);
	t->s[0] = by_name ? w->data->arg->text : NULL;
	t->s[1] = w->module ? session_module(w->s, w->module) : NULL;
	t->n[0] = length;
	t->n[1] = by_name ? 0 : w->data->arg->num;
	t->n[2] = w->type != NULL; /* BTF has the per-CPU variables */
	t->data = w->type && dtype_size(w->type) == (uint64_t)length ? w->type : NULL;
	return 0;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	struct watched w = {.s = s, .p = p, .data = &p->c[1], .length = form->variant & LENGTH ? &p->c[2] : NULL};
	int64_t length = w.length ? w.length->arg->num : 1;
	struct problem why = {0};

	if (form->variant & MODULE)
		w.module = kernel_module_name(&s->arena, p->c[0].arg->text);
	if (p->one) /* a form in a listing; for an address there is no example that can be typed */
		return w.data->arg->kind == N_NUMBER ? -1 : add(&w, form, length, out);
	if (check_length(&w))
		return -1;
	if (w.data->arg->kind == N_NUMBER)
		return check_address(&w, length) ? -1 : add(&w, form, length, out);
	if (check_name(&w))
		return -1;
	if (!find_variable(&w, &why))
		return p->optional ? 0 : no_variable(&w, &why);
	if (!w.length)
		length = length_of_variable(&w);
	return length < 0 ? -1 : add(&w, form, length, out);
}

/* ---- what has a name there ---- */

struct in_watched {
	struct place place;
	struct proto_value values[SITE_WATCHPOINT_VALUES];
	size_t n;
	struct problem why; /* there are none */
};

static struct place_variable variable_of(const struct proto_value *v)
{
	return (struct place_variable){v->name, PLACE_PARAMETER, MOMENT_HERE, v};
}

static enum place_answer variable(struct session *s, struct place *place, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	const struct in_watched *x = (const struct in_watched *)place;

	(void)s;
	(void)moment;
	for (size_t i = 0; i < x->n; i++)
		if (!strcmp(x->values[i].name, name)) {
			*out = variable_of(&x->values[i]);
			return PLACE_HAS;
		}
	if (x->n)
		return PLACE_HAS_NOT;
	*why = x->why;
	return PLACE_UNKNOWN;
}

static bool variables(struct session *s, struct place *place, enum moment moment, struct place_variables *out, struct problem *why)
{
	const struct in_watched *x = (const struct in_watched *)place;

	(void)moment;
	for (size_t i = 0; i < x->n; i++)
		vec_push(&s->arena, &out->v, variable_of(&x->values[i]));
	if (!x->n)
		*why = x->why;
	return x->n;
}

/* The variable's own type, or an unsigned number. */
static const struct dtype *type_of(struct session *s, const struct site *t, struct problem *why)
{
	static const char *const unsigned_of[] = {[1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned int", [8] = "unsigned long"};
	struct dtypes *types;

	if (t->data)
		return t->data;
	if (!s->kernel) {
		*why = s->no_kernel;
		return NULL;
	}
	types = kernel_types(s->kernel, NULL, why);
	return types ? dtypes_find(types, unsigned_of[is_length(t->n[0]) ? t->n[0] : 8], why) : NULL;
}

static struct place *place(struct session *s, const struct site *t)
{
	static const struct place_kind kind = {variable, variables};
	struct in_watched *x = arena_new(&s->arena, struct in_watched);
	const struct dtype *type = type_of(s, t, &x->why);

	x->place = (struct place){.kind = &kind, .home = {.module = t->s[1]}};
	if (!type)
		return &x->place;
	x->values[SITE_WATCHPOINT_BEFORE] = (struct proto_value){.name = "before", .type = type};
	x->values[SITE_WATCHPOINT_AFTER] = (struct proto_value){.name = "after", .type = type};
	x->n = SITE_WATCHPOINT_VALUES;
	kernel_place_given(s->kernel, x->values, x->n);
	return &x->place;
}

const struct probe_mechanism mechanism_watchpoint = {
	.name = "watchpoint",
	.disarms = true,
};

const struct probe_family probe_watchpoint = {
	.mechanism = &mechanism_watchpoint,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
