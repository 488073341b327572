/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Setting up a run: which kernel is meant, what the preprocessor may ask, the limits. */
#include "translator/session.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/intern.h"
#include "base/paths.h"
#include "translator/debuginfo/elf.h"

static const struct limit default_limits[] = {
	{"MAXSTRINGLEN", 512, false},
	{"MAXMAPENTRIES", 2048, false},
	{"MAXACTION", 10000, false},
	{"MAXNESTING", 32, false},
	/* x TRYLOCKDELAY us = 100 ms: a holder has interrupts off and is soon done, unless a hypervisor takes its CPU away; a
	   CPU that would wait for itself does not wait at all (rt/lock.c), so patience costs nothing and loses no hits. */
	{"MAXTRYLOCK", 10000, false},
	{"TRYLOCKDELAY", 10, false},
	{"MAXERRORS", 0, false},
	{"MAXSKIPPED", 0xffffffff, false}, /* every skip is accounted for at the end; stopping early helps nobody */
	{"MINSTACKSPACE", 1024, false},
	{"MAXBACKTRACE", 20, false},
	{"MAXQUANTILEKB", 4096, false}, /* on each CPU, for the percentiles of each array */
	{"STP_BUFFER_SIZE", 8192, false},
	{"STP_OVERLOAD_INTERVAL", 1000000000, false}, /* in units of 1/1000 us, as a 1 GHz cycle */
	{"STP_OVERLOAD_THRESHOLD", 500000000, false},
	{"STP_NO_OVERLOAD", 0, false},
	{"KRETACTIVE", 0, false},
	{NULL, 0, false},
};

/* Smallest and largest value that keeps the runtime sane. */
static void limit_range(const char *name, int64_t *lo, int64_t *hi)
{
	*lo = 0;
	*hi = 0xffffffff;
	if (!strcmp(name, "MAXSTRINGLEN"))
		*lo = 64, *hi = 8192;
	else if (!strcmp(name, "MAXMAPENTRIES") || !strcmp(name, "MAXACTION"))
		*lo = 1, *hi = 100000000;
	else if (!strcmp(name, "MAXQUANTILEKB"))
		*lo = 1, *hi = 64 * 1024 * 1024;
	else if (!strcmp(name, "STP_BUFFER_SIZE"))
		*lo = 256, *hi = 65536;
	else if (!strcmp(name, "MAXNESTING"))
		*lo = 1, *hi = 1000;
	else if (!strncmp(name, "STP_OVERLOAD", 12))
		*lo = 1, *hi = (int64_t)1 << 50;
}

static int set_limit(struct session *s, const char *text)
{
	const char *eq = strchr(text, '=');
	size_t len = eq ? (size_t)(eq - text) : strlen(text);
	struct nearest near;
	char *end = NULL;
	int64_t lo, hi, value;

	for (struct limit *l = s->limits; l->name; l++) {
		if (strlen(l->name) != len || strncmp(l->name, text, len))
			continue;
		limit_range(l->name, &lo, &hi);
		errno = 0;
		value = eq ? strtoll(eq + 1, &end, 0) : 1;
		if (eq && (errno || *end || end == eq + 1 || value < lo || value > hi)) {
			s_error(s, (struct loc){0}, E_LIMIT, "-D %s: the value must be a number from %lld to %lld", text,
				(long long)lo, (long long)hi);
			return -1;
		}
		l->value = value;
		l->given = true;
		return 0;
	}
	struct diag *d = s_error(s, (struct loc){0}, E_LIMIT, "there is no limit \"%.*s\"", (int)len, text);
	nearest_init(&near, arena_strndup(&s->arena, text, len));
	for (const struct limit *l = s->limits; l->name; l++)
		nearest_add(&near, l->name);
	if (nearest_text(&near, &s->arena))
		diag_hint(&s->diags, d, "did you mean %s?", nearest_text(&near, &s->arena));
	return -1;
}

int64_t session_limit(const struct session *s, const char *name)
{
	for (const struct limit *l = s->limits; l->name; l++)
		if (!strcmp(l->name, name))
			return l->value;
	return 0;
}

int64_t session_array_max(const struct session *s, const struct symbol *v)
{
	return v->decl->flags & NF_SIZED ? v->decl->num : session_limit(s, "MAXMAPENTRIES");
}

struct diag *session_problem(struct session *s, struct loc loc, const struct problem *why, const char *fmt, ...)
{
	enum diag_id id = E_NO_MATCH;
	va_list ap;
	struct diag *d;

	switch (why->code) {
	case PROBLEM_NO_KERNEL:
	case PROBLEM_NO_HEADERS:
		id = E_NO_KERNEL;
		break;
	case PROBLEM_NO_BTF:
		id = E_NO_BTF;
		break;
	case PROBLEM_NO_DEBUGINFO:
	case PROBLEM_NO_VALUE:
	case PROBLEM_NOT_PLACED:
		id = E_NO_TARGET_VARIABLES;
		break;
	case PROBLEM_NO_TYPE:
	case PROBLEM_NO_MEMBER:
	case PROBLEM_NOT_STRUCT:
	case PROBLEM_NOT_POINTER:
	case PROBLEM_INCOMPLETE:
	case PROBLEM_NO_ADDRESS:
	case PROBLEM_NOT_SCALAR:
		id = E_NO_MEMBER;
		break;
	case PROBLEM_NONE:
	case PROBLEM_NO_FILE:
	case PROBLEM_NO_MODULE:
	case PROBLEM_BAD_FORMAT:
	case PROBLEM_NO_FUNCTION:
		break;
	}
	va_start(ap, fmt);
	char *what = arena_vprintf(&s->arena, fmt, ap);
	va_end(ap);
	/* what: the context in which the problem text makes sense, or nothing */
	d = s_error(s, loc, id, "%s%s%s", what, *what ? ": " : "", why->text ? why->text : "unknown problem");
	if (why->near)
		diag_hint(&s->diags, d, "did you mean %s?", why->near);
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

/* The kernel that a guest would boot when none is named: the running one if installed, else the newest. */
static const char *default_guest_release(struct session *s)
{
	const char *const *installed;
	struct utsname u;
	size_t n = kernel_installed(&s->arena, NULL, &installed);
	const char *best = NULL;

	uname(&u);
	for (size_t i = 0; i < n; i++) {
		const char *image = arena_printf(&s->arena, "/boot/vmlinuz-%s", installed[i]);
		FILE *f = fopen(image, "r");
		if (!f)
			continue;
		fclose(f);
		if (!strcmp(installed[i], u.release))
			return installed[i];
		if (!strstr(installed[i], "cloud") && (!best || strverscmp(installed[i], best) > 0))
			best = installed[i];
	}
	return best;
}

static int find_kernel(struct session *s)
{
	struct problem why = {0};
	struct utsname u;
	struct kernel_where where = {.release = s->opt.release, .cache_dir = paths_cache()};

	uname(&u);
	if (s->opt.vm && !where.release)
		where.release = s->opt.vm_release ? s->opt.vm_release : default_guest_release(s);
	if (s->opt.vm && !where.release) {
		struct diag *d = s_error(s, (struct loc){0}, E_NO_KERNEL, "no kernel is installed that a guest could boot");
		diag_hint(&s->diags, d, "install one: apt-get install linux-image-amd64 linux-headers-amd64");
		return -1;
	}
	s->kernel = kernel_open(&s->arena, &where, &why);
	s->release = s->kernel ? kernel_release(s->kernel) : where.release ? where.release : arena_strdup(&s->arena, u.release);
	if (s->kernel || (s->opt.last_pass < 4 && !s->opt.release && !s->opt.vm))
		return 0;
	struct diag *d = session_problem(s, (struct loc){0}, &why, "kernel %s", s->release);
	if (!where.release)
		diag_hint(&s->diags, d, "to build for another installed kernel: -r RELEASE; to run in a throwaway guest: --vm");
	return -1;
}

int session_init(struct session *s)
{
	s->limits = arena_memdup(&s->arena, default_limits, sizeof default_limits);
	for (size_t i = 0; i < s->opt.macros.n; i++)
		set_limit(s, s->opt.macros.v[i]);
	if (s->diags.errors || find_kernel(s))
		return -1;
	s->env = (struct parse_env){
		.arena = &s->arena,
		.diags = &s->diags,
		.sources = &s->sources,
		.args = s->opt.args.v,
		.nargs = (unsigned)s->opt.args.n,
		.kernel_release = s->release,
		.arch = "x86_64",
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
	arena_free(&s->arena);
}
