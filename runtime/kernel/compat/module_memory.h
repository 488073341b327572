/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: module_memory 1..2: the memory that a module keeps.  2: of several types, each a piece of its own.  1: one piece. */
#ifndef COMPAT_MODULE_MEMORY_H
#define COMPAT_MODULE_MEMORY_H

#include <linux/module.h>

/* The memory with the module's constant data, among others: from where, and how much.  It stays until the module is unloaded. */
#if COMPAT_MODULE_MEMORY == 2
static inline const void *compat_module_memory(const struct module *m, size_t *size)
{
	*size = m->mem[MOD_RODATA].size;
	return m->mem[MOD_RODATA].base;
}
#elif COMPAT_MODULE_MEMORY == 1
static inline const void *compat_module_memory(const struct module *m, size_t *size)
{
	*size = m->core_layout.ro_size;
	return m->core_layout.base;
}
#endif

#endif
