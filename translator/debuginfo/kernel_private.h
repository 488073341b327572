/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by kernel.c and kernel_functions.c: the opened parts of a kernel. */
#ifndef DEBUGINFO_KERNEL_PRIVATE_H
#define DEBUGINFO_KERNEL_PRIVATE_H

#include "translator/debuginfo/btf.h"
#include "translator/debuginfo/dwarf.h"
#include "translator/debuginfo/kernel.h"
#include "translator/debuginfo/kernel_find.h"
#include "translator/debuginfo/kernel_module.h"
#include "translator/debuginfo/ksyms.h"

struct module {
	const char *name;
	struct btf_image *btf;
	struct module *next;
};

/* The build-id of a module's file, or of the loaded module, whichever its BTF is of; NULL: it has none. */
struct module_build {
	const char *name, *id;
	struct module_build *next;
};

/* The systems of a module's tracepoints: lines "TRACEPOINT SYSTEM". */
struct kernel_systems {
	const char *module, *list;
	struct kernel_systems *next;
};

struct kernel_info {
	struct arena *arena;
	const struct target *target;
	struct kernel_places places;
	const char *cache_dir;
	bool make_cache;
	const char *btf_source;
	struct btf_image *btf; /* opened when first needed */
	struct problem btf_problem;
	struct ksyms *ksyms; /* opened when first needed */
	struct ksyms *objects;
	struct module *modules;
	struct module_build *builds; /* of modules that were looked at */
	const char *code;        /* as kernel_list_code() makes it; read when first needed */
	const char *own_systems; /* as in struct kernel_systems; read when first needed */
	struct kernel_systems *systems;
	struct kernel_calls *calls; /* read when first needed */
	const char *vdso; /* what kernel_vdso() gave */
	bool vdso_tried;
	struct kernel_dwarf *dwarf; /* of the kernel and of modules, as far as it was asked for */
};

/* kernel_dwarf.c */
struct kernel_dwarf {
	const char *module; /* "": the kernel itself */
	struct dwarf_file *file; /* NULL: there is none, why: */
	struct problem why;
	const char *lack;        /* of a file that was found: why it cannot be read */
	struct bytes index;      /* of the kernel's own, which is too long to be walked */
	struct kernel_dwarf *next;
};

/* NULL and "" mean the kernel itself. */
static inline bool kernel_is_module(const char *module)
{
	return module && module[0];
}

/* BTF of the kernel or the module, opened when first needed; NULL with why. */
struct btf_image *kernel_btf_of(struct kernel_info *k, const char *module, struct problem *why);
/*
 * Calls visit() with the BTF of a module, which is closed afterwards unless something else opened it: names are to be copied.  word: a
 * name or NULL; if the module does not have it, visit() may be left out, which saves opening the BTF.  The kernel's own BTF must be
 * open.  0; -1 with why: the module's BTF cannot be read.
 */
int kernel_visit_module(struct kernel_info *k, const struct kernel_module *m, const char *word, void (*visit)(void *ctx, struct btf_image *b),
			void *ctx, struct problem *why);
/* The build-id of the kernel's image, in hex; "": not known. */
const char *kernel_image_build_id(struct kernel_info *k);
/* The cache file of what was extracted from exactly this file, marked as used: its size, its time and the target are in the name. */
const char *kernel_cache_path(struct kernel_info *k, const char *what, const char *file);
/* A cache that cannot be written is no error. */
void kernel_cache_save(struct kernel_info *k, const void *data, size_t len, const char *path);
/* DWARF of the kernel or the module, looked for when first needed; NULL with why. */
struct kernel_dwarf *kernel_dwarf_of(struct kernel_info *k, const char *module, struct problem *why);
void kernel_dwarf_close(struct kernel_info *k);
/* The kernel's symbols; without any, the list is empty. */
const struct ksyms *kernel_ksyms(struct kernel_info *k);
/* Has the kernel a symbol of this name that is no function?  -1: its symbols are not known. */
int kernel_has_object(struct kernel_info *k, const char *name);
/* The symbols of a kernel, in order of addresses, and the image that they are of; elf: NULL if they are of the running kernel. */
struct kernel_image_symbols {
	const struct kallsyms_symbol *v;
	size_t n;
	const struct bytes *elf;
};
/* kernel_tracepoints.c: the systems of the kernel's own tracepoints; without an image, of the running kernel. */
void kernel_list_systems(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out);
/* The same, from the cache or the image; "" if there is none. */
const char *kernel_systems_text(struct kernel_info *k);
/* kernel_code.c: where the functions of the kernel begin, as it is linked. */
void kernel_list_code(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out);
/* The same, from the cache or the image; "" if there is none. */
const char *kernel_code_text(struct kernel_info *k);
/* kernel_vdso.c: the bytes of that library. */
void kernel_list_vdso(struct kernel_info *k, const struct kernel_image_symbols *in, struct sb *out);
/* Adds a name to the struct nearest that ctx points to. */
void kernel_add_nearest(void *ctx, const char *name);

#endif
