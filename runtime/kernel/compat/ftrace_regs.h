/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: ftrace_regs 1..1: what an ftrace callback is called with.  1: struct ftrace_regs. */
#ifndef COMPAT_FTRACE_REGS_H
#define COMPAT_FTRACE_REGS_H

#include <linux/ftrace.h>

#if COMPAT_FTRACE_REGS == 1
_Static_assert(__builtin_types_compatible_p(ftrace_func_t, void (*)(unsigned long, unsigned long, struct ftrace_ops *,
							       struct ftrace_regs *)), "ftrace_func_t");

/* Defines the callback `name', which calls on_call(ip, regs); regs may be NULL. */
#define COMPAT_FTRACE_FUNCTION(name, on_call) \
	static void notrace name(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops, struct ftrace_regs *fregs) \
	{ \
		on_call(ip, ftrace_get_regs(fregs)); \
	}
#endif

#endif
