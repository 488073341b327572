// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mechanism "kprobe": kernel functions and addresses.  What a site means: sites/kprobe.h.
 *
 * Every site becomes one or more points.  Where the kernel's function tracer has its call, points are fast: all of them are armed through
 * one ftrace_ops of ours, in a single pass over the kernel text, while arming kprobes one by one takes a pass each.  A hit of a fast point
 * calls us directly.  The blacklist of kprobes decides whether a place may be probed at all.
 *
 * Each other point is a kprobe or kretprobe, registered disarmed; that resolves the symbol and checks the place, but takes a walk over all
 * jump labels of the kernel.
 *
 * Conditions: fast points are added to and removed from the filter of our ftrace_ops, again in one pass for all (kfast.c).
 *
 * Points of a module are made when the session starts and have an address while the module is loaded.  When it comes, the kernel calls our
 * notifier before any of its code runs, and after the function tracer has made its calls ready (prepare_coming_module()) and kprobes
 * knows what must not be probed in it (its notifier is called before ours); when it goes, after its code has ended and before the
 * tracer forgets its calls.  So all of it can be probed, also what only starts it, of which the points are given up when it has started.
 * The kernel's own kprobe events and live patches take the same locks in such a notifier, with none held but the chain's semaphore, for
 * reading: kprobe_mutex, ftrace_lock, text_mutex.  Ours comes before them, and no other lock of ours is taken after it but those of mail.
 * A refresh and the start take it the same way, and when the session stops, the points are removed first, and then the notifier is.
 *
 * Fast return probes hook returns themselves: kreturn.h.
 */
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/reboot.h>
#include <linux/slab.h>

#include "kernel/arming.h"
#include "kernel/mechanism.h"
#include "kernel/hit.h"
#include "kernel/ksyms.h"
#include "kernel/machine.h"
#include "kernel/mail.h"
#include "kernel/memory.h"
#include "kernel/modules.h"
#include "kernel/probes/failures.h"
#include "kernel/probes/kcalls.h"
#include "kernel/probes/kfast.h"
#include "kernel/probes/kplace.h"
#include "kernel/probes/kpoint.h"
#include "kernel/probes/kreason.h"
#include "kernel/probes/kreturn.h"
#include "kernel/probes/kswitch.h"
#include "kernel/state.h"
#include "sites/kprobe.h"
#include "wire.h"

#define KPROBE_OWN_POOLS 64 /* up to so many return points each have a pool of their own */
#define KPROBE_CALLS 2048   /* least number of active calls for all return points together */

static struct {
	struct kpoint *points;
	unsigned int npoints, room;
	void **list; /* room for all of them, for unregistering */
	bool tracer_serves; /* points are armed through the function tracer where it has its calls */
	bool tracer_failed; /* at the last attempt to change what is armed */
	bool fast_returns; /* the kernel's way of hooking them is known */
	bool pools;        /* there are pools, ours or the kernel's, for calls that have not returned */
	const char *slow;  /* the first kprobe that is not a fast point; NULL: there was none yet */
	bool switch_is_watched;
	bool alone;        /* the script has one site, so without it there is nothing to wait for */
	int refused;       /* the error of the first site that could not be probed and is not optional */
	bool stuck;        /* the kernel cannot remove all points */
	unsigned long text; /* _stext; 0: not known, so no site that needs it is armed */
	const int *tracer_broken; /* the kernel's ftrace_disabled; NULL: not known */
	unsigned long missed, missed_returns; /* of the points that kprobe_stop() removed */
} kprobes;

/* Points are made, set and freed: by the session, by conditions, and when a module comes or goes. */
static DEFINE_MUTEX(kprobe_mutex);

/* ---- registration ---- */

static void kprobe_set_place(struct kpoint *p, unsigned long addr)
{
	p->rp.kp.addr = (kprobe_opcode_t *)addr;
	p->rp.kp.offset = p->site->n[0];
	p->rp.kp.flags = KPROBE_FLAG_DISABLED;
}

static struct kpoint *kprobe_new_point(const struct rt_site *site)
{
	struct kpoint *p;

	if (kprobes.npoints == kprobes.room)
		return NULL;
	p = &kprobes.points[kprobes.npoints++];
	kpoint_set_site(p, site);
	return p;
}

static int kprobe_add_point(const struct rt_site *site, unsigned long addr)
{
	struct kpoint *p;

	if (!addr)
		return -ENOENT;
	p = kprobe_new_point(site);
	if (!p)
		return -ENOSPC;
	kprobe_set_place(p, addr);
	return 0;
}

/* Is an offset, if there is one, within the function at addr? */
static int kprobe_check_offset(const struct rt_site *site, unsigned long addr)
{
	return site->n[0] && !site->n[2] ? kplace_check_offset(addr, site->n[0]) : 0;
}

/* Functions at another distance from the beginning of the kernel's code than the site has are left out. */
static int kprobe_add_address(void *data, unsigned long addr)
{
	const struct rt_site *site = data;

	return site->n[2] && addr - kprobes.text != site->n[2] ? 0 : kprobe_add_point(site, addr);
}

/* What has the name, where the kernel does not list all that have it, or none of them was taken. */
static int kprobe_add_named(const struct rt_site *site)
{
	unsigned long addr = ksyms_address(site->s[0]);

	if (addr && site->n[2] && addr - kprobes.text != site->n[2])
		return -EXDEV;
	return kprobe_add_point(site, addr);
}

/* The points of a site that is not in a module, one per address of the symbol. */
static int kprobe_add_points(const struct rt_site *site)
{
	unsigned int before = kprobes.npoints, i;
	int rc;

	if (!site->s[0])
		return kprobe_add_point(site, site->n[2]);
	rc = ksyms_each(site->s[0], kprobe_add_address, (void *)site);
	if (rc == -EOPNOTSUPP || (!rc && kprobes.npoints == before))
		rc = kprobe_add_named(site);
	if (rc)
		return rc;
	if (kprobes.npoints - before > 1 && site->n[0])
		return -ENOTUNIQ;
	for (i = before; i < kprobes.npoints && kprobes.npoints - before > 1; i++) /* which of them has the prototype is not known */
		kprobes.points[i].may_call_body = false;
	return kprobe_check_offset(site, (unsigned long)kprobes.points[before].rp.kp.addr);
}

/* The least number of calls for a return point that does not state one, if there are n such points. */
static unsigned int kprobe_maxactive(unsigned int n)
{
	if (rt_script.limits->kretactive)
		return rt_script.limits->kretactive;
	return max3(15u, 6 * num_possible_cpus(), KPROBE_CALLS / n);
}

/*
 * Can the function at p's address be armed through ftrace without a kprobe of its own?  Then the address becomes ip, where the tracer's
 * call is.
 */
static bool kprobe_is_fast(struct kpoint *p, unsigned long ip)
{
	unsigned long addr = (unsigned long)p->rp.kp.addr;

	/* An address may be in the middle of the tracer's call, which only the kernel's own check refuses. */
	if (!kprobes.tracer_serves || !ip || !p->site->s[0] || p->rp.kp.offset || (p->site->kind == SITE_KPROBE_RETURN && !kprobes.fast_returns))
		return false;
	if (!kplace_may_be_fast(addr))
		return false;
	p->rp.kp.addr = (kprobe_opcode_t *)ip;
	return true;
}

/* As a kprobe of its own, disarmed. */
static int kprobe_register(struct kpoint *p)
{
	int rc;

	if (p->site->kind == SITE_KPROBE_RETURN) {
		BUILD_BUG_ON(SITE_KPROBE_ENTRY_MAX > KRETPROBE_MAX_DATA_SIZE);
		p->rp.handler = kpoint_on_return;
		p->rp.entry_handler = kpoint_on_call;
		p->rp.data_size = p->probe->entry_slots * sizeof(rt_u64);
		p->rp.maxactive = p->site->n[1] ?: kprobe_maxactive(KPROBE_OWN_POOLS);
		p->paid = p->paid || memory_take_objects(p->rp.maxactive, sizeof(struct kretprobe_instance) + p->rp.data_size);
		if (!p->paid)
			return -ENOMEM;
		kprobes.pools = true;
		rc = register_kretprobe(&p->rp);
	} else {
		p->rp.kp.pre_handler = kpoint_on_entry;
		rc = register_kprobe(&p->rp.kp);
	}
	p->registered = rc == 0;
	if (p->registered && !kprobes.slow)
		kprobes.slow = p->probe->point;
	return rc;
}

static int kprobe_prepare_point(struct kpoint *p)
{
	unsigned long addr = (unsigned long)p->rp.kp.addr, ip = kplace_of_tracer(addr);
	bool returns = p->site->kind == SITE_KPROBE_RETURN;
	int rc;

	if (!ip && kplace_has_tracer() && (p->site->n[3] & SITE_KPROBE_TRACED))
		return -EPERM;
	if (returns && !ip && !(p->site->n[3] & SITE_KPROBE_FUNCTION))
		return -EPROTOTYPE;
	rc = returns ? kplace_check_return(addr) : 0;
	if (rc)
		return rc;
	p->fast = kprobe_is_fast(p, ip);
	if (p->fast)
		return 0;
	/* Only a probe at the tracer's own call is served by the tracer; one further on is a breakpoint. */
	if (ip && !p->rp.kp.offset)
		return kprobe_register(p);
	return kplace_can_be_decoded(addr + p->rp.kp.offset) ? kprobe_register(p) : -EFAULT;
}

/* One of a module has its pool before and after the module is there. */
static bool kprobe_needs_pool(const struct kpoint *p)
{
	return p->site->kind == SITE_KPROBE_RETURN && (p->fast || (p->site->s[1] && kprobes.fast_returns));
}

/* Gives fast return points their pools of calls: one for each, or if there are many, a share of one. */
static int kprobe_make_pools(void)
{
	unsigned int i, n = 0, slots = 0;
	int quota = 0, rc = 0;

	for (i = 0; i < kprobes.npoints; i++) {
		const struct kpoint *p = &kprobes.points[i];

		if (!kprobe_needs_pool(p) || p->site->n[1])
			continue;
		n++;
		slots = max(slots, p->probe->entry_slots);
	}
	if (n > KPROBE_OWN_POOLS)
		rc = kreturn_make_shared(n, kprobe_maxactive(n), !rt_script.limits->kretactive, slots, &quota);
	for (i = 0; !rc && i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];

		if (!kprobe_needs_pool(p))
			continue;
		kprobes.pools = true;
		if (quota && !p->site->n[1])
			kreturn_share(&p->calls, quota);
		else
			rc = kreturn_make(&p->calls, p->site->n[1] ?: kprobe_maxactive(n), p->probe->entry_slots);
	}
	return rc;
}

static void kprobe_free_pools(void)
{
	unsigned int i;

	for (i = 0; i < kprobes.npoints; i++)
		kreturn_free(&kprobes.points[i].calls);
	kreturn_free_shared();
	if (kprobes.pools)
		kpoint_wait_for_hits();
	kprobes.pools = false;
	kreturn_forget();
}

/* An error if the script has no other site, since the session ends then; else a warning, and kprobe_check() decides. */
#define KPROBE_COMPLAIN(...) (kprobes.alone ? mail_error : mail_warn)(__VA_ARGS__)

/* Has the script sites of other mechanisms?  Begin and end (runs_handlers) do not count: nothing waits for them. */
static bool kprobe_has_others(const struct rt_site *sites)
{
	unsigned int i;

	for (i = 0; i < rt_script.ntables; i++)
		if (rt_script.tables[i].sites != sites && !rt_script.tables[i].mechanism->runs_handlers)
			return true;
	return false;
}

/* Reports a site that cannot be probed: if it is optional, later, with others. */
static void kprobe_refuse(const struct rt_site *site, int rc, struct failures *f)
{
	const char *name = site->s[0] ?: "absolute address";

	if (site->flags & RT_SITE_OPTIONAL) {
		failures_add(f, kreason_text(rc), name);
		return;
	}
	kprobes.refused = kprobes.refused ?: rc;
	if (rc == -ENOTUNIQ)
		KPROBE_COMPLAIN("probe %s: several functions are called %s, so an offset is ambiguous",
				rt_script.probes[site->probe].point, name);
	else
		KPROBE_COMPLAIN("probe %s: cannot probe %s%s%s: %s (error %d)", rt_script.probes[site->probe].point,
				site->s[1] ?: "", site->s[1] ? ":" : "", name, kreason_text(rc), rc);
}

/* Registers the points of a site disarmed; of one in a module, they come with the module. */
static int kprobe_register_site(const struct rt_site *site)
{
	unsigned int k = kprobes.npoints, good = 0;
	int first = 0, rc;

	if (site->s[1]) {
		struct kpoint *p = kprobe_new_point(site);

		if (!p)
			return -ENOSPC;
		p->absent = true;
		return 0;
	}
	rc = kprobe_add_points(site);
	if (rc && rc != -ENOSPC)
		kprobes.npoints = k;
	for (; k < kprobes.npoints; k++) {
		int r = kprobe_prepare_point(&kprobes.points[k]);

		good += !r;
		first = first ?: r;
	}
	return good ? 0 : rc ?: first;
}

/* Registers all points disarmed.  0 or -ENOMEM. */
static int kprobe_register_sites(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	struct failures *f = kzalloc(sizeof(*f), GFP_KERNEL);
	rt_u32 i;

	if (!f)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		int rc = kprobe_register_site(&sites[i]);

		if (rc)
			kprobe_refuse(&sites[i], rc, f);
		else
			++*armed;
	}
	failures_report(f, n, "kernel functions");
	kfree(f);
	return 0;
}

/* ---- arming ---- */

/* Has the session points that change while it runs?  Then one function stays in the tracer's filter; this one is never called. */
static unsigned long kprobe_guard(bool changes)
{
	return changes ? kplace_of_tracer((unsigned long)kernel_halt) : 0;
}

static int kprobe_arm_fast_points(void)
{
	bool conditional = false, moves = false;
	unsigned int i, n = 0;
	int rc;

	for (i = 0; i < kprobes.npoints; i++) {
		const struct kpoint *p = &kprobes.points[i];
		bool in_module = p->site->s[1];

		n += p->fast || in_module;
		moves |= in_module;
		conditional |= p->fast && p->probe->condition != 0;
	}
	if (!n)
		return 0;
	rc = kfast_make(n, moves, kprobe_guard(conditional || moves));
	if (rc)
		return rc;
	kfast_place(kprobes.points, kprobes.npoints);
	return kfast_set(kprobes.points, kprobes.npoints);
}

/* The function tracer refuses the points: arms them as kprobes, one by one. */
static void kprobe_make_slow(void)
{
	unsigned int i;

	kfast_disarm();
	kprobes.tracer_serves = false;
	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];
		int rc = p->fast ? kprobe_register(p) : 0;

		if (rc)
			KPROBE_COMPLAIN("probe %s: cannot probe %pS (error %d)", p->probe->point, p->rp.kp.addr, rc);
		p->failed |= rc != 0;
		kprobes.refused = kprobes.refused ?: rc;
		p->fast = p->armed = false;
	}
}

/* Arms and disarms, as their conditions say, the kprobes. */
static void kprobe_set_slow_points(void)
{
	unsigned int i;

	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];
		bool wanted = kpoint_is_wanted(p);
		int rc;

		if (!p->registered || p->fast || wanted == p->armed || kprobe_gone(&p->rp.kp))
			continue;
		if (wanted && kswitch_is_off()) /* it would count as armed, and not work when they are on again */
			continue;
		rc = wanted ? enable_kprobe(&p->rp.kp) : disable_kprobe(&p->rp.kp);
		if (rc && kprobe_gone(&p->rp.kp)) /* its module goes, and our callback waits for the mutex */
			continue;
		if (rc && !p->failed)
			KPROBE_COMPLAIN("probe %s: cannot %s %pS (error %d)", p->probe->point, wanted ? "arm" : "disarm",
					p->rp.kp.addr, rc);
		p->failed = rc != 0;
		if (!rc)
			p->armed = wanted;
		kprobes.refused = kprobes.refused ?: rc;
	}
}

#define KPROBE_SWITCH_ON "echo 1 >/sys/kernel/debug/kprobes/enabled"

/* Once there is a kprobe that is not a fast point. */
static void kprobe_watch_switch(void)
{
	if (kprobes.slow && !kprobes.switch_is_watched)
		kswitch_watch();
	kprobes.switch_is_watched |= kprobes.slow != NULL;
}

static int kprobe_arm_points(void)
{
	int rc = kprobe_make_pools();

	if (rc) {
		mail_error("no memory for the calls of return probes; a smaller maxactive or KRETACTIVE helps");
		return rc;
	}
	rc = kprobe_arm_fast_points();
	if (rc == -EBUSY) {
		mail_error("probes at the entry of kernel functions need the function tracer, which is switched off: "
			   "sysctl kernel.ftrace_enabled=1");
		return rc;
	}
	if (rc)
		kprobe_make_slow();
	if (!kprobes.slow)
		return 0;
	if (kswitch_is_off()) {
		mail_error("probe %s needs kprobes, which are switched off: " KPROBE_SWITCH_ON, kprobes.slow);
		return -EBUSY;
	}
	kprobe_watch_switch();
	kprobe_set_slow_points();
	return 0;
}

/* Is there a point that can be hit, now or when its module or its condition comes? */
static bool kprobe_has_any(void)
{
	unsigned int i;

	for (i = 0; i < kprobes.npoints; i++) {
		const struct kpoint *p = &kprobes.points[i];

		if (!p->failed && (p->fast || p->registered || p->absent))
			return true;
	}
	return false;
}

/* 0, or the error of the sites if there is nothing to wait for. */
static int kprobe_check(const struct rt_site *sites, rt_u32 n)
{
	if (!kprobes.refused || kprobe_has_any() || kprobe_has_others(sites))
		return 0;
	if (!kprobes.alone)
		mail_error("none of the %u kernel functions of the script can be probed", n);
	return kprobes.refused;
}

static void kprobe_set_points(void)
{
	int rc = kprobes.tracer_serves && kpoint_table ? kfast_set(kprobes.points, kprobes.npoints) : 0;

	if (rc && !kprobes.tracer_failed)
		mail_error("kernel functions cannot be armed or disarmed (error %d)", rc);
	kprobes.tracer_failed = rc != 0;
	kprobe_set_slow_points();
}

static void kprobe_refresh(void)
{
	mutex_lock(&kprobe_mutex);
	kprobe_set_points();
	mutex_unlock(&kprobe_mutex);
}

/* ---- removing ---- */

/*
 * Unregistering frees the calls of a kretprobe even when the probe cannot be removed, so removing is tried first.  If a broken function
 * tracer holds it, not even that is tried, since the kernel would warn.  False: the probe stays, and its calls with it.
 */
static bool kprobe_can_go(struct kpoint *p)
{
	struct kprobe *k = &p->rp.kp;

	if (kprobe_ftrace(k) && !kprobe_disabled(k) && kprobes.tracer_broken && READ_ONCE(*kprobes.tracer_broken))
		return false;
	return p->site->kind != SITE_KPROBE_RETURN || !disable_kretprobe(&p->rp);
}

/* It is not registered any more.  The kernel's own counts of hits without a handler end. */
static void kprobe_has_gone(struct kpoint *p)
{
	p->registered = p->armed = false;
	kprobes.missed += p->rp.kp.nmissed;
	kprobes.missed_returns += p->rp.nmissed;
}

/* Of one kind, with one wait for running handlers.  absent: only those that are not there any more. */
static void kprobe_unregister_kind(bool returns, bool absent)
{
	unsigned int i, n = 0;

	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];

		if (!p->registered || (absent && !p->absent) || (p->site->kind == SITE_KPROBE_RETURN) != returns)
			continue;
		p->stays = !kprobe_can_go(p);
		if (!p->stays)
			kprobes.list[n++] = returns ? (void *)&p->rp : (void *)&p->rp.kp;
		else
			kprobes.stuck = true;
	}
	if (!n)
		return;
	if (returns)
		unregister_kretprobes((struct kretprobe **)kprobes.list, n);
	else
		unregister_kprobes((struct kprobe **)kprobes.list, n);
	for (i = 0; i < kprobes.npoints; i++) { /* the kernel sets this where it could not */
		struct kpoint *p = &kprobes.points[i];

		if (!p->registered || p->stays || (absent && !p->absent) || p->is_return != returns)
			continue;
		if (p->rp.kp.addr)
			kprobe_has_gone(p);
		else
			kprobes.stuck = true;
	}
}

static void kprobe_unregister_points(bool absent)
{
	kprobe_unregister_kind(true, absent);
	kprobe_unregister_kind(false, absent);
}

static void kprobe_ledger(void)
{
	hit_skipped(WIRE_SKIP_MISSED, kprobes.missed);
	hit_skipped(WIRE_SKIP_RETURN, kprobes.missed_returns);
}

/*
 * The kernel still calls us.  So everything that such a call uses stays allocated for good: our code, the slots and the points.  The points
 * are disarmed, so a call finds nothing to do.  This includes calls that have begun when this returns.
 */
static void kprobe_stay(void)
{
	unsigned int i;

	__module_get(THIS_MODULE);
	state_set_stuck();
	for (i = 0; i < kprobes.npoints; i++)
		WRITE_ONCE(kprobes.points[i].armed, false);
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
	mail_error("the kernel cannot take probes out of its functions any more, see dmesg: module %s stays loaded until the machine is "
		   "booted again, and does nothing", THIS_MODULE->name);
}

static void kprobe_remove(void)
{
	/* The tracer may also break while it removes ours, which it does not report. */
	kprobes.stuck |= kfast_disarm() != 0 || (kpoint_table && kprobes.tracer_broken && READ_ONCE(*kprobes.tracer_broken));
	kprobe_unregister_points(false);
	if (kprobes.stuck)
		kprobe_stay();
	else
		kcalls_leave(kpoint_wait_for_hits);
	kprobe_free_pools();
	kfast_free(kprobes.stuck);
	if (!kprobes.stuck)
		kvfree(kprobes.points);
	kvfree(kprobes.list);
	kprobes.list = NULL;
	kprobes.points = NULL;
	kprobes.npoints = kprobes.room = 0;
}

/* ---- modules ---- */

static bool kprobe_is_of(const struct kpoint *p, const char *module)
{
	return p->site->s[1] && !strcmp(p->site->s[1], module);
}

/* Finds the place of an absent point, and registers it disarmed. */
static int kprobe_find_in_module(struct kpoint *p, const struct module *m)
{
	unsigned long addr;
	int rc = ksyms_address_in(m, p->site->s[0], &addr);

	if (!rc && within_module_init(addr, m) && m->state != MODULE_STATE_COMING)
		rc = -ESRCH; /* about to be freed */
	if (rc)
		return rc;
	memset(&p->rp, 0, sizeof(p->rp));
	kprobe_set_place(p, addr);
	rc = kprobe_check_offset(p->site, addr) ?: kprobe_prepare_point(p);
	p->absent = rc != 0;
	return rc;
}

struct kprobe_arrival {
	const struct module *m;
	bool starts;        /* the session, when the module is there */
	bool is_same;       /* it is known to be the module that the script was compiled for */
	unsigned int tried, found, refused;
	struct failures f;
};

static void kprobe_report_refused(struct kprobe_arrival *a, struct kpoint *p, int rc)
{
	const struct rt_site *site = p->site;

	a->refused++;
	if (p->failed)
		return;
	p->failed = true;
	if (a->starts || (site->flags & RT_SITE_OPTIONAL))
		kprobe_refuse(site, rc, &a->f);
	else
		mail_warn("probe %s: cannot probe %s:%s: %s (error %d)", p->probe->point, site->s[1], site->s[0], kreason_text(rc), rc);
}

/* A function that the module had and has not any more runs only while it starts; that it is the same module must be known for this. */
static void kprobe_report_over(const struct kprobe_arrival *a, const struct kpoint *p)
{
	if (a->starts && !(p->site->flags & RT_SITE_OPTIONAL))
		mail_warn("probe %s: it runs only while module %s starts, so it is probed when the module is loaded the next time",
			  p->probe->point, a->m->name);
}

static void kprobe_try_in_module(struct kprobe_arrival *a, struct kpoint *p)
{
	int rc = kprobe_find_in_module(p, a->m);

	a->tried++;
	if (rc && READ_ONCE(a->m->state) == MODULE_STATE_GOING)
		return; /* its callback waits for the mutex */
	if (!rc) {
		p->failed = false;
		a->found++;
	} else if (rc == -ESRCH || (rc == -ENOENT && a->is_same && a->m->state != MODULE_STATE_COMING)) {
		kprobe_report_over(a, p);
	} else {
		kprobe_report_refused(a, p, rc);
	}
}

/* Finds the points of a module that is there, disarmed. */
static void kprobe_find_all_in_module(struct kprobe_arrival *a)
{
	enum modules_answer same = MODULES_UNKNOWN;
	char what[sizeof(a->m->name) + 32];
	unsigned int i;

	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];

		if (!p->absent || p->registered || !kprobe_is_of(p, a->m->name))
			continue;
		if (!a->tried)
			same = modules_compare(a->m);
		a->is_same = same == MODULES_SAME;
		if (same != MODULES_OTHER) {
			kprobe_try_in_module(a, p);
			continue;
		}
		a->tried++;
		if (a->starts)
			kprobe_report_refused(a, p, -ESTALE);
	}
	scnprintf(what, sizeof(what), "functions of module %s", a->m->name);
	failures_report(&a->f, a->tried, what);
}

static bool kprobe_has_points_in(const char *module)
{
	unsigned int i;

	for (i = 0; i < kprobes.npoints; i++)
		if (kprobe_is_of(&kprobes.points[i], module))
			return true;
	return false;
}

/* Warns of modules that are awaited, of many at once. */
static void kprobe_report_awaited(const struct failures_reason *awaited)
{
	if (awaited->n == 1)
		mail_warn("module %s is not loaded; its functions are probed as soon as it is", awaited->names);
	else if (awaited->n)
		mail_warn("%u modules are not loaded; their functions are probed as soon as they are (%s%s)", awaited->n, awaited->names,
			  awaited->cut ? ", ..." : "");
}

/* The session starts: 0 or -ENOMEM. */
static int kprobe_find_modules(rt_u32 *armed)
{
	struct kprobe_arrival *a = kcalloc(2, sizeof(*a), GFP_KERNEL);
	struct failures *awaited = a ? &a[1].f : NULL;
	int rc = a ? 0 : -ENOMEM;
	unsigned int i;

	for (i = 0; i < rt_script.nmodules && !rc; i++) {
		const char *name = rt_script.modules[i].name;

		*a = (struct kprobe_arrival){ .m = ksyms_module(name), .starts = true };
		if (a->m) {
			kprobe_find_all_in_module(a);
			*armed -= a->refused;
		} else if (kprobe_has_points_in(name)) {
			failures_add(awaited, "", name);
		}
	}
	if (!rc)
		kprobe_report_awaited(&awaited->reasons[0]);
	kfree(a);
	return rc;
}

/* It is about to run, or has started and was not seen to come, since the session began meanwhile. */
static void kprobe_module_comes(struct module *m)
{
	struct kprobe_arrival *a;

	if (!modules_is_used(m))
		return; /* it does not wait for a session that starts */
	a = kzalloc(sizeof(*a), GFP_KERNEL);
	if (!a) {
		mail_error("no memory to probe module %s, which is loaded", m->name);
		return;
	}
	mutex_lock(&kprobe_mutex);
	a->m = m;
	kprobe_find_all_in_module(a);
	if (a->found && kpoint_table)
		kfast_place(kprobes.points, kprobes.npoints);
	if (a->found) {
		kprobe_watch_switch();
		kprobe_set_points();
	}
	mutex_unlock(&kprobe_mutex);
	kfree(a);
}

/*
 * The module, or the part of it that only starts it, is about to be freed.  Its text still exists, so it can be disarmed, and handlers that
 * run on its points do no harm.  The kernel has disarmed kprobes by itself, for good; so they are registered anew when it comes back.
 */
static void kprobe_give_up(struct module *m, bool init_only)
{
	unsigned int i, n = 0, lost = 0;

	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];
		unsigned long addr = (unsigned long)p->rp.kp.addr;

		if (p->absent || !(init_only ? within_module_init(addr, m) : within_module(addr, m)))
			continue;
		p->absent = true;
		n++;
		lost += !p->site->s[1]; /* by its address */
	}
	if (!n)
		return;
	kprobe_set_points();
	kprobe_unregister_points(true);
	if (lost)
		mail_warn("module %s was unloaded: what was probed in it by address (points: %u) is not probed any more", m->name, lost);
}

static void kprobe_module_lives(struct module *m)
{
	if (!modules_is_used(m))
		return;
	mutex_lock(&kprobe_mutex);
	kprobe_give_up(m, true);
	mutex_unlock(&kprobe_mutex);
	kprobe_module_comes(m);
}

static void kprobe_module_goes(struct module *m)
{
	mutex_lock(&kprobe_mutex);
	kprobe_give_up(m, false);
	mutex_unlock(&kprobe_mutex);
}

static struct machine_listener kprobe_machine = {
	.module_comes = kprobe_module_comes,
	.module_lives = kprobe_module_lives,
	.module_goes = kprobe_module_goes,
};

/* ---- the mechanism ---- */

static void kprobe_stop(void)
{
	mutex_lock(&kprobe_mutex);
	if (kprobes.slow && state_now == STATE_STOPPING && kswitch_has_been_off())
		mail_warn("kprobes were switched off during the session: hits of probe %s, and perhaps of others, are missing: %s", kprobes.slow,
			  kswitch_is_off() ? KPROBE_SWITCH_ON : "they are on again");
	kswitch_unwatch();
	kprobe_remove();
	mutex_unlock(&kprobe_mutex);
	machine_leave(&kprobe_machine); /* waits for a callback, which waits for the mutex and finds no points */
}

static int kprobe_make(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	int rc;

	kplace_find();
	kprobes.alone = n == 1 && !kprobe_has_others(sites);
	kprobes.text = ksyms_address("_stext");
	kprobes.tracer_broken = (const int *)ksyms_address("ftrace_disabled");
	kswitch_find();
	kprobes.fast_returns = kpoint_init_returns() == 0;
	kprobes.tracer_serves = true;
	kprobes.room = 2 * n + 64;
	kprobes.points = kvcalloc(kprobes.room, sizeof(*kprobes.points), GFP_KERNEL);
	kprobes.list = kvcalloc(kprobes.room, sizeof(*kprobes.list), GFP_KERNEL);
	rc = kprobes.points && kprobes.list ? kprobe_register_sites(sites, n, armed) : -ENOMEM;
	/* Checked twice: arming may refuse the last points. */
	rc = rc ?: kprobe_find_modules(armed) ?: kprobe_check(sites, n) ?: kprobe_arm_points() ?: kprobe_check(sites, n);
	if (!rc)
		kfast_report(kprobes.points, kprobes.npoints);
	return rc;
}

static int kprobe_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 before = *armed;
	int rc = machine_listen(&kprobe_machine);

	if (rc)
		return rc;
	mutex_lock(&kprobe_mutex);
	rc = kprobe_make(sites, n, armed);
	mutex_unlock(&kprobe_mutex);
	if (rc) {
		kprobe_stop();
		*armed = before;
	}
	return rc;
}

const struct rt_mechanism rt_mechanism_kprobe = {
	.name = "kprobe",
	.hold = kpoint_hold,
	.let_go = kcalls_let_go,
	.start = kprobe_start,
	.stop = kprobe_stop,
	.refresh = kprobe_refresh,
	.ledger = kprobe_ledger,
};
