// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Points in programs and libraries.  See upoint.h.
 *
 * A point is one consumer of the kernel's uprobes.  Its users are in an array that is never changed, only replaced: a hit reads the pointer
 * to it once.  While a hit is handled the kernel keeps the consumer, in a way that lets handlers sleep: 6.1 holds a lock for reading, and
 * uprobe_apply() waits for that; 6.12 is in a tasks-trace RCU section, and compat_uprobe_wait() waits for that.  Code that reads the users
 * outside of the point's hits, in the table or when the kernel asks the filter, holds RCU.
 */
#include <linux/errno.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>

#include "kernel/aside.h"
#include "kernel/compat/mm_owner.h"
#include "kernel/compat/unbound_queue.h"
#include "kernel/compat/uprobe_apply.h"
#include "kernel/compat/uprobe_filter.h"
#include "kernel/compat/uprobe_handler.h"
#include "kernel/compat/uprobe_register.h"
#include "kernel/compat/uprobe_shared.h"
#include "kernel/compat/uretprobe_area.h"
#include "kernel/compat/uretprobe_depth.h"
#include "kernel/hit.h"
#include "kernel/ksyms.h"
#include "kernel/mail.h"
#include "kernel/own.h"
#include "kernel/patience.h"
#include "kernel/probes/frame.h"
#include "kernel/probes/upoint.h"
#include "wire.h"

#define TABLE_BITS 10

struct upoint_users {
	union {
		struct upoint_users *next; /* in upoints.replaced */
		struct rcu_head rcu;
	};
	struct upoint *point;
	bool unwinds; /* one of them does */
	unsigned int n;
	struct upoint_user *of[];
};

struct upoint {
	struct uprobe_consumer consumer; /* with a ret_handler if a user wants returns, which is settled when it is registered */
	void *handle;
	struct upoint_users *users;
	struct inode *inode;
	u64 offset, semaphore;
	struct hlist_node node; /* in upoints.table, while it has users */
	struct list_head all;   /* in upoints.all, or among those that are gone */
	refcount_t refs;        /* having users is one */
	int rc;                 /* of registering it */
	bool tried, registered;
	bool armed;             /* what the filter goes by */
	bool failed;            /* to be armed, which was reported */
};

static struct upoint_users upoint_nobody; /* of a point that is gone */

/* Everything but hits is under the mutex. */
static DEFINE_MUTEX(upoint_mutex);
static struct {
	struct hlist_head *table;
	struct list_head all, gone; /* gone: without users, perhaps still in use */
	struct upoint_users *replaced; /* perhaps still in use */
	unsigned long apply; /* the kernel's uprobe_apply(); 0: not found */
	bool apply_asked;
	bool warned_of_debugger;
} upoints;

static LLIST_HEAD(upoint_changes);
static bool upoint_closed = true; /* no further changes */
static void upoint_on_changes(struct work_struct *work);
static DECLARE_WORK(upoint_work, upoint_on_changes);

/* ---- who is wanted ---- */

/*
 * A breakpoint of a debugger and a probe at the same place are one int3 to the kernel.  The debugger does not see a hit; what it keeps to put
 * back may be the probe's int3; and the first of the two that is removed takes the int3 out for both.  Tracers that set no breakpoints
 * attach with PTRACE_SEIZE.
 */
static noinline void upoint_warn_of_debugger(const struct task_struct *t)
{
	if (READ_ONCE(t->ptrace) & PT_SEIZED || xchg(&upoints.warned_of_debugger, true))
		return;
	mail_warn("%s (process %d) has a debugger: a breakpoint of it at a probed place does not stop the program; delete such breakpoints "
		  "before this session ends, or the program may die of one", t->comm, t->tgid);
}

static __always_inline bool upoint_user_wants(const struct upoint_user *u, struct task_struct *t, struct mm_struct *mm)
{
	return !u->restricted || u->ops->wants(u, t, mm);
}

static bool upoint_anyone_wants(const struct upoint *pt, struct task_struct *t, struct mm_struct *mm)
{
	const struct upoint_users *us = READ_ONCE(pt->users);
	unsigned int i;

	for (i = 0; i < us->n; i++)
		if (upoint_user_wants(us->of[i], t, mm))
			return true;
	return false;
}

/*
 * May other processes than that of its owner be in an address space (clone(CLONE_VM))?  The kernel itself holds it while it arms places in one that
 * is not current's.
 */
static bool upoint_is_shared(struct mm_struct *mm, struct task_struct *owner)
{
	return atomic_read(&mm->mm_users) > atomic_read(&owner->signal->live) + (current->mm != mm);
}

/* The kernel asks whether to instrument an address space.  Yes when in doubt: hits are looked at again. */
static bool upoint_wants(struct uprobe_consumer *uc, struct mm_struct *mm)
{
	const struct upoint *pt = container_of(uc, struct upoint, consumer);
	struct task_struct *owner;
	bool yes;

	rcu_read_lock();
	owner = compat_mm_owner(mm);
	yes = owner && upoint_anyone_wants(pt, owner, mm);
	if (yes && READ_ONCE(owner->ptrace))
		upoint_warn_of_debugger(owner);
	yes = yes || !owner || upoint_is_shared(mm, owner);
	rcu_read_unlock();
	return yes && READ_ONCE(pt->armed);
}

COMPAT_UPROBE_FILTER_FUNCTION(upoint_filter, upoint_wants)

/* ---- points ---- */

static struct hlist_head *upoint_bucket(const struct inode *inode, u64 offset)
{
	return &upoints.table[hash_64((unsigned long)inode ^ offset, TABLE_BITS)];
}

static void upoint_put(struct upoint *pt)
{
	if (refcount_dec_and_test(&pt->refs))
		kfree(pt);
}

/* A copy of the users of pt, without one of them and with a new one at the end; either may be NULL.  NULL: no memory. */
static struct upoint_users *upoint_copy_users(struct upoint *pt, const struct upoint_user *without, struct upoint_user *with)
{
	const struct upoint_users *old = pt->users;
	unsigned int i, n = old ? old->n : 0;
	size_t size = struct_size((struct upoint_users *)NULL, of, n + 1);
	/* To take one out must not fail. */
	struct upoint_users *us = kmalloc(size, GFP_KERNEL | (!with && size <= PAGE_SIZE ? __GFP_NOFAIL : 0));

	if (!us)
		return NULL;
	us->point = pt;
	us->n = 0;
	us->unwinds = with && with->unwinds;
	for (i = 0; i < n; i++) {
		if (old->of[i] == without)
			continue;
		us->of[us->n++] = old->of[i];
		us->unwinds |= old->of[i]->unwinds;
	}
	if (with)
		us->of[us->n++] = with;
	return us;
}

/* What was there is freed when nobody uses it: hits only come to a point that is registered, or was. */
static void upoint_set_users(struct upoint *pt, struct upoint_users *us)
{
	struct upoint_users *old = pt->users;

	smp_store_release(&pt->users, us);
	if (!old)
		return;
	if (pt->tried) {
		old->next = upoints.replaced;
		upoints.replaced = old;
	} else {
		kfree_rcu(old, rcu);
	}
}

/* ---- hits ---- */

/*
 * Why the return of this call will not be seen, one of enum wire_skip; WIRE_SKIP_COUNT: it will be.  Sessions that have the same
 * place have to agree: so what does not look the same to all of them is settled by the first that says no.
 */
static unsigned int upoint_look_at_return(struct pt_regs *regs, struct access_wait *wait)
{
	if (unlikely(compat_uretprobe_exhausted())) {
		if (frame_is_spared()) {
			frame_spare_no_longer();
			return WIRE_SKIP_FRAME;
		}
		if (!compat_uretprobe_left(user_stack_pointer(regs)))
			return WIRE_SKIP_RETURN;
		if (!frame_make_room(regs, wait)) {
			frame_spare();
			return WIRE_SKIP_RETURN;
		}
	}
	if (frame_can_return(regs, wait) && frame_put_left_back(regs))
		return WIRE_SKIP_COUNT;
	frame_spare();
	return WIRE_SKIP_FRAME;
}

/* Would u have made a hit of the return?  What was saved for it is dropped. */
static bool upoint_forgets(struct upoint_user *u, unsigned long sp)
{
	return u->ops->leave && upoint_user_wants(u, current, current->mm) && u->ops->forget(u, sp);
}

/*
 * frame_checked_fn: counts the hits of a return that was not hooked.  upoint_forgets() is false for a hit of the session itself that was
 * counted at the entry.
 */
static void upoint_on_checked(void *point, unsigned long sp, enum frame_outcome outcome)
{
	const struct upoint_users *us = &upoint_nobody;
	struct upoint *pt = point;
	bool own = false;
	unsigned int i;

	rcu_read_lock();
	if (outcome != FRAME_HOOKED) {
		us = READ_ONCE(pt->users);
		own = own_hit(task_pt_regs(current));
	}
	for (i = 0; i < us->n; i++) {
		if (!upoint_forgets(us->of[i], sp))
			continue;
		if (unlikely(own) && !us->of[i]->sees_own)
			hit_own(1);
		else
			hit_skipped(outcome == FRAME_SPARED ? WIRE_SKIP_FRAME : WIRE_SKIP_MISSED, 1);
	}
	rcu_read_unlock();
	upoint_put(pt);
}

/* frame_hits_fn: how many hits there would have been of the return. */
static unsigned int upoint_hits_at_return(const struct inode *inode, u64 offset, unsigned long sp)
{
	const struct upoint_users *us;
	const struct upoint *pt;
	unsigned int i, n = 0;

	rcu_read_lock();
	hlist_for_each_entry_rcu(pt, upoint_bucket(inode, offset), node) {
		if (pt->inode != inode || pt->offset != offset)
			continue;
		us = READ_ONCE(pt->users);
		for (i = 0; i < us->n; i++)
			n += upoint_forgets(us->of[i], sp);
	}
	rcu_read_unlock();
	return n;
}

static noinline void upoint_on_unwind(struct pt_regs *regs)
{
	unsigned int n = frame_unhook(regs, upoint_hits_at_return);

	if (n)
		hit_skipped(WIRE_SKIP_FRAME, n);
}

/*
 * As upoint_look_at_return().  Where that says yes, another session or the kernel may still prevent the return: then it is checked after
 * the hit (frame_watch()).  If that is not possible, the return is left out, since nobody would notice that it is missing.
 */
static unsigned int upoint_decide_on_return(struct upoint *pt, struct upoint_hit *h)
{
	unsigned int skip = upoint_look_at_return(h->regs, &h->wait);

	if (skip != WIRE_SKIP_COUNT || likely(!compat_uprobe_shared(&pt->consumer) && compat_uretprobe_area()))
		return skip;
	refcount_inc(&pt->refs);
	if (frame_watch(h->regs, upoint_on_checked, pt))
		return WIRE_SKIP_COUNT;
	refcount_dec(&pt->refs); /* its users hold it */
	frame_spare();
	return WIRE_SKIP_FRAME;
}

static int upoint_on_entry(struct uprobe_consumer *uc, struct pt_regs *regs)
{
	struct upoint *pt = container_of(uc, struct upoint, consumer);
	const struct upoint_users *us = READ_ONCE(pt->users);
	struct upoint_hit h = {
		.regs = regs,
		.addr = instruction_pointer(regs),
		.wait.outlasts = true, /* a session that ends has to find what others find at this hit */
		.unseen = WIRE_SKIP_COUNT,
		.own = own_hit(regs),
	};
	bool wanted = false;
	unsigned int i;

	if (uc->ret_handler)
		h.unseen = upoint_decide_on_return(pt, &h);
	/* In processes that nobody wants too: a child of fork() has copies of its parent's calls, hooked as they were. */
	if (unlikely(us->unwinds))
		upoint_on_unwind(regs);
	for (i = 0; i < us->n; i++) {
		struct upoint_user *u = us->of[i];

		if (!upoint_user_wants(u, current, current->mm))
			continue;
		wanted = true;
		if (likely(READ_ONCE(u->armed) && !u->unwinds))
			u->ops->enter(u, &h);
		else if (u->ops->pass)
			u->ops->pass(u, &h);
	}
	if (unlikely(current->ptrace) && wanted)
		upoint_warn_of_debugger(current);
	/* Not removed while the filter says yes: it asks about the owner of mm (after vfork() that is not current), and says yes when in doubt. */
	return wanted || upoint_wants(uc, current->mm) ? 0 : UPROBE_HANDLER_REMOVE;
}

static int upoint_on_return(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs)
{
	const struct upoint *pt = container_of(uc, struct upoint, consumer);
	const struct upoint_users *us = READ_ONCE(pt->users);
	struct upoint_hit h = { .regs = regs, .addr = func, .own = own_hit(regs) };
	unsigned int i;

	for (i = us->n; i-- > 0;) {
		struct upoint_user *u = us->of[i];

		if (u->ops->leave && upoint_user_wants(u, current, current->mm))
			u->ops->leave(u, &h);
	}
	return 0;
}

COMPAT_UPROBE_ENTRY_FUNCTION(upoint_entry_handler, upoint_on_entry)
COMPAT_UPROBE_RETURN_FUNCTION(upoint_return_handler, upoint_on_return)

/* ---- arming, under the mutex ---- */

static unsigned long upoint_find_apply(void)
{
	if (!upoints.apply_asked)
		upoints.apply = ksyms_address("uprobe_apply");
	upoints.apply_asked = true;
	return upoints.apply;
}

static int upoint_apply(struct upoint *pt, bool armed)
{
	WRITE_ONCE(pt->armed, armed);
	return compat_uprobe_apply(upoint_find_apply(), pt->handle, pt->inode, pt->offset, &pt->consumer, armed);
}

/* Is a user other than that one armed? */
static bool upoint_is_armed_without(const struct upoint *pt, const struct upoint_user *without)
{
	unsigned int i;

	for (i = 0; i < pt->users->n; i++)
		if (pt->users->of[i] != without && pt->users->of[i]->armed)
			return true;
	return false;
}

static int upoint_arm_user(struct upoint_user *u, bool armed)
{
	struct upoint *pt = u->point;
	bool reported = pt->failed;
	int rc = 0;

	if (armed) {
		WRITE_ONCE(u->armed, true);
		if (!pt->armed)
			rc = upoint_apply(pt, true);
	} else {
		if (pt->armed && upoints.apply && !upoint_is_armed_without(pt, u))
			upoint_apply(pt, false);
		WRITE_ONCE(u->armed, false);
	}
	pt->failed = rc != 0;
	return reported ? 0 : rc;
}

void upoint_prepare_to_disarm(void)
{
	mutex_lock(&upoint_mutex);
	upoint_find_apply();
	mutex_unlock(&upoint_mutex);
}

int upoint_arm(struct upoint_user *u, bool armed)
{
	int rc = 0;

	mutex_lock(&upoint_mutex);
	if (!u->point || !u->point->registered)
		WRITE_ONCE(u->armed, armed); /* for when it is registered */
	else if (u->armed != armed)
		rc = upoint_arm_user(u, armed);
	mutex_unlock(&upoint_mutex);
	return rc;
}

/* ---- users that come and go, under the mutex ---- */

/* A point has one semaphore.  Before it is registered, it can get that of u. */
static bool upoint_has_semaphore(const struct upoint *pt, const struct upoint_user *u)
{
	return !u->semaphore || pt->semaphore == u->semaphore || (!pt->semaphore && !pt->tried);
}

/*
 * A point that u can share: one that was not registered yet; or one that is, if uprobe_apply() can add breakpoints for u, and it has a
 * handler for returns or u needs none.
 */
static struct upoint *upoint_find(const struct upoint_user *u)
{
	struct upoint *pt;

	hlist_for_each_entry(pt, upoint_bucket(u->inode, u->offset), node) {
		if (pt->inode != u->inode || pt->offset != u->offset || !upoint_has_semaphore(pt, u))
			continue;
		if (!pt->tried || (pt->registered && (!u->ops->leave || pt->consumer.ret_handler) && upoint_find_apply()))
			return pt;
	}
	return NULL;
}

static struct upoint *upoint_make(const struct upoint_user *u)
{
	struct upoint *pt = kzalloc(sizeof(*pt), GFP_KERNEL);

	if (!pt)
		return NULL;
	pt->inode = u->inode;
	pt->offset = u->offset;
	pt->consumer.filter = upoint_filter;
	pt->consumer.handler = upoint_entry_handler;
	refcount_set(&pt->refs, 1);
	return pt;
}

static int upoint_add_user(struct upoint_user *u)
{
	struct upoint *old, *pt;
	struct upoint_users *us;

	if (u->point)
		return -EEXIST;
	old = upoint_find(u);
	pt = old ?: upoint_make(u);
	us = pt ? upoint_copy_users(pt, NULL, u) : NULL;
	if (!us) {
		if (!old)
			kfree(pt);
		return -ENOMEM;
	}
	upoint_set_users(pt, us);
	pt->semaphore = pt->semaphore ?: u->semaphore;
	if (!pt->registered && u->ops->leave)
		pt->consumer.ret_handler = upoint_return_handler;
	if (!old) {
		hlist_add_head_rcu(&pt->node, upoint_bucket(u->inode, u->offset));
		list_add_tail(&pt->all, &upoints.all);
	}
	u->registered = false;
	u->point = pt;
	return 0;
}

/* The last user goes. */
static void upoint_end(struct upoint *pt)
{
	upoint_set_users(pt, &upoint_nobody);
	if (pt->registered)
		compat_uprobe_remove(pt->handle, pt->inode, pt->offset, &pt->consumer);
	pt->registered = false;
	hlist_del_rcu(&pt->node);
	list_move_tail(&pt->all, &upoints.gone);
}

static int upoint_remove_user(struct upoint_user *u)
{
	struct upoint *pt = u->point;
	struct upoint_users *us;
	bool armed = u->armed;

	if (pt->users->n == 1) {
		upoint_end(pt);
		u->point = NULL;
		return 0;
	}
	if (pt->registered && !upoint_find_apply())
		return -EOPNOTSUPP;
	us = upoint_copy_users(pt, u, NULL);
	if (!us)
		return -ENOMEM;
	if (pt->registered && armed)
		upoint_arm_user(u, false);
	upoint_set_users(pt, us);
	WRITE_ONCE(u->armed, armed); /* for the next time */
	u->point = NULL;
	return 0;
}

static int upoint_register_point(struct upoint *pt)
{
	unsigned int i;

	pt->tried = true;
	if (pt->consumer.ret_handler)
		frame_watch_dispatch();
	/* Without uprobe_apply() it could not be armed later. */
	pt->armed = !upoints.apply || upoint_is_armed_without(pt, NULL);
	pt->rc = compat_uprobe_add(&pt->handle, pt->inode, pt->offset, pt->semaphore, &pt->consumer);
	pt->registered = !pt->rc;
	for (i = 0; i < pt->users->n; i++)
		pt->users->of[i]->registered = true;
	return pt->rc;
}

/* A user that has come to a point with breakpoints may want processes that the others do not. */
static int upoint_register_user(struct upoint_user *u)
{
	struct upoint *pt = u->point;
	int rc = 0;

	if (!pt->tried)
		return upoint_register_point(pt);
	if (u->registered)
		return pt->rc;
	if (u->armed || pt->armed)
		rc = upoint_apply(pt, true);
	u->registered = !rc;
	return rc;
}

int upoint_add(struct upoint_user *u)
{
	int rc;

	mutex_lock(&upoint_mutex);
	rc = upoint_add_user(u);
	mutex_unlock(&upoint_mutex);
	return rc;
}

int upoint_register(struct upoint_user *u)
{
	int rc;

	mutex_lock(&upoint_mutex);
	rc = upoint_register_user(u);
	mutex_unlock(&upoint_mutex);
	return rc;
}

int upoint_remove(struct upoint_user *u)
{
	int rc;

	mutex_lock(&upoint_mutex);
	rc = upoint_remove_user(u);
	mutex_unlock(&upoint_mutex);
	return rc;
}

/*
 * Where compat_uprobe_wait() does not wait for handlers, they hold a lock of the kernel's probe: those at a point that stays are waited for by
 * asking its filter again.
 */
static struct upoint_users *upoint_take_replaced(struct list_head *gone)
{
	struct upoint_users *us, *all;

	mutex_lock(&upoint_mutex);
	list_splice_init(&upoints.gone, gone);
	all = upoints.replaced;
	upoints.replaced = NULL;
	for (us = all; us; us = us->next)
		if (!COMPAT_UPROBE_WAITS && us->point->registered)
			upoint_apply(us->point, us->point->armed);
	mutex_unlock(&upoint_mutex);
	return all;
}

void upoint_wait(void)
{
	LIST_HEAD(gone);
	struct upoint_users *us = upoint_take_replaced(&gone), *next;
	struct upoint *pt, *following;

	compat_uprobe_wait();
	synchronize_rcu();
	for (; us; us = next) {
		next = us->next;
		kfree(us);
	}
	list_for_each_entry_safe(pt, following, &gone, all)
		upoint_put(pt);
}

/* ---- changes by a worker ---- */

static void upoint_changed(struct upoint_user *u, int rc)
{
	void (*done)(struct upoint_user *u, int rc) = u->done; /* the next upoint_soon() may set it once changing is UPOINT_NONE */

	smp_store_release(&u->changing, UPOINT_NONE);
	done(u, rc);
}

/* True: u was removed, and may still be in use. */
static bool upoint_change(struct upoint_user *u)
{
	bool removed = false;

	mutex_lock(&upoint_mutex);
	if (u->changing == UPOINT_REMOVE) {
		u->rc = u->point ? upoint_remove_user(u) : 0;
		removed = !u->rc;
	} else {
		u->rc = READ_ONCE(upoint_closed) ? -ESHUTDOWN : upoint_add_user(u);
		if (!u->rc) {
			u->rc = upoint_register_user(u);
			removed = u->rc && !upoint_remove_user(u);
		}
	}
	mutex_unlock(&upoint_mutex);
	return removed;
}

static void upoint_on_changes(struct work_struct *work)
{
	struct llist_node *list = llist_reverse_order(llist_del_all(&upoint_changes));
	struct upoint_user *u, *next;
	LLIST_HEAD(removed);

	llist_for_each_entry_safe(u, next, list, change) {
		if (upoint_change(u))
			__llist_add(&u->change, &removed);
		else
			upoint_changed(u, u->rc);
	}
	upoint_wait();
	llist_for_each_entry_safe(u, next, removed.first, change)
		upoint_changed(u, u->rc);
}

/* With RCU held, so that upoint_stop() can wait for who has found it open. */
int upoint_soon(struct upoint_user *u, enum upoint_change what, void (*done)(struct upoint_user *u, int rc))
{
	int rc = 0;

	rcu_read_lock();
	if (READ_ONCE(upoint_closed)) {
		rc = -ESHUTDOWN;
	} else if (cmpxchg(&u->changing, UPOINT_NONE, what) != UPOINT_NONE) {
		rc = -EBUSY;
	} else {
		u->done = done;
		llist_add(&u->change, &upoint_changes);
		queue_work(compat_unbound_queue(), &upoint_work);
	}
	rcu_read_unlock();
	return rc;
}

/* ---- start and stop ---- */

int upoint_start(void)
{
	int rc = frame_start(upoint_on_unwind);

	if (rc)
		return rc;
	upoints.table = kvcalloc(1 << TABLE_BITS, sizeof(*upoints.table), GFP_KERNEL);
	INIT_LIST_HEAD(&upoints.all);
	INIT_LIST_HEAD(&upoints.gone);
	return upoints.table ? 0 : -ENOMEM;
}

void upoint_open(void)
{
	WRITE_ONCE(upoint_closed, false);
}

static void upoint_unregister_points(bool unwinders)
{
	struct upoint *pt;

	list_for_each_entry(pt, &upoints.all, all) {
		if (!pt->registered || pt->users->unwinds != unwinders)
			continue;
		compat_uprobe_remove(pt->handle, pt->inode, pt->offset, &pt->consumer);
		pt->registered = false;
	}
}

/* No return may be hooked without the unwinders: they go last. */
static int upoint_unregister_all(void *unused)
{
	mutex_lock(&upoint_mutex);
	upoint_unregister_points(false);
	upoint_unregister_points(true);
	mutex_unlock(&upoint_mutex);
	return 0;
}

static void upoint_free_all(void)
{
	struct upoint *pt, *next;

	list_for_each_entry_safe(pt, next, &upoints.all, all) {
		kfree(pt->users);
		upoint_put(pt);
	}
	kvfree(upoints.table);
	memset(&upoints, 0, sizeof(upoints));
}

void upoint_stop(void)
{
	WRITE_ONCE(upoint_closed, true);
	if (upoints.table) {
		patience_begin("the kernel, which has a task wait at a probed instruction, as for a page of userfaultfd");
		synchronize_rcu();
		flush_work(&upoint_work); /* nothing is asked for any more */
		aside_run(upoint_unregister_all, NULL);
		frame_wait_for_errands(); /* first, since the next may wait for the same tasks, and names nobody */
		upoint_wait();
		patience_end();
	}
	frame_stop(); /* what hits left to be done may still count */
	if (upoints.table)
		upoint_free_all();
}
