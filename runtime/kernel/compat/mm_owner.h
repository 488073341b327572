/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: mm_owner 1..2: the task that an address space belongs to.  2: kept by the kernel.  1: not known. */
#ifndef COMPAT_MM_OWNER_H
#define COMPAT_MM_OWNER_H

#include <linux/mm_types.h>
#include <linux/rcupdate.h>

/* NULL: not known.  Under rcu_read_lock(). */
#if COMPAT_MM_OWNER == 2
static inline struct task_struct *compat_mm_owner(struct mm_struct *mm)
{
	return rcu_dereference(mm->owner);
}
#elif COMPAT_MM_OWNER == 1
static inline struct task_struct *compat_mm_owner(struct mm_struct *mm)
{
	return NULL;
}
#endif

#endif
