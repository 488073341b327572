/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: call_body 1..2: may bodies of functions be called from a frame of ours?  2: yes, as far as the kernel is concerned.  1: no. */
#ifndef COMPAT_CALL_BODY_H
#define COMPAT_CALL_BODY_H

#include <linux/kconfig.h>
#include <linux/sched.h>
#include <linux/types.h>

/*
 * Stacks are read by tables, not by the chain of frame pointers, where the function's caller would be missing.  Clang may give a static
 * function other parameters than its source has, under the same name.  KMSAN keeps what it knows of arguments and results where our code
 * overwrites it.  Without these RCUs nothing tells when tasks have left our code.
 */
#if COMPAT_CALL_BODY == 2
_Static_assert(IS_ENABLED(CONFIG_SMP) && IS_ENABLED(CONFIG_UNWINDER_ORC) && IS_ENABLED(CONFIG_CC_IS_GCC) && !IS_ENABLED(CONFIG_KMSAN) &&
		       IS_ENABLED(CONFIG_TASKS_RCU) && IS_ENABLED(CONFIG_TASKS_RUDE_RCU),
	       "bodies cannot be called safely in a kernel built like this");
static inline bool compat_may_call_body(void)
{
	return true;
}
/* No: its stack in use begins at its stack pointer. */
static inline bool compat_may_be_running(const struct task_struct *t)
{
	return smp_load_acquire(&t->on_cpu);
}
#elif COMPAT_CALL_BODY == 1
static inline bool compat_may_call_body(void)
{
	return false;
}
/* Without CONFIG_SMP nothing in a task tells. */
static inline bool compat_may_be_running(const struct task_struct *t)
{
	return true;
}
#endif

#endif
