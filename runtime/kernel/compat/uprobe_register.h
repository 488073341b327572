/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobe_register 1..2: a consumer at (inode, offset).  2: named by a handle, waits in a call of its own.  1: named by its place, waits. */
/*
 * compat_uprobe_add() gives 0 or -errno and, in variant 2, the handle for compat_uprobe_remove().  After removals compat_uprobe_wait()
 * must run once before the consumers' memory is freed.  COMPAT_UPROBE_WAITS: it waits for all handlers that run, at points that stay as
 * well.
 */
#ifndef COMPAT_UPROBE_REGISTER_H
#define COMPAT_UPROBE_REGISTER_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/uprobes.h>

#if COMPAT_UPROBE_REGISTER == 2
#define COMPAT_UPROBE_WAITS true

static inline int compat_uprobe_add(void **handle, struct inode *inode, loff_t offset, loff_t semaphore,
				    struct uprobe_consumer *uc)
{
	struct uprobe *u = uprobe_register(inode, offset, semaphore, uc);

	if (IS_ERR(u))
		return PTR_ERR(u);
	*handle = u;
	return 0;
}

static inline void compat_uprobe_remove(void *handle, struct inode *inode, loff_t offset, struct uprobe_consumer *uc)
{
	uprobe_unregister_nosync((struct uprobe *)handle, uc);
}

static inline void compat_uprobe_wait(void)
{
	uprobe_unregister_sync();
}
#elif COMPAT_UPROBE_REGISTER == 1
#define COMPAT_UPROBE_WAITS false

static inline int compat_uprobe_add(void **handle, struct inode *inode, loff_t offset, loff_t semaphore,
				    struct uprobe_consumer *uc)
{
	*handle = NULL;
	return uprobe_register_refctr(inode, offset, semaphore, uc);
}

static inline void compat_uprobe_remove(void *handle, struct inode *inode, loff_t offset, struct uprobe_consumer *uc)
{
	uprobe_unregister(inode, offset, uc);
}

static inline void compat_uprobe_wait(void)
{
}
#endif

#endif
