/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds, checks and identifies the target kernel's headers and the programs that building for it needs.
 * Everything missing is reported with the package that has it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/intern.h"
#include "translator/build/private.h"

#define KIT_FORMAT "spile-kit 4"

static const struct loc nowhere;

/* Value of a CONFIG_ line of auto.conf, without its quotes, in the arena; "" when it is not set. */
static const char *config_value(struct arena *a, const char *conf, const char *name)
{
	size_t n = strlen(name);

	for (const char *p = conf; (p = strstr(p, name)); p += n) {
		const char *v = p + n;
		size_t len;

		if ((p != conf && p[-1] != '\n') || *v++ != '=')
			continue;
		len = strcspn(v, "\n");
		if (len >= 2 && *v == '"') {
			v++;
			len -= 2;
		}
		return arena_strndup(a, v, len);
	}
	return "";
}

static int no_headers(struct build *b, const char *dir, const char *file)
{
	struct diag *d =
		diag_report(b->diags, nowhere, E_NO_HEADERS,
			    "kernel headers for %s are not installed (no %s/%s)", b->release, dir, file);

	diag_hint(b->diags, d, "install the package linux-headers-%s (Fedora and RHEL: kernel-devel-%s)",
		  b->release, b->release);
	return -1;
}

static int no_tool(struct build *b, const char *tool, const char *package)
{
	struct diag *d = diag_report(b->diags, nowhere, E_NO_TOOL,
				     "%s is not installed; building a module needs it", tool);

	diag_hint(b->diags, d, "install the package %s", package);
	return -1;
}

static unsigned compiler_major(const char *cc)
{
	struct child c = {.argv = (const char *const[]){cc, "-dumpversion", NULL}, .timeout_s = 10};
	unsigned major = 0;

	if (child_run(&c) == 0 && c.out.s)
		major = (unsigned)strtoul(c.out.s, NULL, 10);
	sb_free(&c.out);
	sb_free(&c.err);
	return major;
}

/* The compiler that built the kernel if it is installed, else the same major version, else gcc with a warning. */
static int find_compiler(struct build *b, struct headers *h, const char *conf)
{
	struct arena *a = b->arena;
	unsigned want = (unsigned)strtoul(config_value(a, conf, "CONFIG_GCC_VERSION"), NULL, 10) / 10000;
	const char *first = arena_strndup(a, h->cc_text, strcspn(h->cc_text, " "));
	const char *named = arena_printf(a, "gcc-%u", want);
	unsigned have;
	struct diag *d;

	if (!strcmp(config_value(a, conf, "CONFIG_CC_IS_CLANG"), "y")) {
		diag_report(b->diags, nowhere, E_NOT_SUPPORTED,
			    "kernel %s was built with clang (%s); only kernels built with gcc are handled",
			    b->release, h->cc_text);
		return -1;
	}
	/* "gcc" alone may be any version today, whatever it was when the kernel was built. */
	if (*first && strcmp(first, "gcc") && (h->cc = child_find_program(a, first)))
		return 0;
	if (want && (h->cc = child_find_program(a, named)))
		return 0;
	h->cc = child_find_program(a, "gcc");
	if (!h->cc)
		return no_tool(b,
			       want ? arena_printf(a, "the C compiler (%s)", named) : "the C compiler (gcc)",
			       want ? named : "gcc");
	have = compiler_major(h->cc);
	if (have == want || !want)
		return 0;
	d = diag_report(b->diags, nowhere, W_COMPILER,
			"kernel %s was built with gcc %u, only gcc %u is here; trying that", b->release, want,
			have);
	diag_hint(b->diags, d, "install the package %s", named);
	return 0;
}

int headers_find(struct build *b, struct headers *h)
{
	static const char *const needed[] = {"Makefile", "include/config/auto.conf",
					     "include/generated/autoconf.h", "Module.symvers"};
	struct arena scratch = {0};
	const char *conf;
	int rc = -1;

	h->release = b->release;
	h->dir = b->build_dir ? b->build_dir : arena_printf(b->arena, "/lib/modules/%s/build", b->release);
	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (access(arena_printf(b->arena, "%s/%s", h->dir, needed[i]), R_OK))
			return no_headers(b, h->dir, needed[i]);
	conf = file_read(&scratch, arena_printf(b->arena, "%s/include/config/auto.conf", h->dir), NULL);
	if (!conf)
		return no_headers(b, h->dir, "include/config/auto.conf");
	h->cc_text = arena_strdup(b->arena, config_value(&scratch, conf, "CONFIG_CC_VERSION_TEXT"));
	if (!strcmp(config_value(&scratch, conf, "CONFIG_OBJTOOL"), "y") &&
	    access(arena_printf(b->arena, "%s/tools/objtool/objtool", h->dir), X_OK)) {
		no_tool(b, arena_printf(b->arena, "objtool (%s/tools/objtool/objtool)", h->dir),
			arena_printf(b->arena, "linux-kbuild for %s, or the whole kernel headers again",
				     b->release));
	} else if (!(h->make = child_find_program(b->arena, "make"))) {
		no_tool(b, "make", "make");
	} else if (!(h->ld = child_find_program(b->arena, "ld"))) {
		no_tool(b, "the linker (ld)", "binutils");
	} else {
		rc = find_compiler(b, h, conf);
	}
	arena_free(&scratch);
	return rc;
}

int headers_key(struct build *b, const struct headers *h, char key[33])
{
	static const char *const parts[] = {
		".config",
		"Makefile",
		"Module.symvers",
		"include/config/auto.conf",
		"include/generated/asm-offsets.h",
		"include/generated/autoconf.h",
		"include/generated/bounds.h",
		"include/generated/compile.h",
		"include/generated/utsrelease.h",
		"tools/objtool/objtool",
		"scripts/mod/modpost",
	};
	const char *tools[] = {h->cc, h->ld};
	struct hash128 k = hash128_add_str(hash128_add_str(hash128_init(), KIT_FORMAT), b->release);
	struct arena scratch = {0};
	char texts[33] = "";
	int rc;

	k = hash128_add_str(k, b->runtime_dir);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		k = file_identity(k, arena_printf(&scratch, "%s/%s", h->dir, parts[i]));
	for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
		char *real = realpath(tools[i], NULL);

		k = file_identity(k, real ? real : tools[i]);
		free(real);
	}
	rc = sources_hash(b, texts);
	k = hash128_add_str(k, texts);
	arena_free(&scratch);
	hash128_hex(k, key);
	return rc;
}

/* From the rest of a line of Module.symvers, after the name: where it is, how it is exported, and its namespace. */
static bool is_plain(const char *rest)
{
	size_t n = strcspn(rest, "\t\n");

	if (n != 7 || strncmp(rest, "vmlinux", 7) || rest[n] != '\t')
		return false;
	rest += n + 1;
	rest += strcspn(rest, "\t\n");
	return *rest != '\t' || rest[1] == '\n' || !rest[1];
}

/* Calls fn for the name on each line of Module.symvers; plain: the kernel itself exports it, and not in a namespace. */
static int each_export(struct build *b, const struct headers *h, void (*fn)(void *arg, const char *name, bool plain), void *arg)
{
	struct arena scratch = {0};
	const char *path = arena_printf(b->arena, "%s/Module.symvers", h->dir);
	char *p = file_read(&scratch, path, NULL);

	if (!p) {
		diag_report(b->diags, nowhere, E_IO, "cannot read %s: %s", path, strerror(errno));
		return -1;
	}
	while (*p) {
		char *name = strchr(p, '\t');
		char *end = name ? name + 1 + strcspn(name + 1, "\t\n") : NULL;

		if (!end || *end != '\t')
			break;
		*end = 0;
		p = end + 1;
		fn(arg, name + 1, is_plain(p));
		p += strcspn(p, "\n");
		p += *p == '\n';
	}
	arena_free(&scratch);
	return 0;
}

struct matching {
	struct build *b;
	const char *const *patterns;
	build_argv *out;
};

static void match_export(void *arg, const char *name, bool plain)
{
	struct matching *m = arg;

	(void)plain;
	for (const char *const *p = m->patterns; *p; p++) {
		if (**p != *name || !str_glob(*p, name))
			continue;
		vec_push(m->b->arena, m->out, arena_strdup(m->b->arena, name));
		return;
	}
}

int headers_exports(struct build *b, const struct headers *h, const char *const *patterns, build_argv *out)
{
	struct matching m = {b, patterns, out};

	return each_export(b, h, match_export, &m);
}

struct naming {
	struct build *b;
	const struct map *names;
	build_argv *out;
};

static void name_export(void *arg, const char *name, bool plain)
{
	struct naming *n = arg;

	if (plain && map_get(n->names, intern(name)))
		vec_push(n->b->arena, n->out, intern(name));
}

int headers_exports_of(struct build *b, const struct headers *h, const struct map *names, build_argv *out)
{
	struct naming n = {b, names, out};

	return each_export(b, h, name_export, &n);
}

static void strike_export(void *arg, const char *name, bool plain)
{
	struct naming *n = arg;

	(void)plain;
	if (map_get(n->names, intern(name)))
		map_set(n->b->arena, (struct map *)n->names, intern(name), NULL);
}

int headers_not_exported(struct build *b, const struct headers *h, struct map *names)
{
	struct naming n = {b, names, NULL};

	return names->n ? each_export(b, h, strike_export, &n) : 0;
}

struct wanted {
	struct arena arena;
	struct map names; /* name -> what it is for; "" once found */
};

static void note_export(void *arg, const char *name, bool plain)
{
	struct wanted *w = arg;
	static char found[] = "";

	(void)plain;
	for (size_t i = 0; i < w->names.n; i++)
		if (*w->names.entries[i].key == *name && !strcmp(w->names.entries[i].key, name))
			w->names.entries[i].value = found;
}

/* EXPORT(name, "what it is for") lines; everything else is comment or space. */
static void read_exports_def(struct wanted *w, char *text)
{
	for (char *p = text; (p = strstr(p, "EXPORT(")); p++) {
		char *name = p + 7, *q1, *q2;
		size_t n = strcspn(name, ", )\n");

		if (p != text && p[-1] != '\n')
			continue;
		q1 = strchr(name, '"');
		q2 = q1 ? strchr(q1 + 1, '"') : NULL;
		if (!q2 || !n)
			continue;
		map_set(&w->arena, &w->names, intern_n(name, n),
			arena_strndup(&w->arena, q1 + 1, (size_t)(q2 - q1 - 1)));
	}
}

int headers_check_exports(struct build *b, const struct headers *h)
{
	struct wanted w = {0};
	char *text =
		file_read(&w.arena, arena_printf(b->arena, "%s/kernel/exports.def", b->runtime_dir), NULL);
	int rc = 0;

	if (text) {
		read_exports_def(&w, text);
		rc = each_export(b, h, note_export, &w);
	}
	for (size_t i = 0; !rc && i < w.names.n; i++) {
		const char *purpose = w.names.entries[i].value;

		if (!*purpose)
			continue;
		diag_report(b->diags, nowhere, E_NOT_EXPORTED,
			    "kernel %s does not export %s to modules, which is needed for %s", b->release,
			    w.names.entries[i].key, purpose);
	}
	for (size_t i = 0; !rc && i < w.names.n; i++)
		rc = *(const char *)w.names.entries[i].value ? -1 : 0;
	arena_free(&w.arena);
	return rc;
}
