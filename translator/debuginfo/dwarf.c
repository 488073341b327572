/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens DWARF through libdwfl, and walks over it. */
#include "translator/debuginfo/dwarf.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/debuginfo/debug_files.h"
#include "translator/debuginfo/dwarf_private.h"

static char *debuginfo_path;

static bool there(const char *dir, const char *middle, const char *name)
{
	char path[2 * PATH_MAX];

	return snprintf(path, sizeof path, "%s%s/%s", dir, middle, name) < (int)sizeof path &&
	       access(path, F_OK) == 0;
}

static bool in_debug_folders(const char *middle, const char *name)
{
	char buffer[PATH_MAX];
	const char *folder;

	for (unsigned i = 0; (folder = debug_files_folder(i, buffer, sizeof buffer)); i++)
		if (there(folder, middle, name))
			return true;
	return false;
}

static bool by_build_id(Dwfl_Module *module)
{
	const unsigned char *bits;
	char name[2 * 64 + 32];
	GElf_Addr where;
	int n = dwfl_module_build_id(module, &bits, &where), i, at;

	if (n < 3 || n > 64)
		return false;
	at = sprintf(name, "%02x/", bits[0]);
	for (i = 1; i < n; i++)
		at += sprintf(name + at, "%02x", bits[i]);
	strcpy(name + at, ".debug");
	return in_debug_folders("/.build-id", name);
}

static bool by_link(const char *file, const char *link)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	char dir[PATH_MAX];

	if (!slash || !link || (size_t)(slash - file) >= sizeof dir)
		return false;
	memcpy(dir, file, (size_t)(slash - file));
	dir[slash - file] = 0;
	return there(dir, "", link) || there(dir, "/.debug", link) || in_debug_folders(dir, link);
}

/*
 * libdwfl's standard search, unless only a debuginfod server could have the file and none is set: loading its client with all of its
 * libraries takes longer than everything else that we do for a program.
 */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!(urls && urls[0]) && !by_build_id(module) && !by_link(file, link))
		return -1;
	return dwfl_standard_find_debuginfo(module, user, name, base, file, link, crc, found);
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debuginfo_path,
};

static bool report(struct dwarf_file *d, const char *path)
{
	Dwarf_Addr elf_bias, dwarf_bias;
	int fd;

	debuginfo_path = (char *)(uintptr_t)debug_files_search_path();
	d->dwfl = dwfl_begin(&callbacks);
	if (!d->dwfl)
		return false;
	dwfl_report_begin(d->dwfl);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	d->module = fd < 0 ? NULL : dwfl_report_offline(d->dwfl, "", path, fd);
	if (fd >= 0 && !d->module)
		close(fd);
	if (dwfl_report_end(d->dwfl, NULL, NULL) != 0 || !d->module ||
	    !dwfl_module_getelf(d->module, &elf_bias))
		return false;
	d->dwarf = dwfl_module_getdwarf(d->module, &dwarf_bias);
	d->shift = dwarf_bias - elf_bias;
	d->bias = dwarf_bias;
	return d->dwarf != NULL;
}

/* Units that can be read; of one that was split off (-gsplit-dwarf) only a skeleton is in the file. */
static bool has_units(Dwarf *dwarf, bool *split)
{
	Dwarf_CU *cu = NULL, *before;
	bool any = false;
	uint8_t unit;

	for (;;) {
		before = cu;
		if ((any && *split) || dwarf_get_units(dwarf, before, &cu, NULL, &unit, NULL, NULL) != 0)
			return any;
		if (unit == DW_UT_skeleton)
			*split = true;
		else
			any = true;
	}
}

static struct dwarf_file *open_file(struct arena *a, const struct target *target, const char *path, bool pie, enum fetch_space space,
				    bool *split)
{
	struct dwarf_file *d = arena_new(a, struct dwarf_file);
	const char *main = NULL, *debug = NULL;

	d->dtypes.ops = &dwarf_types_ops;
	d->dtypes.arena = a;
	d->target = target;
	d->pie = pie;
	d->space = space;
	if (!report(d, path) || !has_units(d->dwarf, split)) {
		dwarf_file_close(d);
		return NULL;
	}
	dwfl_module_info(d->module, NULL, NULL, NULL, NULL, NULL, &main, &debug);
	d->separate = debug && debug != main ? arena_strdup(a, debug) : NULL;
	return d;
}

struct dwarf_file *dwarf_file_open(struct arena *a, const struct target *target, const char *path, bool pie, bool *split)
{
	*split = false;
	return open_file(a, target, path, pie, FETCH_USER, split);
}

void dwarf_use_block(struct dwarf_file *d, int64_t block)
{
	d->has_block = true;
	d->block = block;
}

struct dwarf_file *dwarf_file_open_kernel(struct arena *a, const struct target *target, const char *path, const char *module)
{
	bool split = false;
	struct dwarf_file *d = open_file(a, target, path, false, FETCH_KERNEL, &split);

	if (d)
		d->name = module;
	return d;
}

static size_t bits_of(const char *hex, unsigned char *bits, size_t size)
{
	unsigned byte;
	size_t n = 0;

	while (n < size && sscanf(hex + 2 * n, "%2x", &byte) == 1)
		bits[n++] = (unsigned char)byte;
	return n;
}

const char *dwarf_file_of_server(struct arena *a, const char *build_id)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	unsigned char bits[64];
	size_t n = bits_of(build_id, bits, sizeof bits);
	Dwfl *dwfl = urls && urls[0] && n ? dwfl_begin(&callbacks) : NULL;
	Dwfl_Module *module = dwfl ? dwfl_report_module(dwfl, "kernel", 0, 1) : NULL;
	char path[PATH_MAX], *ignored = NULL;
	void *user = NULL;
	ssize_t len = -1;
	int fd = -1;

	if (module && !dwfl_module_report_build_id(module, bits, n, 0))
		fd = dwfl_standard_find_debuginfo(module, &user, "kernel", 0, NULL, NULL, 0, &ignored);
	if (fd >= 0) { /* the path is not known for what comes from a server */
		len = readlink(arena_printf(a, "/proc/self/fd/%d", fd), path, sizeof path);
		close(fd);
	}
	free(ignored);
	if (dwfl)
		dwfl_end(dwfl);
	return len > 0 ? arena_strndup(a, path, (size_t)len) : NULL;
}

void dwarf_file_close(struct dwarf_file *d)
{
	if (d->dwfl)
		dwfl_end(d->dwfl);
	d->dwfl = NULL;
}

const char *dwarf_file_separate(const struct dwarf_file *d)
{
	return d->separate;
}

struct dtypes *dwarf_file_types(struct dwarf_file *d)
{
	return &d->dtypes;
}

/* --- walking --- */

static bool walk_children(Dwarf_Die *parent, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx, unsigned depth)
{
	Dwarf_Die die;
	int tag;

	if (depth > DWARF_MAX_SCOPES || !dwarf_first(parent, &die))
		return true;
	do {
		tag = dwarf_tag(&die);
		if (tag == DW_TAG_namespace || tag == DW_TAG_module) {
			if (!walk_children(&die, cb, ctx, depth + 1))
				return false;
		} else if (!cb(ctx, &die)) {
			return false;
		}
	} while (dwarf_next(&die));
	return true;
}

static bool walk_units(Dwarf *dwarf, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx)
{
	Dwarf_CU *cu = NULL, *before;
	uint8_t unit;
	Dwarf_Die die;

	for (;;) {
		before = cu;
		if (dwarf_get_units(dwarf, before, &cu, NULL, &unit, &die, NULL) != 0)
			return true;
		if (unit != DW_UT_skeleton && !walk_children(&die, cb, ctx, 0))
			return false;
	}
}

bool dwarf_walk(struct dwarf_file *d, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx)
{
	Dwarf *alt = dwarf_getalt(d->dwarf);

	return walk_units(d->dwarf, cb, ctx) && (!alt || walk_units(alt, cb, ctx));
}

bool dwarf_walk_for(struct dwarf_file *d, const char *name, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx)
{
	struct dwarf_units units;
	Dwarf_Die unit;

	if (!dwarf_index_units(d, name, NULL, &units))
		return dwarf_walk(d, cb, ctx);
	for (size_t i = 0; i < units.n; i++)
		if (dwarf_die(d, units.v[i], &unit) && !walk_children(&unit, cb, ctx, 0))
			return false;
	return true;
}
