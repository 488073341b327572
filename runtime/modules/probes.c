// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Probes of one process, for hand-written modules.  See probes.h; one file of the module includes this one.
 *
 * A worker does all registering and removing: it gets no signals (the kernel leaves breakpoints behind if the task that removes them is
 * killed), and since it is the only one, what it alone uses needs no lock: processes, their points, and the lists of probes but for the
 * handlers that read them.  A point is one consumer of the kernel's uprobes, which wants one address space; a second address space of the
 * same process, after exec, has no points.  An address space that ends says so by its mmu_notifier.
 */
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/pid.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include <linux/uprobes.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "kernel/compat/unbound_queue.h"
#include "kernel/compat/uprobe_filter.h"
#include "kernel/compat/uprobe_handler.h"
#include "kernel/compat/uprobe_register.h"
#include "kernel/compat/uretprobe_depth.h"
#include "probes.h"

#ifndef CONFIG_MMU_NOTIFIER
#error "probes.c needs a kernel with CONFIG_MMU_NOTIFIER: it says when a process ends or runs another program"
#endif

struct probes_process {
	struct mmu_notifier notifier; /* of its address space */
	struct mm_struct *mm;         /* compared with; the notifier keeps it from being another's */
	struct pid *pid;
	struct list_head all, points;
	bool ended;
};

struct probes_point {
	struct uprobe_consumer consumer;
	void *handle;
	struct probes_process *process;
	struct inode *inode;
	loff_t offset;
	unsigned long vaddr;
	enum user_probe_type type;
	struct list_head of_process;
	struct list_head probes; /* in the order of registering; handlers read it in an SRCU section */
};

/* What a user_probe was asked for; not 0: it is on a list of requests, or the worker is at it.  Under probes_lock. */
enum { ASK_REGISTER = 1, ASK_UNREGISTER = 2, ASK_CALLBACK = 4 /* times the other */ };

/* A task that runs handlers, or the worker in a callback: what is asked for there waits until they have run. */
struct probes_running {
	struct hlist_node node;
	struct task_struct *task;
	struct llist_head requests;
};

#define RUNNING_BITS 6

static struct probes_running_bucket {
	spinlock_t lock;
	struct hlist_head tasks;
} probes_running[1 << RUNNING_BITS] = {
	[0 ... (1 << RUNNING_BITS) - 1].lock = __SPIN_LOCK_UNLOCKED(probes_running.lock),
};

static void probes_on_work(struct work_struct *work);
static DECLARE_WORK(probes_work, probes_on_work);
static DECLARE_WAIT_QUEUE_HEAD(probes_done);
static DEFINE_SPINLOCK(probes_lock);
static LLIST_HEAD(probes_requests);
static LIST_HEAD(probes_processes); /* the worker's */
static struct srcu_struct probes_srcu;
static bool probes_begun; /* probes_srcu is there */
static bool probes_closed, probes_over; /* unregister_all_uprobes() has begun, has ended */

/* ---- who runs handlers ---- */

static struct probes_running_bucket *probes_bucket(void)
{
	return &probes_running[hash_ptr(current, RUNNING_BITS)];
}

static struct probes_running *probes_here(void)
{
	struct probes_running_bucket *b = probes_bucket();
	struct probes_running *r;

	spin_lock(&b->lock);
	hlist_for_each_entry(r, &b->tasks, node)
		if (r->task == current)
			break;
	spin_unlock(&b->lock);
	return r;
}

static void probes_enter(struct probes_running *r)
{
	struct probes_running_bucket *b = probes_bucket();

	r->task = current;
	init_llist_head(&r->requests);
	spin_lock(&b->lock);
	hlist_add_head(&r->node, &b->tasks);
	spin_unlock(&b->lock);
}

/* What was asked for meanwhile goes to the worker.  From here on, hits do not call probes that are to be removed. */
static void probes_leave(struct probes_running *r)
{
	struct probes_running_bucket *b = probes_bucket();
	struct llist_node *list, *next;

	spin_lock(&b->lock);
	hlist_del(&r->node);
	spin_unlock(&b->lock);
	list = llist_reverse_order(llist_del_all(&r->requests));
	if (!list)
		return;
	for (; list; list = next) {
		struct user_probe *u = llist_entry(list, struct user_probe, request);

		next = list->next;
		spin_lock(&probes_lock);
		if (u->asked & ASK_UNREGISTER)
			WRITE_ONCE(u->leaving, true);
		spin_unlock(&probes_lock);
		llist_add(list, &probes_requests);
	}
	queue_work(compat_unbound_queue(), &probes_work);
}

/* ---- hits ---- */

/* A child of vfork() has its parent's address space, but is another process. */
static bool probes_are_hit(const struct probes_point *pt, unsigned long vaddr)
{
	return current->mm == pt->process->mm && task_tgid(current) == pt->process->pid && vaddr == pt->vaddr;
}

static void probes_call(struct user_probe *u, struct pt_regs *regs)
{
	struct user_retprobe_instance ri;

	if (u->type == USER_PROBE) {
		u->handler(u, regs);
		return;
	}
	ri.rp = container_of(u, struct user_retprobe, u);
	ri.ret_addr = instruction_pointer(regs);
	ri.rp->handler(&ri, regs);
}

static void probes_call_all(struct probes_point *pt, struct pt_regs *regs)
{
	struct probes_running running;
	struct user_probe *u;
	int srcu;

	probes_enter(&running);
	srcu = srcu_read_lock(&probes_srcu);
	list_for_each_entry_srcu(u, &pt->probes, of_point, srcu_read_lock_held(&probes_srcu))
		if (!READ_ONCE(u->leaving))
			probes_call(u, regs);
	probes_leave(&running); /* it looks at probes, so they must stay */
	srcu_read_unlock(&probes_srcu, srcu);
}

/* The kernel will not hook the return of this call: its list of those that are active is full. */
static void probes_miss_all(struct probes_point *pt)
{
	struct user_probe *u;
	int srcu = srcu_read_lock(&probes_srcu);

	list_for_each_entry_srcu(u, &pt->probes, of_point, srcu_read_lock_held(&probes_srcu))
		atomic_long_inc(&container_of(u, struct user_retprobe, u)->nmissed);
	srcu_read_unlock(&probes_srcu, srcu);
}

/* A child of fork() has copies of the breakpoints: each is removed when it is hit. */
static int probes_on_entry(struct uprobe_consumer *uc, struct pt_regs *regs)
{
	struct probes_point *pt = container_of(uc, struct probes_point, consumer);

	if (current->mm != pt->process->mm)
		return UPROBE_HANDLER_REMOVE;
	if (!probes_are_hit(pt, instruction_pointer(regs)))
		return 0;
	if (pt->type == USER_PROBE)
		probes_call_all(pt, regs);
	else if (compat_uretprobe_exhausted())
		probes_miss_all(pt);
	return 0;
}

static int probes_on_return(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs)
{
	struct probes_point *pt = container_of(uc, struct probes_point, consumer);

	if (probes_are_hit(pt, func))
		probes_call_all(pt, regs);
	return 0;
}

static bool probes_wants(struct uprobe_consumer *uc, struct mm_struct *mm)
{
	return mm == container_of(uc, struct probes_point, consumer)->process->mm;
}

COMPAT_UPROBE_FILTER_FUNCTION(probes_filter, probes_wants)
COMPAT_UPROBE_ENTRY_FUNCTION(probes_entry_handler, probes_on_entry)
COMPAT_UPROBE_RETURN_FUNCTION(probes_return_handler, probes_on_return)

/* ---- processes, by the worker ---- */

/* The address space ends: the process exits, or runs another program.  Nobody can hit anything there any more. */
static void probes_on_release(struct mmu_notifier *n, struct mm_struct *mm)
{
	WRITE_ONCE(container_of(n, struct probes_process, notifier)->ended, true);
	queue_work(compat_unbound_queue(), &probes_work);
}

static const struct mmu_notifier_ops probes_notifier_ops = { .release = probes_on_release };

static struct probes_process *probes_find_process(const struct mm_struct *mm, const struct pid *pid)
{
	struct probes_process *p;

	list_for_each_entry(p, &probes_processes, all)
		if (p->mm == mm && p->pid == pid)
			return p;
	return NULL;
}

static struct probes_process *probes_make_process(struct mm_struct *mm, struct pid *pid, int *rc)
{
	struct probes_process *p = kzalloc(sizeof(*p), GFP_KERNEL);

	*rc = -ENOMEM;
	if (!p)
		return NULL;
	p->mm = mm;
	p->notifier.ops = &probes_notifier_ops;
	INIT_LIST_HEAD(&p->points);
	*rc = mmu_notifier_register(&p->notifier, mm);
	if (*rc) {
		kfree(p);
		return NULL;
	}
	p->pid = get_pid(pid);
	list_add_tail(&p->all, &probes_processes);
	return p;
}

static void probes_drop_process(struct probes_process *p)
{
	if (!list_empty(&p->points))
		return;
	list_del(&p->all);
	mmu_notifier_unregister(&p->notifier, p->mm); /* waits for probes_on_release() */
	put_pid(p->pid);
	kfree(p);
}

/* ---- points, by the worker ---- */

/* Where the kernel would set a breakpoint: what it takes silently for a place without any is an error here. */
static int probes_find_place(struct mm_struct *mm, unsigned long vaddr, struct inode **inode, loff_t *offset)
{
	struct vm_area_struct *vma;
	int rc = -EFAULT;

	mmap_read_lock(mm);
	vma = find_vma(mm, vaddr);
	if (vma && vma->vm_start <= vaddr) {
		rc = -EACCES;
		if (vma->vm_file && vma->vm_flags & VM_EXEC && !(vma->vm_flags & (VM_WRITE | VM_MAYSHARE | VM_HUGETLB))) {
			*offset = ((loff_t)vma->vm_pgoff << PAGE_SHIFT) + (vaddr - vma->vm_start);
			*inode = igrab(file_inode(vma->vm_file));
			rc = *inode ? 0 : -ESTALE;
		}
	}
	mmap_read_unlock(mm);
	return rc;
}

static bool probes_is_traced(struct task_struct *process)
{
	struct task_struct *t;
	bool traced = false;

	rcu_read_lock();
	/* for_each_thread() has lockdep check a lock that modules cannot use. */
	list_for_each_entry_rcu(t, &process->signal->thread_head, thread_node)
		traced |= READ_ONCE(t->ptrace) != 0;
	rcu_read_unlock();
	return traced;
}

/* Have we a point at this place of the file, in whatever process? */
static bool probes_is_known(const struct inode *inode, loff_t offset)
{
	const struct probes_process *p;
	const struct probes_point *pt;

	list_for_each_entry(p, &probes_processes, all)
		list_for_each_entry(pt, &p->points, of_process)
			if (pt->inode == inode && pt->offset == offset)
				return true;
	return false;
}

/*
 * A breakpoint that is there may be a debugger's or the program's own: the kernel would take its hits for ours, and put the instruction back
 * when the probe is removed.  Kernels do not say whether it is one of theirs, for another tool or module.  What is certain is that a child of
 * fork() has copies of ours, until it hits them; except if a debugger is at work.
 */
static int probes_look_for_breakpoint(struct task_struct *process, unsigned long vaddr, const struct inode *inode, loff_t offset)
{
	uprobe_opcode_t insn;

	if (access_process_vm(process, vaddr, &insn, sizeof(insn), 0) != sizeof(insn))
		return -EFAULT;
	if (insn != UPROBE_SWBP_INSN)
		return 0;
	return probes_is_known(inode, offset) && !probes_is_traced(process) ? 0 : -EEXIST;
}

static struct probes_point *probes_find_point(const struct probes_process *p, unsigned long vaddr, enum user_probe_type type)
{
	struct probes_point *pt;

	list_for_each_entry(pt, &p->points, of_process)
		if (pt->vaddr == vaddr && pt->type == type)
			return pt;
	return NULL;
}

/* With u as its first probe: handlers may be called before this returns. */
static int probes_make_point(struct probes_process *p, struct user_probe *u, struct inode *inode, loff_t offset)
{
	struct probes_point *pt = kzalloc(sizeof(*pt), GFP_KERNEL);
	int rc;

	if (!pt)
		return -ENOMEM;
	pt->process = p;
	pt->inode = inode;
	pt->offset = offset;
	pt->vaddr = u->vaddr;
	pt->type = u->type;
	INIT_LIST_HEAD(&pt->probes);
	list_add_tail_rcu(&u->of_point, &pt->probes);
	pt->consumer.filter = probes_filter;
	pt->consumer.handler = probes_entry_handler;
	if (u->type == USER_RETPROBE)
		pt->consumer.ret_handler = probes_return_handler;
	rc = compat_uprobe_add(&pt->handle, inode, offset, 0, &pt->consumer);
	if (rc) {
		compat_uprobe_wait(); /* it may have been hit in a part of the address space where it could be set */
		kfree(pt);
		return rc;
	}
	ihold(inode);
	list_add_tail(&pt->of_process, &p->points);
	u->point = pt;
	return 0;
}

static void probes_forget(struct user_probe *u)
{
	u->point = NULL;
	put_pid(u->process);
	u->process = NULL;
}

/* Waits for its handlers; only then may its list, which they walk, be taken apart.  Its probes get that status. */
static void probes_remove_point(struct probes_point *pt, int status)
{
	struct user_probe *u, *next;

	compat_uprobe_remove(pt->handle, pt->inode, pt->offset, &pt->consumer);
	compat_uprobe_wait();
	list_for_each_entry_safe(u, next, &pt->probes, of_point) {
		probes_forget(u);
		WRITE_ONCE(u->status, status);
	}
	list_del(&pt->of_process);
	iput(pt->inode);
	kfree(pt);
}

/* ---- probes, by the worker ---- */

static int probes_insert_at(struct task_struct *process, struct mm_struct *mm, struct user_probe *u, struct inode *inode, loff_t offset)
{
	struct probes_process *p = probes_find_process(mm, u->process);
	struct probes_point *pt = p ? probes_find_point(p, u->vaddr, u->type) : NULL;
	int rc = 0;

	if (pt) {
		list_add_tail_rcu(&u->of_point, &pt->probes);
		u->point = pt;
		return 0;
	}
	if (!p || !probes_find_point(p, u->vaddr, u->type == USER_PROBE ? USER_RETPROBE : USER_PROBE))
		rc = probes_look_for_breakpoint(process, u->vaddr, inode, offset);
	if (!rc && !p)
		p = probes_make_process(mm, u->process, &rc);
	if (rc)
		return rc;
	rc = probes_make_point(p, u, inode, offset);
	probes_drop_process(p); /* if it has no points */
	return rc;
}

static int probes_insert_in_mm(struct task_struct *process, struct mm_struct *mm, struct user_probe *u)
{
	struct inode *inode;
	loff_t offset;
	int rc = probes_find_place(mm, u->vaddr, &inode, &offset);

	if (rc)
		return rc;
	rc = probes_insert_at(process, mm, u, inode, offset);
	iput(inode);
	return rc;
}

/* It may run another program by now, where the address means nothing. */
static int probes_insert_into(struct task_struct *process, struct user_probe *u)
{
	struct mm_struct *mm = get_task_mm(process);
	int rc;

	if (!mm)
		return -ESRCH;
	rc = mm == u->mm ? probes_insert_in_mm(process, mm, u) : -ESRCH;
	mmput(mm);
	return rc;
}

static int probes_begin(void)
{
	int rc = probes_begun ? 0 : init_srcu_struct(&probes_srcu);

	if (!rc)
		probes_begun = true;
	return rc;
}

static int probes_insert(struct user_probe *u)
{
	struct task_struct *process;
	int rc = READ_ONCE(probes_closed) ? -ESHUTDOWN : probes_begin();

	u->leaving = false;
	if (!rc) {
		process = get_pid_task(u->process, PIDTYPE_TGID);
		rc = process ? probes_insert_into(process, u) : -ESRCH;
		if (process)
			put_task_struct(process);
	}
	mmdrop(u->mm);
	u->mm = NULL;
	if (rc)
		probes_forget(u);
	return rc;
}

/* When it returns no handler of u runs. */
static void probes_remove(struct user_probe *u)
{
	struct probes_point *pt = u->point;
	struct probes_process *p;

	if (!pt)
		return;
	p = pt->process;
	if (list_is_singular(&pt->probes)) {
		probes_remove_point(pt, 0);
		probes_drop_process(p);
		return;
	}
	list_del_rcu(&u->of_point);
	synchronize_srcu(&probes_srcu);
	probes_forget(u);
}

static void probes_end_process(struct probes_process *p)
{
	struct probes_point *pt, *next;

	list_for_each_entry_safe(pt, next, &p->points, of_process)
		probes_remove_point(pt, -ESRCH);
	probes_drop_process(p);
}

/* ---- requests ---- */

static void probes_callback(void (*callback)(struct user_probe *, int, enum user_probe_type, int), struct user_probe *u, int reg,
			    enum user_probe_type type, int rc)
{
	struct probes_running running;

	probes_enter(&running);
	callback(u, reg, type, rc);
	probes_leave(&running);
}

/* Does one thing that u was asked for.  False: that was all, and u may be gone. */
static bool probes_do_one(struct user_probe *u)
{
	void (*callback)(struct user_probe *, int, enum user_probe_type, int) = u->registration_callback;
	enum user_probe_type type = u->type;
	unsigned int asked, ask, left;
	int rc = 0;

	spin_lock(&probes_lock);
	asked = u->asked;
	spin_unlock(&probes_lock);
	ask = asked & ASK_REGISTER ?: ASK_UNREGISTER;
	if (ask == ASK_REGISTER)
		rc = probes_insert(u);
	else
		probes_remove(u);
	spin_lock(&probes_lock);
	if (ask == ASK_REGISTER)
		WRITE_ONCE(u->status, rc ?: USER_PROBE_REGISTERED);
	else if (u->status > 0)
		WRITE_ONCE(u->status, 0);
	left = u->asked & ~(ask | ask * ASK_CALLBACK);
	smp_store_release(&u->asked, left); /* 0: who waits may free u */
	spin_unlock(&probes_lock);
	wake_up_all(&probes_done);
	if (asked & (ask * ASK_CALLBACK) && callback)
		probes_callback(callback, u, ask == ASK_REGISTER, type, rc);
	return left;
}

static void probes_on_work(struct work_struct *work)
{
	struct llist_node *list = llist_reverse_order(llist_del_all(&probes_requests));
	struct probes_process *p, *next_process;
	struct user_probe *u, *next;

	llist_for_each_entry_safe(u, next, list, request)
		while (probes_do_one(u))
			;
	list_for_each_entry_safe(p, next_process, &probes_processes, all)
		if (READ_ONCE(p->ended) || READ_ONCE(probes_closed))
			probes_end_process(p);
}

/* Asks the worker, and waits for it; in a handler or a callback it does not wait: -EINPROGRESS.  process, mm: to register. */
static int probes_ask(struct user_probe *u, unsigned int ask, struct pid *process, struct mm_struct *mm)
{
	struct probes_running *here = probes_here();
	bool queued;

	if (READ_ONCE(probes_over)) /* the module may be about to go: no more work */
		return -ESHUTDOWN;
	spin_lock(&probes_lock);
	if (ask == ASK_REGISTER && (u->asked || u->status == USER_PROBE_REGISTERED)) {
		spin_unlock(&probes_lock);
		return -EBUSY;
	}
	if (ask == ASK_REGISTER) {
		mmgrab(mm);
		u->process = get_pid(process);
		u->mm = mm;
		u->status = -EINPROGRESS;
	}
	queued = u->asked;
	u->asked |= here ? ask | ask * ASK_CALLBACK : ask;
	spin_unlock(&probes_lock);
	if (!queued && here)
		llist_add(&u->request, &here->requests);
	if (!queued && !here) {
		llist_add(&u->request, &probes_requests);
		queue_work(compat_unbound_queue(), &probes_work);
	}
	if (here)
		return -EINPROGRESS;
	wait_event(probes_done, !smp_load_acquire(&u->asked));
	return READ_ONCE(u->status);
}

/* What it runs; NULL: nothing, or it is none of that number. */
static struct mm_struct *probes_get_mm(struct pid *process)
{
	struct task_struct *t = get_pid_task(process, PIDTYPE_TGID);
	struct mm_struct *mm = t ? get_task_mm(t) : NULL;

	if (t)
		put_task_struct(t);
	return mm;
}

static int probes_register(struct user_probe *u, enum user_probe_type type)
{
	struct pid *process = READ_ONCE(probes_over) ? NULL : find_get_pid(u->pid);
	struct mm_struct *mm = process ? probes_get_mm(process) : NULL;
	int rc = READ_ONCE(probes_over) ? -ESHUTDOWN : -ESRCH;

	if (mm) {
		u->type = type;
		rc = probes_ask(u, ASK_REGISTER, process, mm);
		mmput(mm);
	}
	put_pid(process);
	return rc > 0 ? 0 : rc;
}

int register_uprobe(struct user_probe *u)
{
	return u->handler ? probes_register(u, USER_PROBE) : -EINVAL;
}

int register_uretprobe(struct user_retprobe *rp)
{
	return rp->handler ? probes_register(&rp->u, USER_RETPROBE) : -EINVAL;
}

void unregister_uprobe(struct user_probe *u)
{
	probes_ask(u, ASK_UNREGISTER, NULL, NULL);
}

void unregister_uretprobe(struct user_retprobe *rp)
{
	unregister_uprobe(&rp->u);
}

/* The first round ends all handlers; what they, and callbacks, have asked for is refused in the following ones. */
void unregister_all_uprobes(void)
{
	WRITE_ONCE(probes_closed, true);
	do {
		queue_work(compat_unbound_queue(), &probes_work);
		flush_work(&probes_work);
	} while (!llist_empty(&probes_requests) || !list_empty(&probes_processes));
	cancel_work_sync(&probes_work);
	WRITE_ONCE(probes_over, true);
	if (probes_begun)
		cleanup_srcu_struct(&probes_srcu);
	probes_begun = false;
}
