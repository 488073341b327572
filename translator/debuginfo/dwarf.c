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
#include "translator/debuginfo/sections.h"
#include "translator/debuginfo/servers.h"

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

enum { FEWEST_BITS = 3, MOST_BITS = 64 }; /* bytes of a build-id */

/* False: it has none. */
static bool build_id_of(Dwfl_Module *module, char hex[2 * MOST_BITS + 1])
{
	const unsigned char *bits;
	GElf_Addr where;
	int n = dwfl_module_build_id(module, &bits, &where);

	for (int i = 0; n <= MOST_BITS && i < n; i++)
		sprintf(hex + 2 * i, "%02x", bits[i]);
	return n >= FEWEST_BITS && n <= MOST_BITS;
}

static bool by_build_id(Dwfl_Module *module)
{
	char hex[2 * MOST_BITS + 1], name[2 * MOST_BITS + 32];

	if (!build_id_of(module, hex))
		return false;
	snprintf(name, sizeof name, "%.2s/%s.debug", hex, hex + 2);
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
	struct servers_search search = {0};
	char hex[2 * MOST_BITS + 1];
	int fd;

	if (!servers_are_asked() && !by_build_id(module) && !by_link(file, link))
		return -1;
	do {
		servers_begin(&search);
		fd = dwfl_standard_find_debuginfo(module, user, name, base, file, link, crc, found);
	} while (servers_end(&search, fd >= 0 || *found, build_id_of(module, hex) ? hex : NULL));
	return fd;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debuginfo_path,
};
static const Dwfl_Callbacks alone_callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_build_id_find_debuginfo,
	.section_address = dwfl_offline_section_address,
	.debuginfo_path = &debuginfo_path,
};

/*
 * How far the program's code is from the same code in its separate file: for prelinked files, as libdwfl says, but that compares the ends of
 * the first segments, and these differ too if a section was removed from the program, as Linux does with its vDSO.
 */
static Dwarf_Addr distance_of_code(Elf *program, Elf *separate, Dwarf_Addr otherwise)
{
	GElf_Shdr own, other;
	GElf_Ehdr header;
	size_t names;
	Elf_Scn *scn = NULL;

	if (!separate || separate == program || !gelf_getehdr(program, &header) || header.e_type == ET_REL || elf_getshdrstrndx(program, &names))
		return otherwise;
	while ((scn = elf_nextscn(program, scn))) {
		const char *name = gelf_getshdr(scn, &own) && own.sh_flags & SHF_EXECINSTR ? elf_strptr(program, names, own.sh_name) : NULL;
		Elf_Scn *same = name ? sections_next(separate, name, NULL) : NULL;

		if (same && gelf_getshdr(same, &other) && other.sh_size == own.sh_size)
			return own.sh_addr - other.sh_addr;
	}
	return otherwise;
}

static bool report(struct dwarf_file *d, const char *path)
{
	int fd;

	debuginfo_path = (char *)(uintptr_t)debug_files_search_path();
	d->dwfl = dwfl_begin(d->alone ? &alone_callbacks : &callbacks);
	if (!d->dwfl)
		return false;
	dwfl_report_begin(d->dwfl);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	d->module = fd < 0 ? NULL : dwfl_report_offline(d->dwfl, "", path, fd);
	if (fd >= 0 && !d->module)
		close(fd);
	if (dwfl_report_end(d->dwfl, NULL, NULL) != 0 || !d->module ||
	    !(d->program = dwfl_module_getelf(d->module, &d->program_bias)))
		return false;
	d->dwarf = dwfl_module_getdwarf(d->module, &d->bias);
	if (!d->dwarf)
		return false;
	d->shift = distance_of_code(d->program, dwarf_getelf(d->dwarf), d->bias - d->program_bias);
	return true;
}

/* Compilers that put each type in a section of its own leave several of one name in a .dwo file, and libdw reads one of them. */
static bool is_whole(Dwarf *split)
{
	Elf *elf = dwarf_getelf(split);
	Elf_Scn *info = sections_next(elf, ".debug_info.dwo", NULL), *types = sections_next(elf, ".debug_types.dwo", NULL);

	return info && !sections_next(elf, ".debug_info.dwo", info) && (!types || !sections_next(elf, ".debug_types.dwo", types));
}

static const char *text_of(Dwarf_Die *die, unsigned at, unsigned or_at)
{
	Dwarf_Attribute attr;
	const char *text = dwarf_formstring(dwarf_attr(die, at, &attr));

	return text || !or_at ? text : dwarf_formstring(dwarf_attr(die, or_at, &attr));
}

/* The place of a unit as a key of maps. */
const char *dwarf_place_of_unit(Dwarf_Die *unit)
{
	return (const char *)(uintptr_t)(dwarf_dieoffset(unit) + 1);
}

const char *dwarf_dwo_name(const struct dwarf_file *d, Dwarf_Die *skeleton)
{
	const char *name = map_get(&d->dwo_names, dwarf_place_of_unit(skeleton));

	return name ? name : text_of(skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
}

const char *dwarf_dwo_path(const struct dwarf_file *d, Dwarf_Die *skeleton)
{
	const char *name = dwarf_dwo_name(d, skeleton), *dir = text_of(skeleton, DW_AT_comp_dir, 0);

	return name && name[0] != '/' && dir ? arena_printf(d->dtypes.arena, "%s/%s", dir, name) : name;
}

/* Why the .dwo file of a skeleton is not used. */
static const char *lack_of(const struct dwarf_file *d, Dwarf_Die *skeleton)
{
	const char *dwo = dwarf_dwo_path(d, skeleton);
	struct arena *a = d->dtypes.arena;

	if (!dwo || access(dwo, F_OK) != 0)
		return arena_printf(a, "debug information of it is in .dwo files, and \"%s\" is missing%s", dwo ? dwo : "",
				    !d->package ? "" : d->package_problem ?
				    arena_printf(a, "; the package \"%s\" is not read: it %s", d->package, d->package_problem) :
				    arena_printf(a, "; the package \"%s\" does not have it either, or is of another build", d->package));
	return arena_printf(a, "debug information of it is in .dwo files, and \"%s\" is of another build, or has several sections of types: "
			       "compile without -fdebug-types-section", dwo);
}

/* Units that can be read; of one that was split off (-gsplit-dwarf) only a skeleton is in the file, and the rest in a .dwo file. */
static bool has_units(struct dwarf_file *d, const char **lack)
{
	Dwarf_CU *cu = NULL, *before;
	bool any = false;
	Dwarf_Die die, split;
	Dwarf *dwarf;
	uint8_t kind;

	for (;;) {
		before = cu;
		if (dwarf_get_units(d->dwarf, before, &cu, NULL, &kind, &die, &split) != 0)
			return any;
		if (kind != DW_UT_skeleton) {
			any = true;
			continue;
		}
		dwarf = split.cu ? dwarf_cu_getdwarf(split.cu) : NULL;
		if (!dwarf || !is_whole(dwarf) || d->splits.n == DWARF_MAX_SPLITS) {
			if (!*lack)
				*lack = lack_of(d, &die);
			continue;
		}
		any = true;
		if (map_get(&d->split_numbers, (const char *)dwarf)) /* a package that libdw has read */
			continue;
		vec_push(d->dtypes.arena, &d->splits, dwarf);
		map_set(d->dtypes.arena, &d->split_numbers, (const char *)dwarf, (void *)(uintptr_t)d->splits.n);
	}
}

/* The name of the supplementary file in .debug_sup, which DWARF 5 has for .gnu_debugaltlink; NULL: there is none. */
static const char *sup_name(Dwarf *dwarf)
{
	enum { VERSION = 2, NAME = 3 };
	Elf_Data *data = sections_data(dwarf_getelf(dwarf), ".debug_sup");
	const char *name = data && data->d_size > NAME ? data->d_buf : NULL;

	/* the supplementary file has the section too, and says there that it is one */
	return name && !name[VERSION] && memchr(name + NAME, 0, data->d_size - NAME) ? name + NAME : NULL;
}

/*
 * What dwz has moved to a file that several programs share: is it there, and of the same build?  Without it, types would be empty and variables
 * would be missing.
 */
static bool has_shared_part(struct arena *a, Dwarf *dwarf, const char **lack)
{
	const void *wanted, *there;
	const char *name;
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &wanted);
	Dwarf *alt = n > 0 ? dwarf_getalt(dwarf) : NULL;

	if (alt && dwelf_elf_gnu_build_id(dwarf_getelf(alt), &there) == n && !memcmp(there, wanted, (size_t)n))
		return true;
	if (n > 0)
		*lack = arena_printf(a, "its debug information refers to the file \"%s\", which is %s", name,
				     alt ? "of another build" : "missing: put it there, or install the package that has it");
	else if ((name = sup_name(dwarf)))
		*lack = arena_printf(a, "its debug information refers to the file \"%s\" by .debug_sup, which is not read: use dwz without --dwarf-5",
				     name);
	return n <= 0 && !name;
}

/* Does the file's own debug information name other files?  To ask libdw for these would open them. */
static bool names_others(Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL, *before;
	const void *id;
	const char *name;
	uint8_t kind;

	if (dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) != 0)
		return true;
	while (before = cu, dwarf_get_units(dwarf, before, &cu, NULL, &kind, NULL, NULL) == 0)
		if (kind == DW_UT_skeleton)
			return true;
	return false;
}

/* NULL: it cannot be used. */
static struct dwarf_file *open_file(struct dwarf_file *d, const char *path, struct dwarf_found *found)
{
	const char *main = NULL, *debug = NULL;
	struct arena *a = d->dtypes.arena;

	if (report(d, path) && !(d->alone && dwarf_getelf(d->dwarf) == d->program && names_others(d->dwarf))) {
		dwfl_module_info(d->module, NULL, NULL, NULL, NULL, NULL, &main, &debug);
		if (debug && debug != main)
			found->separate = arena_strdup(a, debug);
		if (has_shared_part(a, d->dwarf, &found->lack)) {
			if (!d->alone)
				dwarf_package_use(d, path);
			if (has_units(d, &found->lack))
				return d;
		}
	}
	dwarf_file_close(d);
	return NULL;
}

static struct dwarf_file *new_file(struct arena *a, const struct target *target, enum fetch_space space)
{
	struct dwarf_file *d = arena_new(a, struct dwarf_file);

	d->dtypes.ops = &dwarf_types_ops;
	d->dtypes.arena = a;
	d->target = target;
	d->space = space;
	return d;
}

struct dwarf_file *dwarf_file_open(struct arena *a, const struct target *target, const char *path, bool pie, bool alone,
				   struct dwarf_found *found)
{
	struct dwarf_file *d = new_file(a, target, FETCH_USER);

	*found = (struct dwarf_found){0};
	d->pie = pie;
	d->alone = alone;
	return open_file(d, path, found);
}

void dwarf_use_library_blocks(struct dwarf_file *d, uint32_t list, uint32_t offset)
{
	d->thread_block.kind = BLOCK_OF_LIBRARY;
	d->thread_block.list = list;
	d->thread_block.offset = offset;
}

void dwarf_use_program_block(struct dwarf_file *d, int64_t distance)
{
	d->thread_block.kind = BLOCK_OF_PROGRAM;
	d->thread_block.distance = distance;
}

struct dwarf_file *dwarf_file_open_kernel(struct arena *a, const struct target *target, const char *path, const char *module,
					  const char **lack)
{
	struct dwarf_found found = {0};
	struct dwarf_file *d = open_file(new_file(a, target, FETCH_KERNEL), path, &found);

	if (found.lack)
		*lack = found.lack;
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
	unsigned char bits[MOST_BITS];
	size_t n = bits_of(build_id, bits, sizeof bits);
	Dwfl *dwfl = servers_are_asked() && n ? dwfl_begin(&callbacks) : NULL;
	Dwfl_Module *module = dwfl ? dwfl_report_module(dwfl, "kernel", 0, 1) : NULL;
	char path[PATH_MAX], *ignored = NULL;
	struct servers_search search = {0};
	void *user = NULL;
	ssize_t len = -1;
	int fd = -1;

	if (module && !dwfl_module_report_build_id(module, bits, n, 0))
		do {
			servers_begin(&search);
			fd = dwfl_standard_find_debuginfo(module, &user, "kernel", 0, NULL, NULL, 0, &ignored);
		} while (servers_end(&search, fd >= 0, build_id));
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
	if (d->own)
		dwarf_end(d->own);
	d->own = NULL;
	if (d->dwfl)
		dwfl_end(d->dwfl);
	d->dwfl = NULL;
}

struct dtypes *dwarf_file_types(struct dwarf_file *d)
{
	return &d->dtypes;
}

struct Dwarf *dwarf_file_dwarf(struct dwarf_file *d, uint64_t *shift)
{
	*shift = d->shift;
	return d->dwarf;
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

void dwarf_use_split(const struct dwarf_file *d, uint8_t *kind, Dwarf_Die *unit)
{
	Dwarf_Die split;

	if (*kind != DW_UT_skeleton || !d->splits.n || dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) != 0 || !split.cu ||
	    !map_get(&d->split_numbers, (const char *)dwarf_cu_getdwarf(split.cu)))
		return;
	*kind = DW_UT_compile;
	*unit = split;
}

bool dwarf_unit_after(const struct dwarf_file *d, Dwarf *dwarf, Dwarf_CU **cu, uint8_t *kind, Dwarf_Die *unit)
{
	Dwarf_CU *before = *cu;

	if (dwarf_get_units(dwarf, before, cu, NULL, kind, unit, NULL) != 0)
		return false;
	dwarf_use_split(d, kind, unit);
	return true;
}

static bool walk_units(const struct dwarf_file *d, Dwarf *dwarf, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx)
{
	Dwarf_CU *cu = NULL;
	uint8_t unit;
	Dwarf_Die die;

	while (dwarf_unit_after(d, dwarf, &cu, &unit, &die))
		if (unit != DW_UT_skeleton && !walk_children(&die, cb, ctx, 0))
			return false;
	return true;
}

/* The type units of .dwo files. */
static bool walk_split_types(struct dwarf_file *d, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx)
{
	for (size_t i = 0; i < d->splits.n; i++) {
		Dwarf_CU *cu = NULL;
		uint8_t unit;
		Dwarf_Die die;

		while (dwarf_unit_after(d, d->splits.v[i], &cu, &unit, &die))
			if (unit == DW_UT_split_type && !walk_children(&die, cb, ctx, 0))
				return false;
	}
	return true;
}

bool dwarf_walk(struct dwarf_file *d, bool (*cb)(void *ctx, Dwarf_Die *die), void *ctx)
{
	Dwarf *alt = dwarf_getalt(d->dwarf);

	return walk_units(d, d->dwarf, cb, ctx) && walk_split_types(d, cb, ctx) && (!alt || walk_units(d, alt, cb, ctx));
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
