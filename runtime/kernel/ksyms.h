/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel symbols that are not exported: looked up and called here and nowhere else.
 *
 * The address of the kernel's own lookup comes from a kprobe that is registered disabled and removed at once, all others from that.
 * Calls are arch_call4()'s, since the kernel may forbid indirect ones of functions whose address it takes nowhere.  Not for hot paths.
 */
#ifndef KERNEL_KSYMS_H
#define KERNEL_KSYMS_H

#include "kernel/arch/arch.h"

/* Address of any symbol of the kernel, or of the first module that has it; 0: there is none.  Process context, may sleep. */
unsigned long ksyms_address(const char *name);

/* fn(a, b, c, d) with fn from ksyms_address(); the context is what fn allows. */
static inline unsigned long ksyms_call4(unsigned long fn, unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	return arch_call4(fn, a, b, c, d);
}

static inline unsigned long ksyms_call3(unsigned long fn, unsigned long a, unsigned long b, unsigned long c)
{
	return ksyms_call4(fn, a, b, c, 0);
}

/*
 * Calls each(data, address) for every symbol of the kernel proper (not of modules) with that name, until it
 * returns not 0. 0, what each() returned, -EOPNOTSUPP: this kernel cannot tell.  Process context.
 */
int ksyms_each(const char *name, int (*each)(void *data, unsigned long addr), void *data);

/*
 * Address of a symbol of a module, for one who is told by a notifier when the module goes.  0; -ENODEV: it is not loaded, or is about to
 * go and may have told so already; -ENOENT: it has no such symbol; -ENXIO: that is freed when its start is over; -EOPNOTSUPP: this kernel
 * cannot tell; -ENOMEM.  Process context, may sleep.
 */
int ksyms_module_address(const char *module, const char *name, unsigned long *addr);

#endif
