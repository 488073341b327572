/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the module of runtime/calls from its object, with the kit's glue, and the object by which scripts' modules carry it: a section that the
 * kernel does not load.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/intern.h"
#include "runtime/rt/carried.h"
#include "translator/build/private.h"

static const struct loc nowhere;

static int say(struct build *b, const char *what, const char *why)
{
	diag_report(b->diags, nowhere, E_KBUILD, "%s: %s", what, why);
	return -1;
}

static int run_one(struct build *b, struct run r)
{
	return run_all(b, &r, 1) == 0 ? 0 : say(b, r.what, kbuild_first_error(b->arena, run_log(b, &r)));
}

static int write_text(struct build *b, const char *path, const char *text)
{
	return file_write(path, text, strlen(text)) == 0 ? 0 : say(b, path, strerror(errno));
}

/* Has the kit's *.mod.o the versions of all that the module uses of the kernel? */
static int is_versioned(struct build *b, const char *object, bool *all)
{
	struct map undefined = {0}, known = {0};

	if (object_symbols(b, object, true, &undefined))
		return say(b, object, "its symbols cannot be read");
	for (size_t i = 0; i < b->kit->symbols.n; i++)
		map_set(b->arena, &known, intern(b->kit->symbols.v[i]), b);
	*all = true;
	for (size_t i = 0; i < undefined.n; i++)
		*all &= map_get(&known, undefined.entries[i].key) != NULL;
	return 0;
}

/* The *.mod.o for it: the kit's, or that of a template of its own. */
static const char *glue(struct build *b, const char *object, const char *work)
{
	const char *dir = arena_printf(b->arena, "%s/template-calls", work);
	struct kbuild_commands cmd = {0};
	bool all;

	if (is_versioned(b, object, &all))
		return NULL;
	if (all)
		return arena_printf(b->arena, "%s/mod.o", b->kit->dir);
	if (file_make_folder(dir, 0700)) {
		say(b, dir, strerror(errno));
		return NULL;
	}
	return kbuild_template(b, &b->kit->headers, dir, b->kit->name.v[0], &object, 1, &cmd) ? NULL : cmd.glue.v[0];
}

/* The kit's *.mod.o, which has the template's name, with the module's. */
static int set_name(struct build *b, const char *from, const char *template, const char *to)
{
	size_t len, at[8];
	char *image = file_read(b->arena, from, &len);
	int n = image ? object_find_name(image, len, template, at, 8) : -1;

	if (n < 1 || n > 8)
		return say(b, from, "the module name is not where it is expected");
	for (int i = 0; i < n; i++) {
		memset(image + at[i], 0, BUILD_NAME_MAX);
		memcpy(image + at[i], CARRIED_CALLS_MODULE, sizeof CARRIED_CALLS_MODULE - 1);
	}
	return file_write(to, image, len) == 0 ? 0 : say(b, to, strerror(errno));
}

static int link_ko(struct build *b, const char *object, const char *mod, const char *ko)
{
	const struct build_kit *k = b->kit;
	build_argv argv = {0};

	argv_append(b, &argv, &k->link);
	vec_push(b->arena, &argv, "-T");
	vec_push(b->arena, &argv, arena_printf(b->arena, "%s/module.lds", k->dir));
	vec_push(b->arena, &argv, "-o");
	vec_push(b->arena, &argv, ko);
	vec_push(b->arena, &argv, object);
	vec_push(b->arena, &argv, mod);
	for (size_t i = 1; i < k->inputs.n; i++)
		vec_push(b->arena, &argv, arena_printf(b->arena, "%s/%s", k->dir, k->inputs.v[i]));
	return run_one(b, (struct run){.what = "ld calls", .argv = run_argv(b, &argv), .log = arena_printf(b->arena, "%s.log", object)});
}

int calls_finish(struct build *b, const char *object, const char *work, const char *out)
{
	const struct build_kit *k = b->kit;
	const char *from = glue(b, object, work), *mod = arena_printf(b->arena, "%s/calls-mod.o", work);
	const char *ko = arena_printf(b->arena, "%s/" CARRIED_CALLS_MODULE ".ko", work), *carrier = arena_printf(b->arena, "%s/carrier.c", work);
	const char *text = arena_printf(b->arena, "__asm__(\".pushsection " CARRIED_CALLS_SECTION ",\\\"\\\",@progbits\\n"
						  ".balign 8\\n.incbin \\\"%s\\\"\\n.popsection\\n\");\n", ko);
	build_argv objects = {0};

	vec_push(b->arena, &objects, object);
	if (!from || kit_tool(b, "objtool calls", &k->object_tool, &k->env, &objects) ||
	    kit_tool(b, "objtool calls", &k->link_tool, &k->env, &objects) ||
	    set_name(b, from, k->name.v[0], mod) || link_ko(b, object, mod, ko) || write_text(b, carrier, text))
		return -1;
	return run_one(b, run_compile(b, &k->cc, NULL, carrier, out, "cc calls, carried"));
}
