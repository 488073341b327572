// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Family "uprobe": places in programs and libraries.  What a site means: sites/uprobe.h.  The translator
 * makes sites of functions only so far; statements and markers (n[2], a semaphore) are provided for here.
 *
 * All sites at one place of a file form a point, which is one consumer of the kernel's uprobes: their handlers run in the order
 * of the script, and a function probed at entry and return costs one trap each.  The kernel asks a filter about each
 * process.  Where all sites of a point are restricted to some, the others are not even instrumented; what fork copied into a
 * process that is not wanted is removed at its first hit.
 *
 * The filter wants nobody while a point's conditions are all false: asking it again takes the breakpoints out and puts them
 * back, while the consumer stays registered and sees the calls return that it saw begin.
 *
 * Handlers may sleep: the kernel holds a lock for reading (6.1) or a tasks-trace RCU section (6.12), both made for that.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/uprobes.h>

#include "kernel/arming.h"
#include "kernel/aside.h"
#include "kernel/compat/mm_owner.h"
#include "kernel/compat/uprobe_apply.h"
#include "kernel/compat/uprobe_filter.h"
#include "kernel/compat/uprobe_handler.h"
#include "kernel/compat/uprobe_register.h"
#include "kernel/compat/uprobe_shared.h"
#include "kernel/compat/uretprobe_area.h"
#include "kernel/compat/uretprobe_depth.h"
#include "kernel/family.h"
#include "kernel/hit.h"
#include "kernel/ksyms.h"
#include "kernel/mail.h"
#include "kernel/own.h"
#include "kernel/patience.h"
#include "kernel/pids.h"
#include "kernel/probes/calls.h"
#include "kernel/probes/failures.h"
#include "kernel/probes/frame.h"
#include "kernel/probes/images.h"
#include "kernel/program.h"
#include "kernel/state.h"
#include "kernel/target.h"
#include "kernel/watch.h"
#include "sites/uprobe.h"
#include "wire.h"

#define CALLS_DEFAULT 4096 /* active calls whose entry handlers saved something */

struct uprobe_place {
	const struct rt_site *site;
	const struct rt_probe *probe;
	struct image *image;
	pid_t pid; /* SITE_UPROBE_PID: as the kernel counts */
	rt_u32 index;
	bool armed; /* by its condition */
	bool sees_own; /* names a process, or the loader's program: hits of the session itself are handled there */
};

struct uprobe_point {
	struct uprobe_consumer consumer;
	void *handle;
	struct uprobe_place *places;
	unsigned int nplaces;
	bool registered;
	bool unwinds;    /* a place is SITE_UPROBE_UNWIND */
	bool armed;      /* what the filter goes by: a place is wanted by its condition */
	bool failed;     /* to be armed, which was reported */
};

static struct {
	struct images images;
	struct uprobe_place *places;
	struct uprobe_point *points;
	unsigned int nplaces, npoints;
	struct calls *calls; /* NULL: no entry handlers */
	unsigned long apply; /* the kernel's uprobe_apply(), if there are conditions; 0: breakpoints stay */
	bool following;
	bool warned_of_unwinder; /* that one cannot be probed */
	bool warned_of_debugger;
} uprobe_family;

/*
 * A breakpoint of a debugger and a probe at the same place are one int3 to the kernel.  The debugger does not see a hit; what it keeps to put
 * back may be the probe's; and whoever goes first takes it out for both.  Others that trace processes attach in another way.
 */
static noinline void uprobe_warn_of_debugger(const struct task_struct *t)
{
	if (READ_ONCE(t->ptrace) & PT_SEIZED || xchg(&uprobe_family.warned_of_debugger, true))
		return;
	mail_warn("%s (process %d) has a debugger: a breakpoint of it at a probed place does not stop the program; delete such breakpoints "
		  "before this session ends, or the program may die of one", t->comm, t->tgid);
}

/* ---- who is wanted ---- */

/* Does mm, which is not going away, run a program whose returns are probed?  Yes when in doubt. */
static bool uprobe_runs_program(struct mm_struct *mm)
{
	const struct inode *inode = program_inode_and_put(program_of_memory(mm));

	return !inode || images_probe_returns_of(&uprobe_family.images, inode);
}

static bool uprobe_place_wants(const struct uprobe_place *p, struct task_struct *t, struct mm_struct *mm)
{
	u32 flags = p->site->n[3];

	if (flags & SITE_UPROBE_PID && t->tgid != p->pid)
		return false;
	if (flags & SITE_UPROBE_PROGRAM && !uprobe_runs_program(mm))
		return false;
	return !(flags & SITE_UPROBE_TARGET) || target_has(t);
}

static bool uprobe_point_wants(const struct uprobe_point *pt, struct task_struct *t, struct mm_struct *mm)
{
	unsigned int i;

	for (i = 0; i < pt->nplaces; i++)
		if (uprobe_place_wants(&pt->places[i], t, mm))
			return true;
	return false;
}

/* The kernel asks whether to instrument an address space.  Yes when in doubt: hits are looked at again. */
static bool uprobe_wants(struct uprobe_consumer *uc, struct mm_struct *mm)
{
	const struct uprobe_point *pt = container_of(uc, struct uprobe_point, consumer);
	struct task_struct *owner;
	bool yes;

	rcu_read_lock();
	owner = compat_mm_owner(mm);
	yes = !owner || uprobe_point_wants(pt, owner, mm);
	if (yes && owner && READ_ONCE(owner->ptrace))
		uprobe_warn_of_debugger(owner);
	rcu_read_unlock();
	return yes && READ_ONCE(pt->armed);
}

COMPAT_UPROBE_FILTER_FUNCTION(uprobe_filter, uprobe_wants)

/* ---- hits ---- */

/* What all of a hit have waited is counted together. */
static struct rt_ctx *uprobe_enter(const struct uprobe_place *p, unsigned long addr, struct pt_regs *regs, const struct access_wait *wait)
{
	struct rt_ctx *c = hit_enter(p->site->probe, regs, true);

	if (!c)
		return NULL;
	c->probe_addr = addr;
	c->load_base = addr - p->site->n[1];
	c->wait_until = wait->until;
	return c;
}

static void uprobe_leave(struct rt_ctx *c, struct access_wait *wait)
{
	wait->until = c->wait_until;
	hit_leave(c);
}

static void uprobe_run(const struct uprobe_place *p, unsigned long addr, struct calls_entry *saved, struct pt_regs *regs,
		       struct access_wait *wait)
{
	struct rt_ctx *c = uprobe_enter(p, addr, regs, wait);

	if (!c)
		return;
	c->entry = saved ? saved->slots : NULL;
	hit_run(c);
	uprobe_leave(c, wait);
}

/*
 * Why the return of this call will not be seen, one of enum wire_skip; WIRE_SKIP_COUNT: it will be.  Sessions that have the same
 * place have to agree: so what does not look the same to all of them is settled by the first that says no.
 */
static unsigned int uprobe_look_at_return(struct pt_regs *regs, struct access_wait *wait)
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
	if (frame_can_return(regs, wait)) {
		frame_put_left_back(regs);
		return WIRE_SKIP_COUNT;
	}
	frame_spare();
	return WIRE_SKIP_FRAME;
}

/* Index of the first place at offset in the file, or of where it would be in order. */
static unsigned int uprobe_find_place(const struct inode *inode, u64 offset)
{
	unsigned int low = 0, high = uprobe_family.nplaces;

	while (low < high) {
		unsigned int mid = low + (high - low) / 2;
		const struct uprobe_place *p = &uprobe_family.places[mid];

		if (p->image->inode < inode || (p->image->inode == inode && p->site->n[0] < offset))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Would uprobe_on_return() have made a hit of the return?  What was saved for it is dropped. */
static bool uprobe_forget_call(const struct uprobe_place *p, unsigned long sp)
{
	if (p->site->kind != SITE_UPROBE_RETURN || (p->site->n[3] && !uprobe_place_wants(p, current, current->mm)))
		return false;
	return !p->probe->entry || calls_forget(uprobe_family.calls, p, sp);
}

/* frame_missed_fn.  A hit of the session itself with an entry handler was counted at the entry. */
static void uprobe_on_missed(void *point, unsigned long sp, bool spared)
{
	const struct uprobe_point *pt = point;
	bool own = own_hit(task_pt_regs(current));
	unsigned int i;

	for (i = 0; i < pt->nplaces; i++) {
		const struct uprobe_place *p = &pt->places[i];

		if (!uprobe_forget_call(p, sp))
			continue;
		if (unlikely(own) && !p->sees_own)
			hit_own(1);
		else
			hit_skipped(spared ? WIRE_SKIP_FRAME : WIRE_SKIP_MISSED, 1);
	}
}

/*
 * frame_hits_fn: how many hits uprobe_on_return() would have made of the return.  What was saved for them is
 * dropped.
 */
static unsigned int uprobe_hits_at_return(const struct inode *inode, u64 offset, unsigned long sp)
{
	unsigned int i, n = 0;

	for (i = uprobe_find_place(inode, offset); i < uprobe_family.nplaces; i++) {
		const struct uprobe_place *p = &uprobe_family.places[i];

		if (p->image->inode != inode || p->site->n[0] != offset)
			break;
		n += uprobe_forget_call(p, sp);
	}
	return n;
}

static void uprobe_on_unwind(struct pt_regs *regs)
{
	unsigned int n = frame_unhook(regs, uprobe_hits_at_return);

	if (n)
		hit_skipped(WIRE_SKIP_FRAME, n);
}

/*
 * uprobe_look_at_return(); and where another session or the kernel may still prevent the return, one that nobody could learn to be
 * missing is left out.
 */
static unsigned int uprobe_decide_on_return(struct uprobe_point *pt, struct pt_regs *regs, struct access_wait *wait)
{
	unsigned int skip = uprobe_look_at_return(regs, wait);

	if (skip != WIRE_SKIP_COUNT || likely(!compat_uprobe_shared(&pt->consumer) && compat_uretprobe_area()))
		return skip;
	if (frame_watch(regs, uprobe_on_missed, pt))
		return WIRE_SKIP_COUNT;
	frame_spare();
	return WIRE_SKIP_FRAME;
}

/* A function with a return probe is entered.  skip: what uprobe_decide_on_return() gave. */
static void uprobe_on_call(const struct uprobe_place *p, struct pt_regs *regs, unsigned int skip, struct access_wait *wait)
{
	struct calls_entry *saved;
	struct rt_ctx *c;
	bool failed;

	if (skip != WIRE_SKIP_COUNT) {
		hit_skipped(skip, 1);
		return;
	}
	if (!p->probe->entry)
		return;
	saved = calls_enter(uprobe_family.calls, p, regs);
	if (!saved) {
		hit_skipped(WIRE_SKIP_RETURN, 1);
		return;
	}
	c = uprobe_enter(p, instruction_pointer(regs), regs, wait);
	if (!c) {
		calls_cancel(uprobe_family.calls, saved);
		return;
	}
	c->entry = saved->slots;
	hit_run_entry(c);
	failed = RT_FAILED(c);
	uprobe_leave(c, wait);
	if (failed)
		calls_cancel(uprobe_family.calls, saved);
}

/*
 * Is a hit of the session itself to be counted at this entry?  A return probe without an entry handler is
 * counted when the call returns, unless that will not be seen.
 */
static bool uprobe_counts_now(const struct uprobe_place *p, unsigned int skip)
{
	return p->site->kind != SITE_UPROBE_RETURN || p->probe->entry || skip != WIRE_SKIP_COUNT;
}

static int uprobe_on_entry(struct uprobe_consumer *uc, struct pt_regs *regs)
{
	struct uprobe_point *pt = container_of(uc, struct uprobe_point, consumer);
	unsigned long addr = instruction_pointer(regs);
	bool wanted = false, own = own_hit(regs);
	unsigned int i, skip = WIRE_SKIP_COUNT;
	struct access_wait wait = { .outlasts = true }; /* a session that ends has to find what others find at this hit */

	if (uc->ret_handler) {
		skip = uprobe_decide_on_return(pt, regs, &wait);
		/* On another stack (skip is FRAME) the stack pointer says nothing about which calls are over. */
		if (uprobe_family.calls && skip != WIRE_SKIP_FRAME && !frame_is_spared())
			calls_drop_left(uprobe_family.calls, regs);
	}
	/* Whoever is wanted: a child of fork() has copies of its parent's calls, hooked as they were. */
	if (unlikely(pt->unwinds))
		uprobe_on_unwind(regs);
	for (i = 0; i < pt->nplaces; i++) {
		const struct uprobe_place *p = &pt->places[i];

		if (p->site->n[3] && !uprobe_place_wants(p, current, current->mm))
			continue;
		wanted = true;
		if (!READ_ONCE(p->armed) || unlikely(p->site->kind == SITE_UPROBE_UNWIND))
			continue;
		if (unlikely(own) && !p->sees_own)
			hit_own(uprobe_counts_now(p, skip) ? 1 : 0);
		else if (p->site->kind == SITE_UPROBE_RETURN)
			uprobe_on_call(p, regs, skip, &wait);
		else
			uprobe_run(p, addr, NULL, regs, &wait);
	}
	if (unlikely(current->ptrace) && wanted)
		uprobe_warn_of_debugger(current);
	return wanted || uprobe_wants(uc, current->mm) ? 0 : UPROBE_HANDLER_REMOVE;
}

static int uprobe_on_return(struct uprobe_consumer *uc, unsigned long func, struct pt_regs *regs)
{
	struct uprobe_point *pt = container_of(uc, struct uprobe_point, consumer);
	struct access_wait wait = { 0 };
	bool own = own_hit(regs);
	unsigned int i;

	for (i = pt->nplaces; i-- > 0;) {
		const struct uprobe_place *p = &pt->places[i];
		struct calls_entry *saved = NULL;

		if (p->site->kind != SITE_UPROBE_RETURN || (p->site->n[3] && !uprobe_place_wants(p, current, current->mm)))
			continue;
		if (p->probe->entry) {
			/*
			 * NULL: counted at its entry (skipped, failed, own), or began before the place was
			 * armed
			 */
			saved = calls_return(uprobe_family.calls, p, regs);
			if (!saved)
				continue;
		} else if (unlikely(own) && !p->sees_own) {
			hit_own(1);
			continue;
		}
		uprobe_run(p, func, saved, regs, &wait);
		if (saved)
			calls_done(uprobe_family.calls, saved);
	}
	return 0;
}

COMPAT_UPROBE_ENTRY_FUNCTION(uprobe_entry_handler, uprobe_on_entry)
COMPAT_UPROBE_RETURN_FUNCTION(uprobe_return_handler, uprobe_on_return)

/* ---- processes that come and go ---- */

static void uprobe_on_fork(struct task_struct *parent, struct task_struct *child)
{
	/*
	 * Threads have a stack of their own; only a copy of the address space, or a borrowed one, goes on in the
	 * calls: for these the kernel has copied its own.
	 */
	if (!child->utask)
		return;
	hit_skipped(WIRE_SKIP_RETURN, calls_fork(uprobe_family.calls, parent, child));
}

static void uprobe_on_end(struct task_struct *t)
{
	calls_drop(uprobe_family.calls, t);
}

static struct watcher uprobe_calls_watch = { .fork = uprobe_on_fork, .exec = uprobe_on_end, .exit = uprobe_on_end };

/* ---- registration ---- */

static const char *uprobe_reason(int rc)
{
	switch (rc) {
	case -EINVAL:
		return "not a place in the file, or its semaphore is not the one that others use";
	case -ENOTSUPP:
	case -EOPNOTSUPP:
		return "the kernel cannot probe the instruction there";
	case -EIO:
		return "the file system does not support probes, or the file is too short";
	case -ENOMEM:
		return "out of memory";
	case -ESRCH:
		return "there is no such process";
	default:
		return "the kernel refused";
	}
}

/*
 * Reports that p cannot be probed: rc if that is an error, 0 if it is a warning.  name: what the warning
 * calls the place
 */
static int uprobe_refuse(const struct uprobe_place *p, const char *name, const char *why, int rc, struct failures *f)
{
	if (p->site->kind == SITE_UPROBE_UNWIND) { /* nobody wrote it */
		if (!uprobe_family.warned_of_unwinder)
			mail_warn("exceptions that pass through probed calls may end the program: cannot probe %s: %s", p->site->s[0], why);
		uprobe_family.warned_of_unwinder = true;
		return 0;
	}
	if (p->site->flags & RT_SITE_OPTIONAL) {
		failures_add(f, why, name);
		return 0;
	}
	mail_error("probe %s: cannot probe %s at offset 0x%llx: %s (error %d)", p->probe->point, p->site->s[0],
		   p->site->n[0], why, rc);
	return rc;
}

static int uprobe_compare_places(const void *a, const void *b)
{
	const struct uprobe_place *x = a, *y = b;

	if (x->image->inode != y->image->inode)
		return x->image->inode < y->image->inode ? -1 : 1;
	if (x->site->n[0] != y->site->n[0])
		return x->site->n[0] < y->site->n[0] ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Finds the files of all sites.  0, or -errno if a site that is not optional cannot be probed. */
static int uprobe_make_places(const struct rt_site *sites, rt_u32 n, struct failures *f)
{
	int failed = 0;
	rt_u32 i;

	for (i = 0; i < n; i++) {
		struct uprobe_place *p = &uprobe_family.places[uprobe_family.nplaces];
		const char *problem;

		p->site = &sites[i];
		p->probe = &rt_script.probes[sites[i].probe];
		p->index = i;
		p->image = images_find(&uprobe_family.images, sites[i].s[0], sites[i].s[1]);
		p->image->returns |= sites[i].kind == SITE_UPROBE_RETURN;
		problem = p->image->problem;
		if (!problem && sites[i].n[3] & SITE_UPROBE_PID) {
			p->pid = pids_global(sites[i].n[3] >> SITE_UPROBE_PID_SHIFT);
			problem = p->pid ? NULL : uprobe_reason(-ESRCH);
		}
		p->sees_own = p->pid || own_program(p->image->inode);
		if (!problem)
			uprobe_family.nplaces++;
		else
			failed = uprobe_refuse(p, sites[i].s[0], problem, -ENOENT, f) ?: failed;
	}
	sort(uprobe_family.places, uprobe_family.nplaces, sizeof(*uprobe_family.places), uprobe_compare_places, NULL);
	return failed;
}

static const char *uprobe_place_name(const struct uprobe_place *p)
{
	return p->probe->function && *p->probe->function ? p->probe->function : p->site->s[0];
}

static bool uprobe_same_point(const struct uprobe_place *a, const struct uprobe_place *b)
{
	return a->image->inode == b->image->inode && a->site->n[0] == b->site->n[0];
}

/* Unwinders stay armed while a condition disarms the return probes: calls that began before are still active. */
static bool uprobe_place_is_wanted(const struct uprobe_place *p)
{
	return p->site->kind == SITE_UPROBE_UNWIND || arming_wants(p->probe);
}

/* Is any of its places to be armed?  Without uprobe_apply() nothing can be disarmed: then always. */
static bool uprobe_is_wanted(const struct uprobe_point *pt)
{
	bool wanted = !uprobe_family.apply;
	unsigned int i;

	for (i = 0; i < pt->nplaces; i++)
		wanted |= uprobe_place_is_wanted(&pt->places[i]);
	return wanted;
}

/* Marks the wanted places as armed (wanted), or those that are not wanted as disarmed (!wanted). */
static void uprobe_set_places(struct uprobe_point *pt, bool wanted)
{
	unsigned int i;

	for (i = 0; i < pt->nplaces; i++)
		if (uprobe_place_is_wanted(&pt->places[i]) == wanted)
			WRITE_ONCE(pt->places[i].armed, wanted);
}

static int uprobe_register_point(struct uprobe_point *pt)
{
	const struct rt_site *site = pt->places[0].site;
	bool returns = false;
	unsigned int i;
	int rc;

	for (i = 0; i < pt->nplaces; i++)
		returns |= pt->places[i].site->kind == SITE_UPROBE_RETURN;
	pt->armed = uprobe_is_wanted(pt);
	uprobe_set_places(pt, true);
	pt->consumer.filter = uprobe_filter;
	pt->consumer.handler = uprobe_entry_handler;
	if (returns)
		pt->consumer.ret_handler = uprobe_return_handler;
	rc = compat_uprobe_add(&pt->handle, pt->places[0].image->inode, site->n[0], site->n[2], &pt->consumer);
	pt->registered = rc == 0;
	return rc;
}

static void uprobe_make_points(void)
{
	unsigned int first, i;

	for (first = 0; first < uprobe_family.nplaces; first += uprobe_family.points[uprobe_family.npoints++].nplaces) {
		struct uprobe_point *pt = &uprobe_family.points[uprobe_family.npoints];

		pt->places = &uprobe_family.places[first];
		pt->nplaces = 1;
		while (first + pt->nplaces < uprobe_family.nplaces && uprobe_same_point(pt->places, &pt->places[pt->nplaces]))
			pt->nplaces++;
		for (i = 0; i < pt->nplaces; i++)
			pt->unwinds |= pt->places[i].site->kind == SITE_UPROBE_UNWIND;
	}
}

/* No return may be hooked without the unwinders: they are armed first and disarmed last. */
static int uprobe_register_points(bool unwinders, struct failures *f, rt_u32 *armed)
{
	int failed = 0, rc;
	unsigned int i, k;

	for (i = 0; i < uprobe_family.npoints && state_going(); i++) {
		struct uprobe_point *pt = &uprobe_family.points[i];

		if (pt->unwinds != unwinders)
			continue;
		rc = uprobe_register_point(pt);
		for (k = 0; k < pt->nplaces; k++) {
			const struct uprobe_place *p = &pt->places[k];

			if (rc)
				failed = uprobe_refuse(p, uprobe_place_name(p), uprobe_reason(rc), rc, f) ?: failed;
			else
				*armed += p->site->kind != SITE_UPROBE_UNWIND;
		}
	}
	return failed;
}

struct uprobe_registration {
	struct failures *failures;
	rt_u32 *armed;
};

static int uprobe_register_all(void *data)
{
	struct uprobe_registration *r = data;

	return uprobe_register_points(true, r->failures, r->armed) ?: uprobe_register_points(false, r->failures, r->armed);
}

static void uprobe_unregister_points(bool unwinders)
{
	unsigned int i;

	for (i = 0; i < uprobe_family.npoints; i++) {
		struct uprobe_point *pt = &uprobe_family.points[i];

		if (pt->registered && pt->unwinds == unwinders)
			compat_uprobe_remove(pt->handle, pt->places[0].image->inode, pt->places[0].site->n[0], &pt->consumer);
	}
}

static int uprobe_unregister_all(void *data)
{
	uprobe_unregister_points(false);
	uprobe_unregister_points(true);
	return 0;
}

/* What handlers need while they run: the target's processes, and room for what entry handlers save. */
static int uprobe_prepare_hits(const struct rt_site *sites, rt_u32 n)
{
	unsigned int slots = 0, with_entry = 0;
	u64 ncalls;
	bool target = false;
	rt_u32 i;
	int rc;

	for (i = 0; i < n; i++) {
		const struct rt_probe *p = &rt_script.probes[sites[i].probe];

		target |= (sites[i].n[3] & SITE_UPROBE_TARGET) != 0;
		if (!p->entry || sites[i].kind == SITE_UPROBE_UNWIND)
			continue;
		with_entry++;
		slots = max(slots, p->entry_slots);
	}
	if (target) {
		rc = target_follow();
		if (rc)
			return rc;
		uprobe_family.following = true;
	}
	if (!with_entry)
		return 0;
	ncalls = rt_script.limits->kretactive ? (u64)rt_script.limits->kretactive * with_entry : CALLS_DEFAULT;
	uprobe_family.calls = ncalls <= INT_MAX ? calls_new(ncalls, slots) : NULL;
	return uprobe_family.calls ? watch_begin(&uprobe_calls_watch) : -ENOMEM;
}

/* ---- arming ---- */

static void uprobe_arm(struct uprobe_point *pt, bool armed)
{
	const struct uprobe_place *p = pt->places;
	int rc;

	WRITE_ONCE(pt->armed, armed);
	rc = compat_uprobe_apply(uprobe_family.apply, pt->handle, p->image->inode, p->site->n[0], &pt->consumer,
				 armed);
	if (rc && armed && !pt->failed)
		mail_error("probe %s: cannot be armed at offset 0x%llx: %s (error %d)", p->probe->point,
			   p->site->n[0], uprobe_reason(rc), rc);
	pt->failed = rc && armed;
}

/* The places of a point see hits from before it is armed to after it is disarmed. */
static void uprobe_refresh(void)
{
	unsigned int i;

	for (i = 0; i < uprobe_family.npoints; i++) {
		struct uprobe_point *pt = &uprobe_family.points[i];
		bool wanted = uprobe_is_wanted(pt);

		if (!pt->registered)
			continue;
		uprobe_set_places(pt, true);
		if (pt->armed != wanted)
			uprobe_arm(pt, wanted);
		uprobe_set_places(pt, false);
	}
}

/* ---- the family ---- */

static void uprobe_stop(void)
{
	if (uprobe_family.npoints) {
		patience_begin("the kernel, which has a task wait at a probed instruction, as for a page of userfaultfd");
		aside_run(uprobe_unregister_all, NULL);
		frame_wait_for_errands(); /* first, since the next may wait for the same tasks, and names nobody */
		compat_uprobe_wait();
		patience_end();
	}
	frame_stop(); /* what hits left to be done may still count */
	watch_end(&uprobe_calls_watch);
	if (uprobe_family.following)
		target_release();
	calls_free(uprobe_family.calls);
	kvfree(uprobe_family.points);
	kvfree(uprobe_family.places);
	images_free(&uprobe_family.images);
	memset(&uprobe_family, 0, sizeof(uprobe_family));
}

static unsigned int uprobe_count_unwinders(const struct rt_site *sites, rt_u32 n)
{
	unsigned int count = 0;
	rt_u32 i;

	for (i = 0; i < n; i++)
		count += sites[i].kind == SITE_UPROBE_UNWIND;
	return count;
}

static int uprobe_start_all(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	struct failures *f = kzalloc(sizeof(*f), GFP_KERNEL);
	int rc;

	program_init();
	if (rt_script.nconditions)
		uprobe_family.apply = ksyms_address("uprobe_apply");
	uprobe_family.places = kvcalloc(n, sizeof(*uprobe_family.places), GFP_KERNEL);
	uprobe_family.points = kvcalloc(n, sizeof(*uprobe_family.points), GFP_KERNEL);
	rc = f && uprobe_family.places && uprobe_family.points ? images_make(&uprobe_family.images, n) : -ENOMEM;
	if (!rc)
		rc = uprobe_prepare_hits(sites, n);
	if (!rc)
		rc = frame_start();
	if (!rc)
		rc = uprobe_make_places(sites, n, f);
	if (!rc) {
		uprobe_make_points();
		rc = aside_run(uprobe_register_all, &(struct uprobe_registration){ f, armed });
	}
	if (f)
		failures_report(f, n - uprobe_count_unwinders(sites, n), "user probe points");
	kfree(f);
	return rc;
}

static int uprobe_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 before = *armed;
	int rc = uprobe_start_all(sites, n, armed);

	if (rc) {
		uprobe_stop();
		*armed = before;
	}
	return rc;
}

const struct rt_family rt_family_uprobe = {
	.name = "uprobe",
	.start = uprobe_start,
	.stop = uprobe_stop,
	.refresh = uprobe_refresh,
};
