/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fork, exec and exit of the machine's tasks, for whoever needs them.
 *
 * The callbacks run with preemption off: fork in the parent before the child has run, exec in the thread that
 * called it behind the change of program, exit in each thread that ends, when its address space is gone
 * already.  So on a PREEMPT_RT kernel they take no spinlock_t and neither get nor give back memory (kfree_rcu() apart): raw
 * locks, held for few instructions, and a pool (pool.h).
 */
#ifndef KERNEL_WATCH_H
#define KERNEL_WATCH_H

#include <linux/sched.h>
#include <linux/types.h>

struct watcher {
	struct list_head list; /* watch.c's */
	/* Each may be NULL. */
	void (*fork)(struct task_struct *parent, struct task_struct *child);
	void (*exec)(struct task_struct *t);
	void (*exit)(struct task_struct *t);
};

/* 0 or -errno.  Process context, from a mechanism's start(). */
int watch_begin(struct watcher *w);
/* When it returns no callback of w runs any more.  Process context; not watched: does nothing. */
void watch_end(struct watcher *w);

#endif
