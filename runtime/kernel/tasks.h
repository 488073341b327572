/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fork, exec and exit for whoever needs them, and who belongs to the session's target.
 *
 * The callbacks run with preemption off: fork in the parent before the child has run, exec in the thread that
 * called it behind the change of program, exit in each thread that ends, when its address space is gone
 * already.  So on a PREEMPT_RT kernel they take no spinlock_t and neither get nor give back memory (kfree_rcu() apart): raw
 * locks, held for few instructions, and a pool (pool.h).
 */
#ifndef KERNEL_TASKS_H
#define KERNEL_TASKS_H

#include <linux/sched.h>
#include <linux/types.h>

struct tasks_watch {
	struct list_head list; /* tasks.c's */
	/* Each may be NULL. */
	void (*fork)(struct task_struct *parent, struct task_struct *child);
	void (*exec)(struct task_struct *t);
	void (*exit)(struct task_struct *t);
};

/* 0 or -errno.  Process context, from a family's start(). */
int tasks_watch(struct tasks_watch *w);
/* When it returns no callback of w runs any more.  Process context; not watched: does nothing. */
void tasks_unwatch(struct tasks_watch *w);

/*
 * Begins to follow the target and its descendants, those that exist and those to come; calls nest.  0 or
 * -errno. Without a target there is nothing to follow, and everybody belongs to it.
 */
int tasks_target_follow(void);
void tasks_target_release(void);
/* Is t of the target's processes?  Between the two calls above; any context. */
bool tasks_in_target(struct task_struct *t);

/*
 * The process with that id as the caller's pid namespace sees it, as the kernel's own number; 0: there is
 * none.
 */
pid_t tasks_global_pid(pid_t pid);

/* ---- task work ---- */

/* Can tasks_take_back() do it on this kernel?  Before it.  Process context, may sleep. */
bool tasks_can_take_back(void);
/*
 * Takes back task work of t, for which the caller has a reference.  False: t has begun it, or it is not there (work is only
 * compared with).
 */
bool tasks_take_back(struct task_struct *t, struct callback_head *work);

#endif
