/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: inode_changed 1..2: when a file was changed last.  2: inode_get_ctime().  1: a member. */
#ifndef COMPAT_INODE_CHANGED_H
#define COMPAT_INODE_CHANGED_H

#include <linux/fs.h>
#include <linux/timekeeping.h>

/* In ns, in any context: while the file is being changed, it may be any number. */
static inline u64 compat_inode_changed(const struct inode *inode)
{
#if COMPAT_INODE_CHANGED == 2
	struct timespec64 at = inode_get_ctime(inode);
#elif COMPAT_INODE_CHANGED == 1
	struct timespec64 at = inode->i_ctime;
#endif

	return (u64)at.tv_sec * NSEC_PER_SEC + at.tv_nsec;
}

#endif
