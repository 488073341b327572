/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobe_handler 1..2: what a consumer's handlers are called with.  2: and a cookie.  1: consumer and registers. */
/* uprobe_on_entry() and uprobe_on_return() are the functions of probes/uprobe.c that compat_uprobe_handlers() installs. */
#ifndef COMPAT_UPROBE_HANDLER_H
#define COMPAT_UPROBE_HANDLER_H

#include <linux/uprobes.h>

int uprobe_on_entry(struct uprobe_consumer *uc, struct pt_regs *regs);
int uprobe_on_return(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs);

#if COMPAT_UPROBE_HANDLER == 2
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->handler),
					    int (*)(struct uprobe_consumer *, struct pt_regs *, __u64 *)), "handler");

static int compat_uprobe_entry(struct uprobe_consumer *uc, struct pt_regs *regs, __u64 *cookie)
{
	return uprobe_on_entry(uc, regs);
}

static int compat_uprobe_return(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs, __u64 *cookie)
{
	return uprobe_on_return(uc, func, regs);
}
#elif COMPAT_UPROBE_HANDLER == 1
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->handler),
					    int (*)(struct uprobe_consumer *, struct pt_regs *)), "handler");

static int compat_uprobe_entry(struct uprobe_consumer *uc, struct pt_regs *regs)
{
	return uprobe_on_entry(uc, regs);
}

static int compat_uprobe_return(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs)
{
	return uprobe_on_return(uc, func, regs);
}
#endif

static inline void compat_uprobe_handlers(struct uprobe_consumer *uc, bool returns)
{
	uc->handler = compat_uprobe_entry;
	if (returns)
		uc->ret_handler = compat_uprobe_return;
}

#endif
