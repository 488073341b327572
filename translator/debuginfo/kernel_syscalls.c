/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls of a kernel by name: native ones, and those of 32-bit programs, which have other numbers.  The kernel's headers list
 * both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "translator/debuginfo/abi.h"
#include "translator/debuginfo/kernel_private.h"

/* ---- the lists of the kernel ---- */

static bool ends_in(struct arena *a, const char *name, const char *end, const char **head)
{
	size_t n = strlen(name), m = strlen(end);

	if (n <= m || strcmp(name + n - m, end))
		return false;
	*head = arena_strndup(a, name, n - m);
	return true;
}

static struct kernel_call *named(struct kernel_calls *all, const char *name, bool compat)
{
	for (size_t i = 0; i < all->v.n; i++)
		if (all->v.v[i].compat == compat && !strcmp(all->v.v[i].name, name))
			return &all->v.v[i];
	return NULL;
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = words; (p = strstr(p, word)); p += n)
		if ((p == words || p[-1] == ' ') && (!p[n] || p[n] == ' '))
			return true;
	return false;
}

static const char *common_name(const char *name)
{
#define SAME(common, others)          \
	if (has_word(others, name))   \
		return common;
#define NEWER SAME
#define KERNEL(name)
#define NONE(name, near)
#include "translator/debuginfo/syscall_names.def"
#undef SAME
#undef NEWER
#undef KERNEL
#undef NONE
	return name;
}

/* Is its own name what handlers see? */
static bool is_newer(const char *name)
{
#define SAME(common, others)
#define NEWER(common, others)         \
	if (has_word(others, name))   \
		return true;
#define KERNEL(name)
#define NONE(name, near)
#include "translator/debuginfo/syscall_names.def"
#undef SAME
#undef NEWER
#undef KERNEL
#undef NONE
	return false;
}

/* Does the kernel make it in a program's place? */
static bool is_kernels(const char *name)
{
#define SAME(common, others)
#define NEWER(common, others)
#define KERNEL(its)               \
	if (!strcmp(name, its))   \
		return true;
#define NONE(name, near)
#include "translator/debuginfo/syscall_names.def"
#undef SAME
#undef NEWER
#undef KERNEL
#undef NONE
	return false;
}

/* The name that scripts know it by. */
static const char *script_name(struct arena *a, struct kernel_calls *all, const struct kernel_call *c)
{
	static const char *const ends[] = {"_time64", "64", "32"};
	const char *head;

	for (size_t i = 0; c->compat && i < sizeof ends / sizeof *ends; i++)
		if (ends_in(a, c->name, ends[i], &head) && named(all, head, false))
			return common_name(head);
	return common_name(c->name);
}

/* Lines "#define __NR_name number"; that of __NR_syscalls is how many there are. */
static bool read_list(struct arena *a, const char *path, bool compat, struct kernel_calls *out)
{
	char *text = file_read(a, path, NULL), *line, *end = NULL;

	for (line = text ? strtok_r(text, "\n", &end) : NULL; line; line = strtok_r(NULL, "\n", &end)) {
		struct kernel_call c = {.compat = compat};
		char name[64];

		if (sscanf(line, "#define __NR_%63s %u", name, &c.number) != 2 || !strcmp(name, "syscalls"))
			continue;
		c.name = arena_strdup(a, name);
		c.of_kernel = is_kernels(name);
		c.is_newer = is_newer(name);
		vec_push(a, &out->v, c);
	}
	return text;
}

static int by_name(const void *x, const void *y)
{
	const struct kernel_call *a = x, *b = y;
	int order = strcmp(a->common, b->common);

	if (order || a->compat != b->compat)
		return order ? order : a->compat - b->compat;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* All calls, those of one name side by side. */
static struct kernel_calls *read_calls(struct kernel_info *k, struct problem *why)
{
	struct kernel_calls *all = arena_new(k->arena, struct kernel_calls);
	const char *dir = kernel_build_dir(k, why), *native, *compat;

	if (!dir)
		return NULL;
	if (!k->target->calls) {
		problem_set(why, k->arena, PROBLEM_NO_DEBUGINFO, "the system calls of %s are not known", k->target->name);
		return NULL;
	}
	native = arena_printf(k->arena, "%s/%s", dir, k->target->calls);
	compat = k->target->compat_calls ? arena_printf(k->arena, "%s/%s", dir, k->target->compat_calls) : NULL;
	if (!read_list(k->arena, native, false, all)) {
		problem_set(why, k->arena, PROBLEM_NO_FILE, "the headers of kernel %s do not list its system calls: there is no %s",
			    k->places.release, native);
		return NULL;
	}
	if (compat)
		read_list(k->arena, compat, true, all);
	for (size_t i = 0; i < all->v.n; i++)
		all->v.v[i].common = script_name(k->arena, all, &all->v.v[i]);
	if (all->v.n)
		qsort(all->v.v, all->v.n, sizeof *all->v.v, by_name);
	return all;
}

const struct kernel_calls *kernel_calls(struct kernel_info *k, struct problem *why)
{
	if (!k->calls)
		k->calls = read_calls(k, why);
	return k->calls;
}

/* ---- by name ---- */

/* Adds the calls of a name; compat: those of 32-bit programs alone. */
static void add_named(struct kernel_info *k, const struct kernel_calls *all, const char *name, bool by_common, bool compat,
		      struct kernel_calls *out)
{
	for (size_t i = 0; i < all->v.n; i++) {
		const struct kernel_call *c = &all->v.v[i];

		if ((c->compat || !compat) && !c->of_kernel && !strcmp(by_common ? c->common : c->name, name))
			vec_push(k->arena, &out->v, *c);
	}
}

static void add_any(struct kernel_info *k, const struct kernel_calls *all, const char *name, bool compat, struct kernel_calls *out)
{
	add_named(k, all, name, true, compat, out);
	if (!out->v.n)
		add_named(k, all, name, false, compat, out);
}

/* Names of SystemTap's for calls of 32-bit programs: compat_futex, compat_sys_shmat, sys32_ptrace, chown16, mmap32. */
static void add_compat(struct kernel_info *k, const struct kernel_calls *all, const char *name, struct kernel_calls *out)
{
	const char *head;

	if (!strncmp(name, "compat_sys_", strlen("compat_sys_")))
		add_any(k, all, name + strlen("compat_sys_"), true, out);
	else if (!strncmp(name, "compat_", strlen("compat_")))
		add_any(k, all, name + strlen("compat_"), true, out);
	else if (!strncmp(name, "sys32_", strlen("sys32_")))
		add_any(k, all, name + strlen("sys32_"), true, out);
	else if (ends_in(k->arena, name, "16", &head))
		add_named(k, all, head, false, true, out);
	else if (ends_in(k->arena, name, "32", &head))
		add_any(k, all, head, true, out);
}

/* True: it is a name for which 64-bit kernels have no call. */
static bool is_none(const char *name, const char **near)
{
#define SAME(common, others)
#define NEWER(common, others)
#define KERNEL(name)
#define NONE(none, instead)                                 \
	if (!strcmp(name, none)) {                          \
		*near = instead;                            \
		return true;                                \
	}
#include "translator/debuginfo/syscall_names.def"
#undef SAME
#undef NEWER
#undef KERNEL
#undef NONE
	return false;
}

int kernel_calls_named(struct kernel_info *k, const char *name, struct kernel_calls *out, struct problem *why)
{
	const struct kernel_calls *all = kernel_calls(k, why);
	const char *instead = NULL;
	struct nearest near;

	if (!all)
		return -1;
	add_any(k, all, name, false, out);
	if (!out->v.n)
		add_compat(k, all, name, out);
	if (out->v.n)
		return 0;
	if (is_kernels(name)) {
		problem_set(why, k->arena, PROBLEM_NO_FUNCTION,
			    "no program makes the system call \"%s\", only the kernel for probes of functions", name);
		return 1;
	}
	problem_set(why, k->arena, PROBLEM_NO_FUNCTION, "kernel %s has no system call \"%s\"", k->places.release, name);
	if (is_none(name, &instead)) {
		if (why)
			why->near = instead;
		return 1;
	}
	if (!why)
		return -1;
	nearest_init(&near, name);
	for (size_t i = 0; i < all->v.n; i++) {
		nearest_add(&near, all->v.v[i].common);
		nearest_add(&near, all->v.v[i].name);
	}
	why->near = nearest_text(&near, k->arena);
	return -1;
}

int kernel_call_proto(struct kernel_info *k, struct proto *p, struct problem *why)
{
	static const char *const names[] = {"arg1", "arg2", "arg3", "arg4", "arg5", "arg6", "syscall"};
	enum { N = sizeof names / sizeof *names };
	struct dtypes *types = kernel_types(k, NULL, why);
	const struct dtype *number = types ? dtypes_find(types, "long", why) : NULL;
	struct proto_value *params;

	if (!number)
		return -1;
	params = arena_array(k->arena, struct proto_value, N);
	for (size_t i = 0; i < N; i++)
		params[i] = (struct proto_value){.name = names[i], .type = number};
	*p = (struct proto){.params = params, .nparams = N, .returns = true, .ret = {.name = "return", .type = number}};
	params[N - 1].of_hit = true;
	abi_place_given(k->arena, params, N, FETCH_KERNEL);
	abi_place_call(k->arena, params, N - 1, &p->ret);
	return 0;
}
