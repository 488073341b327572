// SPDX-License-Identifier: GPL-2.0-or-later
/* The processes of the session's target: a hash set of process ids, kept up to date by a watch.  See target.h. */
#include <linux/hash.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "kernel/mail.h"
#include "kernel/pool.h"
#include "kernel/state.h"
#include "kernel/target.h"
#include "kernel/watch.h"

#define MEMBER_BITS 8
#define MEMBER_RESERVE 128 /* processes of the target that begin until a worker has allocated more */

struct target_member {
	struct hlist_node node;
	struct rcu_head rcu;
	pid_t tgid;
};

static struct hlist_head target_members[1 << MEMBER_BITS];
static DEFINE_RAW_SPINLOCK(target_members_lock); /* for changes; readers are under RCU */
static struct pool target_members_pool;
static unsigned int target_followers;        /* no lock: mechanisms start and stop one after the other */
static bool target_is_followed;              /* there is a target */

static struct target_member *target_find_member(pid_t tgid)
{
	struct target_member *m;

	hlist_for_each_entry_rcu(m, &target_members[hash_32(tgid, MEMBER_BITS)], node)
		if (m->tgid == tgid)
			return m;
	return NULL;
}

/* m: NULL, there was no memory for it. */
static void target_add_member(pid_t tgid, struct target_member *m)
{
	unsigned long flags;
	bool known;

	if (!m) {
		mail_warn("process %d is not followed: out of memory", tgid);
		return;
	}
	m->tgid = tgid;
	raw_spin_lock_irqsave(&target_members_lock, flags);
	known = target_find_member(tgid) != NULL;
	if (!known)
		hlist_add_head_rcu(&m->node, &target_members[hash_32(tgid, MEMBER_BITS)]);
	raw_spin_unlock_irqrestore(&target_members_lock, flags);
	if (known)
		pool_give(&target_members_pool, m);
}

static void target_fork(struct task_struct *parent, struct task_struct *child)
{
	if (child->tgid != parent->tgid && target_find_member(parent->tgid))
		target_add_member(child->tgid, pool_take(&target_members_pool));
}

static void target_exited(struct task_struct *t)
{
	struct target_member *m;
	unsigned long flags;

	if (atomic_read(&t->signal->live))
		return;
	raw_spin_lock_irqsave(&target_members_lock, flags);
	m = target_find_member(t->tgid);
	if (m)
		hlist_del_rcu(&m->node);
	raw_spin_unlock_irqrestore(&target_members_lock, flags);
	if (m)
		kfree_rcu(m, rcu);
}

static struct watcher target_watch = { .fork = target_fork, .exited = target_exited };

static bool target_descends(struct task_struct *t, pid_t tgid)
{
	for (; t->tgid > 1; t = rcu_dereference(t->real_parent))
		if (t->tgid == tgid)
			return true;
	return false;
}

/* A process that forks meanwhile is either in the set already, or its child is after it in the list. */
static void target_add_all(void)
{
	struct task_struct *t;

	rcu_read_lock();
	for_each_process(t)
		if (target_descends(t, state_target()))
			target_add_member(t->tgid, kmalloc(sizeof(struct target_member), GFP_ATOMIC | __GFP_NOWARN));
	rcu_read_unlock();
}

static void target_forget_members(void)
{
	struct target_member *m;
	struct hlist_node *next;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(target_members); i++)
		hlist_for_each_entry_safe(m, next, &target_members[i], node) {
			hlist_del_rcu(&m->node);
			kfree_rcu(m, rcu);
		}
}

int target_follow(void)
{
	int rc;

	if (target_followers++ || !state_target())
		return 0;
	rc = pool_init(&target_members_pool, sizeof(struct target_member), MEMBER_RESERVE);
	if (!rc)
		rc = watch_begin(&target_watch);
	if (rc) {
		pool_free(&target_members_pool);
		target_followers--;
		return rc;
	}
	target_add_all();
	WRITE_ONCE(target_is_followed, true);
	return 0;
}

void target_release(void)
{
	if (--target_followers)
		return;
	WRITE_ONCE(target_is_followed, false);
	watch_end(&target_watch);
	target_forget_members();
	pool_free(&target_members_pool);
}

bool target_has(struct task_struct *t)
{
	bool yes;

	if (!READ_ONCE(target_is_followed))
		return true;
	rcu_read_lock();
	yes = target_find_member(t->tgid) != NULL;
	rcu_read_unlock();
	return yes;
}
