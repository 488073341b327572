/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of tasks, for modules that people write: what utrace offered to the first uprobes (2007), on what kernels have today.  doc/modules.md
 * has a guide, and the list of what holds and what does not.
 *
 * The papers                                here
 *   struct utrace_attached_engine             struct task_watch, of a process or of one thread
 *   utrace_attach                             watch_task(), watch_task_struct()
 *   report_clone, _exec, _exit, _signal ...   the functions of struct task_events, one for all watches of a module
 *   UTRACE_ACTION_QUIESCE, report_quiesce     quiesce_task(), quiesce(): the task is not stopped
 *   utrace_detach                             unwatch_task(), unwatch_task_later()
 *
 * One file of the module includes tasks.c as well.  Memory of watches may be static or from kmalloc(), zeroed.
 */
#ifndef MODULES_TASKS_H
#define MODULES_TASKS_H

#include <linux/list.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/signal_types.h>
#include <linux/types.h>

struct task_watch {
	/* To be set before watching, and not changed until it has ended. */
	pid_t pid;       /* of a process or a thread, as the watching task numbers it; not used by watch_task_struct() */
	bool one_thread; /* only the thread; otherwise all threads of the process, those that begin later too, and after exec */

	/* Reserved. */
	int state, result;
	bool quieting;
	const void *key;
	struct task_struct *task, *quieted;
	struct callback_head quiet;
	struct list_head of_key, all, leaving;
};

/*
 * What the module wants to hear of; NULL: nothing.  The first six: in the thread that they are about (`current'), at the event, with
 * preemption off, of signal() interrupts too: they must not sleep, and may call watch_task_struct(), quiesce_task() and unwatch_task_later().
 * What they are given stays until they return.  They change nothing.
 */
struct task_events {
	/* current has begun another thread (flags & CLONE_THREAD) or process, which has not run yet. */
	void (*clone)(struct task_watch *w, struct task_struct *child, unsigned long flags);
	/* current runs another program; other threads of the process have ended. */
	void (*exec)(struct task_watch *w);
	/* current ends, once for each thread.  code: as of wait(): a signal, perhaps | 0x80 for a core dump, or the status << 8. */
	void (*exit)(struct task_watch *w, int code);
	void (*syscall_entry)(struct task_watch *w, struct pt_regs *regs, long number);
	/* A new thread or process begins with the return of the call that has made it. */
	void (*syscall_return)(struct task_watch *w, struct pt_regs *regs, long value);
	/* info may be NULL.  When a process ends at exit_group() or exec, its other threads get SIGKILL. */
	void (*signal)(struct task_watch *w, int signal, const struct kernel_siginfo *info);
	/* After quiesce_task(): current is about to go to user mode, and holds nothing.  May sleep, and register probes of the process. */
	void (*quiesce)(struct task_watch *w);
	/*
	 * w has ended, and its memory is the module's again: the last that is heard of it.  result: 0: somebody asked for it; -ESRCH: the
	 * process or thread has ended (after exit() of all its threads); -ESHUTDOWN: end_task_events().  Of a worker, may sleep.
	 */
	void (*gone)(struct task_watch *w, int result);
};

/*
 * Once, before the first watch.  e stays unchanged until the end.  0; -EBUSY: has begun; -ENOENT: the kernel lacks one of the tracepoints;
 * -EOPNOTSUPP: it cannot quiesce; -ENOMEM.  Process context, may sleep.
 */
int begin_task_events(const struct task_events *e);
/*
 * Ends all watches, and waits for everything outstanding.  The module's exit function must call it, and so must an init function that fails
 * after it has begun.  Not in one of the functions above; process context, may sleep.
 */
void end_task_events(void);

/*
 * Events that begin after it are reported.  Any number of watches of a task: those of the thread before those of the process, each in the
 * order of watching.  0; -EBUSY: is watching; -ESRCH: no such task, it is ending, or one of the kernel; -ESHUTDOWN: not begun, or ended.
 * watch_task(): process context, may sleep.  watch_task_struct(): as unwatch_task_later(); t (or its process) is current, a child of clone(), or
 * held by the caller.
 */
int watch_task(struct task_watch *w);
int watch_task_struct(struct task_watch *w, struct task_struct *t);

/*
 * When it returns nothing of w runs or will, gone() included.  Without gone(), its memory is the caller's again; with it, w must not have
 * been freed.  Nothing is done for one that does not watch.  Not in one of the functions above; process context, may sleep.
 */
void unwatch_task(struct task_watch *w);
/*
 * Any context but an NMI, and no probe of the scheduler, of work queues, of task_work_add(), or of what these call: it uses them.
 * -EINPROGRESS: an event that begins after it is not reported, and then gone() is called; -ESRCH: it does not watch.
 */
int unwatch_task_later(struct task_watch *w);

/*
 * Asks that quiesce() is called in t, which is w's thread or one of its process, when t next goes to user mode; t is neither woken nor
 * interrupted.  If w or t ends before, it is not called.  0; -EBUSY: w has asked before, and that quiesce() has not returned; -ESRCH: t
 * is not w's, or ends.  Contexts: as unwatch_task_later().
 */
int quiesce_task(struct task_watch *w, struct task_struct *t);
/* Has w asked t for that, and quiesce() not returned?  If t sleeps, it has to go by there before user mode.  Any context but an NMI. */
bool is_asked_to_quiesce(const struct task_watch *w, const struct task_struct *t);

#endif
