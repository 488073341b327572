/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * python3.module("m").function("f"): functions of Python in the interpreter that is called python3.  Every function of Python begins with the same
 * instruction of CPython's evaluator, whose code is probed, and ends at a marker.  Which one it is, functions of the tapset (python.stp) say at
 * each hit.
 */
#include <string.h>

#include "runtime/sites/uprobe.h"
#include "translator/debuginfo/cpython.h"
#include "translator/debuginfo/usdt.h"
#include "translator/probes/image.h"
#include "translator/probes/libraries.h"
#include "translator/probes/probe.h"

enum { RETURN = 1 };

static const char library[] = "libpython", marker[] = "function__return";
static const char *const interpreters[] = {"python3", "/usr/bin/python3"};

static const struct probe_form forms[] = {
	{"python3.module(s).function(s)", 0, "a Python function that the pattern matches begins"},
	{"python3.module(s).function(s).call", 0, "the same"},
	{"python3.module(s).function(s).return", RETURN, "it returns, or an exception leaves it"},
	{0},
};

/*
 * These functions are in python.stp.  Files of the tapset are chosen by the words of a script (resolve/select.h), and python.stp defines a macro
 * named python3: so each script with python3.module() gets it.
 */
#define COMMON                                                                     \
	{"$function", "__python_function_name", NULL, NULL, NULL},                 \
	{"$module", "__python_module_name", NULL, NULL, NULL},                     \
	{"$parms", "__python_parms", NULL, NULL, NULL},                            \
	{"$vars", "__python_vars", NULL, NULL, NULL},                              \
	{"$locals", "__python_locals", NULL, NULL, NULL},                          \
	{"*", "__python_variable", NULL, NULL, "__python_has_variable"}

static const struct probe_value at_entry[] = {COMMON, {0}};
static const struct probe_value at_return[] = {
	{"return", "__python_result", NULL, NULL, "__python_has_result"},
	{"$return", "__python_result_text", NULL, NULL, NULL},
	COMMON, {0}
};

/* The library with the evaluator that the program is linked with.  NULL: there is none, or with why it is not found. */
static struct elf_image *find_library(struct session *s, struct elf_image *program, struct problem *why)
{
	const char *const *needed;
	size_t n = elf_needed(program, &needed);

	for (size_t i = 0; i < n; i++) {
		struct unfound unfound = {0};
		const char *path;
		struct elf_image *e;

		if (strncmp(needed[i], library, strlen(library)))
			continue;
		path = libraries_find(s, program, needed[i], &unfound);
		e = path ? image_open(s, path, why) : NULL;
		if (e && cpython_is_in(e))
			return e;
		if (path)
			continue;
		problem_set(why, &s->arena, PROBLEM_NO_FILE, "%s is linked with %s, whose file is not found", elf_facts(program)->path, needed[i]);
		if (why && unfound.looked_in)
			why->hint = arena_printf(&s->arena, "looked for in %s", unfound.looked_in);
	}
	return NULL;
}

/*
 * The file that has the evaluator.  What $PATH has first may be a script that chooses an interpreter: then it is that of the system.  Any other
 * program is what is meant, and no other is taken for it.  NULL with why.
 */
static struct elf_image *find_image(struct session *s, struct problem why[static 1])
{
	const char *script = NULL;

	for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
		struct elf_image *program, *found;

		*why = (struct problem){0};
		program = found = image_open(s, interpreters[i], why);
		if (program && !cpython_is_in(program))
			found = find_library(s, program, why);
		if (found && script)
			s_error(s, (struct loc){0}, W_INTERPRETER, "%s is a script; %s is probed", script, elf_facts(found)->path);
		if (found || (program && !elf_facts(program)->script))
			return found || why->code ? found : program;
		if (program)
			script = elf_facts(program)->script;
	}
	if (script)
		problem_set(why, &s->arena, PROBLEM_NO_FILE, "%s is a script, and no interpreter is found in its place", script);
	return NULL;
}

static void add(struct image_search *c, const struct probe_guard *guard, bool is_return, uint64_t off, uint64_t address, uint64_t semaphore)
{
	struct site *t = image_site(c, &probe_python);

	t->kind = SITE_UPROBE_ENTRY;
	t->n[0] = (int64_t)off;
	t->n[1] = (int64_t)address;
	t->n[2] = (int64_t)semaphore;
	t->values = is_return ? at_return : at_entry;
	t->guard = guard;
}

/* -1: it is built without the marker, or it cannot be probed. */
static int add_returns(struct image_search *c, const struct probe_guard *guard)
{
	const struct usdt_markers *all = usdt_markers(c->image);
	size_t before = c->out->v.n;

	for (size_t i = 0; i < all->v.n; i++)
		if (!strcmp(all->v.v[i].name, marker) && !all->v.v[i].why)
			add(c, guard, true, all->v.v[i].file_off, all->v.v[i].address, all->v.v[i].semaphore);
	return c->out->v.n > before ? 0 : -1;
}

static struct probe_guard *guard_of(struct session *s, const struct point *p, const struct cpython *python, bool is_return)
{
	struct probe_guard *guard = arena_new(&s->arena, struct probe_guard);
	const char **texts = arena_array(&s->arena, const char *, 3);

	texts[0] = probe_component(p, "module")->arg->text;
	texts[1] = probe_component(p, "function")->arg->text;
	*guard = (struct probe_guard){is_return ? "__python_ends_here" : "__python_begins_here", (int64_t)python->runtime, texts};
	return guard;
}

static int refuse(struct session *s, const struct point *p, const struct problem *why)
{
	struct diag *d;

	if (p->optional)
		return 0;
	d = session_problem(s, p->c[0].loc, why, "%s", "");
	diag_hint(&s->diags, d, "the interpreter is what $PATH has as \"python3\": another one is found with PATH=FOLDER:$PATH spile ...");
	return -1;
}

static int resolve(struct session *s, const struct point *p, const struct probe_form *form, struct sites *out)
{
	struct image_search c = {.s = s, .p = p, .out = out};
	const struct probe_guard *guard;
	struct problem why = {0};
	struct cpython python;

	c.image = find_image(s, &why);
	if (!c.image || cpython_find(c.image, &python, &why))
		return refuse(s, p, &why);
	guard = guard_of(s, p, &python, form->variant & RETURN);
	if (!(form->variant & RETURN)) {
		for (unsigned i = 0; i < CPYTHON_ENTRIES; i++)
			add(&c, guard, false, python.entry[i].file_off, python.entry[i].address, 0);
		return 0;
	}
	if (!add_returns(&c, guard))
		return 0;
	problem_set(&why, &s->arena, PROBLEM_NO_FUNCTION, "%s is built without the marker %s, which shows where functions of Python return",
		    elf_facts(c.image)->path, marker);
	return refuse(s, p, &why);
}

const struct probe_family probe_python = {
	.mechanism = &mechanism_uprobe,
	.forms = forms,
	.resolve = resolve,
	.alike = true,
};
