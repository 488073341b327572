/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: task_work_quiet 1..2: task work that wakes no task, sent under a raw lock.  2: KASAN's record allocates no memory.  1: it may. */
#ifndef COMPAT_TASK_WORK_QUIET_H
#define COMPAT_TASK_WORK_QUIET_H

#include <linux/task_work.h>

/* 0, or -ESRCH: the task does not run work any more. */
#if COMPAT_TASK_WORK_QUIET == 2
static inline int compat_task_work_add(struct task_struct *t, struct callback_head *work)
{
	return task_work_add(t, work, TWA_RESUME | TWAF_NO_ALLOC);
}
#elif COMPAT_TASK_WORK_QUIET == 1
static inline int compat_task_work_add(struct task_struct *t, struct callback_head *work)
{
	return task_work_add(t, work, TWA_RESUME);
}
#endif

#endif
