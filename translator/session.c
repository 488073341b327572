/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Setting up a run: which kernel is meant, what the preprocessor may ask, the limits. */
#include "translator/session.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/intern.h"
#include "base/kernels.h"
#include "base/paths.h"
#include "translator/debuginfo/elf.h"
#include "translator/limits.h"
#include "translator/probes/image.h"

int64_t session_array_max(const struct session *s, const struct symbol *v)
{
	return v->decl->flags & NF_SIZED ? v->decl->num : session_limit(s, "MAXMAPENTRIES");
}

void session_hint_vm(struct session *s, const char *word, struct diag *d)
{
	const char *const *installed;
	size_t n = s->opt.vm && !s->opt.vm_release ? kernels_installed(&s->arena, (const char *const[]){"", NULL}, &installed) : 0;

	while (n--)
		if (!strcmp(installed[n], word))
			diag_hint(&s->diags, d, "the kernel of a guest is chosen with \"=\": --vm=%s", word);
}

bool session_in_tapset(const struct session *s, struct loc loc)
{
	const struct source *src = source_by_id(&s->sources, loc.source);

	return src && src->is_tapset;
}

bool session_is_trusted(const struct session *s, struct loc loc)
{
	return s->opt.guru || session_in_tapset(s, loc);
}

const char *session_module(struct session *s, const char *name)
{
	for (size_t i = s->prog.modules.n; i > 0; i--) /* mostly it is the last one */
		if (!strcmp(s->prog.modules.v[i - 1].name, name))
			return s->prog.modules.v[i - 1].name;
	struct kmodule m = {arena_strdup(&s->arena, name), kernel_module_build_id(s->kernel, name)};
	vec_push(&s->arena, &s->prog.modules, m);
	return m.name;
}

int64_t session_image(struct session *s, struct elf_image *image)
{
	for (size_t i = 0; i < s->prog.images.n; i++)
		if (!strcmp(elf_facts(s->prog.images.v[i])->path, elf_facts(image)->path)) /* it may have been opened by two names */
			return (int64_t)i;
	vec_push(&s->arena, &s->prog.images, image);
	return (int64_t)s->prog.images.n - 1;
}

int64_t session_ksymbol(struct session *s, const char *name, const char *module, bool optional)
{
	struct ksymbol symbol = {intern(name), module ? intern(kernel_module_name(&s->arena, module)) : NULL, optional};

	for (size_t i = 0; i < s->prog.ksymbols.n; i++)
		if (s->prog.ksymbols.v[i].name == symbol.name && s->prog.ksymbols.v[i].module == symbol.module) {
			s->prog.ksymbols.v[i].optional &= optional;
			return (int64_t)i;
		}
	if (symbol.module)
		session_module(s, symbol.module);
	vec_push(&s->arena, &s->prog.ksymbols, symbol);
	return (int64_t)s->prog.ksymbols.n - 1;
}

struct diag *session_problem(struct session *s, struct loc loc, const struct problem *why, const char *fmt, ...)
{
	static const enum diag_id ids[] = {
		[PROBLEM_NO_KERNEL] = E_NO_KERNEL, [PROBLEM_NO_HEADERS] = E_NO_KERNEL, [PROBLEM_NO_BTF] = E_NO_BTF,
		[PROBLEM_NO_DEBUGINFO] = E_NO_TARGET_VARIABLES, [PROBLEM_NO_VALUE] = E_NO_TARGET_VARIABLES,
		[PROBLEM_NOT_PLACED] = E_NO_TARGET_VARIABLES,
		[PROBLEM_NO_TYPE] = E_NO_MEMBER, [PROBLEM_NO_MEMBER] = E_NO_MEMBER, [PROBLEM_NOT_STRUCT] = E_NO_MEMBER,
		[PROBLEM_NOT_POINTER] = E_NO_MEMBER, [PROBLEM_INCOMPLETE] = E_NO_MEMBER, [PROBLEM_NO_ADDRESS] = E_NO_MEMBER,
		[PROBLEM_NOT_SCALAR] = E_NO_MEMBER,
		[PROBLEM_NONE] = E_NO_MATCH, [PROBLEM_NO_FILE] = E_NO_MATCH, [PROBLEM_NO_MODULE] = E_NO_MATCH,
		[PROBLEM_BAD_FORMAT] = E_NO_MATCH, [PROBLEM_NO_FUNCTION] = E_NO_MATCH, [PROBLEM_NO_SYMBOLS] = E_NO_MATCH,
		[PROBLEM_TOO_DEEP] = E_POINT_VALUE,
	};
	enum diag_id id = ids[why->code];
	va_list ap;
	struct diag *d;

	va_start(ap, fmt);
	char *what = arena_vprintf(&s->arena, fmt, ap);
	va_end(ap);
	/* what: the context in which the problem text makes sense, or nothing */
	d = s_error(s, loc, id, "%s%s%s", what, *what ? ": " : "", why->text ? why->text : "unknown problem");
	diag_hint_near(&s->diags, d, why->near);
	if (why->hint)
		diag_hint(&s->diags, d, "%s", why->hint);
	return d;
}

/* CONFIG_X of the target kernel, from its configuration file; read once. */
static const char *config_value(void *data, const char *name)
{
	struct session *s = data;

	if (!s->config_read) {
		s->config_read = true;
		struct problem why = {0};
		const char *dir = s->kernel ? kernel_build_dir(s->kernel, &why) : NULL;
		const char *path = dir ? arena_printf(&s->arena, "%s/.config", dir)
				       : arena_printf(&s->arena, "/boot/config-%s", s->release);
		FILE *f = fopen(path, "r");
		char line[4096];
		while (f && fgets(line, sizeof line, f)) {
			char *eq = strchr(line, '=');
			if (strncmp(line, "CONFIG_", 7) || !eq)
				continue;
			char *v = eq + 1;
			v[strcspn(v, "\n")] = 0;
			size_t n = strlen(v);
			if (n > 1 && v[0] == '"' && v[n - 1] == '"')
				v[n - 1] = 0, v++;
			map_set(&s->arena, &s->config, intern_n(line, eq - line), arena_strdup(&s->arena, v));
		}
		if (f)
			fclose(f);
	}
	const char *v = map_get(&s->config, intern(name));
	return v ? v : "";
}

static bool is_complete(void *session, const char *release)
{
	return kernel_is_complete(&((struct session *)session)->arena, release);
}

static const char *default_guest_release(struct session *s)
{
	const char *const *installed;
	size_t n = kernels_installed(&s->arena, (const char *const[]){"", NULL}, &installed);

	return kernels_default(installed, n, is_complete, s);
}

void session_no_names(struct session *s, const struct problem *why, const char *name)
{
	struct diag *d = s_error(s, (struct loc){0}, W_NO_NAMES, "-d %s is left out: %s", name, why->text ? why->text : "unknown problem");

	diag_hint_near(&s->diags, d, why->near);
	if (why->hint)
		diag_hint(&s->diags, d, "%s", why->hint);
}

/* Will the run go on until the module is built? */
static bool makes_module(const struct session *s)
{
	const struct options *o = &s->opt;

	return o->last_pass >= 4 && !o->list && !o->dump && !o->dump_functions && !o->dump_probe_aliases;
}

/*
 * -d of a module of the kernel: the runtime names addresses by what the kernel knows then, of all modules, whenever they come.  So only a
 * mistake has an effect.
 */
static void check_modules(struct session *s)
{
	for (size_t i = 0; i < s->opt.modules.n; i++) {
		const char *name = s->opt.modules.v[i];
		struct problem why = {0}, ignored = {0};

		if (!strchr(name, '/') && strcmp(name, "kernel") && strcmp(name, "vmlinux") && !kernel_has_module(s->kernel, name, &why) &&
		    !image_open(s, name, &ignored))
			session_no_names(s, &why, name);
	}
}

static int find_kernel(struct session *s)
{
	struct utsname u;
	const char *cache = paths_cache();
	struct kernel_where where = {.release = s->opt.release,
				     .cache_dir = cache ? arena_printf(&s->arena, "%s/kernel", cache) : NULL, .make_cache = !s->opt.disable_cache,
				     .for_guest = s->opt.vm, .target = s->target};

	uname(&u);
	if (s->opt.vm && !where.release)
		where.release = s->opt.vm_release ? s->opt.vm_release : default_guest_release(s);
	if (s->opt.vm && !where.release) {
		struct diag *d = s_error(s, (struct loc){0}, E_NO_KERNEL, "no kernel is installed that a guest could boot");
		diag_hint(&s->diags, d, "install one: apt-get install linux-image-%s linux-headers-%s", s->target->distro, s->target->distro);
		return -1;
	}
	s->kernel = kernel_open(&s->arena, &where, &s->no_kernel);
	s->release = s->kernel ? kernel_release(s->kernel) : where.release ? where.release : arena_strdup(&s->arena, u.release);
	if (s->kernel) {
		check_modules(s);
		return 0;
	}
	if (!makes_module(s) && !s->opt.release && !s->opt.vm)
		return 0;
	struct diag *d = session_problem(s, (struct loc){0}, &s->no_kernel, "kernel %s", s->release);
	if (!where.release)
		diag_hint(&s->diags, d, "to build for another installed kernel: -r RELEASE; to run in a throwaway guest: --vm");
	return -1;
}

static int no_target(struct session *s, const char *near, const char *all)
{
	struct diag *d;
	struct utsname u;

	if (s->opt.arch) {
		d = s_error(s, (struct loc){0}, E_USAGE, "-a: there is no architecture \"%s\"", s->opt.arch);
		diag_hint_near(&s->diags, d, near);
	} else {
		uname(&u);
		d = s_error(s, (struct loc){0}, E_NOT_SUPPORTED, "this machine is of the architecture %s, which Spile does not know yet", u.machine);
	}
	diag_hint(&s->diags, d, "architectures: %s", all);
	return -1;
}

static int find_target(struct session *s)
{
	const struct target *native = target_native();
	const char *near = NULL, *all = "";

	s->target = native;
	if (s->opt.arch || !native)
		s->target = target_find(&s->arena, s->opt.arch ? s->opt.arch : "", &near, &all);
	if (!s->target)
		return no_target(s, near, all);
	if (!makes_module(s) || (s->target->has_runtime && s->target == native))
		return 0;
	struct diag *d = s_error(s, (struct loc){0}, E_NOT_SUPPORTED, "modules for %s cannot be built here yet", s->target->name);
	diag_hint(&s->diags, d, "-p2 checks the script, -p3 prints the C for it, -L lists what is there");
	return -1;
}

int session_init(struct session *s)
{
	limits_init(s);
	if (s->diags.errors || find_target(s) || find_kernel(s))
		return -1;
	s->env = (struct parse_env){
		.arena = &s->arena,
		.diags = &s->diags,
		.sources = &s->sources,
		.args = s->opt.args.v,
		.nargs = (unsigned)s->opt.args.n,
		.call = s->opt.example_call,
		.args_used = s->args_used = arena_array(&s->arena, bool, s->opt.args.n + 1),
		.kernel_release = s->release,
		.arch = s->target->name,
		.runtime = "kernel",
		.privilege = "stapdev",
		.compatible = s->opt.compatible ? s->opt.compatible : SESSION_COMPATIBLE,
		.guru = s->opt.guru,
		.config = config_value,
		.config_data = s,
	};
	return 0;
}

void session_end(struct session *s)
{
	for (size_t i = 0; i < s->images.n; i++)
		elf_close(s->images.entries[i].value);
	if (s->kernel)
		kernel_close(s->kernel);
	sb_free(&s->c_text);
	sb_free(&s->extra_text);
	arena_free(&s->arena);
}
