/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.data and module.data: accesses to memory of the kernel, at an address or a variable, which the machine watches. */
#include "runtime/sites/watchpoint.h"

#include "base/intern.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/forms.h"
#include "translator/probes/watched.h"
#include "translator/session.h"

static const struct probe_form forms[] = {
	WATCHED_FORMS("kernel.data(s)", 0, "a variable of the kernel"),
	WATCHED_FORMS("kernel.data(n)", 0, "the byte at an address"),
	WATCHED_FORMS("module(s).data(s)", WATCHED_OWN, "a variable of a module"),
	{0},
};

/* What is watched. */
struct kernel_watched {
	struct session *s;
	const struct point *p;
	const struct component *data, *length; /* length: NULL if the point does not have it */
	const char *module;
	const struct dtype *type; /* of the variable, or NULL: BTF does not have it */
};

/* ---- addresses ---- */

static int check_address(const struct kernel_watched *w, int64_t length)
{
	struct session *s = w->s;
	uint64_t at = (uint64_t)w->data->arg->num;
	struct diag *d;

	if (at < s->target->kernel_memory) {
		d = s_error(s, w->data->arg->loc, E_POINT_VALUE, "0x%llx is no address of the kernel's memory", (unsigned long long)at);
		diag_hint(&s->diags, d,
			  "addresses are those of the running kernel, as root reads them in /proc/kallsyms; of a program: "
			  "process(\"PATH\").data(0x%llx), and with -c or -x this is the target's",
			  (unsigned long long)at);
		return -1;
	}
	return watched_check_multiple(s, w->data, "kernel", length);
}

/* ---- variables ---- */

static int no_variable(const struct kernel_watched *w, struct problem why[static 1])
{
	bool no_module = why->code == PROBLEM_NO_MODULE;

	if (!why->near && !w->module)
		why->hint = "a variable of a module: module(\"NAME\").data(\"VARIABLE\")";
	why->code = PROBLEM_NONE; /* no-match */
	session_problem(w->s, no_module ? w->p->c[0].loc : w->data->arg->loc, why, "%s", "");
	return -1;
}

/* False, with why: it is known that there is none. */
static bool find_variable(struct kernel_watched *w, struct problem *why)
{
	struct session *s = w->s;
	const char *name = w->data->arg->text;
	struct problem none = {0};

	w->type = kernel_variable(s->kernel, w->module, name, &none);
	if (w->type)
		return true;
	if (none.code == PROBLEM_NO_MODULE) {
		problem_copy(why, &none);
		return false;
	}
	return kernel_has_symbol(s->kernel, w->module, name, why) != 0;
}

static int check_name(const struct kernel_watched *w)
{
	struct session *s = w->s;

	if (watched_is_pattern(s, w->data))
		return -1;
	if (s->kernel)
		return 0;
	session_problem(s, w->data->arg->loc, &s->no_kernel, "%s", "");
	return -1;
}

/* ---- sites ---- */

static int add(const struct kernel_watched *w, const struct probe_form *form, int64_t length, struct sites *out)
{
	bool by_name = w->data->arg->kind == N_STRING;
	struct site *t = probe_site(w->s, &probe_watchpoint, w->p, out);

	t->kind = form->variant & WATCHED_RW ? SITE_WATCHPOINT_RW : SITE_WATCHPOINT_WRITE;
	t->point = watched_text(w->s, w->module ? arena_printf(&w->s->arena, "module(%s)", probe_quoted(w->s, w->module)) : "kernel", w->data,
				w->length, form->variant & WATCHED_RW);
	t->s[0] = by_name ? w->data->arg->text : NULL;
	t->s[1] = w->module ? session_module(w->s, w->module) : NULL;
	t->n[0] = length;
	t->n[1] = by_name ? 0 : w->data->arg->num;
	t->n[2] = w->type != NULL; /* BTF has the per-CPU variables */
	t->data = w->type && dtype_size(w->type) == (uint64_t)length ? w->type : NULL;
	return 0;
}

static bool is_of_target(const struct kernel_watched *w)
{
	return w->data->arg->kind == N_NUMBER && (uint64_t)w->data->arg->num < w->s->target->kernel_memory &&
	       (w->s->opt.cmd || w->s->opt.target_pid);
}

/* An address of a program: process.data(ADDRESS). */
static int resolve_in_target(const struct kernel_watched *w, struct sites *out)
{
	struct point of_target = *w->p;
	struct forms f;

	of_target.c[0].name = intern("process");
	return forms_match(&of_target, &f) ? f.family->resolve(w->s, &of_target, f.form, out) : -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	struct kernel_watched w = {.s = s, .p = p, .data = &p->c[1], .length = form->variant & WATCHED_LENGTH ? &p->c[2] : NULL};
	int64_t length = w.length ? w.length->arg->num : 1;
	struct problem why = {0};

	if (form->variant & WATCHED_OWN)
		w.module = kernel_module_name(&s->arena, p->c[0].arg->text);
	if (p->one) /* a form in a listing; for an address there is no example that can be typed */
		return w.data->arg->kind == N_NUMBER ? -1 : add(&w, form, length, out);
	if (watched_check_length(s, w.length))
		return -1;
	if (is_of_target(&w))
		return resolve_in_target(&w, out);
	if (w.data->arg->kind == N_NUMBER)
		return check_address(&w, length) ? -1 : add(&w, form, length, out);
	if (check_name(&w))
		return -1;
	if (!find_variable(&w, &why))
		return p->optional ? 0 : no_variable(&w, &why);
	if (!w.length)
		length = watched_length_of(s, w.data, w.type); /* 0: the symbols of the running kernel may have it */
	return length < 0 ? -1 : add(&w, form, length, out);
}

static struct place *place(struct session *s, const struct site *t)
{
	return watched_place(s, (struct place_home){.module = t->s[1]}, t->data, t->n[0]);
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
