/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: the file of a loadable kernel module, unpacked. */
#ifndef DEBUGINFO_KERNEL_MODULE_H
#define DEBUGINFO_KERNEL_MODULE_H

#include "translator/debuginfo/kernel_find.h"
#include "translator/debuginfo/unpack.h"

struct kernel_module {
	const char *name; /* as the kernel has it: with '_' for '-' */
	const char *path; /* NULL: it is loaded, but no file of it is installed */
};

/*
 * The modules that a pattern means, sorted by name: the loaded ones if the kernel runs here, else those that are installed.  0 with why:
 * there is none (nearest names; installed but not loaded; built in).
 */
size_t kernel_module_matching(struct arena *a, const struct kernel_places *k, const char *glob, const struct kernel_module **out,
			      struct problem *why);
/* Those that are installed, sorted by name; their number. */
size_t kernel_module_installed(struct arena *a, const struct kernel_places *k, const char *glob, const struct kernel_module **out);
/* The module that exports the symbol, by the list modules.symbols; NULL: none. */
const char *kernel_module_exporting(struct arena *a, const struct kernel_places *k, const char *symbol);
/* The file at a path, unpacked.  -1 with why. */
int kernel_module_read(struct arena *a, const char *path, struct bytes *out, struct problem *why);

/* The file of a module, as it is installed.  -1 with why. */
int kernel_module_path(struct arena *a, const struct kernel_places *k, const char *name, const char **path, struct problem *why);
/* Found by name through modules.dep, '-' and '_' being the same.  -1 with why (built in, nearest names). */
int kernel_module_bytes(struct arena *a, const struct kernel_places *k, const char *name, struct bytes *out,
			struct problem *why);

/* The build-id in a file or, without a section of that name, in what is its section as sysfs has it: in lower-case hex; NULL: it has none. */
const char *kernel_module_id(struct arena *a, const struct bytes *file);

/* Is it a module of this kernel: installed, loaded or built in?  False with why (nearest names). */
bool kernel_module_exists(struct arena *a, const struct kernel_places *k, const char *name, struct problem *why);

/* Has the module's file a symbol of this name?  1; 0, with names added to near; -1: the file cannot be read. */
int kernel_module_has_symbol(struct arena *a, const struct kernel_places *k, const char *module, const char *name, struct nearest *near);

#endif
