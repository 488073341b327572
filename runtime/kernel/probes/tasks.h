/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Begin and end of processes and threads; and, for any mechanism whose s[0], n[0] and n[1] are those of sites/task.h, which processes its
 * sites mean.
 *
 * A process is matched before the first instruction of its program, and stays what it is until its last thread ends or until it goes to user
 * mode in another program.  So the whole of a system call belongs to the program that made it, also that of an exec.  Threads are those
 * of their process; the child of a fork is a process of its own.
 */
#ifndef PROBES_TASKS_H
#define PROBES_TASKS_H

#include <linux/types.h>

#include "rt/rt.h"

struct tasks_process;

/* Does the site name processes?  Else it means all. */
static inline bool tasks_are_named(const struct rt_site *site)
{
	return site->s[0] || site->n[0] || site->n[1];
}

/*
 * Begins to follow the processes that the sites name.  fires: their kinds are those of sites/task.h, and handlers run at begins and ends; else
 * a site that names no processes means none here.  The number of the first site, which those of the others follow; -errno: all is undone.
 * Calls nest; each is from the start() of a mechanism.
 */
int tasks_follow(const struct rt_site *sites, rt_u32 n, bool fires);
/* What a mechanism does in each thread of the processes that its sites mean. */
struct tasks_hook {
	/*
	 * The current thread begins, or was found running, and goes to user mode: may sleep.  It comes before handlers of its begin, and perhaps
	 * after tasks_unfollow(), if that was not the last one.
	 */
	void (*begin)(const struct rt_site *site);
	/* It ends, or has begun another program.  Preemption may be off. */
	void (*end)(const struct rt_site *site);
};
/* The same as tasks_follow() with the hook, and without handlers that run at begins and ends. */
int tasks_follow_threads(const struct rt_site *sites, rt_u32 n, const struct tasks_hook *hook);
/* From its running(): finds the processes that run already, when first called. */
void tasks_run(void);
/* From its stop(): the last one stops those before, in whose sites handlers may run until then. */
void tasks_unfollow(void);

/* The current process, if sites mean it, or NULL.  In a task, with preemption off: it stays until preemption is on again. */
const struct tasks_process *tasks_current(void);
/* Does the site of the number mean it? */
bool tasks_is_meant(const struct tasks_process *p, unsigned int i);

#endif
