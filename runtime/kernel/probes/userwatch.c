// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "userwatch".  What a site means: sites/userwatch.h.
 *
 * Each thread of a process that a site means has an event of the kernel's perf subsystem, which sets the machine's debug registers while
 * the thread runs.  It is made in the thread when it begins, before its first instruction; a process that was forked has memory of its own,
 * and events of its own.  The kernel itself takes an event away at exec.  There, and at the end of a thread, it is only put aside: a work
 * item gives it back, as that may sleep.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/hw_breakpoint.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/workqueue.h>

#include "kernel/arch/arch.h"
#include "kernel/compat/mm_uprobes.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/mechanism.h"
#include "kernel/probes/tasks.h"
#include "kernel/probes/watched.h"
#include "sites/userwatch.h"
#include "sites/watched.h"

/* What a site watches in one address space, which a child of vfork() shares with its parent. */
struct userwatch_memory {
	struct list_head node;  /* in userwatch.memories, as long as there are threads */
	const struct rt_site *site;
	struct mm_struct *mm;   /* grabbed, so that no other one is at its address */
	unsigned int threads;   /* that have not ended */
	unsigned int users;     /* that have not been given back */
	u64 last;               /* what was there when it was last looked at */
};

/* The same in one of its threads. */
struct userwatch_thread {
	struct hlist_node node;  /* in userwatch.threads */
	struct list_head over;   /* in userwatch.over, once its thread has ended */
	struct task_struct *task; /* only compared with */
	struct userwatch_memory *memory;
	const struct rt_site *site;
	struct perf_event *event;
	unsigned long addr;
};

#define USERWATCH_TABLE_BITS 8

static struct {
	/* userwatch_lock protects these. */
	bool running;
	unsigned int beginning; /* threads in userwatch_begin() */
	struct hlist_head threads[1 << USERWATCH_TABLE_BITS]; /* those that have not ended, by their task */
	struct list_head over; /* threads that have ended, for the work item */
	struct list_head memories;
	/* This does not change. */
	const struct rt_site *sites;
} userwatch;

/* Sites that were reported; the last bit is that of all from there on. */
static DECLARE_BITMAP(userwatch_warned, 64);

static bool __percpu *userwatch_inside; /* a hit; preemption is off */

/* Taken in the exit of a thread, with preemption off. */
static DEFINE_RAW_SPINLOCK(userwatch_lock);

static const char *userwatch_name(const struct rt_site *site)
{
	return rt_script.probes[site->probe].point;
}

/* ---- hits: in the thread, interrupts off ---- */

/*
 * An instruction with a breakpoint (uprobe) is executed in a copy elsewhere.  The registers as they are where it stands: nothing else
 * depends on them, since handlers of these probes do not write registers.
 */
static struct pt_regs *userwatch_in_place(struct pt_regs *regs, struct pt_regs *copy)
{
	const struct uprobe_task *u = current->utask;

	if (!user_mode(regs) || !u || !u->active_uprobe)
		return regs;
	*copy = *regs;
	instruction_pointer_set(copy, instruction_pointer(regs) - u->xol_vaddr + u->vaddr);
	return copy;
}

static void userwatch_run(struct userwatch_thread *w, struct pt_regs *regs)
{
	struct pt_regs copy;
	u64 values[SITE_WATCHED_VALUES] = { 0 };
	struct rt_ctx *c;

	if (copy_from_user_nofault(&values[SITE_WATCHED_AFTER], (const void __user *)w->addr, w->site->n[2])) {
		hit_skipped(WIRE_SKIP_MISSED, 1); /* taken away by another thread at this moment */
		return;
	}
	values[SITE_WATCHED_BEFORE] = xchg(&w->memory->last, values[SITE_WATCHED_AFTER]);
	c = hit_enter(w->site->probe, userwatch_in_place(regs, &copy), false);
	if (!c)
		return;
	c->args = values;
	c->nargs = ARRAY_SIZE(values);
	hit_run(c);
	hit_leave(c);
}

/* For an access in user mode the kernel does not switch watching off: what is read here, or by the handler, is a hit within this one. */
static void userwatch_hit(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	unsigned long fault = arch_fault_address();

	if (this_cpu_read(*userwatch_inside))
		return;
	this_cpu_write(*userwatch_inside, true);
	barrier();
	userwatch_run(event->overflow_handler_context, regs);
	barrier();
	this_cpu_write(*userwatch_inside, false);
	arch_set_fault_address(fault);
}

/* ---- threads that begin: in the thread, may sleep ---- */

static const char *userwatch_reason(int rc)
{
	switch (rc) {
	case -ENOSPC:
		return "all watchpoints of the machine are in use, which has few (mostly four), also for debuggers and other tools";
	case -EINVAL:
		return "the address cannot be watched: it is no memory of the program, or not a multiple of the length";
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		return "this machine has no watchpoints";
	case -EBUSY:
		return "functions or markers of the program are probed, here or by another tool, and this machine is emulated (QEMU without KVM): "
		       "it would come to a stop if a probed instruction accessed what is watched";
	case -ENOMEM:
		return "out of memory";
	default:
		return "the kernel refused";
	}
}

/* Said once for each site; counted each time, though nobody knows how many hits are missed. */
static void userwatch_refused(const struct rt_site *site, int rc)
{
	unsigned int i = min_t(size_t, site - userwatch.sites, 63);

	hit_skipped(WIRE_SKIP_MISSED, 1);

	if (!test_and_set_bit(i, userwatch_warned))
		mail_warn("probe %s: not watched in thread %d: %s", userwatch_name(site), task_pid_nr(current), userwatch_reason(rc));
}

static unsigned long userwatch_address(const struct rt_site *site)
{
	unsigned long addr = site->n[3];

	return site->own ? addr + current->mm->start_code - site->own[SITE_USERWATCH_CODE] : addr;
}

/* Other points of the thread may watch the same memory, and are not to see this. */
static bool userwatch_look_at_once(struct userwatch_memory *m, unsigned long addr)
{
	bool ok;

	preempt_disable();
	this_cpu_write(*userwatch_inside, true);
	barrier();
	ok = !copy_from_user_nofault(&m->last, (const void __user *)addr, m->site->n[2]);
	barrier();
	this_cpu_write(*userwatch_inside, false);
	preempt_enable();
	return ok;
}

/* If the page is not there it is brought in.  False: the session ends. */
static bool userwatch_look(struct userwatch_memory *m, unsigned long addr)
{
	struct rt_ctx *c;

	if (userwatch_look_at_once(m, addr))
		return true;
	c = hit_enter(m->site->probe, task_pt_regs(current), true);
	if (!c)
		return false;
	m->last = rt_read_or(c, RT_USER, addr, m->site->n[2], 0);
	hit_leave(c);
	return true;
}

/* That of the current address space, which counts the thread then; if there is none, the new one, or NULL. */
static struct userwatch_memory *userwatch_join(const struct rt_site *site, struct userwatch_memory *new)
{
	struct userwatch_memory *m, *found = NULL;

	raw_spin_lock(&userwatch_lock);
	list_for_each_entry(m, &userwatch.memories, node)
		if (m->mm == current->mm && m->site == site) {
			m->threads++;
			m->users++;
			found = m;
			break;
		}
	if (!found && new) {
		list_add(&new->node, &userwatch.memories);
		found = new;
	}
	raw_spin_unlock(&userwatch_lock);
	return found;
}

static void userwatch_free_memory(struct userwatch_memory *m)
{
	mmdrop(m->mm);
	kfree(m);
}

static int userwatch_get_memory(struct userwatch_thread *w)
{
	struct userwatch_memory *m;

	w->memory = userwatch_join(w->site, NULL);
	if (w->memory)
		return 0;
	m = kzalloc(sizeof(*m), GFP_KERNEL | __GFP_NOWARN);
	if (!m)
		return -ENOMEM;
	m->site = w->site;
	m->mm = current->mm;
	mmgrab(m->mm);
	m->threads = m->users = 1;
	if (!userwatch_look(m, w->addr)) {
		userwatch_free_memory(m);
		return -EINTR;
	}
	w->memory = userwatch_join(w->site, m);
	if (w->memory != m) /* another thread has come first */
		userwatch_free_memory(m);
	return 0;
}

/*
 * May sleep.  It is in no list any more; its thread has ended, is the current one, or still runs.  If it has an event, no hit of it runs
 * after this.
 */
static void userwatch_free(struct userwatch_thread *w)
{
	bool last = false;

	if (w->event)
		perf_event_release_kernel(w->event);
	raw_spin_lock(&userwatch_lock);
	if (w->memory)
		last = !--w->memory->users;
	raw_spin_unlock(&userwatch_lock);
	if (last)
		userwatch_free_memory(w->memory);
	kfree(w);
}

static void userwatch_give_back(struct work_struct *work)
{
	struct userwatch_thread *w;

	do {
		raw_spin_lock(&userwatch_lock);
		w = list_first_entry_or_null(&userwatch.over, struct userwatch_thread, over);
		if (w)
			list_del(&w->over);
		raw_spin_unlock(&userwatch_lock);
		if (w)
			userwatch_free(w);
	} while (w);
}

static DECLARE_WORK(userwatch_work, userwatch_give_back);

static int userwatch_arm_once(struct userwatch_thread *w)
{
	struct perf_event *event;
	struct perf_event_attr attr;

	hw_breakpoint_init(&attr);
	attr.bp_addr = w->addr;
	attr.bp_len = w->site->n[2]; /* the kernel's numbers for lengths are the lengths */
	attr.bp_type = w->site->kind == SITE_USERWATCH_RW ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
	attr.remove_on_exec = 1;
	event = perf_event_create_kernel_counter(&attr, -1, current, userwatch_hit, w);
	if (IS_ERR(event))
		return PTR_ERR(event);
	w->event = event;
	return 0;
}

/* The machine's few watchpoints may be those of threads that have just ended. */
static int userwatch_arm(struct userwatch_thread *w)
{
	int rc = userwatch_arm_once(w);

	if (rc != -ENOSPC)
		return rc;
	flush_work(&userwatch_work);
	return userwatch_arm_once(w);
}

/* Under the lock. */
static void userwatch_thread_is_over(struct userwatch_memory *m)
{
	if (!--m->threads)
		list_del(&m->node);
}

/* False: the session ends. */
static bool userwatch_add(struct userwatch_thread *w)
{
	bool running;

	raw_spin_lock(&userwatch_lock);
	running = userwatch.running;
	if (running)
		hlist_add_head(&w->node, &userwatch.threads[hash_ptr(w->task, USERWATCH_TABLE_BITS)]);
	raw_spin_unlock(&userwatch_lock);
	return running;
}

static void userwatch_drop(struct userwatch_thread *w)
{
	raw_spin_lock(&userwatch_lock);
	if (w->memory)
		userwatch_thread_is_over(w->memory);
	raw_spin_unlock(&userwatch_lock);
	userwatch_free(w);
}

/*
 * An instruction of a program that is probed and itself accesses what is watched gives two debug exceptions in an emulator, one within the
 * other, where a processor gives one: the kernel complains and the CPU comes to a stop.  Perf and tracefs do the same there.
 */
static int userwatch_may_watch(const struct userwatch_thread *w)
{
	if (!access_ok((const void __user *)w->addr, w->site->n[2]))
		return -EINVAL;
	return arch_is_emulated() && compat_mm_has_uprobes(current->mm) ? -EBUSY : 0;
}

static void userwatch_watch(const struct rt_site *site)
{
	struct userwatch_thread *w;
	int rc;

	w = kzalloc(sizeof(*w), GFP_KERNEL | __GFP_NOWARN);
	if (!w) {
		userwatch_refused(site, -ENOMEM);
		return;
	}
	w->task = current;
	w->site = site;
	w->addr = userwatch_address(site);
	rc = userwatch_may_watch(w) ?: userwatch_get_memory(w) ?: userwatch_arm(w);
	if (rc && rc != -EINTR)
		userwatch_refused(site, rc);
	if (rc || !userwatch_add(w))
		userwatch_drop(w);
}

static bool userwatch_begins(void)
{
	bool running;

	raw_spin_lock(&userwatch_lock);
	running = userwatch.running && current->mm;
	userwatch.beginning += running;
	raw_spin_unlock(&userwatch_lock);
	return running;
}

static void userwatch_begin(const struct rt_site *site)
{
	if (!userwatch_begins())
		return;
	userwatch_watch(site);
	raw_spin_lock(&userwatch_lock);
	userwatch.beginning--;
	raw_spin_unlock(&userwatch_lock);
}

/* ---- threads that end ---- */

static void userwatch_end(const struct rt_site *site)
{
	struct userwatch_thread *w;
	struct hlist_node *next;

	raw_spin_lock(&userwatch_lock);
	if (userwatch.running)
		hlist_for_each_entry_safe(w, next, &userwatch.threads[hash_ptr(current, USERWATCH_TABLE_BITS)], node)
			if (w->task == current && w->site == site) {
				hlist_del(&w->node);
				userwatch_thread_is_over(w->memory);
				list_add(&w->over, &userwatch.over);
				schedule_work(&userwatch_work);
			}
	raw_spin_unlock(&userwatch_lock);
}

static const struct tasks_hook userwatch_hook = { .begin = userwatch_begin, .end = userwatch_end };

/* ---- the mechanism ---- */

static bool userwatch_with_uprobes(void)
{
	rt_u32 i;

	for (i = 0; i < rt_script.ntables; i++)
		if (!strcmp(rt_script.tables[i].mechanism->name, "uprobe"))
			return true;
	return false;
}

/*
 * May memory be watched on this machine?  In an emulator, a probed instruction that accesses it stops the machine: see userwatch_may_watch(),
 * which sees thread by thread what other sessions and tools have probed before.  What they probe afterwards, nobody sees: hence -g.
 */
static bool userwatch_is_safe(void)
{
	if (!arch_is_emulated())
		return true;
	if (!rt_script.guru)
		mail_error("memory of programs cannot be watched: this machine is emulated (QEMU without KVM), and would come to a stop if another "
			   "session or tool probed an instruction that accesses it; with -g it is watched nevertheless");
	else if (userwatch_with_uprobes())
		mail_error("memory of programs cannot be watched beside probes of functions or markers of programs: this machine is emulated "
			   "(QEMU without KVM), and would come to a stop if a probed instruction accessed what is watched");
	else
		return true;
	return false;
}

/* Of the same program. */
static bool userwatch_overlap(rt_u32 k, rt_u32 i)
{
	const struct rt_site *a = &userwatch.sites[k], *b = &userwatch.sites[i];

	if (!a->own != !b->own || !a->s[0] != !b->s[0] || (a->s[0] && strcmp(a->s[0], b->s[0])))
		return false;
	return a->n[3] < b->n[3] + b->n[2] && b->n[3] < a->n[3] + a->n[2];
}

static int userwatch_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	int rc;

	if (!userwatch_is_safe())
		return -EOPNOTSUPP;
	BUILD_BUG_ON(HW_BREAKPOINT_LEN_1 != 1 || HW_BREAKPOINT_LEN_2 != 2 || HW_BREAKPOINT_LEN_4 != 4 || HW_BREAKPOINT_LEN_8 != 8);
	INIT_LIST_HEAD(&userwatch.over);
	INIT_LIST_HEAD(&userwatch.memories);
	userwatch.sites = sites;
	watched_warn_of_overlaps(sites, n, userwatch_overlap);
	userwatch_inside = alloc_percpu(bool);
	if (!userwatch_inside)
		return -ENOMEM;
	rc = tasks_follow_threads(sites, n, &userwatch_hook);
	if (rc < 0) {
		free_percpu(userwatch_inside);
		return rc;
	}
	raw_spin_lock(&userwatch_lock);
	userwatch.running = true;
	raw_spin_unlock(&userwatch_lock);
	*armed += n;
	return 0;
}

/* Of threads that have not ended. */
static struct userwatch_thread *userwatch_take(unsigned int i)
{
	struct userwatch_thread *w;

	raw_spin_lock(&userwatch_lock);
	w = hlist_entry_safe(userwatch.threads[i].first, struct userwatch_thread, node);
	if (w) {
		hlist_del(&w->node);
		userwatch_thread_is_over(w->memory);
	}
	raw_spin_unlock(&userwatch_lock);
	return w;
}

static void userwatch_stop(void)
{
	struct userwatch_thread *w;
	unsigned int i;

	raw_spin_lock(&userwatch_lock);
	userwatch.running = false; /* nothing is added or put aside any more */
	raw_spin_unlock(&userwatch_lock);
	while (READ_ONCE(userwatch.beginning))
		msleep(1);
	tasks_unfollow();
	cancel_work_sync(&userwatch_work);
	userwatch_give_back(NULL);
	for (i = 0; i < 1 << USERWATCH_TABLE_BITS; i++)
		while ((w = userwatch_take(i)))
			userwatch_free(w);
	free_percpu(userwatch_inside);
}

const struct rt_mechanism rt_mechanism_userwatch = {
	.name = "userwatch",
	.start = userwatch_start,
	.running = tasks_run,
	.stop = userwatch_stop,
};
