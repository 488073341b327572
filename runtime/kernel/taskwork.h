/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Task work that is taken back, where its task does not come to it. */
#ifndef KERNEL_TASKWORK_H
#define KERNEL_TASKWORK_H

#include <linux/sched.h>
#include <linux/types.h>

/* Can taskwork_take_back() do it on this kernel?  Before it.  Process context, may sleep. */
bool taskwork_can_take_back(void);
/*
 * Takes back task work of t, for which the caller has a reference.  False: t has begun it, or it is not there (work is only
 * compared with).
 */
bool taskwork_take_back(struct task_struct *t, struct callback_head *work);

#endif
