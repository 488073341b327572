/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: current_task 1..2: where a CPU keeps the task that it runs.  2: in a struct.  1: in a variable. */
#ifndef COMPAT_CURRENT_TASK_H
#define COMPAT_CURRENT_TASK_H

#include <linux/percpu.h>
#include <asm/current.h>

/* The address of the per-CPU variable, for code that cannot use `current`. */
#if COMPAT_CURRENT_TASK == 2
static inline unsigned long compat_current_task(void)
{
	return (unsigned long)&pcpu_hot.current_task;
}
#elif COMPAT_CURRENT_TASK == 1
static inline unsigned long compat_current_task(void)
{
	return (unsigned long)&current_task;
}
#endif

#endif
