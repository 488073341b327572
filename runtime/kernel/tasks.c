// SPDX-License-Identifier: GPL-2.0-or-later
/* Fork, exec and exit, and who belongs to the session's target.  See tasks.h. */
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "kernel/compat/sched_process_exit.h"
#include "kernel/ksyms.h"
#include "kernel/mail.h"
#include "kernel/pool.h"
#include "kernel/state.h"
#include "kernel/tasks.h"
#include "kernel/tracepoints.h"

/* ---- events ---- */

static LIST_HEAD(tasks_watches);
static DEFINE_MUTEX(tasks_watches_lock); /* for changes of tasks_watches; readers are under RCU */

static void tasks_on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct tasks_watch *w;

	rcu_read_lock();
	list_for_each_entry_rcu(w, &tasks_watches, list)
		if (w->fork)
			w->fork(parent, child);
	rcu_read_unlock();
}

static void tasks_on_exec(void *data, struct task_struct *t, pid_t old_pid, struct linux_binprm *bprm)
{
	struct tasks_watch *w;

	rcu_read_lock();
	list_for_each_entry_rcu(w, &tasks_watches, list)
		if (w->exec)
			w->exec(t);
	rcu_read_unlock();
}

void tasks_on_exit(struct task_struct *t)
{
	struct tasks_watch *w;

	rcu_read_lock();
	list_for_each_entry_rcu(w, &tasks_watches, list)
		if (w->exit)
			w->exit(t);
	rcu_read_unlock();
}

static struct {
	const char *name;
	void *function;
	struct tracepoint *tp; /* not NULL: registered */
} tasks_events[] = {
	{ "sched_process_fork", tasks_on_fork },
	{ "sched_process_exec", tasks_on_exec },
	{ "sched_process_exit", compat_sched_process_exit },
};

static void tasks_unregister_events(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tasks_events); i++) {
		if (tasks_events[i].tp)
			tracepoint_probe_unregister(tasks_events[i].tp, tasks_events[i].function, NULL);
		tasks_events[i].tp = NULL;
	}
	tracepoint_synchronize_unregister();
}

static int tasks_register_events(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tasks_events); i++) {
		struct tracepoint *tp = tracepoints_find(tasks_events[i].name);
		int rc = tp ? tracepoint_probe_register(tp, tasks_events[i].function, NULL) : -ENOENT;

		if (rc) {
			mail_error("cannot follow processes: tracepoint %s (rc %d)", tasks_events[i].name, rc);
			tasks_unregister_events();
			return rc;
		}
		tasks_events[i].tp = tp;
	}
	return 0;
}

int tasks_watch(struct tasks_watch *w)
{
	int rc = 0;

	mutex_lock(&tasks_watches_lock);
	if (list_empty(&tasks_watches))
		rc = tasks_register_events();
	if (!rc)
		list_add_tail_rcu(&w->list, &tasks_watches);
	mutex_unlock(&tasks_watches_lock);
	return rc;
}

void tasks_unwatch(struct tasks_watch *w)
{
	if (!w->list.next)
		return;
	mutex_lock(&tasks_watches_lock);
	list_del_rcu(&w->list);
	if (list_empty(&tasks_watches))
		tasks_unregister_events();
	else
		tracepoint_synchronize_unregister();
	w->list.next = NULL;
	mutex_unlock(&tasks_watches_lock);
}

/* ---- the target's processes: a hash set of their ids ---- */

#define MEMBER_BITS 8
#define MEMBER_RESERVE 128 /* target's processes that begin before a worker has made more */

struct tasks_member {
	struct hlist_node node;
	struct rcu_head rcu;
	pid_t tgid;
};

static struct hlist_head tasks_members[1 << MEMBER_BITS];
static DEFINE_RAW_SPINLOCK(tasks_members_lock); /* for changes; readers are under RCU */
static struct pool tasks_members_pool;
static unsigned int tasks_followers;        /* families start and stop one after the other */
static bool tasks_follow_target;            /* there is a target */

static struct tasks_member *tasks_find_member(pid_t tgid)
{
	struct tasks_member *m;

	hlist_for_each_entry_rcu(m, &tasks_members[hash_32(tgid, MEMBER_BITS)], node)
		if (m->tgid == tgid)
			return m;
	return NULL;
}

/* m: NULL, there was no memory for it. */
static void tasks_add_member(pid_t tgid, struct tasks_member *m)
{
	unsigned long flags;
	bool known;

	if (!m) {
		mail_warn("process %d is not followed: out of memory", tgid);
		return;
	}
	m->tgid = tgid;
	raw_spin_lock_irqsave(&tasks_members_lock, flags);
	known = tasks_find_member(tgid) != NULL;
	if (!known)
		hlist_add_head_rcu(&m->node, &tasks_members[hash_32(tgid, MEMBER_BITS)]);
	raw_spin_unlock_irqrestore(&tasks_members_lock, flags);
	if (known)
		pool_give(&tasks_members_pool, m);
}

static void tasks_target_fork(struct task_struct *parent, struct task_struct *child)
{
	if (child->tgid != parent->tgid && tasks_find_member(parent->tgid))
		tasks_add_member(child->tgid, pool_take(&tasks_members_pool));
}

static void tasks_target_exit(struct task_struct *t)
{
	struct tasks_member *m;
	unsigned long flags;

	if (atomic_read(&t->signal->live))
		return;
	raw_spin_lock_irqsave(&tasks_members_lock, flags);
	m = tasks_find_member(t->tgid);
	if (m)
		hlist_del_rcu(&m->node);
	raw_spin_unlock_irqrestore(&tasks_members_lock, flags);
	if (m)
		kfree_rcu(m, rcu);
}

static struct tasks_watch tasks_target_watch = { .fork = tasks_target_fork, .exit = tasks_target_exit };

static bool tasks_descends_from(struct task_struct *t, pid_t tgid)
{
	for (; t->tgid > 1; t = rcu_dereference(t->real_parent))
		if (t->tgid == tgid)
			return true;
	return false;
}

pid_t tasks_global_pid(pid_t pid)
{
	struct task_struct *t;
	pid_t tgid;

	rcu_read_lock();
	t = pid_task(find_vpid(pid), PIDTYPE_PID);
	tgid = t ? t->tgid : 0;
	rcu_read_unlock();
	return tgid;
}

/* A process that forks meanwhile is either in the set already, or its child is behind it in the list. */
static void tasks_add_target(void)
{
	struct task_struct *t;

	rcu_read_lock();
	for_each_process(t)
		if (tasks_descends_from(t, state_target()))
			tasks_add_member(t->tgid, kmalloc(sizeof(struct tasks_member), GFP_ATOMIC | __GFP_NOWARN));
	rcu_read_unlock();
}

static void tasks_forget_members(void)
{
	struct tasks_member *m;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tasks_members); i++)
		hlist_for_each_entry_safe(m, next, &tasks_members[i], node) {
			hlist_del_rcu(&m->node);
			kfree_rcu(m, rcu);
		}
}

int tasks_target_follow(void)
{
	int rc;

	if (tasks_followers++ || !state_target())
		return 0;
	rc = pool_init(&tasks_members_pool, sizeof(struct tasks_member), MEMBER_RESERVE);
	if (!rc)
		rc = tasks_watch(&tasks_target_watch);
	if (rc) {
		pool_free(&tasks_members_pool);
		tasks_followers--;
		return rc;
	}
	tasks_add_target();
	WRITE_ONCE(tasks_follow_target, true);
	return 0;
}

void tasks_target_release(void)
{
	if (--tasks_followers)
		return;
	WRITE_ONCE(tasks_follow_target, false);
	tasks_unwatch(&tasks_target_watch);
	tasks_forget_members();
	pool_free(&tasks_members_pool);
}

bool tasks_in_target(struct task_struct *t)
{
	bool yes;

	if (!READ_ONCE(tasks_follow_target))
		return true;
	rcu_read_lock();
	yes = tasks_find_member(t->tgid) != NULL;
	rcu_read_unlock();
	return yes;
}

/* ---- task work ---- */

static unsigned long tasks_cancel_match; /* the kernel's task_work_cancel_match() */

bool tasks_can_take_back(void)
{
	if (!tasks_cancel_match)
		tasks_cancel_match = ksyms_address("task_work_cancel_match");
	return tasks_cancel_match;
}

static bool tasks_is_work(struct callback_head *work, void *wanted)
{
	return work == wanted;
}

bool tasks_take_back(struct task_struct *t, struct callback_head *work)
{
	return tasks_cancel_match &&
	       ksyms_call3(tasks_cancel_match, (unsigned long)t, (unsigned long)tasks_is_work, (unsigned long)work);
}
