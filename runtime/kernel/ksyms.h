/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel symbols that are not exported.  All code looks them up and calls them through this file.
 *
 * The address of the kernel's own lookup function comes from a kprobe that is registered disabled and removed at once; that function finds
 * all others.  Calls go through arch_call4(), since the kernel may forbid indirect calls of functions whose address it never takes.  Not
 * for hot paths.
 */
#ifndef KERNEL_KSYMS_H
#define KERNEL_KSYMS_H

#include "kernel/arch/arch.h"

struct module;

/* Address of any symbol of the kernel, or of the first module that has it; 0: there is none.  Process context, may sleep. */
unsigned long ksyms_address(const char *name);
/* The same in any context.  0 also if the first one could not look. */
unsigned long ksyms_address_now(const char *name);

/*
 * Of a function: its first instruction after ftrace's call, if it has one, so that a kprobe there is a breakpoint and does not depend on
 * ftrace.  0: there is no such function.  Process context, may sleep.
 */
unsigned long ksyms_behind_tracer(const char *name);

/* Is it in memory that the kernel needed only to start, and has freed?  Process context, may sleep. */
bool ksyms_is_freed(unsigned long addr);

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
 * Calls each(data, address) for every symbol of the kernel proper (not of modules) with that name, until one call
 * does not return 0.  Returns 0, or what that call returned, or -EOPNOTSUPP: this kernel cannot list them.  Process context.
 */
int ksyms_each(const char *name, int (*each)(void *data, unsigned long addr), void *data);

/*
 * A module that has started and is not being unloaded; NULL: there is none.  For a caller that listens to modules that come and go
 * (machine.h) and whose callbacks take a lock that it holds: the module stays until it releases the lock.  Process context.
 */
struct module *ksyms_module(const char *name);
/* The same for any caller, with a reference of the module, to be given back by module_put().  Process context, may sleep. */
struct module *ksyms_hold_module(const char *name);
/*
 * Address of a symbol of a module that stays.  While the module starts, this may be memory that is freed when it has started
 * (within_module_init()).  0; -ENOENT: it has no such symbol; -EOPNOTSUPP: this kernel cannot look it up; -ENOMEM.  Process context, may
 * sleep.
 */
int ksyms_address_in(const struct module *m, const char *name, unsigned long *addr);
/*
 * Both: the same caller.  Also -ENODEV: there is no such module; -ENXIO: the symbol is in memory that is freed now that the module has
 * started.
 */
int ksyms_module_address(const char *module, const char *name, unsigned long *addr);

#endif
