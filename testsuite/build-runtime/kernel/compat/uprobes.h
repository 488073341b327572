/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobes 1..2: registering a uprobe. 2: returns the uprobe. 1: returns an error number. */
#ifndef COMPAT_UPROBES_H
#define COMPAT_UPROBES_H

#include <linux/err.h>
#include <linux/uprobes.h>

struct compat_uprobe {
	void *handle;
};

#if COMPAT_UPROBES == 2
static inline int compat_uprobe_register(struct compat_uprobe *u, struct inode *inode, loff_t off,
					 struct uprobe_consumer *c)
{
	struct uprobe *p = uprobe_register(inode, off, 0, c);

	u->handle = p;
	return PTR_ERR_OR_ZERO(p);
}
#elif COMPAT_UPROBES == 1
static inline int compat_uprobe_register(struct compat_uprobe *u, struct inode *inode, loff_t off,
					 struct uprobe_consumer *c)
{
	u->handle = inode;
	return uprobe_register(inode, off, c);
}
#endif

#endif
