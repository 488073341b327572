/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.syscall: system calls by name, native ones and those of 32-bit programs alike.  The names that scripts use, like syscall.open and
 * syscall_any, are aliases of it in the tapset.
 */
#include "runtime/sites/syscall.h"

#include <string.h>

#include "translator/call_args.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/function.h"
#include "translator/session.h"

enum variant { ENTRY = 1 << 0, RETURN = 1 << 1, ALL = 1 << 2 };

static const struct probe_form forms[] = {
	{"kernel.syscall(s)", ENTRY, "a system call begins"},
	{"kernel.syscall(s).return", RETURN, "a system call has ended"},
	{"kernel.syscall", ENTRY | ALL, "any system call begins, also one that the kernel does not know"},
	{"kernel.syscall.return", RETURN | ALL, "any system call has ended"},
	{0},
};

struct search {
	struct session *s;
	const struct point *p;
	struct sites *out;
	bool is_return;
};

static struct site *add_site(const struct search *c)
{
	struct site *t = probe_site(c->s, &probe_syscall, c->p, c->out);

	t->kind = c->is_return ? SITE_SYSCALL_RETURN : SITE_SYSCALL_ENTRY;
	t->is_return = c->is_return;
	t->is_call = true;
	return t;
}

/* What ppfunc() is for it: pipe2 beside pipe, of which syscall.pipe is both. */
static const char *shown_as(const char *name, const struct kernel_call *call)
{
	return call->is_newer ? call->name : name;
}

/* Of the calls of a name, those that are shown as this one. */
static void add_shown(const struct search *c, const char *name, const struct kernel_call *calls, size_t n, const char *shown)
{
	struct site *t = add_site(c);
	int64_t *numbers = arena_array(&c->s->arena, int64_t, n + 1);
	struct kernel_call *own = arena_array(&c->s->arena, struct kernel_call, n + 1);
	size_t nown = 0;

	for (size_t i = 0; i < n; i++)
		if (!strcmp(shown_as(name, &calls[i]), shown))
			own[nown++] = calls[i];
	for (size_t i = 0; i < nown; i++)
		if (own[i].number < SITE_SYSCALL_NUMBERS)
			numbers[t->nown++] = own[i].number | (own[i].compat ? SITE_SYSCALL_COMPAT : 0);
	if (!nown) /* a call of other kernels has its variables, too */
		own[nown++] = (struct kernel_call){.name = name, .common = name};
	t->own = numbers;
	t->n[2] = t->nown;
	t->function = shown;
	t->locals = call_args_locals(&c->s->arena, own, nown, c->is_return);
	t->point = arena_printf(&c->s->arena, "kernel.syscall(%s)%s", probe_quoted(c->s, name), c->is_return ? ".return" : "");
}

static bool is_shown_before(const char *name, const struct kernel_call *calls, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (!strcmp(shown_as(name, &calls[k]), shown_as(name, &calls[i])))
			return true;
	return false;
}

static void add(const struct search *c, const char *name, const struct kernel_call *calls, size_t n)
{
	if (!n)
		add_shown(c, name, calls, n, name);
	for (size_t i = 0; i < n; i++)
		if (!is_shown_before(name, calls, i))
			add_shown(c, name, calls, n, shown_as(name, &calls[i]));
}

static int add_matching(const struct search *c, const struct component *name)
{
	struct problem why = {0};
	const struct kernel_calls *all = kernel_calls(c->s->kernel, &why);
	size_t before = c->out->v.n;

	for (size_t i = 0, n; all && i < all->v.n; i += n) {
		const struct kernel_call *call = &all->v.v[i];

		for (n = 1; i + n < all->v.n && !strcmp(call->common, call[n].common);)
			n++;
		if (!call->of_kernel && str_glob(name->arg->text, call->common))
			add(c, call->common, call, n);
		if (c->p->one && c->out->v.n > before)
			break;
	}
	if (c->out->v.n > before || c->p->optional)
		return 0;
	if (all)
		problem_set(&why, &c->s->arena, PROBLEM_NO_FUNCTION, "no system call matches \"%s\"", name->arg->text);
	session_problem(c->s, name->arg->loc, &why, "%s", "");
	return -1;
}

static int add_named(const struct search *c, const struct component *name)
{
	struct kernel_calls calls = {0};
	struct problem why = {0};
	struct diag *d;
	int rc = kernel_calls_named(c->s->kernel, name->arg->text, &calls, &why);

	if (rc < 0 && !c->p->optional)
		session_problem(c->s, name->arg->loc, &why, "%s", "");
	if (rc < 0)
		return c->p->optional ? 0 : -1;
	if (rc && !c->p->optional) {
		d = diag_report(&c->s->diags, name->arg->loc, W_NOT_PROBED, "%s: this probe is never hit", why.text);
		if (why.near)
			diag_hint(&c->s->diags, d, "programs call \"%s\" instead", why.near);
	}
	if (!rc || !c->p->optional)
		add(c, name->arg->text, calls.v.v, calls.v.n);
	return 0;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	struct search c = {s, p, out, form->variant & RETURN};
	const struct component *name = &p->c[1];

	if (form->variant & ALL) {
		add_site(&c)->n[2] = SITE_SYSCALL_ALL;
		return 0;
	}
	if (!s->kernel) {
		session_problem(s, name->arg->loc, &s->no_kernel, "%s", "");
		return -1;
	}
	return str_has_glob(name->arg->text) ? add_matching(&c, name) : add_named(&c, name);
}

static bool has_name(struct session *s, const char *name)
{
	struct kernel_calls calls = {0};
	struct problem ignored = {0};

	return s->kernel && kernel_calls_named(s->kernel, name, &calls, &ignored) >= 0;
}

/* ---- what has a name there: $arg1 ..., and arguments by the names that the kernel's functions have for them ---- */

struct in_call {
	struct place place;
	struct place *numbers; /* $arg1 ... */
	const struct site *site;
};

/* NULL: it is no register, or another one in 32-bit programs. */
static const char *c_type(const struct probe_local *l)
{
	static const struct {
		const char *function, *type;
	} types[] = {{"__call_int", "int"}, {"__call_uint", "unsigned int"}, {"__call_word", "long"}, {"__call_long", "long"}};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(types[i].function, l->function))
			return types[i].type;
	return NULL;
}

static enum place_answer variable(struct session *s, struct place *p, const char *name, enum moment moment, struct place_variable *out,
				  struct problem *why)
{
	struct in_call *x = (struct in_call *)p;
	const struct probe_local *l = probe_local_number(x->site, name);
	const char *known = l ? c_type(l) : NULL;
	const struct dtype *type = known ? dtypes_find(kernel_types(s->kernel, NULL, NULL), known, NULL) : NULL;
	struct proto_value *v;

	if (!type)
		return x->numbers->kind->variable(s, x->numbers, name, moment, out, why);
	name = arena_printf(&s->arena, "arg%d", (int)l->argument + 1);
	if (x->numbers->kind->variable(s, x->numbers, name, moment, out, why) != PLACE_HAS)
		return PLACE_HAS_NOT;
	v = arena_memdup(&s->arena, out->value, sizeof *v);
	v->type = v->fetch.type = type;
	if (dtype_size(type) < 8)
		v->fetch = fetch_append(&s->arena, &v->fetch, (struct fetch_op){.code = FETCH_EXT, .size = dtype_size(type),
										   .is_signed = dtype_is_signed(type)});
	out->value = v;
	return PLACE_HAS;
}

static bool variables(struct session *s, struct place *p, enum moment moment, struct place_variables *out, struct problem *why)
{
	struct place *numbers = ((struct in_call *)p)->numbers;

	return numbers->kind->variables(s, numbers, moment, out, why);
}

static struct place *place(struct session *s, const struct site *t)
{
	static const struct place_kind kind = {variable, variables};
	struct in_call *x = arena_new(&s->arena, struct in_call);

	*x = (struct in_call){.place.kind = &kind, .numbers = function_call_place(s, t, (struct place_home){0}), .site = t};
	return &x->place;
}

const struct probe_mechanism mechanism_syscall = {
	.name = "syscall",
	.disarms = true,
	.briefs = true,
};

const struct probe_family probe_syscall = {
	.mechanism = &mechanism_syscall,
	.forms = forms,
	.resolve = resolve,
	.place = place,
	.has_name = has_name,
	.alike = true,
};
