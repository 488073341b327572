/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: rethook_of_task 1..2: how the kernel, asked for the hooked returns of another task that runs, answers.  2: it knows none.
 * 1: with a warning, on kernels before 6.10.
 */
#ifndef COMPAT_RETHOOK_OF_TASK_H
#define COMPAT_RETHOOK_OF_TASK_H

#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/version.h>

/*
 * Before and after the stack of a task that is not current is walked, which asks so.  False: it cannot be walked without a warning.
 * Preemption is off; any context, also where the kernel holds locks of the task.
 */
#if COMPAT_RETHOOK_OF_TASK == 2
_Static_assert(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0), "does not warn");

static inline bool compat_rethook_hold(struct task_struct *t, unsigned long *flags)
{
	return true;
}

static inline void compat_rethook_let_go(struct task_struct *t, unsigned long flags)
{
}
#elif COMPAT_RETHOOK_OF_TASK == 1
/* A task that waits is not woken while this lock is held. */
static inline bool compat_rethook_hold(struct task_struct *t, unsigned long *flags)
{
	unsigned int state;

	if (!raw_spin_trylock_irqsave(&t->pi_lock, *flags))
		return false;
	state = READ_ONCE(t->__state);
	if (state != TASK_RUNNING && !(state & TASK_WAKING) && !READ_ONCE(t->on_rq))
		return true;
	raw_spin_unlock_irqrestore(&t->pi_lock, *flags);
	return false;
}

static inline void compat_rethook_let_go(struct task_struct *t, unsigned long flags)
{
	raw_spin_unlock_irqrestore(&t->pi_lock, flags);
}
#endif

#endif
