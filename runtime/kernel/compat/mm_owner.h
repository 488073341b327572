/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: mm_owner 1..2: the task that an address space belongs to.  2: kept by the kernel.  1: searched for among all tasks. */
#ifndef COMPAT_MM_OWNER_H
#define COMPAT_MM_OWNER_H

#include <linux/hash.h>
#include <linux/mm_types.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>

/* NULL: not known.  Under rcu_read_lock(). */
#if COMPAT_MM_OWNER == 2
static inline struct task_struct *compat_mm_owner(struct mm_struct *mm)
{
	return rcu_dereference(mm->owner);
}
#elif COMPAT_MM_OWNER == 1
/* The first thread of a process may have ended before the others. */
static inline bool compat_mm_is_of(const struct mm_struct *mm, struct task_struct *process)
{
	struct task_struct *t;

	if (process->flags & PF_KTHREAD)
		return false;
	list_for_each_entry_rcu(t, &process->signal->thread_head, thread_node)
		if (READ_ONCE(t->mm))
			return READ_ONCE(t->mm) == mm;
	return false;
}

/* Called for each probe and process, so the answers are kept; as process ids, since processes may end. */
static inline struct task_struct *compat_mm_owner(struct mm_struct *mm)
{
	static pid_t known[1 << 8];
	pid_t *last = &known[hash_ptr(mm, 8)];
	struct task_struct *t;

	t = pid_task(find_pid_ns(READ_ONCE(*last), &init_pid_ns), PIDTYPE_TGID);
	if (t && compat_mm_is_of(mm, t))
		return t;
	for_each_process(t) {
		if (!compat_mm_is_of(mm, t))
			continue;
		WRITE_ONCE(*last, t->pid);
		return t;
	}
	return NULL;
}
#endif

#endif
