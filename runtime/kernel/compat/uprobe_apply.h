/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobe_apply 1..2: calls a consumer's filter again, for all address spaces.  2: by handle.  1: by the consumer's place. */
/*
 * Not exported: fn is the address of the kernel's uprobe_apply().  With add, breakpoints are set where the filter says yes; without,
 * breakpoints are removed for which no consumer's filter says yes any more.  0 or -errno.  Variant 1 also waits for the handlers at the
 * place, which hold a lock that it takes; variant 2 does not wait.  The consumer stays registered.
 */
#ifndef COMPAT_UPROBE_APPLY_H
#define COMPAT_UPROBE_APPLY_H

#include <linux/fs.h>
#include <linux/uprobes.h>

#include "kernel/ksyms.h"

#if COMPAT_UPROBE_APPLY == 2
_Static_assert(__builtin_types_compatible_p(typeof(uprobe_apply),
					    int(struct uprobe *, struct uprobe_consumer *, bool)), "uprobe_apply");

static inline int compat_uprobe_apply(unsigned long fn, void *handle, struct inode *inode, loff_t offset,
				      struct uprobe_consumer *uc, bool add)
{
	return (int)ksyms_call3(fn, (unsigned long)handle, (unsigned long)uc, add);
}
#elif COMPAT_UPROBE_APPLY == 1
_Static_assert(__builtin_types_compatible_p(typeof(uprobe_apply),
					    int(struct inode *, loff_t, struct uprobe_consumer *, bool)), "uprobe_apply");

static inline int compat_uprobe_apply(unsigned long fn, void *handle, struct inode *inode, loff_t offset,
				      struct uprobe_consumer *uc, bool add)
{
	return (int)ksyms_call4(fn, (unsigned long)inode, (unsigned long)offset, (unsigned long)uc, add);
}
#endif

#endif
