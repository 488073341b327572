/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the module of runtime/calls for a kit, with the kit's glue, and the object by which scripts' modules carry it: a section that the
 * kernel does not load.  No session needs it, so if a kernel's tools refuse it, the kit is made without it, and what they said is kept.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "runtime/rt/carried.h"
#include "translator/build/private.h"

static const struct loc nowhere;

static const char source[] = "calls/calls.c";

struct calls_build {
	const char *work, *object, *refs;
};

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

/* An object that refers to what the module uses of the kernel: so the kernel's own build of the template records the versions. */
static int make_refs(struct build *b, const struct headers *h, struct calls_build *c, const build_argv *cc)
{
	const char *text = "";
	const char *c_file = arena_printf(b->arena, "%s/calls-refs.c", c->work);
	struct map undefined = {0};
	build_argv patterns = {0}, names = {0};

	if (object_symbols(b, c->object, true, &undefined))
		return say(b, c->object, "its symbols cannot be read");
	for (size_t i = 0; i < undefined.n; i++)
		vec_push(b->arena, &patterns, undefined.entries[i].key);
	if (headers_exports(b, h, run_argv(b, &patterns), &names))
		return -1;
	for (size_t i = 0; i < names.n; i++)
		text = arena_printf(b->arena, "%sextern char ref_%zu[] __asm__(\"%s\");\n", text, i, names.v[i]);
	text = arena_printf(b->arena, "%sextern char *const calls_refs[];\nchar *const calls_refs[] = {\n", text);
	for (size_t i = 0; i < names.n; i++)
		text = arena_printf(b->arena, "%s\tref_%zu,\n", text, i);
	text = arena_printf(b->arena, "%s\t0\n};\n", text);
	return write_text(b, c_file, text) || run_one(b, run_compile(b, cc, NULL, c_file, c->refs, "cc calls, refs")) ? -1 : 0;
}

const char *calls_compile(struct build *b, const struct headers *h, const struct runtime_objects *rt, const char *cwd, const char *work)
{
	struct calls_build c = {
		.work = work,
		.object = arena_printf(b->arena, "%s/calls.o", work),
		.refs = arena_printf(b->arena, "%s/calls-refs.o", work),
	};
	const char *in = arena_printf(b->arena, "%s/%s", b->runtime_dir, source);

	if (access(in, R_OK)) /* not a whole runtime */
		return NULL;
	return run_one(b, run_compile(b, &rt->kernel_cc, cwd, in, c.object, "cc calls")) || make_refs(b, h, &c, &rt->cc) ? NULL : c.refs;
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

static int link_ko(struct build *b, const struct kbuild_commands *cmd, const char *lds, const char *object, const char *mod, const char *ko)
{
	build_argv argv = {0};

	argv_append(b, &argv, &cmd->link);
	vec_push(b->arena, &argv, "-T");
	vec_push(b->arena, &argv, lds);
	vec_push(b->arena, &argv, "-o");
	vec_push(b->arena, &argv, ko);
	vec_push(b->arena, &argv, object);
	vec_push(b->arena, &argv, mod);
	for (size_t i = 1; i < cmd->glue.n; i++)
		vec_push(b->arena, &argv, cmd->glue.v[i]);
	return run_one(b, (struct run){.what = "ld calls", .argv = run_argv(b, &argv), .log = arena_printf(b->arena, "%s.log", object)});
}

int calls_finish(struct build *b, const struct kbuild_commands *cmd, const build_argv *env, const build_argv *cc, const char *work,
		 const char *lds, const char *out)
{
	const char *object = arena_printf(b->arena, "%s/calls.o", work), *mod = arena_printf(b->arena, "%s/calls-mod.o", work);
	const char *ko = arena_printf(b->arena, "%s/" CARRIED_CALLS_MODULE ".ko", work), *carrier = arena_printf(b->arena, "%s/carrier.c", work);
	const char *text = arena_printf(b->arena, "__asm__(\".pushsection " CARRIED_CALLS_SECTION ",\\\"\\\",@progbits\\n"
						  ".balign 8\\n.incbin \\\"%s\\\"\\n.popsection\\n\");\n", ko);
	build_argv objects = {0};

	vec_push(b->arena, &objects, object);
	if (kit_tool(b, "objtool calls", &cmd->object_tool, env, &objects) || kit_tool(b, "objtool calls", &cmd->link_tool, env, &objects) ||
	    set_name(b, cmd->glue.v[0], cmd->name, mod) || link_ko(b, cmd, lds, object, mod, ko) || write_text(b, carrier, text))
		return -1;
	return run_one(b, run_compile(b, cc, NULL, carrier, out, "cc calls, carried"));
}
