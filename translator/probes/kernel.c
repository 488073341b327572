/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.function and module.function: functions of the kernel and its modules, known from BTF; kprobe.function and kprobe.module, the same
 * without variables; statements, which are instructions in them; and addresses.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/sites/kprobe.h"
#include "translator/debuginfo/kernel.h"
#include "translator/probes/bare.h"
#include "translator/probes/function.h"
#include "translator/probes/kernel_lines.h"
#include "translator/probes/probe.h"
#include "translator/session.h"

enum { RETURN = 1, MODULE = 2, BARE = 4, ADDRESS = 8, STATEMENT = 16, LINES = 32, PLACES = 8192 };

static_assert((int)KERNEL_FUNCTION_HEAD == (int)SITE_KPROBE_FUNCTION_HEAD, "what is a function here is one when it is armed");

#define FORMS(head, flags)                                                                            \
	{head ".function(s)", (flags) | PLACES,                                                       \
	 "entry of the functions that the pattern matches, and where they are inlined; \"name+offset\": the instruction there"}, \
	{head ".function(s).call", (flags), "their entry alone"},                                     \
	{head ".function(s).return", (flags) | RETURN, "return of the functions"},                    \
	{head ".function(s).return.maxactive(n)", (flags) | RETURN, "with n calls active at once at most"}

/* At an address as the kernel or the module is linked. */
#define LINKED(head, flags)                                                                           \
	{head ".function(n)", (flags), "the instruction at an address of the code as it is linked"},  \
	{head ".function(n).call", (flags), "the same"},                                              \
	{head ".function(n).return", (flags) | RETURN, "return of the function that begins there"},   \
	{head ".statement(n)", (flags) | STATEMENT, "the instruction there"},                         \
	{head ".statement(s)", (flags) | STATEMENT,                                                   \
	 "\"name+offset\": an instruction in a function; \"name@file:line\": where the code of a line begins"}

/* With debug information.  The variant is of kernel_lines.h. */
#define OF_LINES(head, flags)                                                                         \
	{head ".function(s).exported", (flags) | LINES | KERNEL_LINES_EXPORTED, "entry of those that other files can call"}, \
	{head ".function(s).callee(s)", (flags) | LINES | KERNEL_LINES_CALLEE, "where they call the functions that the second pattern matches"}, \
	{head ".function(s).callees", (flags) | LINES | KERNEL_LINES_CALLEE, "where they call any function"},                \
	{head ".function(s).callees(n)", (flags) | LINES | KERNEL_LINES_CALLEE, "and where those that they call do, so many calls deep"}, \
	{head ".function(s).inline", (flags) | LINES | KERNEL_LINES_INLINE, "where they are inlined into others"},           \
	{head ".function(s).label(s)", (flags) | LINES | KERNEL_LINES_LABEL, "labels in the functions"},                     \
	{head ".statement(s).nearest", (flags) | LINES | KERNEL_LINES_STATEMENT | KERNEL_LINES_NEAREST,                      \
	 "\"name@file:line\", or the nearest line with code"}

static const struct probe_form forms[] = {
	FORMS("kernel", 0),
	FORMS("module(s)", MODULE),
	LINKED("kernel", 0),
	LINKED("module(s)", MODULE),
	OF_LINES("kernel", 0),
	OF_LINES("module(s)", MODULE),
	FORMS("kprobe", BARE),
	FORMS("kprobe.module(s)", BARE | MODULE),
	{"kernel.statement(n).absolute", ADDRESS, "the instruction at an address, in guru mode"},
	{"kprobe.statement(n).absolute", ADDRESS, "the same"},
	{0},
};

/* Data of sites without variables. */
static const struct kernel_code by_name_only = {.without = "a probe by name only"},
				within_function = {.without = "a probe at an instruction within a function"};

struct search {
	struct session *s;
	const struct point *p;
	struct sites *out;
	const struct component *function, *in_module; /* as written; in_module: NULL for the kernel itself */
	const char *module; /* of the function that is looked at, or NULL */
	const char *pattern;
	bool is_wild; /* the function, or its module, is one of many */
	uint64_t offset; /* from the beginning of the function */
	int variant;
	int64_t maxactive;
	unsigned refused;       /* known not to be probeable */
	const char *refused_name, *refused_why;
	bool guru_may;          /* one that guru mode would probe */
};

static const char *point_text(struct search *c, const char *name)
{
	struct arena *a = &c->s->arena;
	const char *bare = c->variant & BARE ? "kprobe" : "kernel";
	const char *head = !c->module ? bare : arena_printf(a, "%smodule(%s)", c->variant & BARE ? "kprobe." : "", probe_quoted(c->s, c->module));
	const char *what = c->variant & STATEMENT ? "statement" : "function";
	const char *tail = !(c->variant & RETURN) ? "" :
			   c->maxactive ? arena_printf(a, ".return.maxactive(%lld)", (long long)c->maxactive) : ".return";

	if (c->offset)
		name = arena_printf(a, "%s+0x%llx", name, (unsigned long long)c->offset);
	return arena_printf(a, "%s.%s(%s)%s", head, what, probe_quoted(c->s, name), tail);
}

static bool has_prototype(struct search *c, const char *name)
{
	struct proto proto;

	return kernel_function(c->s->kernel, c->module, name, &proto, NULL) == 0;
}

/* Where arguments are on the stack, or may be, the function's body cannot be called from another frame. */
static bool in_registers(struct search *c, const char *name)
{
	struct proto proto;

	if (kernel_function(c->s->kernel, c->module, name, &proto, NULL) || proto.variadic || (proto.returns && !proto.ret.placed))
		return false;
	for (size_t i = 0; i < proto.nparams; i++)
		if (!proto.params[i].placed || proto.params[i].fetch.ops[0].code == FETCH_CFA)
			return false;
	return true;
}

/*
 * May the body of this function be called for its return probe?  For functions that a pattern matches only with --fast-returns: then
 * nobody has looked at each of them.
 */
static bool may_call_body(struct search *c, const char *name)
{
	const struct options *o = &c->s->opt;

	return (o->fast_returns || !c->is_wild) && !o->no_fast_returns && !c->module && !c->maxactive && in_registers(c, name);
}

/*
 * Code that the kernel marks as not to be traced may run where a breakpoint cannot be handled, for example on a CPU that is
 * starting; a breakpoint there restarts the machine.  The kernel's own kprobe events refuse such code too.
 */
static bool must_be_traced(const struct search *c)
{
	return c->is_wild || !c->s->opt.guru;
}

/* Why there is no point in the function that the pattern matches, or NULL. */
static const char *why_not(struct search *c, const char *name)
{
	const char *why = kernel_function_unprobeable(c->s->kernel, c->module, name);

	if (why || kernel_function_traced(c->s->kernel, c->module, name))
		return why;
	c->guru_may = !c->is_wild && (!(c->variant & RETURN) || has_prototype(c, name));
	if (must_be_traced(c))
		return has_prototype(c, name)
			       ? "the kernel marks it as not to be traced, so it may run where a breakpoint cannot be handled"
			       : "nothing says that it is a function: it is assembly that may run where a breakpoint cannot be handled";
	if ((c->variant & RETURN) && !has_prototype(c, name))
		return "nothing says that it is a function, so it may not return to the address on its stack";
	return NULL;
}

/* False: no more are wanted. */
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
	t->optional |= c->is_wild;
	t->s[0] = t->function;
	t->s[1] = c->module ? session_module(c->s, c->module) : NULL;
	t->data = c->offset ? &within_function : c->variant & BARE ? &by_name_only : NULL;
	t->n[0] = (int64_t)c->offset;
	t->n[1] = c->maxactive;
	if (must_be_traced(c))
		t->n[3] = SITE_KPROBE_TRACED;
	else if (t->is_return && has_prototype(c, name))
		t->n[3] = SITE_KPROBE_FUNCTION;
	t->calls_body = t->is_return && may_call_body(c, name);
	if (t->calls_body)
		t->n[3] |= SITE_KPROBE_IN_REGISTERS | (c->s->opt.fast_returns ? SITE_KPROBE_ASKED : 0);
	return !c->p->one;
}

static bool add_in_module(void *ctx, const char *module, const char *name)
{
	((struct search *)ctx)->module = module;
	return add(ctx, name);
}

/* "function@file:line": debug information has the file and the line. */
static int resolve_in_file(struct session *s, const struct point *p, const struct component *function, int variant, struct sites *out)
{
	const struct component *last = &p->c[p->n - 1];
	struct diag *d;

	if (!(variant & BARE) && (last == function || !last->arg))
		return kernel_lines_resolve(s, p, (variant & RETURN ? KERNEL_LINES_RETURN : 0u) | (variant & MODULE ? KERNEL_LINES_MODULE : 0u) |
					    (variant & STATEMENT ? KERNEL_LINES_STATEMENT : 0u) |
					    (variant & PLACES ? KERNEL_LINES_PLACES : 0u), out);
	if (p->optional)
		return 0;
	d = s_error(s, function->arg->loc, E_NOT_SUPPORTED, "a file can follow in kernel.function and module.function only, and without maxactive");
	diag_hint(&s->diags, d, "probe the function by its name alone: \"%.*s\"", (int)strcspn(function->arg->text, "@"), function->arg->text);
	return -1;
}

/* "function@file" where only one function of the kernel has the name: it is that one, and no debug information is needed. */
static bool is_only_one(struct session *s, const struct component *function, int variant)
{
	const char *text = function->arg->text;
	const char *name = arena_strndup(&s->arena, text, strcspn(text, "@"));

	return s->kernel && !(variant & (BARE | MODULE | STATEMENT)) && !str_has_glob(name) && !strpbrk(text, ":+") &&
	       kernel_has_function(s->kernel, NULL, name) && !kernel_has_dwarf(s->kernel, NULL) && kernel_functions_named(s->kernel, name) == 1;
}

/* In the modules that a pattern means. */
static long find_in_modules(struct search *c, const struct component *module, struct problem *why)
{
	struct kernel_search k = {.modules = module->arg->text, .functions = c->pattern, .found = add_in_module, .ctx = c};
	long n = kernel_search(c->s->kernel, &k, why);
	struct diag *d;

	if (n <= 0 || !k.nunknown)
		return n;
	d = diag_report(&c->s->diags, module->arg->loc, W_NOT_PROBED, "the functions of %zu of the %zu modules that match are not known",
			k.nunknown, k.nmodules);
	diag_hint(&c->s->diags, d, "the first is %s: %s", k.unknown, k.unknown_why);
	return n;
}

/* One function, perhaps by another name: where the point is optional, the script may name both. */
static long add_named(struct search *c)
{
	struct session *s = c->s;
	const char *now;
	struct diag *d;

	if (kernel_has_function(s->kernel, c->module, c->pattern)) {
		add(c, c->pattern);
		return 1;
	}
	now = c->module || c->p->optional || c->offset || session_in_tapset(s, c->p->node->loc) ? NULL :
		kernel_function_renamed(s->kernel, c->pattern);
	if (!now)
		return 0;
	d = diag_report(&s->diags, c->function->arg->loc, W_RENAMED, "this kernel has no function \"%s\": its new name \"%s\" is probed",
			c->pattern, now);
	if (strstr(now, "sys_"))
		diag_hint(&s->diags, d, "what the call is passed is not among its parameters: syscall.%s has it", strstr(now, "sys_") + 4);
	else
		diag_hint(&s->diags, d, "for kernels of both names: kernel.function(\"%s\")!, kernel.function(\"%s\")", now, c->pattern);
	c->pattern = now;
	add(c, now);
	return 1;
}

/* Adds the sites; how many functions match, or -1. */
static long find(struct search *c, struct problem why[static 1])
{
	struct session *s = c->s;
	struct proto none;
	long n;

	if (c->module && str_has_glob(c->module))
		return find_in_modules(c, c->in_module, why);
	/* An optional point may be absent without a message.  So neither its new name nor similar names are looked for, which takes long. */
	if (c->is_wild || c->p->optional)
		n = kernel_functions(s->kernel, c->module, c->pattern, add, c, why);
	else
		n = add_named(c);
	if (n || c->p->optional)
		return n;
	if (!c->is_wild && kernel_function(s->kernel, c->module, c->pattern, &none, why) == 0)
		why->text = NULL;
	if (!why->text)
		problem_set(why, &s->arena, PROBLEM_NO_FUNCTION, "no function of %s matches \"%s\"", c->module ? c->module : "the kernel",
			    c->pattern);
	return 0;
}

/* The function may be one of a module: then that is the hint. */
static void say_module(struct search *c, struct problem why[static 1])
{
	const char *name = c->module || why->hint ? NULL : kernel_module_with(c->s->kernel, c->pattern);

	if (!name)
		return;
	c->module = name;
	why->near = NULL;
	why->hint = arena_printf(&c->s->arena, "module %s has %s: %s", name, c->is_wild ? "such functions" : "it", point_text(c, c->pattern));
	c->module = NULL;
}

static int set_maxactive(struct search *c)
{
	const struct point *p = c->p;

	const struct component *last = &p->c[p->n - 1];

	if (last == c->function || !last->arg)
		return 0;
	c->maxactive = last->arg->num;
	if (c->maxactive >= 1 && c->maxactive <= 65536)
		return 0;
	s_error(c->s, last->arg->loc, E_POINT_VALUE, "maxactive is 1 to 65536");
	return -1;
}

/* The function that the script names. */
static int refuse(const struct search *c, struct loc loc)
{
	struct diag *d = s_error(c->s, loc, E_NOT_PROBEABLE, "no probe can be in \"%s\": %s", c->pattern, c->refused_why);

	if (c->guru_may && !c->s->opt.guru)
		diag_hint(&c->s->diags, d, "guru mode (-g) probes it, if you are sure that it runs where other functions do");
	return -1;
}

/* What is at an address is not known here: it may be in the middle of an instruction, which the kernel refuses, or in code that handlers need. */
static int resolve_address(struct session *s, const struct point *p, struct sites *out)
{
	const struct component *address = &p->c[1];
	struct site *t;

	if (!s->opt.guru) {
		struct diag *d = s_error(s, address->loc, E_GURU, "a probe at any address can stop the machine");
		diag_hint(&s->diags, d, "if that is wanted, give the option -g; functions are probed by their names without it");
		return -1;
	}
	t = probe_site(s, &probe_kernel, p, out);
	t->kind = SITE_KPROBE_ENTRY;
	t->n[2] = address->arg->num;
	return 0;
}

/* "name+offset" -> the name alone, and the offset. */
static int split_offset(struct search *c)
{
	const char *plus = strchr(c->pattern, '+');
	char *end;

	if (!plus)
		return 0;
	c->offset = strtoull(plus + 1, &end, 0);
	if (plus[1] < '0' || plus[1] > '9' || *end || plus == c->pattern) {
		s_error(c->s, c->function->arg->loc, E_POINT_VALUE, "the offset after \"+\" is a number of bytes, as in \"vfs_read+0x10\"");
		return -1;
	}
	c->pattern = arena_strndup(&c->s->arena, c->pattern, (size_t)(plus - c->pattern));
	if (!str_has_glob(c->pattern))
		return 0;
	s_error(c->s, c->function->arg->loc, E_POINT_VALUE, "one offset does not fit all functions that a pattern matches");
	return -1;
}

static int no_return_within(const struct search *c)
{
	struct diag *d;

	if (!c->offset || !(c->variant & RETURN))
		return 0;
	d = s_error(c->s, c->function->arg->loc, E_POINT_VALUE, "there is no function that begins there, so none that returns");
	diag_hint(&c->s->diags, d, "the function there is %s", probe_quoted(c->s, c->pattern));
	return -1;
}

static int find_module(struct search *c, const struct component *module)
{
	const struct node *arg = c->function->arg;

	c->in_module = module;
	c->module = c->s->kernel ? kernel_module_of(c->s->kernel, module->arg->text) : kernel_module_name(&c->s->arena, module->arg->text);
	if (!str_has_glob(c->module) || (arg->kind == N_STRING && !strchr(arg->text, '+')))
		return 0;
	s_error(c->s, module->arg->loc, E_POINT_VALUE, "an address or an offset is of a single module, so its name is no pattern");
	return -1;
}

/* What the function's component says: a name or a pattern, a name and an offset, or an address. */
static int find_place(struct search *c, struct problem why[static 1])
{
	const struct node *arg = c->function->arg;

	if (arg->kind == N_STRING) {
		c->pattern = arena_strndup(&c->s->arena, arg->text, strcspn(arg->text, "@"));
		return split_offset(c) || no_return_within(c) ? -1 : 0;
	}
	if (kernel_code_at(c->s->kernel, c->module, (uint64_t)arg->num, &c->pattern, &c->offset, why) == 0)
		return no_return_within(c);
	if (!c->p->optional)
		session_problem(c->s, why->code == PROBLEM_NO_MODULE ? c->in_module->arg->loc : arg->loc, why, "%s", "");
	return -1;
}

/* Where functions are inlined.  Points of the library are of what BTF has: the entries. */
static void add_places(struct search *c)
{
	if (!(c->variant & PLACES) || (c->variant & BARE) || c->offset || session_in_tapset(c->s, c->p->node->loc) ||
	    (c->module && str_has_glob(c->module)))
		return;
	kernel_lines_places(c->s, c->p, c->module, c->pattern, c->out);
}

static int add_all(struct search *c)
{
	struct session *s = c->s;
	const struct point *p = c->p;
	size_t before = c->out->v.n;
	struct problem why = {0};
	long n = find(c, &why);

	/* A module that was built without the kernel's image has no BTF, but may have DWARF. */
	if (why.code == PROBLEM_NO_BTF && c->module && !(c->variant & BARE) && !c->maxactive && !c->offset && kernel_has_dwarf(s->kernel, c->module))
		return kernel_lines_resolve(s, p, (c->variant & RETURN ? KERNEL_LINES_RETURN : 0u) | KERNEL_LINES_MODULE |
					    (c->variant & PLACES ? KERNEL_LINES_PLACES : 0u), c->out);
	if (!c->p->one || c->out->v.n == before)
		add_places(c);
	if (c->refused && !c->is_wild && c->out->v.n == before)
		return p->optional ? 0 : refuse(c, c->function->arg->loc);
	if (c->refused) {
		struct diag *d = diag_report(&s->diags, c->function->arg->loc, W_NOT_PROBED, "%u of %ld functions cannot be probed", c->refused, n);
		diag_hint(&s->diags, d, "the first is %s: %s", c->refused_name, c->refused_why);
	}
	if (n > 0 || p->optional || c->out->v.n > before)
		return 0;
	if (why.code == PROBLEM_NO_FUNCTION)
		say_module(c, &why);
	session_problem(s, why.code == PROBLEM_NO_MODULE ? c->in_module->arg->loc : c->function->arg->loc, &why, "%s", "");
	return -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	struct search c = {.s = s, .p = p, .out = out, .variant = form->variant};
	unsigned at = form->variant & BARE ? 1 : 0; /* of the module */
	const struct component *function;
	struct problem why = {0};

	if (form->variant & ADDRESS)
		return resolve_address(s, p, out);
	if (form->variant & LINES)
		return kernel_lines_resolve(s, p, (unsigned)form->variant & ~(unsigned)LINES, out);
	function = c.function = &p->c[form->variant & MODULE ? at + 1 : 1];
	if (function->arg->kind == N_STRING && strchr(function->arg->text, '@') && !is_only_one(s, function, form->variant))
		return resolve_in_file(s, p, function, form->variant, out);
	if ((form->variant & MODULE) && find_module(&c, &p->c[at]))
		return -1;
	if (!s->kernel) {
		session_problem(s, function->arg->loc, &s->no_kernel, "%s", "");
		return -1;
	}
	if (find_place(&c, &why))
		return p->optional && why.text ? 0 : -1;
	c.is_wild = str_has_glob(c.pattern) || (c.module && str_has_glob(c.module));
	return set_maxactive(&c) ? -1 : add_all(&c);
}

static int prototype(struct session *s, const struct site *t, struct proto *out, struct problem *why)
{
	return kernel_function(s->kernel, t->s[1], t->function, out, why);
}

/* Of a point that is known by its name or address alone. */
static void without_variables(struct session *s, const struct site *t, struct problem *why)
{
	const struct kernel_code *code = t->data;
	struct arena *a = &s->arena;

	problem_set(why, a, PROBLEM_NO_DEBUGINFO, "%s has no target variables", code ? code->without : "a probe at an address");
	if (!why || !t->s[0])
		return;
	why->hint = arena_printf(a, "%s.function(%s)%s has them", t->s[1] ? arena_printf(a, "module(%s)", probe_quoted(s, t->s[1])) : "kernel",
				 probe_quoted(s, t->s[0]), t->is_return ? ".return" : "");
}

static struct place *place(struct session *s, const struct site *t)
{
	struct place_home home = {.module = t->s[1]};
	const struct kernel_code *code = t->data;

	if (code && code->at)
		return kernel_lines_place(s, t, code);
	home.in_code = t->s[0] && !code;
	return home.in_code ? function_place(s, t, prototype, home) : bare_place(s, t, home, without_variables);
}

const struct probe_mechanism mechanism_kprobe = {
	.name = "kprobe",
	.disarms = true,
	.briefs = true,
	.entry_max = SITE_KPROBE_ENTRY_MAX,
};

const struct probe_family probe_kernel = {
	.mechanism = &mechanism_kprobe,
	.forms = forms,
	.resolve = resolve,
	.place = place,
};
