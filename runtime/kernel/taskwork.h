/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes task work back if its task does not get to run it. */
#ifndef KERNEL_TASKWORK_H
#define KERNEL_TASKWORK_H

#include <linux/sched.h>
#include <linux/types.h>

/* Can taskwork_take_back() work on this kernel?  To be called before it.  Process context, may sleep. */
bool taskwork_can_take_back(void);
/*
 * Takes back task work of t, for which the caller has a reference.  False: t has begun it, or it is not queued (work is only compared
 * with).
 */
bool taskwork_take_back(struct task_struct *t, struct callback_head *work);

#endif
