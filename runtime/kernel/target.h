/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes of the session's target (-c, -x): its process and all descendants. */
#ifndef KERNEL_TARGET_H
#define KERNEL_TARGET_H

#include <linux/sched.h>
#include <linux/types.h>

/*
 * Begins to follow the target and its descendants, present and future ones; calls nest.  0 or -errno.  Without a target there is nothing
 * to follow, and every process belongs to it.
 */
int target_follow(void);
void target_release(void);
/* Does t belong to the target's processes?  Between the two calls above; any context. */
bool target_has(struct task_struct *t);

#endif
