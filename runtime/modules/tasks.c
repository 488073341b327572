// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of tasks, for hand-written modules.  See tasks.h; one file of the module includes this one.
 *
 * Watches hang in a hash table by what they look at: a thread, or the signal_struct that all threads of a process have in common, from its
 * fork to its end.  The kernel's tracepoints call the functions below for every task; most find an empty bucket.  Those of system calls
 * are asked for only if the module wants to hear of them: then all tasks go through them.
 *
 * A worker removes watches.  It waits for the handlers that may have seen one, which run with preemption off; and it takes back the work
 * that was sent to a task, or waits until it was done.
 */
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "kernel/compat/sched_process_exit.h"
#include "kernel/compat/task_work_quiet.h"
#include "kernel/compat/tracepoint_context.h"
#include "kernel/compat/unbound_queue.h"
#include "kernel/ksyms.c"
#include "kernel/taskwork.c"
#include MODULES_ARCH
#include "tasks.h"

/* TASKS_OVER: its threads end, and report that.  TASKS_LEAVING: no more events. */
enum { TASKS_IDLE, TASKS_WATCHING, TASKS_OVER, TASKS_LEAVING };

#define TASKS_BITS 6

static void tasks_on_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(tasks_work, tasks_on_work);
static struct list_head tasks_watches[1 << TASKS_BITS]; /* readers are under RCU */
static LIST_HEAD(tasks_all);
static LIST_HEAD(tasks_leaving);
static DEFINE_RAW_SPINLOCK(tasks_lock); /* of the lists, and of what changes in watches; inside a siglock */
static const struct task_events *tasks_events;
static bool tasks_open; /* watches can begin */
static bool tasks_quieted; /* tasks were sent work */

/* ---- reporting ---- */

static struct list_head *tasks_bucket(const void *key)
{
	return &tasks_watches[hash_ptr(key, TASKS_BITS)];
}

static const void *tasks_key(const struct task_watch *w, const struct task_struct *t)
{
	return w->one_thread ? (const void *)t : t->signal;
}

static bool tasks_hears(const struct task_watch *w, const void *key)
{
	return w->key == key && READ_ONCE(w->state) != TASKS_LEAVING;
}

/* Calls a handler for each watch that sees current, with preemption off. */
#define TASKS_REPORT_BY(by, event, ...) \
	do { \
		const void *key = (by); \
		struct task_watch *w; \
		compat_tracepoint_begin(); \
		list_for_each_entry_rcu(w, tasks_bucket(key), of_key, !preemptible()) \
			if (tasks_hears(w, key)) \
				tasks_events->event(w, ##__VA_ARGS__); \
		compat_tracepoint_end(); \
	} while (0)
#define TASKS_REPORT(event, ...) \
	do { \
		TASKS_REPORT_BY(current, event, ##__VA_ARGS__); \
		TASKS_REPORT_BY(current->signal, event, ##__VA_ARGS__); \
	} while (0)

static void tasks_on_clone(void *data, struct task_struct *child, unsigned long flags)
{
	TASKS_REPORT(clone, child, flags);
}

static void tasks_on_exec(void *data, struct task_struct *t, pid_t old_pid, struct linux_binprm *bprm)
{
	TASKS_REPORT(exec);
}

static void tasks_on_syscall_entry(void *data, struct pt_regs *regs, long number)
{
	TASKS_REPORT(syscall_entry, regs, number);
}

static void tasks_on_syscall_return(void *data, struct pt_regs *regs, long value)
{
	TASKS_REPORT(syscall_return, regs, value);
}

/* Some of the kernel's own signals have numbers instead of an address. */
static void tasks_on_signal(void *data, int signal, struct kernel_siginfo *info, struct k_sigaction *action)
{
	TASKS_REPORT(signal, signal, info <= SEND_SIG_PRIV ? NULL : info);
}

/* ---- how watches end ---- */

static bool tasks_is_ending(const struct task_struct *t, bool one_thread)
{
	return one_thread ? READ_ONCE(t->flags) & PF_EXITING : !atomic_read(&t->signal->live);
}

/* After that a thread has reported its exit. */
static bool tasks_has_ended(const struct task_watch *w)
{
	struct task_struct *t;
	bool ended = true;

	if (w->one_thread)
		return READ_ONCE(w->task->exit_state);
	rcu_read_lock();
	/* for_each_thread() has lockdep check a lock that modules cannot use. */
	list_for_each_entry_rcu(t, &w->task->signal->thread_head, thread_node) {
		ended = READ_ONCE(t->exit_state);
		if (!ended)
			break;
	}
	rcu_read_unlock();
	return ended;
}

/* Gives w to the worker; false: it does not watch.  What was asked for first is the result.  Under tasks_lock. */
static bool tasks_leave(struct task_watch *w, int state, int result)
{
	if (w->state == TASKS_IDLE)
		return false;
	if (w->state == TASKS_WATCHING) {
		w->result = result;
		list_add_tail(&w->leaving, &tasks_leaving);
	}
	if (w->state < state)
		WRITE_ONCE(w->state, state);
	return true;
}

static void tasks_call_worker(unsigned long delay)
{
	mod_delayed_work(compat_unbound_queue(), &tasks_work, delay);
}

static void tasks_end_of(const void *key)
{
	struct task_watch *w;
	unsigned long flags;
	bool any = false;

	raw_spin_lock_irqsave(&tasks_lock, flags);
	list_for_each_entry(w, tasks_bucket(key), of_key)
		if (w->key == key && w->state == TASKS_WATCHING)
			any |= tasks_leave(w, TASKS_OVER, -ESRCH);
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	if (any)
		tasks_call_worker(0);
}

static void tasks_on_exit(struct task_struct *t)
{
	if (tasks_events->exit)
		TASKS_REPORT(exit, t->exit_code);
	if (!list_empty(tasks_bucket(t)))
		tasks_end_of(t);
	if (!atomic_read(&t->signal->live) && !list_empty(tasks_bucket(t->signal)))
		tasks_end_of(t->signal);
}

COMPAT_SCHED_PROCESS_EXIT_FUNCTION(tasks_on_process_exit, tasks_on_exit)

/* Takes back w's work, or waits until its handler has run. */
static void tasks_hush(struct task_watch *w)
{
	unsigned long flags;
	struct task_struct *t;

	for (;;) {
		raw_spin_lock_irqsave(&tasks_lock, flags);
		t = w->quieting ? w->quieted : NULL;
		if (t)
			get_task_struct(t);
		raw_spin_unlock_irqrestore(&tasks_lock, flags);
		if (!t)
			return;
		if (taskwork_take_back(t, &w->quiet)) {
			w->quieting = false;
			put_task_struct(t);
			put_task_struct(t);
			return;
		}
		put_task_struct(t);
		msleep(1);
	}
}

/* No handler sees w any more. */
static void tasks_release(struct task_watch *w)
{
	unsigned long flags;
	int result;

	tasks_hush(w);
	put_task_struct(w->task);
	raw_spin_lock_irqsave(&tasks_lock, flags);
	list_del(&w->all);
	result = w->result;
	w->state = TASKS_IDLE;
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	if (tasks_events->gone)
		tasks_events->gone(w, result);
}

static void tasks_on_work(struct work_struct *work)
{
	struct task_watch *w, *next;
	unsigned long flags;
	LIST_HEAD(gone);
	bool more = false;

	raw_spin_lock_irqsave(&tasks_lock, flags);
	list_for_each_entry_safe(w, next, &tasks_leaving, leaving) {
		if (w->state == TASKS_OVER && !tasks_has_ended(w)) {
			more = true;
			continue;
		}
		WRITE_ONCE(w->state, TASKS_LEAVING);
		list_del_rcu(&w->of_key);
		list_move_tail(&w->leaving, &gone);
	}
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	if (!list_empty(&gone))
		synchronize_rcu();
	list_for_each_entry_safe(w, next, &gone, leaving)
		tasks_release(w);
	if (more)
		queue_delayed_work(compat_unbound_queue(), &tasks_work, 1);
}

/* ---- watching ---- */

int watch_task_struct(struct task_watch *w, struct task_struct *t)
{
	unsigned long flags;
	bool late = false;
	int rc = 0;

	raw_spin_lock_irqsave(&tasks_lock, flags);
	if (!tasks_open)
		rc = -ESHUTDOWN;
	else if (w->state != TASKS_IDLE)
		rc = -EBUSY;
	else if (t->flags & PF_KTHREAD || tasks_is_ending(t, w->one_thread))
		rc = -ESRCH;
	if (!rc) {
		w->task = get_task_struct(t);
		w->key = tasks_key(w, t);
		w->quieting = false;
		w->state = TASKS_WATCHING;
		list_add_tail(&w->all, &tasks_all);
		list_add_tail_rcu(&w->of_key, tasks_bucket(w->key));
		smp_mb(); /* a task that ends says so first, and then looks for watches */
		late = tasks_is_ending(t, w->one_thread) && tasks_leave(w, TASKS_OVER, -ESRCH);
	}
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	if (late)
		tasks_call_worker(0);
	return rc;
}

int watch_task(struct task_watch *w)
{
	struct pid *pid = find_get_pid(w->pid);
	struct task_struct *t = pid ? get_pid_task(pid, w->one_thread ? PIDTYPE_PID : PIDTYPE_TGID) : NULL;
	int rc = t ? watch_task_struct(w, t) : -ESRCH;

	if (t)
		put_task_struct(t);
	put_pid(pid);
	return rc;
}

int unwatch_task_later(struct task_watch *w)
{
	unsigned long flags;
	bool watches;

	raw_spin_lock_irqsave(&tasks_lock, flags);
	watches = tasks_leave(w, TASKS_LEAVING, 0);
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	if (!watches)
		return -ESRCH;
	tasks_call_worker(0);
	return -EINPROGRESS;
}

/* What is asked for before it begins, the worker does in one go. */
void unwatch_task(struct task_watch *w)
{
	unwatch_task_later(w);
	flush_delayed_work(&tasks_work);
}

/* ---- quiescing ---- */

/* In the task to which it was sent; also while it ends. */
static void tasks_on_quiet(struct callback_head *work)
{
	struct task_watch *w = container_of(work, struct task_watch, quiet);
	struct task_struct *t = w->quieted;
	unsigned long flags;

	if (!(current->flags & PF_EXITING) && READ_ONCE(w->state) == TASKS_WATCHING)
		tasks_events->quiesce(w);
	raw_spin_lock_irqsave(&tasks_lock, flags);
	w->quieting = false; /* w may be freed from here on */
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	put_task_struct(t);
}

int quiesce_task(struct task_watch *w, struct task_struct *t)
{
	unsigned long flags;
	int rc = 0;

	raw_spin_lock_irqsave(&tasks_lock, flags);
	if (w->state != TASKS_WATCHING || w->key != tasks_key(w, t) || !tasks_events->quiesce)
		rc = -ESRCH;
	else if (w->quieting)
		rc = -EBUSY;
	if (!rc) {
		init_task_work(&w->quiet, tasks_on_quiet);
		w->quieted = get_task_struct(t);
		w->quieting = true;
		tasks_quieted = true;
		rc = compat_task_work_add(t, &w->quiet);
		if (rc) {
			w->quieting = false;
			put_task_struct(t);
		}
	}
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	return rc;
}

bool is_asked_to_quiesce(const struct task_watch *w, const struct task_struct *t)
{
	unsigned long flags;
	bool yes;

	raw_spin_lock_irqsave(&tasks_lock, flags);
	yes = w->quieting && w->quieted == t;
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	return yes;
}

/* ---- beginning and ending ---- */

static struct tasks_tracepoint {
	const char *name;
	void *function;
	size_t event; /* its place in struct task_events */
	bool always;
	struct tracepoint *tracepoint; /* found */
	bool on;
} tasks_tracepoints[] = {
	{ "task_newtask", tasks_on_clone, offsetof(struct task_events, clone) },
	{ "sched_process_exec", tasks_on_exec, offsetof(struct task_events, exec) },
	{ "sched_process_exit", tasks_on_process_exit, offsetof(struct task_events, exit), .always = true },
	{ "sys_enter", tasks_on_syscall_entry, offsetof(struct task_events, syscall_entry) },
	{ "sys_exit", tasks_on_syscall_return, offsetof(struct task_events, syscall_return) },
	{ "signal_deliver", tasks_on_signal, offsetof(struct task_events, signal) },
};

static void tasks_find_tracepoint(struct tracepoint *tp, void *unused)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(tasks_tracepoints); i++)
		if (!strcmp(tp->name, tasks_tracepoints[i].name))
			tasks_tracepoints[i].tracepoint = tp;
}

static bool tasks_wants(const struct tasks_tracepoint *t)
{
	return t->always || *(void *const *)((const char *)tasks_events + t->event);
}

static int tasks_register(struct tasks_tracepoint *t)
{
	int rc = t->tracepoint ? tracepoint_probe_register(t->tracepoint, t->function, NULL) : -ENOENT;

	t->on = rc == 0;
	return rc;
}

static void tasks_unregister_all(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(tasks_tracepoints); i++) {
		struct tasks_tracepoint *t = &tasks_tracepoints[i];

		if (t->on)
			tracepoint_probe_unregister(t->tracepoint, t->function, NULL);
		t->on = false;
	}
	tracepoint_synchronize_unregister();
}

int begin_task_events(const struct task_events *e)
{
	int rc = 0;

	if (tasks_events)
		return -EBUSY;
	if (e->quiesce && !taskwork_can_take_back())
		return -EOPNOTSUPP;
	for (unsigned int i = 0; i < ARRAY_SIZE(tasks_watches); i++)
		INIT_LIST_HEAD(&tasks_watches[i]);
	tasks_events = e;
	for_each_kernel_tracepoint(tasks_find_tracepoint, NULL);
	for (unsigned int i = 0; i < ARRAY_SIZE(tasks_tracepoints) && !rc; i++)
		if (tasks_wants(&tasks_tracepoints[i]))
			rc = tasks_register(&tasks_tracepoints[i]);
	if (rc) {
		tasks_unregister_all();
		tasks_events = NULL;
	}
	WRITE_ONCE(tasks_open, rc == 0);
	return rc;
}

/* When all handlers have run, there are no new watches, and nothing is sent to tasks. */
void end_task_events(void)
{
	struct task_watch *w;
	unsigned long flags;

	if (!tasks_events)
		return;
	raw_spin_lock_irqsave(&tasks_lock, flags);
	tasks_open = false;
	list_for_each_entry(w, &tasks_all, all)
		tasks_leave(w, TASKS_LEAVING, -ESHUTDOWN);
	raw_spin_unlock_irqrestore(&tasks_lock, flags);
	tasks_unregister_all();
	while (!list_empty(&tasks_all)) {
		tasks_call_worker(0);
		flush_delayed_work(&tasks_work);
	}
	cancel_delayed_work_sync(&tasks_work);
	if (tasks_quieted)
		synchronize_rcu_tasks(); /* the last instructions of what tasks were sent */
	tasks_events = NULL;
}
