/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: sched_process_exit 1..2: the arguments of the tracepoint at the exit of a task.  2: the task, and whether it is the last.  1: the task. */
/* COMPAT_SCHED_PROCESS_EXIT_FUNCTION() defines what the tracepoint calls, `name', which calls on_exit(task). */
#ifndef COMPAT_SCHED_PROCESS_EXIT_H
#define COMPAT_SCHED_PROCESS_EXIT_H

#include <linux/sched.h>
#include <linux/mm_types.h> /* the next header needs it */
#include <trace/events/sched.h>

#if COMPAT_SCHED_PROCESS_EXIT == 2
_Static_assert(__builtin_types_compatible_p(typeof(trace_sched_process_exit), void(struct task_struct *, bool)), "exit");

#define COMPAT_SCHED_PROCESS_EXIT_FUNCTION(name, on_exit) \
	static void name(void *data, struct task_struct *t, bool group_dead) \
	{ \
		on_exit(t); \
	}
#elif COMPAT_SCHED_PROCESS_EXIT == 1
_Static_assert(__builtin_types_compatible_p(typeof(trace_sched_process_exit), void(struct task_struct *)), "exit");

#define COMPAT_SCHED_PROCESS_EXIT_FUNCTION(name, on_exit) \
	static void name(void *data, struct task_struct *t) \
	{ \
		on_exit(t); \
	}
#endif

#endif
