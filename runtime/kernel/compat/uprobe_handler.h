/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobe_handler 1..2: the arguments of a consumer's handlers.  2: consumer, registers and a cookie.  1: consumer and registers. */
/* The macros define functions `name', which return on_entry(consumer, regs) and on_return(consumer, address of the function, regs). */
#ifndef COMPAT_UPROBE_HANDLER_H
#define COMPAT_UPROBE_HANDLER_H

#include <linux/uprobes.h>

#if COMPAT_UPROBE_HANDLER == 2
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->handler),
					    int (*)(struct uprobe_consumer *, struct pt_regs *, __u64 *)), "handler");

#define COMPAT_UPROBE_ENTRY_FUNCTION(name, on_entry) \
	static int name(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *cookie) \
	{ \
		return on_entry(uc, regs); \
	}

#define COMPAT_UPROBE_RETURN_FUNCTION(name, on_return) \
	static int name(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs, __u64 *cookie) \
	{ \
		return on_return(uc, func, regs); \
	}
#elif COMPAT_UPROBE_HANDLER == 1
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->handler),
					    int (*)(struct uprobe_consumer *, struct pt_regs *)), "handler");

#define COMPAT_UPROBE_ENTRY_FUNCTION(name, on_entry) \
	static int name(struct uprobe_consumer *uc, struct pt_regs *regs) \
	{ \
		return on_entry(uc, regs); \
	}

#define COMPAT_UPROBE_RETURN_FUNCTION(name, on_return) \
	static int name(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs) \
	{ \
		return on_return(uc, func, regs); \
	}
#endif

#endif
