/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goes through the places that a module text names, one by one, opening each only when it is reached. */
#include "translator/resolve/home.h"

#include <string.h>

#include "translator/debuginfo/elf.h"
#include "translator/probes/image.h"
#include "translator/probes/libraries.h"
#include "translator/resolve/header.h"

struct home_search home_begin(struct session *s, struct probe *p, const struct node *module)
{
	struct home_search x = {.s = s, .probe = p, .module = module ? module->text : NULL};

	x.rest = x.module ? x.module : "kernel";
	return x;
}

void home_problem(struct home_search *x, const struct problem *why)
{
	if (why->text && (!x->why.text || (why->near && !x->why.near)))
		x->why = *why;
}

static bool in_kernel(struct home_search *x, const char *module, struct home *out, struct problem *why)
{
	struct session *s = x->s;

	if (!s->kernel) {
		problem_copy(why, &s->no_kernel);
		return false;
	}
	*out = (struct home){.types = kernel_types(s->kernel, module, why), .space = FETCH_KERNEL, .module = module};
	return out->types;
}

static bool in_image(struct home_search *x, struct elf_image *e, struct home *out, struct problem *why)
{
	if (!e)
		return false;
	*out = (struct home){.types = elf_types(e, why), .space = FETCH_USER, .image = e};
	return out->types || x->untyped;
}

static bool own(struct home_search *x, struct home *out, struct problem *why)
{
	const struct place_home *at = x->probe ? place_home(x->s, x->probe->sites.v[0]) : NULL;

	if (!at || (!at->image && !at->module))
		return false;
	return at->image ? in_image(x, at->image, out, why) : in_kernel(x, at->module, out, why);
}

/* "kernel<linux/sched.h>" asks the kernel's own types, which are those of all of its headers. */
static bool is_kernel(const char *name)
{
	return !strcmp(name, "kernel") || !strncmp(name, "kernel<", 7) || !strcmp(name, "<vmlinux.h>");
}

static const char *near_kernel(const struct home_search *x, const char *name)
{
	struct nearest near;

	nearest_init(&near, name);
	nearest_add(&near, "kernel");
	return nearest_text(&near, &x->s->arena);
}

/* A library that only the probed program's own path leads to. */
static bool of_program(struct home_search *x, const char *name, struct home *out, struct problem *why)
{
	const struct place_home *at = x->probe ? place_home(x->s, x->probe->sites.v[0]) : NULL;
	struct unfound ignored = {0};
	const char *path = at && at->image && !strchr(name, '/') ? libraries_find(x->s, at->image, name, &ignored) : NULL;

	return path && in_image(x, image_open(x->s, path, why), out, why);
}

static bool named(struct home_search *x, const char *name, struct home *out, struct problem why[static 1])
{
	struct problem as_module = {0};

	if (is_kernel(name))
		return in_kernel(x, NULL, out, why);
	if (name[0] == '<') {
		name = header_object(x->s, name, why);
		return name && in_image(x, image_open(x->s, name, why), out, why);
	}
	if (!strchr(name, '/') && !strchr(name, '.')) {
		if (in_kernel(x, name, out, &as_module))
			return true;
		if (as_module.code != PROBLEM_NO_MODULE) {
			*why = as_module;
			return false;
		}
	}
	if (in_image(x, image_open(x->s, name, why), out, why) || (why->code == PROBLEM_NO_FILE && of_program(x, name, out, why)))
		return true;
	if (why->code == PROBLEM_NO_FILE && !strchr(name, '/')) {
		problem_set(why, &x->s->arena, PROBLEM_NO_FILE, "there is neither a kernel module nor a program \"%s\"", name);
		why->near = near_kernel(x, name);
		why->near = why->near ? why->near : as_module.near;
	}
	return false;
}

/* Of text that is empty, or has nothing but colons. */
static void nothing_named(struct home_search *x)
{
	if (!x->module || x->why.text || x->module[strspn(x->module, ":")])
		return;
	problem_set(&x->why, &x->s->arena, PROBLEM_NO_FILE, "\"%s\" names neither the kernel nor a module nor a program", x->module);
	x->why.hint = "where to look is \"kernel\", the name of a module, the path of a program, or several with colons between them";
}

bool home_next(struct home_search *x, struct home *out)
{
	if (!x->module && !x->own_tried) {
		struct problem why = {0};
		x->own_tried = true;
		if (own(x, out, &why))
			return true;
		home_problem(x, &why);
	}
	while (*x->rest) {
		size_t n = strcspn(x->rest, ":");
		const char *name = arena_strndup(&x->s->arena, x->rest, n);
		struct problem why = {0};
		x->rest += n + (x->rest[n] == ':');
		if (!n)
			continue;
		if (named(x, name, out, &why))
			return true;
		home_problem(x, &why);
	}
	nothing_named(x);
	return false;
}
