// SPDX-License-Identifier: GPL-2.0-or-later
/* Judges whether installed kernels can be guests, and which modules they need. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/kernels.h"
#include "vm/vm.h"

/* Modules that the guest's start needs if they are not built in, in this order. */
static const char *const needs[] = {"virtio_pci", "virtio_console", "9pnet_virtio", "9p", "overlay"};

/* Module name of a path as modules.dep writes it: no folder, no suffix, '-' as '_'. */
static void module_name(const char *path, size_t len, char out[64])
{
	const char *end = path + len, *s = path;
	size_t n = 0;

	for (const char *p = path; p < end; p++)
		if (*p == '/')
			s = p + 1;
	for (; s < end && *s != '.' && n < 63; s++)
		out[n++] = *s == '-' ? '_' : *s;
	out[n] = 0;
}

static bool have_module(const struct strings *l, const char *path, size_t len)
{
	for (size_t i = 0; i < l->n; i++)
		if (strlen(l->v[i]) == len && !memcmp(l->v[i], path, len))
			return true;
	return false;
}

static void add_module(struct strings *l, const char *path, size_t len)
{
	if (!have_module(l, path, len))
		strings_add(l, textf("%.*s", (int)len, path));
}

/* A line of modules.dep: "path: dep dep ..."; the dependencies are complete, the last one is to be loaded first. */
static void add_with_dependencies(struct strings *out, const char *line, const char *colon, const char *end)
{
	const char *e = end;

	while (e > colon + 1) {
		const char *s = e;

		while (s > colon + 1 && s[-1] != ' ')
			s--;
		if (e > s)
			add_module(out, s, (size_t)(e - s));
		e = s > colon + 1 ? s - 1 : s;
	}
	add_module(out, line, (size_t)(colon - line));
}

static bool find_module(const char *dep, const char *builtin, const char *want, struct strings *out)
{
	char name[64];

	for (const char *line = dep; line && *line;) {
		const char *end = strchrnul(line, '\n'), *colon = memchr(line, ':', (size_t)(end - line));

		if (colon) {
			module_name(line, (size_t)(colon - line), name);
			if (!strcmp(name, want)) {
				add_with_dependencies(out, line, colon, end);
				return true;
			}
		}
		line = *end ? end + 1 : end;
	}
	for (const char *line = builtin; line && *line;) {
		const char *end = strchrnul(line, '\n');

		module_name(line, (size_t)(end - line), name);
		if (!strcmp(name, want))
			return true;
		line = *end ? end + 1 : end;
	}
	return false;
}

bool kernel_modules(const struct kernel *k, struct strings *out, const char **missing)
{
	char *dep = file_read(vm_arena(), textf("%s/modules.dep", k->modules), NULL);
	char *builtin = file_read(vm_arena(), textf("%s/modules.builtin", k->modules), NULL);
	bool ok = true;

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs) && ok; i++) {
		ok = find_module(dep, builtin, needs[i], out);
		if (!ok)
			*missing = needs[i];
	}
	return ok;
}

/* The plain flavour's package that can replace a kernel that lacks something: 6.1.0-1-cloud-amd64 -> linux-image-amd64. */
static char *plain_package(const char *release)
{
	const char *arch = strrchr(release, '-');

	return textf("linux-image-%s", arch ? arch + 1 : "amd64");
}

static void judge(struct kernel *k)
{
	struct strings modules = {0};
	const char *missing = NULL;
	char *dep = textf("%s/modules.dep", k->modules);

	if (access(k->image, R_OK)) {
		k->problem = textf("cannot read its image %s: %s", k->image, strerror(errno));
		k->remedy = textf("install its package: apt install linux-image-%s", k->release);
	} else if (access(dep, R_OK)) {
		k->problem = textf("cannot read %s: %s", dep, strerror(errno));
		k->remedy = textf("install its package: apt install linux-image-%s (or run depmod %s)",
				      k->release, k->release);
	} else if (!kernel_modules(k, &modules, &missing)) {
		k->problem = textf("it has no %s module%s", missing,
				       strstr(k->release, "-cloud-") ? " (cloud kernels are built without it)"
								     : "");
		k->remedy = textf("install a full kernel: apt install %s", plain_package(k->release));
	}
}

struct kernel *kernel_list(const char *root, size_t *n)
{
	const char *const *releases;
	struct kernel *k;

	*n = kernels_installed(vm_arena(), (const char *const[]){root, NULL}, &releases);
	k = arena_array(vm_arena(), struct kernel, *n + 1);
	for (size_t i = 0; i < *n; i++) {
		k[i].release = releases[i];
		k[i].image = textf("%s/boot/vmlinuz-%s", root, releases[i]);
		k[i].modules = textf("%s/lib/modules/%s", root, releases[i]);
		judge(&k[i]);
	}
	return k;
}

/* How many leading characters agree: good enough to suggest an installed release. */
static size_t agreement(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static void unknown_release(const char *release, const struct kernel *k, size_t n)
{
	char *list =
		textf("%s", n ? "installed:" : "no kernel is installed: apt install linux-image-amd64");
	const char *near = NULL;
	size_t best = 2;

	for (size_t i = 0; i < n; i++) {
		list = textf("%s %s", list, k[i].release);
		if (agreement(release, k[i].release) > best) {
			best = agreement(release, k[i].release);
			near = k[i].release;
		}
	}
	if (near)
		die(list, "no kernel %s is installed; did you mean %s?", release, near);
	die(list, "no kernel %s is installed", release);
}

static const struct kernel *find_release(const struct kernel *k, const char *release)
{
	for (; k->release; k++)
		if (!strcmp(k->release, release))
			return k;
	return NULL;
}

static bool can_be_guest(void *kernels, const char *release)
{
	return !find_release(kernels, release)->problem;
}

static const char *default_release(struct kernel *k, size_t n)
{
	const char **releases = arena_array(vm_arena(), const char *, n + 1);

	for (size_t i = 0; i < n; i++)
		releases[i] = k[i].release;
	return kernels_default(releases, n, can_be_guest, k);
}

struct kernel kernel_choose(const struct options *o)
{
	size_t n;
	struct kernel *k = kernel_list(o->kernels, &n);
	const char *release = o->release ? o->release : default_release(k, n);
	const struct kernel *pick;

	if (!release)
		die("apt install linux-image-amd64", "no kernel is installed in %s/boot", o->kernels);
	pick = find_release(k, release);
	if (!pick)
		unknown_release(release, k, n);
	if (pick->problem && !o->release)
		die(k[n - 1].remedy, "no installed kernel can be a guest; %s: %s", k[n - 1].release, k[n - 1].problem);
	if (pick->problem)
		die(pick->remedy, "kernel %s cannot be a guest: %s", pick->release, pick->problem);
	return *pick;
}
