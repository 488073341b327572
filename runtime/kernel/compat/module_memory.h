/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: module_memory 1..2: the memory that a module keeps.  2: of several types, each a piece of its own.  1: one piece. */
#ifndef COMPAT_MODULE_MEMORY_H
#define COMPAT_MODULE_MEMORY_H

#include <linux/module.h>

/* Bytes of code, of what cannot be written to when the module runs, and of the rest, all in whole pages. */
struct compat_module_sizes {
	unsigned int text, rodata, data;
};

/* The memory with the module's constant data, among others: from where, and how much.  It stays until the module is unloaded. */
#if COMPAT_MODULE_MEMORY == 2
static inline const void *compat_module_memory(const struct module *m, size_t *size)
{
	*size = m->mem[MOD_RODATA].size;
	return m->mem[MOD_RODATA].base;
}

static inline struct compat_module_sizes compat_module_sizes(const struct module *m)
{
	return (struct compat_module_sizes){ m->mem[MOD_TEXT].size, m->mem[MOD_RODATA].size + m->mem[MOD_RO_AFTER_INIT].size,
					     m->mem[MOD_DATA].size };
}
#elif COMPAT_MODULE_MEMORY == 1
static inline const void *compat_module_memory(const struct module *m, size_t *size)
{
	*size = m->core_layout.ro_size;
	return m->core_layout.base;
}

static inline struct compat_module_sizes compat_module_sizes(const struct module *m)
{
	const struct module_layout *l = &m->core_layout;

	return (struct compat_module_sizes){ l->text_size, l->ro_after_init_size - l->text_size, l->size - l->ro_after_init_size };
}
#endif

#endif
