// SPDX-License-Identifier: GPL-2.0-or-later
/* Fork, exec and exit.  See watch.h. */
#include <linux/errno.h>
#include <linux/mutex.h>
#include <linux/rculist.h>

#include "kernel/compat/sched_process_exit.h"
#include "kernel/compat/tracepoint_context.h"
#include "kernel/mail.h"
#include "kernel/tracepoints.h"
#include "kernel/watch.h"

static LIST_HEAD(watches);
static DEFINE_MUTEX(watches_lock); /* for changes of watches; readers are under RCU */

static void watch_on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct watcher *w;

	compat_tracepoint_begin();
	rcu_read_lock();
	list_for_each_entry_rcu(w, &watches, list)
		if (w->fork)
			w->fork(parent, child);
	rcu_read_unlock();
	compat_tracepoint_end();
}

static void watch_on_exec(void *data, struct task_struct *t, pid_t old_pid, struct linux_binprm *bprm)
{
	struct watcher *w;

	compat_tracepoint_begin();
	rcu_read_lock();
	list_for_each_entry_rcu(w, &watches, list)
		if (w->exec)
			w->exec(t);
	rcu_read_unlock();
	compat_tracepoint_end();
}

static void watch_on_exit(struct task_struct *t)
{
	struct watcher *w;

	compat_tracepoint_begin();
	rcu_read_lock();
	list_for_each_entry_rcu(w, &watches, list)
		if (w->exit)
			w->exit(t);
	list_for_each_entry_rcu(w, &watches, list)
		if (w->exited)
			w->exited(t);
	rcu_read_unlock();
	compat_tracepoint_end();
}

COMPAT_SCHED_PROCESS_EXIT_FUNCTION(watch_on_exit_event, watch_on_exit)

static struct {
	const char *name;
	void *function;
	int priority; /* those with a higher one are called before */
	struct tracepoint *tp; /* not NULL: registered */
} watch_events[] = {
	{ "sched_process_fork", watch_on_fork, TRACEPOINT_DEFAULT_PRIO },
	{ "sched_process_exec", watch_on_exec, TRACEPOINT_DEFAULT_PRIO },
	{ "sched_process_exit", watch_on_exit_event, TRACEPOINT_DEFAULT_PRIO - 1 }, /* the script's handlers of it know the process yet */
};

static void watch_unregister_events(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(watch_events); i++) {
		if (watch_events[i].tp)
			tracepoint_probe_unregister(watch_events[i].tp, watch_events[i].function, NULL);
		watch_events[i].tp = NULL;
	}
	tracepoint_synchronize_unregister();
}

static int watch_register_events(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(watch_events); i++) {
		struct tracepoint *tp = tracepoints_find(watch_events[i].name);
		int rc = tp ? tracepoint_probe_register_prio(tp, watch_events[i].function, NULL, watch_events[i].priority) : -ENOENT;

		if (rc) {
			mail_error("cannot follow processes: tracepoint %s (error %d)", watch_events[i].name, rc);
			watch_unregister_events();
			return rc;
		}
		watch_events[i].tp = tp;
	}
	return 0;
}

int watch_begin(struct watcher *w)
{
	int rc = 0;

	mutex_lock(&watches_lock);
	if (list_empty(&watches))
		rc = watch_register_events();
	if (!rc)
		list_add_tail_rcu(&w->list, &watches);
	mutex_unlock(&watches_lock);
	return rc;
}

void watch_end(struct watcher *w)
{
	if (!w->list.next)
		return;
	mutex_lock(&watches_lock);
	list_del_rcu(&w->list);
	if (list_empty(&watches))
		watch_unregister_events();
	else
		tracepoint_synchronize_unregister();
	w->list.next = NULL;
	mutex_unlock(&watches_lock);
}
