/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.function and module.function: functions of the kernel and its modules, known from BTF. */
#include <string.h>

#include "runtime/sites/kprobe.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

enum { RETURN = 1, MODULE = 2 };

#define FORMS(head, flags)                                                                            \
	{head ".function(s)", (flags), "entry of the functions that the pattern matches"},            \
	{head ".function(s).call", (flags), "the same"},                                              \
	{head ".function(s).return", (flags) | RETURN, "return of the functions"},                    \
	{head ".function(s).return.maxactive(n)", (flags) | RETURN, "with n calls active at once at most"}

static const struct probe_form forms[] = {
	FORMS("kernel", 0),
	FORMS("module(s)", MODULE),
	{0},
};

struct search {
	struct session *s;
	const struct point *p;
	struct sites *out;
	const char *module;
	const char *pattern;
	int variant;
	int64_t maxactive;
	unsigned refused;       /* known not to be probeable */
	const char *refused_name, *refused_why;
};

static const char *point_text(struct search *c, const char *name)
{
	struct arena *a = &c->s->arena;
	const char *head = c->module ? arena_printf(a, "module(%s)", probe_quoted(c->s, c->module)) : "kernel";
	const char *tail = !(c->variant & RETURN) ? "" :
			   c->maxactive ? arena_printf(a, ".return.maxactive(%lld)", (long long)c->maxactive) : ".return";

	return arena_printf(a, "%s.function(%s)%s", head, probe_quoted(c->s, name), tail);
}

static bool has_prototype(struct search *c, const char *name)
{
	struct proto proto;

	return kernel_function(c->s->kernel, c->module, name, &proto, NULL) == 0;
}

/* Why there is no point in the function that the pattern matches, or NULL. */
static const char *why_not(struct search *c, const char *name)
{
	const char *why = kernel_function_unprobeable(c->s->kernel, c->module, name);

	if (why || kernel_function_traced(c->s->kernel, c->module, name))
		return why;
	if (str_has_glob(c->pattern))
		return "the kernel marks it as not to be traced, so only its own name can probe it";
	if ((c->variant & RETURN) && !has_prototype(c, name))
		return "nothing says that it is a function, so it may not return to where its stack says";
	return NULL;
}

static bool add(void *ctx, const char *name)
{
	struct search *c = ctx;
	const char *why = why_not(c, name);
	struct site *t;

	if (why) {
		if (!c->refused++) {
			c->refused_name = arena_strdup(&c->s->arena, name);
			c->refused_why = why;
		}
		return true;
	}
	t = probe_site(c->s, &probe_kernel, c->p, c->out);
	t->function = arena_strdup(&c->s->arena, name);
	t->point = point_text(c, name);
	t->kind = c->variant & RETURN ? SITE_KPROBE_RETURN : SITE_KPROBE_ENTRY;
	t->is_return = c->variant & RETURN;
	t->optional |= str_has_glob(c->pattern);
	t->s[0] = t->function;
	t->s[1] = c->module;
	t->n[1] = c->maxactive;
	if (str_has_glob(c->pattern))
		t->n[3] = SITE_KPROBE_PATTERN;
	else if (t->is_return && has_prototype(c, name))
		t->n[3] = SITE_KPROBE_FUNCTION;
	return true;
}

/* "function@file:line": the function alone can be probed. */
static int refuse_place(struct session *s, const struct point *p)
{
	const struct component *function = &p->c[1];
	int n = (int)strcspn(function->arg->text, "@");

	if (p->optional)
		return 0;
	struct diag *d = s_error(s, function->arg->loc, E_NOT_SUPPORTED,
				 "source files and lines in kernel probe points need DWARF, which is not supported yet");
	diag_hint(&s->diags, d, "probe the function by its name: %s.function(\"%.*s\")",
		  p->c[0].arg ? arena_printf(&s->arena, "module(\"%s\")", p->c[0].arg->text) : "kernel", n, function->arg->text);
	return -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	bool module = form->variant & MODULE;
	const struct component *function = &p->c[1];
	struct search c = {.s = s, .p = p, .out = out, .variant = form->variant, .pattern = function->arg->text};
	struct problem why = {0};
	long n;

	if (strchr(c.pattern, '@'))
		return refuse_place(s, p);
	if (module)
		c.module = p->c[0].arg->text;
	if (p->n > 3 && p->c[3].arg) {
		c.maxactive = p->c[3].arg->num;
		if (c.maxactive < 1 || c.maxactive > 65536) {
			s_error(s, p->c[3].arg->loc, E_POINT_VALUE, "maxactive is 1 to 65536");
			return -1;
		}
	}
	if (!s->kernel) {
		struct diag *d = s_error(s, function->arg->loc, E_NO_KERNEL, "kernel %s is not installed here, so its functions are not known",
					 s->release);
		diag_hint(&s->diags, d, "name an installed kernel: -r RELEASE, or --vm to run in a guest");
		return -1;
	}
	if (str_has_glob(c.pattern))
		n = kernel_functions(s->kernel, c.module, c.pattern, add, &c, &why);
	else
		n = kernel_has_function(s->kernel, c.module, c.pattern) ? (add(&c, c.pattern), 1) : 0;
	if (c.refused && !str_has_glob(c.pattern)) {
		if (!p->optional)
			s_error(s, function->arg->loc, E_NOT_PROBEABLE, "no probe can be in \"%s\": %s", c.pattern, c.refused_why);
		return p->optional ? 0 : -1;
	}
	if (c.refused) {
		struct diag *d = diag_report(&s->diags, function->arg->loc, W_NOT_PROBED, "%u of %ld functions cannot be probed", c.refused, n);
		diag_hint(&s->diags, d, "the first is %s: %s", c.refused_name, c.refused_why);
	}
	if (n > 0 || p->optional)
		return 0;
	if (n == 0) {
		struct proto none;
		if (!str_has_glob(c.pattern) && kernel_function(s->kernel, c.module, c.pattern, &none, &why) == 0)
			why.text = NULL;
		if (!why.text)
			problem_set(&why, &s->arena, PROBLEM_NO_FUNCTION, "no function of %s matches \"%s\"",
				    c.module ? c.module : "the kernel", c.pattern);
	}
	session_problem(s, why.code == PROBLEM_NO_MODULE ? p->c[0].arg->loc : function->arg->loc, &why, "%s", "");
	return -1;
}

static void proto(struct session *s, struct site *t)
{
	struct proto *p = arena_new(&s->arena, struct proto);

	if (kernel_function(s->kernel, t->s[1], t->function, p, &t->why_not) == 0)
		t->proto = p;
}

static bool home(struct session *s, const struct site *t, struct site_home *out)
{
	(void)s;
	*out = (struct site_home){.module = t->s[1]};
	return true;
}

const struct probe_family probe_kernel = {
	.name = "kprobe",
	.forms = forms,
	.resolve = resolve,
	.disarms = true,
	.entry_max = SITE_KPROBE_ENTRY_MAX,
	.proto = proto,
	.home = home,
};
