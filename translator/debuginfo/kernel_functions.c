/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of a kernel and its modules, from BTF and the kernel's symbols. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/kernel_private.h"

/* --- by name --- */

struct matches {
	const char *glob;
	const char **v; /* heap: freed by the caller */
	size_t n, cap;
};

static void add_match(void *ctx, const char *name)
{
	struct matches *m = ctx;

	if (!name[0] || !str_glob(m->glob, name))
		return;
	if (m->n == m->cap) {
		const char **v;

		m->cap = m->cap ? 2 * m->cap : 256;
		v = realloc(m->v, m->cap * sizeof *v);
		if (!v)
			abort();
		m->v = v;
	}
	m->v[m->n++] = name;
}

/* Names with a dot are made by the compiler: only a pattern with a dot matches them. */
static void add_plain_match(void *ctx, const char *name)
{
	if (!strchr(name, '.'))
		add_match(ctx, name);
}

static int by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* Reports each once, in order, until cb() returns false; frees the memory.  Returns how many were reported. */
static long report_each(struct matches *m, bool (*cb)(void *ctx, const char *name), void *ctx)
{
	long reported = 0;

	if (m->n)
		qsort(m->v, m->n, sizeof *m->v, by_name);
	for (size_t i = 0; i < m->n; i++) {
		if (i && strcmp(m->v[i - 1], m->v[i]) == 0)
			continue;
		reported++;
		if (!cb(ctx, m->v[i]))
			break;
	}
	free(m->v);
	return reported;
}

long kernel_functions(struct kernel_info *k, const char *module, const char *glob,
		      bool (*cb)(void *ctx, const char *name), void *ctx, struct problem *why)
{
	struct btf_image *b = kernel_btf_of(k, module, why);
	struct matches m = {.glob = glob};

	if (!b)
		return -1;
	if (!str_has_glob(glob)) {
		if (!kernel_has_function(k, module, glob))
			return 0;
		cb(ctx, glob);
		return 1;
	}
	btf_functions(b, add_match, &m);
	if (!kernel_is_module(module))
		ksyms_each(kernel_ksyms(k), strchr(glob, '.') ? add_match : add_plain_match, &m);
	return report_each(&m, cb, ctx);
}

/* --- in many modules --- */

struct visit {
	struct kernel_search *s;
	struct nearest *near;
	struct arena *a;
	const char *module;
	long reported;
	bool stop;
};

static bool report_found(void *ctx, const char *name)
{
	struct visit *v = ctx;

	v->stop = !v->s->found(v->s->ctx, v->module, name);
	return !v->stop;
}

static void report_matches(void *ctx, struct btf_image *b)
{
	struct visit *v = ctx;
	struct matches m = {.glob = v->s->functions};

	if (v->stop)
		return;
	btf_functions(b, add_match, &m);
	v->reported += report_each(&m, report_found, v);
}

static void add_copy(void *ctx, const char *name)
{
	struct visit *v = ctx;

	kernel_add_nearest(v->near, arena_strdup(v->a, name));
}

static void add_names(void *ctx, struct btf_image *b)
{
	btf_functions(b, add_copy, ctx);
}

/* Sets why when nothing was found in n modules. */
static long nothing(struct kernel_info *k, const struct kernel_search *s, const struct kernel_module *m, size_t n, struct problem *why)
{
	enum { FEW = 64 }; /* modules whose names are looked at again for a hint */
	struct nearest near;
	struct visit v = {.near = &near, .a = k->arena};
	struct problem ignored;
	size_t i;

	if (s->nunknown == n) {
		problem_set(why, k->arena, PROBLEM_NO_BTF, "the functions of the modules that match \"%s\" are not known: %s", s->modules,
			    s->unknown_why);
		return -1;
	}
	problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "no function of the %zu module%s that match%s \"%s\" %s \"%s\"", n, str_plural(n),
		    n == 1 ? "es" : "", s->modules, str_has_glob(s->functions) ? "matches" : "is", s->functions);
	if (!why || str_has_glob(s->functions) || n > FEW)
		return 0;
	nearest_init(&near, s->functions);
	for (i = 0; i < n; i++)
		kernel_visit_module(k, &m[i], NULL, add_names, &v, &ignored);
	why->near = nearest_text(&near, k->arena);
	return 0;
}

long kernel_search(struct kernel_info *k, struct kernel_search *s, struct problem *why)
{
	struct visit v = {.s = s};
	const struct kernel_module *m;
	struct problem unknown;
	size_t i;

	if (!kernel_btf_of(k, NULL, why))
		return -1;
	s->nmodules = kernel_module_matching(k->arena, &k->places, s->modules, &m, why);
	if (!s->nmodules)
		return -1;
	for (i = 0; i < s->nmodules && !v.stop; i++) {
		v.module = m[i].name;
		if (kernel_visit_module(k, &m[i], str_has_glob(s->functions) ? NULL : s->functions, report_matches, &v, &unknown) == 0)
			continue;
		if (!s->nunknown++) {
			s->unknown = m[i].name;
			s->unknown_why = unknown.text;
		}
	}
	return v.reported ? v.reported : nothing(k, s, m, s->nmodules, why);
}

/* --- what is there --- */

bool kernel_has_function(struct kernel_info *k, const char *module, const char *name)
{
	struct btf_image *b = kernel_btf_of(k, module, NULL);
	const char *why;
	uint64_t proto;

	if (!b || !name[0])
		return false;
	return btf_function(b, name, &proto, 1) || (!kernel_is_module(module) && ksyms_find(kernel_ksyms(k), name, &why));
}

static const struct {
	const char *old, *now;
	bool is_same; /* it does the same */
} renamed[] = {
#define RENAMED(old, now) {old, now, true},
#define REPLACED(old, now) {old, now, false},
#define MEMBER(type, old, now)
#include "translator/debuginfo/renamed.def"
#undef RENAMED
#undef REPLACED
#undef MEMBER
};

/* "sys_open", "SyS_open", "__se_sys_open": the entry that the kernel has for this system call. */
static const char *system_call(struct kernel_info *k, const char *name)
{
	static const char *const heads[] = {"__se_sys_", "__do_sys_", "SyS_", "sys_"};

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (!strncmp(name, heads[i], strlen(heads[i])))
			return target_words(k->target, k->arena, arena_printf(k->arena, TARGET_SYSCALL "%s", name + strlen(heads[i])));
	return NULL;
}

static const char *new_name(struct kernel_info *k, const char *name, bool *is_same)
{
	const char *text = system_call(k, name);

	*is_same = true;
	if (text && kernel_has_function(k, NULL, text))
		return text;
	for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
		if (strcmp(renamed[i].old, name) != 0)
			continue;
		for (text = renamed[i].now; *text; text += strcspn(text, " "), text += *text == ' ') {
			const char *one = arena_strndup(k->arena, text, strcspn(text, " "));
			*is_same = renamed[i].is_same;
			if (kernel_has_function(k, NULL, one))
				return one;
		}
	}
	return NULL;
}

const char *kernel_function_renamed(struct kernel_info *k, const char *name)
{
	bool is_same;
	const char *now = new_name(k, name, &is_same);

	return now && is_same ? now : NULL;
}

/* A search for a function of which only a clone is left, such as finish_task_switch.isra.0. */
struct clone {
	const char *of, *name;
	size_t n;
};

static void is_clone(void *ctx, const char *name)
{
	struct clone *c = ctx;

	if (!c->name && !strncmp(name, c->of, c->n) && name[c->n] == '.' && !strstr(name + c->n, ".cold"))
		c->name = name;
}

/* What became of a name that does not exist, with the reason; false: nothing is known. */
static bool became(struct kernel_info *k, const char *name, struct problem why[static 1])
{
	struct clone c = {.of = name, .n = strlen(name)};
	bool is_same;
	const char *other = new_name(k, name, &is_same);

	if (!other && c.n)
		ksyms_each(kernel_ksyms(k), is_clone, &c);
	if (!other && !c.name)
		return false;
	why->near = NULL;
	why->hint = other ? arena_printf(k->arena, "in this kernel it is \"%s\"", other)
			  : arena_printf(k->arena, "the compiler made \"%s\" of it, which may have other parameters: its $variables are not known",
					 c.name);
	return true;
}

static bool is_one(void *ctx, const char *name)
{
	*(bool *)ctx = true;
	(void)name;
	return false;
}

const char *kernel_module_with(struct kernel_info *k, const char *glob)
{
	enum { MOST = 30, LEAST_WORD = 2 };
	size_t word = strcspn(glob, "_*?["), n;
	const struct kernel_module *v = NULL;
	const char *module = str_has_glob(glob) ? NULL : kernel_module_exporting(k->arena, &k->places, glob);

	if (module || word < LEAST_WORD || !glob[word])
		return module;
	n = kernel_module_installed(k->arena, &k->places, arena_printf(k->arena, "%.*s*", (int)word, glob), &v);
	for (size_t i = 0; i < n && i < MOST; i++) {
		struct problem ignored = {0};
		bool found = false;
		if (kernel_functions(k, v[i].name, glob, is_one, &found, &ignored) > 0 && found)
			return v[i].name;
	}
	return NULL;
}

static int no_function(struct kernel_info *k, struct btf_image *b, const char *module, const char *name,
		       struct problem *why)
{
	struct nearest near;

	problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "%s%s%s has no function \"%s\"",
		    module ? "module " : "kernel ", module ? module : k->places.release, "", name);
	if (!why)
		return -1;
	if (!kernel_is_module(module) && became(k, name, why))
		return -1;
	nearest_init(&near, name);
	btf_functions(b, kernel_add_nearest, &near);
	if (!kernel_is_module(module))
		ksyms_each(kernel_ksyms(k), kernel_add_nearest, &near);
	why->near = nearest_text(&near, k->arena);
	return -1;
}

/* --- prototypes --- */

static void fill_proto(const struct target *target, struct arena *a, const struct dtypes *types, uint64_t ref, struct proto *p)
{
	struct proto_value *params;
	struct dtype_param *v = NULL;
	struct dtype_node n;
	size_t i;

	memset(p, 0, sizeof *p);
	p->nparams = types->ops->params(types, a, ref, &v, &p->variadic);
	params = arena_array(a, struct proto_value, p->nparams);
	for (i = 0; i < p->nparams; i++) {
		params[i].name = v[i].name;
		params[i].type = dtype_new(types, v[i].type);
	}
	p->params = params;
	dtype_strip(dtype_new(types, ref), &n, NULL, NULL);
	p->ret.name = "";
	p->ret.type = dtype_new(types, n.kind == NODE_FUNCTION ? n.target : 0);
	p->returns = dtype_kind(p->ret.type) != DTYPE_VOID;
	abi_place(target, a, params, p->nparams, &p->ret, p->returns, FETCH_KERNEL);
}

/*
 * The kernel may have several static functions of a name, and old pahole did not merge equal types of different files.  If the
 * prototypes have the same text, any of them is right.
 */
static bool all_read_the_same(struct arena *a, const struct dtypes *types, const uint64_t *protos, size_t n)
{
	const char *first = dtype_text(a, dtype_new(types, protos[0]));
	size_t i;

	for (i = 1; i < n; i++)
		if (strcmp(dtype_text(a, dtype_new(types, protos[i])), first) != 0)
			return false;
	return true;
}

int kernel_function(struct kernel_info *k, const char *module, const char *name, struct proto *p,
		    struct problem *why)
{
	enum { MAX_PROTOS = 16 };
	struct btf_image *b = kernel_btf_of(k, module, why);
	uint64_t protos[MAX_PROTOS];
	struct proto_value *params;
	const char *unprobeable;
	size_t n, i;

	if (!b)
		return -1;
	n = name[0] ? btf_function(b, name, protos, MAX_PROTOS) : 0;
	if (n == 0 && !kernel_is_module(module) && ksyms_find(kernel_ksyms(k), name, &unprobeable))
		return problem_set(why, k->arena, PROBLEM_NO_DEBUGINFO,
				   "the BTF of kernel %s does not describe the function \"%s\", so its parameters and its result are not known",
				   k->places.release, name);
	if (n == 0)
		return no_function(k, b, module, name, why);
	fill_proto(k->target, k->arena, btf_dtypes(b), protos[0], p);
	if (all_read_the_same(k->arena, btf_dtypes(b), protos, n))
		return 0;
	params = arena_memdup(k->arena, p->params, p->nparams * sizeof *params);
	for (i = 0; i < p->nparams; i++) {
		params[i].placed = false;
		problem_set(&params[i].why, k->arena, PROBLEM_NOT_PLACED,
			    "the kernel has several functions \"%s\" with different parameters", name);
	}
	p->params = params;
	return 0;
}

static const char *refused_by(const struct target_refusal *rules, const char *name)
{
	for (; rules->prefix; rules++)
		if (strncmp(name, rules->prefix, strlen(rules->prefix)) == 0)
			return rules->why;
	return NULL;
}

/* What every kernel refuses; about all other functions only the running kernel can say. */
static const char *refused_by_name(const struct target *target, const char *name)
{
	static const struct target_refusal everywhere[] = {
		{"__pfx_", "it is padding before a function"},
		{"__cfi_", "it is padding before a function"},
		{"__SCT__", "it is a patched call site, not a function"},
		{"__SCK__", "it is a patched call site, not a function"},
		{NULL, NULL},
	};
	const char *why = refused_by(everywhere, name);

	return why ? why : refused_by(target->refused, name);
}

const char *kernel_function_unprobeable(struct kernel_info *k, const char *module, const char *name)
{
	const char *why = refused_by_name(k->target, name), *listed;

	if (why || kernel_is_module(module) || ksyms_is_empty(kernel_ksyms(k)))
		return why;
	if (!ksyms_find(kernel_ksyms(k), name, &listed))
		return "it ran only while the kernel started, and is gone";
	return listed;
}

bool kernel_function_traced(struct kernel_info *k, const char *module, const char *name)
{
	return kernel_is_module(module) || ksyms_is_traced(kernel_ksyms(k), name);
}
