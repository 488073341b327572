/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens DWARF through libdwfl, and answers about the functions in it. */
#include "translator/debuginfo/dwarf.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "translator/debuginfo/dwarf_private.h"

enum { MAX_NAMESPACES = 16 };

static char *debuginfo_path;

static bool there(const char *dir, const char *middle, const char *name)
{
	char path[2 * PATH_MAX];

	return snprintf(path, sizeof path, "%s%s/%s", dir, middle, name) < (int)sizeof path &&
	       access(path, F_OK) == 0;
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
	return there("/usr/lib/debug", "/.build-id", name);
}

static bool by_link(const char *file, const char *link)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	char dir[PATH_MAX];

	if (!slash || !link || (size_t)(slash - file) >= sizeof dir)
		return false;
	memcpy(dir, file, (size_t)(slash - file));
	dir[slash - file] = 0;
	return there(dir, "", link) || there(dir, "/.debug", link) || there("/usr/lib/debug", dir, link);
}

/*
 * libdwfl's standard search, unless it could only end at a debuginfod server that nobody named: loading its
 * client with all of its libraries takes longer than everything else that we do for a program.
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
	return d->dwarf != NULL;
}

static bool has_units(Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;

	return dwarf_get_units(dwarf, NULL, &cu, NULL, NULL, NULL, NULL) == 0;
}

struct dwarf_file *dwarf_file_open(struct arena *a, const char *path, bool pie)
{
	struct dwarf_file *d = arena_new(a, struct dwarf_file);
	const char *main = NULL, *debug = NULL;

	d->dtypes.ops = &dwarf_types_ops;
	d->dtypes.arena = a;
	d->pie = pie;
	if (!report(d, path) || !has_units(d->dwarf)) {
		dwarf_file_close(d);
		return NULL;
	}
	dwfl_module_info(d->module, NULL, NULL, NULL, NULL, NULL, &main, &debug);
	d->separate = debug && debug != main ? arena_strdup(a, debug) : NULL;
	return d;
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

	if (depth > MAX_NAMESPACES || !dwarf_first(parent, &die))
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

/* --- functions --- */

struct functions {
	struct dwarf_file *d;
	void (*cb)(void *ctx, const struct dwarf_function *f);
	void *ctx;
};

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return NULL;
}

static bool external(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool value;

	return dwarf_attr_integrate(die, DW_AT_external, &attr) && dwarf_formflag(&attr, &value) == 0 &&
	       value;
}

static bool marked_inline(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	return dwarf_attr_integrate(die, DW_AT_inline, &attr) && dwarf_formudata(&attr, &value) == 0 &&
	       (value == DW_INL_inlined || value == DW_INL_declared_inlined);
}

/*
 * Where the function begins.  One in several parts (a hot and a cold one, in sections of their own) has ranges and
 * neither low_pc nor, from gcc, entry_pc: compilers put the part with the entry first.
 */
bool dwarf_entry(Dwarf_Die *die, Dwarf_Addr *entry, uint64_t *size)
{
	Dwarf_Addr base, low, high;

	*size = 0;
	if (dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_entry_pc)) {
		if (dwarf_entrypc(die, entry) != 0)
			return false;
		if (dwarf_hasattr(die, DW_AT_high_pc) && dwarf_highpc(die, &high) == 0 && high > *entry)
			*size = high - *entry;
		return true;
	}
	if (!dwarf_hasattr(die, DW_AT_ranges) || dwarf_ranges(die, 0, &base, &low, &high) <= 0 || high <= low)
		return false;
	*entry = low;
	*size = high - low;
	return true;
}

/* False for what is no function that could be probed or was inlined. */
static bool describe(struct dwarf_file *d, Dwarf_Die *die, struct dwarf_function *f)
{
	Dwarf_Addr entry;
	uint64_t size;
	int line;

	memset(f, 0, sizeof *f);
	if (dwarf_tag(die) != DW_TAG_subprogram)
		return false;
	f->name = dwarf_diename(die);
	f->has_code = dwarf_entry(die, &entry, &size);
	f->inlined = marked_inline(die);
	if (!f->name || (!f->has_code && !f->inlined))
		return false;
	if (f->has_code) {
		f->entry = entry + d->shift;
		f->size = size;
		f->external = external(die);
		f->linkage_name = linkage_name(die);
		f->line = dwarf_decl_line(die, &line) == 0 && line > 0 ? (unsigned)line : 0;
	}
	f->ref = dwarf_ref(d, die);
	return true;
}

static bool add_function(void *ctx, Dwarf_Die *die)
{
	struct functions *all = ctx;
	struct dwarf_function f;

	if (describe(all->d, die, &f))
		all->cb(all->ctx, &f);
	return true;
}

void dwarf_functions(struct dwarf_file *d, void (*cb)(void *ctx, const struct dwarf_function *f), void *ctx)
{
	struct functions all = {d, cb, ctx};

	walk_units(d->dwarf, add_function, &all);
}

struct at {
	struct dwarf_file *d;
	Dwarf_Addr entry;
	struct dwarf_function *f;
};

static bool is_at(void *ctx, Dwarf_Die *die)
{
	struct at *at = ctx;
	Dwarf_Addr entry;
	uint64_t size;

	if (dwarf_tag(die) != DW_TAG_subprogram || !dwarf_entry(die, &entry, &size) || entry != at->entry)
		return true;
	return !describe(at->d, die, at->f);
}

bool dwarf_function_at(struct dwarf_file *d, uint64_t entry, struct dwarf_function *f)
{
	struct at at = {d, entry - d->shift, f};
	Dwarf_Die unit;

	return dwarf_addrdie(d->dwarf, at.entry, &unit) && !walk_children(&unit, is_at, &at, 0);
}

const char *dwarf_function_file(struct dwarf_file *d, uint64_t ref)
{
	Dwarf_Die die;

	return dwarf_die(d, ref, &die) ? dwarf_decl_file(&die) : NULL;
}
