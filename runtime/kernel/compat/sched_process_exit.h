/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: sched_process_exit 1..2: what the tracepoint at the exit of a task tells.  2: and whether it is the last.  1: the task. */
/* tasks_on_exit() is the function of tasks.c that compat_sched_process_exit() calls. */
#ifndef COMPAT_SCHED_PROCESS_EXIT_H
#define COMPAT_SCHED_PROCESS_EXIT_H

#include <linux/sched.h>
#include <trace/events/sched.h>

void tasks_on_exit(struct task_struct *t);

#if COMPAT_SCHED_PROCESS_EXIT == 2
_Static_assert(__builtin_types_compatible_p(typeof(trace_sched_process_exit), void(struct task_struct *, bool)), "exit");

static void compat_sched_process_exit(void *data, struct task_struct *t, bool group_dead)
{
	tasks_on_exit(t);
}
#elif COMPAT_SCHED_PROCESS_EXIT == 1
_Static_assert(__builtin_types_compatible_p(typeof(trace_sched_process_exit), void(struct task_struct *)), "exit");

static void compat_sched_process_exit(void *data, struct task_struct *t)
{
	tasks_on_exit(t);
}
#endif

#endif
