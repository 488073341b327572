/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the DWARF of the kernel and of its modules: in their own files, or in those of a debug package. */
#include <limits.h>
#include <string.h>

#include "translator/debuginfo/debug_files.h"
#include "translator/debuginfo/kernel_private.h"
#include "translator/debuginfo/servers.h"

/* lack: why that of a file that was found cannot be read, or NULL. */
static void missing(struct kernel_info *k, const char *module, const char *lack, struct problem why[static 1])
{
	const char *release = k->places.release;

	if (kernel_is_module(module))
		problem_set(why, k->arena, PROBLEM_NO_DEBUGINFO, "module \"%s\" of kernel %s has no debug information (DWARF)", module, release);
	else
		problem_set(why, k->arena, PROBLEM_NO_DEBUGINFO, "kernel %s has no debug information (DWARF)", release);
	const char *advice = arena_printf(k->arena, "install the package linux-image-%s-dbg (Fedora: kernel-debuginfo-%s)", release, release);
	/* of modules, no server is asked */
	const char *fault = kernel_is_module(module) ? NULL : servers_fault(k->arena, kernel_image_build_id(k));

	why->hint = lack ? lack : fault ? arena_printf(k->arena, "%s; a server of DEBUGINFOD_URLS cannot be asked: %s", advice, fault) : advice;
}

/* The build-id in a section of notes, in hex; "": there is none, or the file cannot be read. */
static const char *build_id_of(struct kernel_info *k, const struct bytes *elf, const char *section)
{
	const unsigned char *notes;
	struct sb id = {0};
	const char *text;
	size_t n;

	if (unpack_section(elf, section, &notes, &n))
		unpack_build_id(notes, n, &id);
	text = arena_strdup(k->arena, id.s ? id.s : "");
	sb_free(&id);
	return text;
}

static bool has_dwarf(const struct bytes *elf)
{
	const unsigned char *info;
	size_t n;

	return unpack_section(elf, ".debug_info", &info, &n) && n;
}

/* --- modules --- */

/* A debug package has modules whole, in the folders of the installed ones, but not packed. */
static const char *debug_module(struct kernel_info *k, const char *path, const char *folder)
{
	const char *below = strstr(path, "/lib/modules/"), *packed = strstr(path, ".ko.");

	if (!below)
		return NULL;
	return arena_printf(k->arena, "%s%.*s", folder, packed ? (int)(packed + 3 - below) : (int)strlen(below), below);
}

static bool is_same_module(struct kernel_info *k, const char *path, const char *build_id)
{
	struct bytes elf;
	bool same = false;

	if (bytes_of_file(k->arena, path, &elf, NULL))
		return false;
	same = has_dwarf(&elf) && !strcmp(build_id_of(k, &elf, ".note.gnu.build-id"), build_id);
	bytes_free(&elf);
	return same;
}

static void open_module(struct kernel_info *k, struct kernel_dwarf *d)
{
	const char *path, *folder, *other, *build_id;
	char buffer[PATH_MAX];
	struct bytes elf;

	if (kernel_module_path(k->arena, &k->places, d->module, &path, &d->why))
		return;
	d->file = dwarf_file_open_kernel(k->arena, k->target, path, d->module, &d->lack);
	if (d->file || kernel_module_read(k->arena, path, &elf, &d->why))
		return;
	build_id = build_id_of(k, &elf, ".note.gnu.build-id");
	bytes_free(&elf);
	for (unsigned i = 0; !d->file && (folder = debug_files_folder(i, buffer, sizeof buffer)); i++)
		if ((other = debug_module(k, path, folder)) && build_id[0] && is_same_module(k, other, build_id))
			d->file = dwarf_file_open_kernel(k->arena, k->target, other, d->module, &d->lack);
	if (!d->file)
		missing(k, d->module, d->lack, &d->why);
}

/* --- the kernel --- */

/* The index, from the cache or made for it; without a cache it is made each time. */
static bool use_index(struct kernel_info *k, struct kernel_dwarf *d, const char *path)
{
	const char *cached = kernel_cache_path(k, "dwarf", path);
	struct sb made = {0};

	if (cached && bytes_of_file(k->arena, cached, &d->index, NULL) == 0) {
		if (dwarf_use_index(d->file, d->index.p, d->index.n))
			return true;
		bytes_free(&d->index);
	}
	if (!dwarf_index_make(path, &made))
		return false;
	if (cached)
		kernel_cache_save(k, made.s, made.n, cached);
	d->index = (struct bytes){.p = arena_memdup(k->arena, made.s, made.n), .n = made.n};
	sb_free(&made);
	return dwarf_use_index(d->file, d->index.p, d->index.n);
}

/* False: it is not there, has no DWARF, or is of another build. */
static bool try_vmlinux(struct kernel_info *k, struct kernel_dwarf *d, const char *path)
{
	const char *installed, *build_id;
	struct bytes elf;
	bool good;

	if (!path || bytes_of_file(k->arena, path, &elf, NULL))
		return false;
	good = has_dwarf(&elf) && unpack_machine(&elf) == k->target->elf_machine;
	build_id = build_id_of(k, &elf, ".notes");
	bytes_free(&elf);
	if (!good)
		return false;
	installed = kernel_image_build_id(k);
	if (installed[0] && strcmp(installed, build_id) != 0) {
		problem_set(&d->why, k->arena, PROBLEM_NO_DEBUGINFO, "the debug information in %s is of another build than the kernel %s", path,
			    k->places.image);
		d->why.hint = "the packages of the kernel and of its debug information must have the same version";
		return false;
	}
	d->file = dwarf_file_open_kernel(k->arena, k->target, path, NULL, &d->lack);
	return d->file && use_index(k, d, path);
}

static bool try_folder(struct kernel_info *k, struct kernel_dwarf *d, const char *folder)
{
	const char *id = kernel_image_build_id(k), *release = k->places.release;

	if (try_vmlinux(k, d, arena_printf(k->arena, "%s/boot/vmlinux-%s", folder, release)) ||
	    try_vmlinux(k, d, arena_printf(k->arena, "%s/lib/modules/%s/vmlinux", folder, release)) ||
	    try_vmlinux(k, d, arena_printf(k->arena, "%s/vmlinux-%s", folder, release)))
		return true;
	return id[0] && try_vmlinux(k, d, arena_printf(k->arena, "%s/.build-id/%.2s/%s.debug", folder, id, id + 2));
}

/* In the files of this machine. */
static bool try_here(struct kernel_info *k, struct kernel_dwarf *d)
{
	char buffer[PATH_MAX];
	const char *folder;

	if ((k->places.build && try_vmlinux(k, d, arena_printf(k->arena, "%s/vmlinux", k->places.build))) ||
	    (!debug_files_are_given() && try_vmlinux(k, d, k->places.debug_vmlinux)))
		return true;
	for (unsigned i = 0; (folder = debug_files_folder(i, buffer, sizeof buffer)); i++)
		if (try_folder(k, d, folder))
			return true;
	return false;
}

static void open_kernel(struct kernel_info *k, struct kernel_dwarf *d)
{
	if (try_here(k, d) || try_vmlinux(k, d, dwarf_file_of_server(k->arena, kernel_image_build_id(k))))
		return;
	if (d->file)
		dwarf_file_close(d->file);
	d->file = NULL;
	if (!d->why.text)
		missing(k, NULL, d->lack, &d->why);
}

/* That which was looked for before; NULL: not yet. */
static struct kernel_dwarf *known(struct kernel_info *k, const char *module)
{
	struct kernel_dwarf *d;

	for (d = k->dwarf; d && strcmp(d->module, module) != 0; d = d->next)
		;
	return d;
}

static struct kernel_dwarf *add(struct kernel_info *k, const char *module)
{
	struct kernel_dwarf *d = arena_new(k->arena, struct kernel_dwarf);

	*d = (struct kernel_dwarf){.module = arena_strdup(k->arena, module), .next = k->dwarf};
	k->dwarf = d;
	return d;
}

struct kernel_dwarf *kernel_dwarf_of(struct kernel_info *k, const char *module, struct problem *why)
{
	struct kernel_dwarf *d;

	module = kernel_is_module(module) ? module : "";
	d = known(k, module);
	if (!d) {
		d = add(k, module);
		if (module[0])
			open_module(k, d);
		else
			open_kernel(k, d);
	}
	if (!d->file && why)
		*why = d->why;
	return d->file ? d : NULL;
}

bool kernel_has_dwarf(struct kernel_info *k, const char *module)
{
	return kernel_dwarf_of(k, module, NULL);
}

bool kernel_has_dwarf_here(struct kernel_info *k, const char *module)
{
	struct kernel_dwarf *d = known(k, "");

	if (kernel_is_module(module) || d)
		return kernel_has_dwarf(k, module);
	d = add(k, "");
	if (try_here(k, d))
		return true;
	if (d->file)
		dwarf_file_close(d->file);
	k->dwarf = d->next; /* a server may still have it */
	return false;
}

void kernel_dwarf_close(struct kernel_info *k)
{
	for (struct kernel_dwarf *d = k->dwarf; d; d = d->next)
		if (d->file) {
			dwarf_file_close(d->file);
			bytes_free(&d->index);
		}
	k->dwarf = NULL;
}
