/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside debuginfo/ only: the file of a loadable kernel module, unpacked. */
#ifndef DEBUGINFO_KERNEL_MODULE_H
#define DEBUGINFO_KERNEL_MODULE_H

#include "translator/debuginfo/kernel_find.h"
#include "translator/debuginfo/unpack.h"

/* Found by name through modules.dep, '-' and '_' being the same.  -1 with why (built in, nearest names). */
int kernel_module_bytes(struct arena *a, const struct kernel_places *k, const char *name, struct bytes *out,
			struct problem *why);

/* Has the module's file a symbol of this name?  1; 0, with names for near; -1: the file cannot be read. */
int kernel_module_has_symbol(struct arena *a, const struct kernel_places *k, const char *module, const char *name, struct nearest *near);

#endif
