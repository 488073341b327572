/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: where the parts of an installed kernel are. */
#ifndef DEBUGINFO_KERNEL_FIND_H
#define DEBUGINFO_KERNEL_FIND_H

#include "translator/debuginfo/kernel.h"

/* A module that a script names by its file. */
struct kernel_module_file {
	const char *name, *path;
	const struct kernel_module_file *next;
};

struct kernel_places {
	const char *release;
	const char *modules;       /* .../lib/modules/RELEASE, or NULL */
	const char *build;         /* or NULL */
	const char *image;         /* or NULL */
	const char *debug_vmlinux; /* an unpacked vmlinux with symbols or BTF outside the build directory, or NULL */
	const char *loaded; /* the list of its loaded modules if it runs here; NULL: it does not, or that is not known */
	const struct kernel_module_file *given;
	bool running; /* it is the release of the running kernel, found in the root file system */
};

/* -1 with why: nothing of such a kernel is installed. */
int kernel_find(struct arena *a, const struct kernel_where *where, struct kernel_places *out,
		struct problem *why);

#endif
