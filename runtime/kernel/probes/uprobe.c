// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "uprobe": places in programs and libraries.  What a site means: sites/uprobe.h.
 *
 * Each site is a user of a point (upoint.h), added in the order of the script.  Where a site is restricted to some processes, others are not
 * even instrumented for it; what fork copied into a process that is not wanted is removed at its first hit.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kernel/arch/arch.h"
#include "kernel/arming.h"
#include "kernel/aside.h"
#include "kernel/compat/uprobe_nop.h"
#include "kernel/mechanism.h"
#include "kernel/hit.h"
#include "kernel/mail.h"
#include "kernel/own.h"
#include "kernel/pids.h"
#include "kernel/probes/calls.h"
#include "kernel/probes/failures.h"
#include "kernel/probes/frame.h"
#include "kernel/probes/images.h"
#include "kernel/probes/upoint.h"
#include "kernel/program.h"
#include "kernel/state.h"
#include "kernel/target.h"
#include "kernel/watch.h"
#include "sites/uprobe.h"
#include "wire.h"

#define CALLS_DEFAULT 4096 /* active calls whose entry handlers saved something */

struct uprobe_place {
	struct upoint_user user;
	const struct rt_site *site;
	const struct rt_probe *probe;
	struct image *image;
	pid_t pid; /* SITE_UPROBE_PID: as the kernel counts */
	bool probed; /* there is a breakpoint for it, or will be when it is armed */
};

static struct {
	struct images images;
	struct uprobe_place *places;
	unsigned int nplaces;
	struct calls *calls; /* NULL: no entry handlers */
	bool following;
	bool warned_of_unwinder; /* that one cannot be probed */
} uprobes;

static struct uprobe_place *uprobe_place_of(const struct upoint_user *u)
{
	return container_of(u, struct uprobe_place, user);
}

/* ---- who is wanted ---- */

/* Does mm, which is not going away, run a program whose returns are probed?  Yes when in doubt. */
static bool uprobe_runs_program(struct mm_struct *mm)
{
	const struct inode *inode = program_inode_and_put(program_of_memory(mm));

	return !inode || images_probe_returns_of(&uprobes.images, inode);
}

/* upoint_ops.wants */
static bool uprobe_wants(const struct upoint_user *u, struct task_struct *t, struct mm_struct *mm)
{
	const struct uprobe_place *p = uprobe_place_of(u);
	u32 flags = p->site->n[3];

	if (flags & SITE_UPROBE_PID && t->tgid != p->pid)
		return false;
	if (flags & SITE_UPROBE_PROGRAM && !uprobe_runs_program(mm))
		return false;
	return !(flags & SITE_UPROBE_TARGET) || target_has(t);
}

/* ---- hits ---- */

/* What all handlers of a hit have waited is counted together. */
static struct rt_ctx *uprobe_enter(const struct uprobe_place *p, const struct upoint_hit *h)
{
	struct rt_ctx *c = hit_enter(p->site->probe, h->regs, true);

	if (!c)
		return NULL;
	c->probe_addr = h->addr;
	c->load_base = h->addr - p->site->n[1];
	c->wait_until = h->wait.until;
	c->data = h;
	return c;
}

static void uprobe_leave(struct rt_ctx *c, struct upoint_hit *h)
{
	h->wait.until = c->wait_until;
	hit_leave(c);
}

static void uprobe_run(const struct uprobe_place *p, struct calls_entry *saved, struct upoint_hit *h)
{
	struct rt_ctx *c;

	if (hit_probe_small(p->site->probe))
		return;
	c = uprobe_enter(p, h);
	if (!c)
		return;
	c->entry = saved ? saved->slots : NULL;
	hit_run(c);
	uprobe_leave(c, h);
}

static void uprobe_run_entry(const struct uprobe_place *p, struct upoint_hit *h)
{
	struct calls_entry *saved = calls_enter(uprobes.calls, p, user_stack_pointer(h->regs));
	struct rt_ctx *c;
	bool failed;

	if (!saved) {
		hit_skipped(WIRE_SKIP_RETURN, 1);
		return;
	}
	c = uprobe_enter(p, h);
	if (!c) {
		calls_cancel(uprobes.calls, saved);
		return;
	}
	c->entry = saved->slots;
	hit_run_entry(c);
	failed = RT_FAILED(c);
	uprobe_leave(c, h);
	if (failed)
		calls_cancel(uprobes.calls, saved);
}

/* On another stack (FRAME) the stack pointer says nothing about which calls are over. */
static void uprobe_drop_left(struct upoint_hit *h)
{
	if (h->prepared || !uprobes.calls)
		return;
	h->prepared = true;
	if (h->unseen != WIRE_SKIP_FRAME && !frame_is_spared())
		calls_drop_left(uprobes.calls, h->regs);
}

/* A call that the program left while the return probe was armed must not be taken for this one when it returns. */
static void uprobe_on_pass(struct upoint_user *u, struct upoint_hit *h)
{
	uprobe_drop_left(h);
}

static void uprobe_on_entry(struct upoint_user *u, struct upoint_hit *h)
{
	if (unlikely(h->own) && !u->sees_own)
		hit_own(1);
	else
		uprobe_run(uprobe_place_of(u), NULL, h);
}

/*
 * A function with a return probe is entered.  A return probe without an entry handler is counted when the call returns, unless that will not
 * be seen.
 */
static void uprobe_on_call(struct upoint_user *u, struct upoint_hit *h)
{
	const struct uprobe_place *p = uprobe_place_of(u);

	uprobe_drop_left(h);
	if (unlikely(h->own) && !u->sees_own)
		hit_own(p->probe->entry || h->unseen != WIRE_SKIP_COUNT);
	else if (unlikely(h->unseen != WIRE_SKIP_COUNT))
		hit_skipped(h->unseen, 1);
	else if (p->probe->entry)
		uprobe_run_entry(p, h);
}

static void uprobe_on_return(struct upoint_user *u, struct upoint_hit *h)
{
	const struct uprobe_place *p = uprobe_place_of(u);
	struct calls_entry *saved;

	if (!p->probe->entry) {
		if (unlikely(h->own) && !u->sees_own)
			hit_own(1);
		else
			uprobe_run(p, NULL, h);
		return;
	}
	/* NULL: counted at its entry (skipped, failed, own), or began before the place was armed */
	saved = calls_return(uprobes.calls, p, h->regs);
	if (!saved)
		return;
	uprobe_run(p, saved, h);
	calls_done(uprobes.calls, saved);
}

/* A hit of the session itself with an entry handler was counted at the entry. */
static bool uprobe_forget(struct upoint_user *u, unsigned long sp)
{
	const struct uprobe_place *p = uprobe_place_of(u);

	return !p->probe->entry || calls_forget(uprobes.calls, p, sp);
}

static const struct upoint_ops uprobe_entry_ops = { .wants = uprobe_wants, .enter = uprobe_on_entry };
static const struct upoint_ops uprobe_return_ops = {
	.wants = uprobe_wants, .enter = uprobe_on_call, .pass = uprobe_on_pass, .leave = uprobe_on_return, .forget = uprobe_forget,
};

/* ---- processes that come and go ---- */

static void uprobe_on_fork(struct task_struct *parent, struct task_struct *child)
{
	/*
	 * Threads have a stack of their own; only a copy of the address space, or a borrowed one, goes on in the
	 * calls: for these the kernel has copied its own.
	 */
	if (!child->utask)
		return;
	hit_skipped(WIRE_SKIP_RETURN, calls_fork(uprobes.calls, parent, child));
}

static void uprobe_on_end(struct task_struct *t)
{
	calls_drop(uprobes.calls, t);
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

/* Reports that p cannot be probed.  Returns rc if that is an error, 0 if it is a warning.  name: of the place, for the warning. */
static int uprobe_refuse(const struct uprobe_place *p, const char *name, const char *why, int rc, struct failures *f)
{
	if (p->site->kind == SITE_UPROBE_UNWIND) { /* not in the script: the translator added it */
		if (!uprobes.warned_of_unwinder)
			mail_warn("exceptions that pass through probed calls may end the program: cannot probe %s: %s", p->site->s[0], why);
		uprobes.warned_of_unwinder = true;
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

/* Unwinders stay armed while a condition disarms the return probes: calls that began before are still active. */
static bool uprobe_is_wanted(const struct uprobe_place *p)
{
	return p->site->kind == SITE_UPROBE_UNWIND || arming_wants(p->probe);
}

/* Is the instruction one that the kernel replaces by what harms the program? */
static bool uprobe_is_replaced(const struct image *im, loff_t offset)
{
	u8 code[ARCH_NOP];

	return COMPAT_UPROBE_NOP_HARMS && images_read(im, offset, code, sizeof(code)) && arch_is_nop(code);
}

/* What is wrong with the place, or NULL. */
static const char *uprobe_make_place(struct uprobe_place *p, const struct rt_site *site)
{
	struct upoint_user *u = &p->user;

	p->site = site;
	p->probe = &rt_script.probes[site->probe];
	p->image = images_find(&uprobes.images, site->s[0], site->s[1]);
	p->image->returns |= site->kind == SITE_UPROBE_RETURN;
	if (p->image->problem)
		return p->image->problem;
	if (uprobe_is_replaced(p->image, site->n[0]))
		return "this kernel replaces such a nop by a call, which overwrites what the program keeps below its stack pointer";
	if (site->n[3] & SITE_UPROBE_PID) {
		p->pid = pids_global(site->own[SITE_UPROBE_OWN_PID]);
		if (!p->pid)
			return uprobe_reason(-ESRCH);
	}
	u->ops = site->kind == SITE_UPROBE_RETURN ? &uprobe_return_ops : &uprobe_entry_ops;
	u->inode = p->image->inode;
	u->offset = site->n[0];
	u->semaphore = site->n[2];
	u->restricted = site->n[3] != 0;
	u->sees_own = p->pid || own_program(u->inode);
	u->unwinds = site->kind == SITE_UPROBE_UNWIND;
	u->armed = uprobe_is_wanted(p);
	return NULL;
}

/* 0, or -errno if a site that is not optional cannot be probed, or there is no memory. */
static int uprobe_make_places(const struct rt_site *sites, rt_u32 n, struct failures *f)
{
	int failed = 0, rc;
	rt_u32 i;

	for (i = 0; i < n; i++) {
		struct uprobe_place *p = &uprobes.places[uprobes.nplaces];
		const char *problem = uprobe_make_place(p, &sites[i]);

		if (problem) {
			failed = uprobe_refuse(p, sites[i].s[0], problem, -ENOENT, f) ?: failed;
			continue;
		}
		rc = upoint_add(&p->user);
		if (rc)
			return rc;
		uprobes.nplaces++;
	}
	return failed;
}

static const char *uprobe_place_name(const struct uprobe_place *p)
{
	return p->probe->function && *p->probe->function ? p->probe->function : p->site->s[0];
}

/* No return may be hooked without the unwinders: they are armed first and disarmed last. */
static int uprobe_register_places(bool unwinders, struct failures *f, rt_u32 *armed)
{
	int failed = 0, rc;
	unsigned int i;

	for (i = 0; i < uprobes.nplaces && state_going(); i++) {
		struct uprobe_place *p = &uprobes.places[i];

		if (p->user.unwinds != unwinders)
			continue;
		rc = upoint_register(&p->user);
		p->probed = !rc;
		if (rc)
			failed = uprobe_refuse(p, uprobe_place_name(p), uprobe_reason(rc), rc, f) ?: failed;
		else
			*armed += !unwinders;
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

	return uprobe_register_places(true, r->failures, r->armed) ?: uprobe_register_places(false, r->failures, r->armed);
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
		uprobes.following = true;
	}
	if (!with_entry)
		return 0;
	ncalls = rt_script.limits->kretactive ? (u64)rt_script.limits->kretactive * with_entry : CALLS_DEFAULT;
	uprobes.calls = ncalls <= INT_MAX ? calls_new(ncalls, slots) : NULL;
	return uprobes.calls ? watch_begin(&uprobe_calls_watch) : -ENOMEM;
}

/* ---- arming ---- */

static void uprobe_arm_places(bool armed)
{
	unsigned int i;
	int rc;

	for (i = 0; i < uprobes.nplaces; i++) {
		struct uprobe_place *p = &uprobes.places[i];

		if (!p->probed || uprobe_is_wanted(p) != armed)
			continue;
		rc = upoint_arm(&p->user, armed);
		if (rc)
			mail_error("probe %s: cannot be armed at offset 0x%llx: %s (error %d)", p->probe->point, p->site->n[0],
				   uprobe_reason(rc), rc);
	}
}

/* In this order, a point that changes its users keeps its breakpoints. */
static void uprobe_refresh(void)
{
	uprobe_arm_places(true);
	uprobe_arm_places(false);
}

/* ---- the mechanism ---- */

static void uprobe_stop(void)
{
	upoint_stop();
	watch_end(&uprobe_calls_watch);
	if (uprobes.following)
		target_release();
	calls_free(uprobes.calls);
	kvfree(uprobes.places);
	images_free(&uprobes.images);
	memset(&uprobes, 0, sizeof(uprobes));
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
	uprobes.places = kvcalloc(n, sizeof(*uprobes.places), GFP_KERNEL);
	rc = f && uprobes.places ? images_make(&uprobes.images, n) : -ENOMEM;
	if (!rc)
		rc = uprobe_prepare_hits(sites, n);
	if (!rc)
		rc = upoint_start();
	if (!rc && rt_script.nconditions)
		upoint_prepare_to_disarm();
	if (!rc)
		rc = uprobe_make_places(sites, n, f);
	if (!rc)
		rc = aside_run(uprobe_register_all, &(struct uprobe_registration){ f, armed });
	if (!rc)
		upoint_open();
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

const struct rt_mechanism rt_mechanism_uprobe = {
	.name = "uprobe",
	.start = uprobe_start,
	.stop = uprobe_stop,
	.refresh = uprobe_refresh,
};
