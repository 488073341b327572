/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notifies of fork, exec and exit of the machine's tasks.
 *
 * The callbacks run with preemption off: fork in the parent before the child has run, exec in the thread that called it after the change
 * of program, exit in each thread that ends, when its address space is already gone.  So on a PREEMPT_RT kernel they take no spinlock_t
 * and neither allocate nor free memory (except by kfree_rcu()): they use raw locks, held for few instructions, and a pool (pool.h).
 */
#ifndef KERNEL_WATCH_H
#define KERNEL_WATCH_H

#include <linux/sched.h>
#include <linux/types.h>

struct watcher {
	struct list_head list; /* used by watch.c */
	/* Each may be NULL. */
	void (*fork)(struct task_struct *parent, struct task_struct *child);
	void (*exec)(struct task_struct *t);
	void (*exit)(struct task_struct *t);
	void (*exited)(struct task_struct *t); /* the same, after all exit() and the script's handlers of that event */
};

/* 0 or -errno.  Process context, from a mechanism's start(). */
int watch_begin(struct watcher *w);
/* When it returns no callback of w runs any more.  Process context; not watched: does nothing. */
void watch_end(struct watcher *w);

#endif
