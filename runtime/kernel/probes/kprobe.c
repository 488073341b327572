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
 * Conditions: fast points are added to and removed from the filter of our ftrace_ops, again in one pass for all.  A filter without any
 * function would mean all functions, and registering again waits for every task: so a function that is never called stays in it.
 *
 * A module may be unloaded while it is probed: its points are then given up, since other code may come to their addresses.
 *
 * Fast return probes hook returns themselves: kreturn.h.
 */
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
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
#include "kernel/probes/failures.h"
#include "kernel/probes/kpoint.h"
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
	unsigned long *ips; /* room for those of all slots and the guard */
	bool fast_returns; /* the kernel's way of hooking them is known */
	bool pools;        /* there are pools, ours or the kernel's, for calls that have not returned */
	struct kprobe_filter {
		unsigned long guard; /* a function that stays in it, 0: none */
		bool armed;
		bool used;           /* to be freed once */
		bool stale;          /* the last attempt to change it failed */
	} filters[KPOINT_WAYS];
	bool stuck;        /* the kernel cannot remove all points */
	unsigned long ftrace_location, within_kprobe_blacklist, size_of_symbol; /* ksyms_address() */
	unsigned long text; /* _stext; 0: not known, so no site that needs it is armed */
	const struct kretprobe_blackpoint *no_returns;          /* the kernel's kretprobe_blacklist */
	const int *tracer_broken;                               /* the kernel's ftrace_disabled; NULL: not known */
	unsigned long missed, missed_returns; /* of the points that kprobe_stop() removed */
} kprobes;

/* Points are made, set and freed: by the session, by conditions, and when a module goes. */
static DEFINE_MUTEX(kprobe_mutex);

/* ---- registration ---- */

static const char *kprobe_reason(int rc)
{
	switch (rc) {
	case -ENOENT:
		return "the running kernel has no such function";
	case -ENODEV:
		return "the module is not loaded";
	case -ENXIO:
		return "it runs only while the module starts";
	case -EINVAL:
		return "the kernel forbids probes there";
	case -EILSEQ:
		return "not at the start of an instruction";
	case -EPERM:
		return "the kernel's function tracer has no call in it; guru mode (-g) probes it by its name";
	case -EFAULT:
		return "the kernel cannot read its code to the end";
	case -ENODATA:
		return "it is not known of which functions the kernel forbids to hook the return";
	case -EPROTOTYPE:
		return "it is not known to be a function that returns";
	case -ENOMEM:
		return "out of memory";
	case -EOPNOTSUPP:
		return "this kernel does not support it";
	case -ENOSPC:
		return "too many functions of the same name";
	case -ERANGE:
		return "the function is not that long";
	case -ESTALE:
		return "the running kernel has it at another place than the debug information says: they are not of the same build";
	default:
		return "the kernel refused";
	}
}

static int kprobe_add_point(const struct rt_site *site, unsigned long addr)
{
	struct kpoint *p;

	if (!addr)
		return -ENOENT;
	if (kprobes.npoints == kprobes.room)
		return -ENOSPC;
	p = &kprobes.points[kprobes.npoints++];
	p->site = site;
	p->probe = &rt_script.probes[site->probe];
	p->small = p->probe->flags & RT_PROBE_SMALL ? p->probe->handler : NULL;
	p->rp.kp.addr = (kprobe_opcode_t *)addr;
	p->rp.kp.offset = site->n[0];
	p->rp.kp.flags = KPROBE_FLAG_DISABLED;
	return 0;
}

/* Is an offset, if there is one, within the function at addr? */
static int kprobe_check_offset(const struct rt_site *site, unsigned long addr)
{
	unsigned long size, offset;

	if (!site->n[0] || site->n[2] || !kprobes.size_of_symbol ||
	    !(int)ksyms_call3(kprobes.size_of_symbol, addr, (unsigned long)&size, (unsigned long)&offset))
		return 0;
	return site->n[0] < 0 || site->n[0] >= size - offset ? -ERANGE : 0;
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
		return -ESTALE;
	return kprobe_add_point(site, addr);
}

/* The points of a site, one per address of the symbol. */
static int kprobe_add_points(const struct rt_site *site)
{
	unsigned int before = kprobes.npoints;
	unsigned long addr;
	int rc;

	if (!site->s[0])
		return kprobe_add_point(site, site->n[2]);
	if (site->s[1]) {
		rc = ksyms_module_address(site->s[1], site->s[0], &addr) ?: kprobe_add_point(site, addr);
	} else {
		rc = ksyms_each(site->s[0], kprobe_add_address, (void *)site);
		if (rc == -EOPNOTSUPP || (!rc && kprobes.npoints == before))
			rc = kprobe_add_named(site);
	}
	if (rc)
		return rc;
	if (kprobes.npoints - before > 1 && site->n[0])
		return -ENOTUNIQ;
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
 * May the return of the function at addr be probed?  The kernel has a list of functions where that is fatal.  But if functions begin with
 * a mark for indirect calls, it searches the list for the address after that and finds nothing.
 */
static bool kprobe_may_return(unsigned long addr)
{
	const struct kretprobe_blackpoint *b = kprobes.no_returns;

	for (; b->name; b++)
		if (addr - (unsigned long)b->addr < SITE_KPROBE_FUNCTION_HEAD)
			return false;
	return true;
}

/*
 * Can the function at p's address be armed through ftrace without a kprobe of its own?  Then the address becomes ip, where the tracer's
 * call is.
 */
static bool kprobe_is_fast(struct kpoint *p, unsigned long ip)
{
	unsigned long addr = (unsigned long)p->rp.kp.addr;

	/* An address may be in the middle of the tracer's call, which only the kernel's own check refuses. */
	if (!ip || !p->site->s[0] || p->rp.kp.offset || (p->site->kind == SITE_KPROBE_RETURN && !kprobes.fast_returns))
		return false;
	if (!kprobes.within_kprobe_blacklist ||
	    (bool)(u8)ksyms_call3(kprobes.within_kprobe_blacklist, addr, 0, 0))
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
		if (!memory_take_objects(p->rp.maxactive, sizeof(struct kretprobe_instance) + p->rp.data_size))
			return -ENOMEM;
		kprobes.pools = true;
		rc = register_kretprobe(&p->rp);
	} else {
		p->rp.kp.pre_handler = kpoint_on_entry;
		rc = register_kprobe(&p->rp.kp);
	}
	p->registered = rc == 0;
	return rc;
}

/*
 * To find out whether a jump can replace the breakpoint, the kernel decodes everything up to the next symbol, and beyond it for the rest of
 * the last instruction (can_optimize()).  After the last function of a module there may be no page.
 */
static bool kprobe_can_be_decoded(unsigned long addr)
{
	unsigned long size, offset;
	kprobe_opcode_t beyond[MAX_INSN_SIZE];

	if (!kprobes.size_of_symbol ||
	    !(int)ksyms_call3(kprobes.size_of_symbol, addr, (unsigned long)&size, (unsigned long)&offset))
		return true; /* the kernel does not know what to decode either */
	return !copy_from_kernel_nofault(beyond, (void *)(addr - offset + size), sizeof(beyond));
}

static int kprobe_prepare_point(struct kpoint *p)
{
	unsigned long addr = (unsigned long)p->rp.kp.addr, ip = 0;
	bool returns = p->site->kind == SITE_KPROBE_RETURN;

	if (kprobes.ftrace_location)
		ip = ksyms_call3(kprobes.ftrace_location, addr, 0, 0);
	if (!ip && kprobes.ftrace_location && (p->site->n[3] & SITE_KPROBE_TRACED))
		return -EPERM;
	if (returns && !ip && !(p->site->n[3] & SITE_KPROBE_FUNCTION))
		return -EPROTOTYPE;
	if (returns && !kprobes.no_returns)
		return -ENODATA;
	if (returns && !kprobe_may_return(addr))
		return -EINVAL;
	p->fast = kprobe_is_fast(p, ip);
	if (p->fast)
		return 0;
	return ip || kprobe_can_be_decoded(addr + p->rp.kp.offset) ? kprobe_register(p) : -EFAULT;
}

static bool kprobe_is_fast_return(const struct kpoint *p)
{
	return p->fast && p->site->kind == SITE_KPROBE_RETURN;
}

/* Gives fast return points their pools of calls: one for each, or if there are many, a share of one. */
static int kprobe_make_pools(void)
{
	unsigned int i, n = 0, slots = 0;
	int quota = 0, rc = 0;

	for (i = 0; i < kprobes.npoints; i++) {
		const struct kpoint *p = &kprobes.points[i];

		if (!kprobe_is_fast_return(p) || p->site->n[1])
			continue;
		n++;
		slots = max(slots, p->probe->entry_slots);
	}
	if (n > KPROBE_OWN_POOLS)
		rc = kreturn_make_shared(n, kprobe_maxactive(n), !rt_script.limits->kretactive, slots, &quota);
	for (i = 0; !rc && i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];

		if (!kprobe_is_fast_return(p))
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
	if (kprobes.pools) {
		/* Waits for their handlers, also on an idle CPU that RCU does not watch: the second call runs on each CPU. */
		synchronize_rcu();
		synchronize_rcu_tasks_rude();
	}
	kprobes.pools = false;
	kreturn_forget();
}

/* Reports a site that cannot be probed: as a warning (later, with others) or an error (now). */
static void kprobe_refuse(const struct rt_site *site, int rc, struct failures *f)
{
	const char *name = site->s[0] ?: "absolute address";

	if (site->flags & RT_SITE_OPTIONAL)
		failures_add(f, kprobe_reason(rc), name);
	else if (rc == -ENOTUNIQ)
		mail_error("probe %s: several functions are called %s, so an offset is ambiguous",
			   rt_script.probes[site->probe].point, name);
	else
		mail_error("probe %s: cannot probe %s%s%s: %s (error %d)", rt_script.probes[site->probe].point,
			   site->s[1] ?: "", site->s[1] ? ":" : "", name, kprobe_reason(rc), rc);
}

/* Registers all points disarmed.  0, or the error of a site that is not optional. */
static int kprobe_register_sites(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	struct failures *f = kzalloc(sizeof(*f), GFP_KERNEL);
	int failed = 0;
	rt_u32 i;

	if (!f)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		unsigned int k = kprobes.npoints, good = 0;
		int first = 0, rc = kprobe_add_points(&sites[i]);

		if (rc && rc != -ENOSPC)
			kprobes.npoints = k;
		for (; k < kprobes.npoints; k++) {
			int r = kprobe_prepare_point(&kprobes.points[k]);

			good += !r;
			first = first ?: r;
		}
		if (good) {
			++*armed;
			continue;
		}
		rc = rc ?: first;
		kprobe_refuse(&sites[i], rc, f);
		if (!(sites[i].flags & RT_SITE_OPTIONAL))
			failed = rc;
	}
	failures_report(f, n, "kernel functions");
	kfree(f);
	return failed;
}

/* ---- arming ---- */

static bool kprobe_wants(const struct kpoint *p)
{
	return !p->gone && arming_wants(p->probe);
}

/* Gathers the addresses to be armed, for kprobe_set_filter(), and returns how many; *changed: they differ from those armed now. */
static unsigned int kprobe_gather_ips(enum kpoint_way way, bool *changed)
{
	const struct kprobe_filter *f = &kprobes.filters[way];
	unsigned int i, n = 0;

	*changed = !f->armed || f->stale;
	for (i = 0; i < 1u << kpoint_slot_bits; i++) {
		struct kpoint_slot *slot = &kpoint_slots[i];
		struct kpoint *p;
		bool wanted = false;

		if (slot->way != way)
			continue;
		for (p = slot->first; p; p = p->next)
			wanted |= kprobe_wants(p);
		*changed |= wanted != slot->armed;
		if (wanted)
			kprobes.ips[n++] = slot->ip;
		slot->armed = wanted;
	}
	if (f->guard)
		kprobes.ips[n++] = f->guard;
	return n;
}

/* 0, or why the function tracer still calls us: it has found itself broken and changes nothing any more. */
static int kprobe_disarm_ftrace(enum kpoint_way way)
{
	struct kprobe_filter *f = &kprobes.filters[way];
	int rc = f->armed ? unregister_ftrace_function(&kpoint_ops[way]) : 0;

	f->armed = rc != 0;
	return rc;
}

static int kprobe_set_filter(enum kpoint_way way)
{
	struct kprobe_filter *f = &kprobes.filters[way];
	bool changed;
	unsigned int n = kprobe_gather_ips(way, &changed);
	int rc = 0;

	if (!changed)
		return 0;
	if (!n) {
		rc = kprobe_disarm_ftrace(way);
		f->stale = rc != 0;
		return rc;
	}
	f->used = true;
	rc = ftrace_set_filter_ips(&kpoint_ops[way], kprobes.ips, n, 0, 1);
	f->stale = rc != 0;
	if (f->armed)
		return rc;
	if (!rc)
		rc = register_ftrace_function(&kpoint_ops[way]);
	f->armed = rc == 0;
	return rc;
}

/* Arms and disarms fast points as their conditions say.  They accept hits from before their address is armed until after it is disarmed. */
static void kprobe_accept_hits(struct kpoint *p, bool armed)
{
	struct kpoint_slot *slot = kpoint_find_slot((unsigned long)p->rp.kp.addr);

	WRITE_ONCE(p->armed, armed);
	if (slot->way != KPOINT_DIRECT)
		return;
	if (p->site->kind == SITE_KPROBE_RETURN)
		WRITE_ONCE(slot->call, armed ? p : NULL);
	else
		WRITE_ONCE(slot->small, armed ? p->small : NULL);
}

static int kprobe_set_fast_points(void)
{
	enum kpoint_way way;
	unsigned int i;
	int rc = 0;

	for (i = 0; i < kprobes.npoints; i++)
		if (kprobe_wants(&kprobes.points[i]) && kprobes.points[i].fast)
			kprobe_accept_hits(&kprobes.points[i], true);
	for (way = 0; way < KPOINT_WAYS; way++) {
		int failed = kprobe_set_filter(way);

		rc = rc ?: failed;
	}
	for (i = 0; i < kprobes.npoints; i++)
		if (!kprobe_wants(&kprobes.points[i]) && kprobes.points[i].fast)
			kprobe_accept_hits(&kprobes.points[i], false);
	return rc;
}

/* Can the only point at its address be called directly, where there are no registers yet? */
static bool kprobe_is_direct(const struct kpoint *p)
{
	return p->site->kind == SITE_KPROBE_RETURN ? !p->probe->entry : p->small != NULL;
}

/* The slots are complete: which code is each to call?  Conditions may leave a filter empty, so it gets a guard then. */
static void kprobe_choose_ways(void)
{
	unsigned int i;

	for (i = 0; i < 1u << kpoint_slot_bits; i++) {
		struct kpoint_slot *slot = &kpoint_slots[i];
		const struct kpoint *p;
		bool conditional = false;

		for (p = slot->first; p; p = p->next)
			conditional |= p->probe->condition != 0;
		p = slot->first;
		slot->way = p && !p->next && kprobe_is_direct(p) ? KPOINT_DIRECT : KPOINT_TRACER;
		if (conditional && kprobes.ftrace_location)
			kprobes.filters[slot->way].guard = ksyms_call3(kprobes.ftrace_location, (unsigned long)kernel_halt, 0, 0);
	}
}

static int kprobe_arm_fast_points(unsigned int n)
{
	unsigned int i;

	kpoint_slot_bits = ilog2(roundup_pow_of_two(2 * n)) + 1;
	kpoint_slots = kvcalloc(1u << kpoint_slot_bits, sizeof(*kpoint_slots), GFP_KERNEL);
	kprobes.ips = kvcalloc(n + 1, sizeof(*kprobes.ips), GFP_KERNEL);
	if (!kpoint_slots || !kprobes.ips)
		return -ENOMEM;
	/* backwards: so the points of one address run in the order of the script */
	for (i = kprobes.npoints; i-- > 0;) {
		struct kpoint *p = &kprobes.points[i];
		struct kpoint_slot *slot;

		if (!p->fast)
			continue;
		slot = kpoint_find_slot((unsigned long)p->rp.kp.addr);
		slot->ip = (unsigned long)p->rp.kp.addr;
		p->next = slot->first;
		slot->first = p;
	}
	kprobe_choose_ways();
	return kprobe_set_fast_points();
}

/* The function tracer refuses the points: arms them as kprobes, one by one. */
static int kprobe_make_slow(void)
{
	enum kpoint_way way;
	unsigned int i;

	for (way = 0; way < KPOINT_WAYS; way++)
		kprobe_disarm_ftrace(way);
	kvfree(kprobes.ips);
	kprobes.ips = NULL;
	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];
		int rc = p->fast ? kprobe_register(p) : 0;

		if (rc) {
			mail_error("probe %s: cannot probe %pS (error %d)", p->probe->point, p->rp.kp.addr, rc);
			return rc;
		}
		p->fast = p->armed = false;
	}
	return 0;
}

/* Arms and disarms, as their conditions say, the kprobes. */
static int kprobe_set_slow_points(void)
{
	unsigned int i;
	int first = 0;

	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];
		bool wanted = kprobe_wants(p);
		int rc;

		if (!p->registered || p->fast || wanted == p->armed || kprobe_gone(&p->rp.kp))
			continue;
		if (wanted && kswitch_is_off()) /* it would count as armed, and not work when they are on again */
			continue;
		rc = wanted ? enable_kprobe(&p->rp.kp) : disable_kprobe(&p->rp.kp);
		if (rc && !p->failed)
			mail_error("probe %s: cannot %s %pS (error %d)", p->probe->point, wanted ? "arm" : "disarm",
				   p->rp.kp.addr, rc);
		p->failed = rc != 0;
		if (!rc)
			p->armed = wanted;
		first = first ?: rc;
	}
	return first;
}

#define KPROBE_SWITCH_ON "echo 1 >/sys/kernel/debug/kprobes/enabled"

/* One of the session's kprobes that is not a fast point; NULL: there is none. */
static const char *kprobe_any_slow(void)
{
	unsigned int i;

	for (i = 0; i < kprobes.npoints; i++)
		if (kprobes.points[i].registered)
			return kprobes.points[i].probe->point;
	return NULL;
}

/* Reports what is armed in this way, or (KPOINT_WAYS) as kprobes. */
static void kprobe_note_way(enum kpoint_way way, const char *how)
{
	const unsigned int room = WIRE_TEXT_MAX / 2;
	char *names = kzalloc(room, GFP_KERNEL);
	unsigned int i, n = 0, named = 0, used = 0;

	for (i = 0; names && i < kprobes.npoints; i++) {
		const struct kpoint *p = &kprobes.points[i];
		unsigned int length = strlen(p->probe->point) + 2;

		if (p->fast ? kpoint_find_slot((unsigned long)p->rp.kp.addr)->way != way : !p->registered || way != KPOINT_WAYS)
			continue;
		n++;
		if (named + 1 < n || used + length >= room)
			continue;
		used += scnprintf(names + used, room - used, "%s%s", named++ ? ", " : "", p->probe->point);
	}
	if (n > named)
		mail_note("armed %s: %s, and %u more", how, names, n - named);
	else if (n)
		mail_note("armed %s: %s", how, names);
	kfree(names);
}

static void kprobe_note_ways(void)
{
	kprobe_note_way(KPOINT_DIRECT, "by calls of their own");
	kprobe_note_way(KPOINT_TRACER, "by the function tracer");
	kprobe_note_way(KPOINT_WAYS, "as kprobes");
}

static int kprobe_arm_points(void)
{
	unsigned int i, nfast = 0;
	const char *name;
	int rc = kprobe_make_pools();

	if (rc) {
		mail_error("no memory for the calls of return probes; a smaller maxactive or KRETACTIVE helps");
		return rc;
	}
	for (i = 0; i < kprobes.npoints; i++)
		nfast += kprobes.points[i].fast;
	if (nfast)
		rc = kprobe_arm_fast_points(nfast);
	if (rc == -EBUSY) {
		mail_error("probes at the entry of kernel functions need the function tracer, which is switched off: "
			   "sysctl kernel.ftrace_enabled=1");
		return rc;
	}
	if (rc)
		rc = kprobe_make_slow();
	name = rc ? NULL : kprobe_any_slow();
	if (!name)
		return rc;
	if (kswitch_is_off()) {
		mail_error("probe %s needs kprobes, which are switched off: " KPROBE_SWITCH_ON, name);
		return -EBUSY;
	}
	kswitch_watch();
	return kprobe_set_slow_points();
}

static void kprobe_set_points(void)
{
	bool was_stale = kprobes.filters[KPOINT_TRACER].stale || kprobes.filters[KPOINT_DIRECT].stale;
	int rc = kprobes.ips ? kprobe_set_fast_points() : 0;

	if (rc && !was_stale)
		mail_error("kernel functions cannot be armed or disarmed (error %d)", rc);
	kprobe_set_slow_points();
}

static void kprobe_refresh(void)
{
	mutex_lock(&kprobe_mutex);
	kprobe_set_points();
	mutex_unlock(&kprobe_mutex);
}

/*
 * The module is being unloaded.  Its text still exists, so it can be disarmed, and handlers that run on its points do no harm.  The kernel
 * removes kprobes by itself; it also calls this before it frees the module.
 */
static void kprobe_on_module(struct module *m)
{
	unsigned int i, n = 0;

	mutex_lock(&kprobe_mutex);
	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];

		if (p->gone || !within_module((unsigned long)p->rp.kp.addr, m))
			continue;
		p->gone = true;
		n += p->fast || p->registered;
	}
	if (n) {
		kprobe_set_points();
		mail_warn("module %s was unloaded: what was probed in it (points: %u) is not probed any more",
			  m->name, n);
	}
	mutex_unlock(&kprobe_mutex);
}

static struct machine_listener kprobe_machine = { .module_goes = kprobe_on_module };

/* ---- the mechanism ---- */

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

/* Unregisters all of one kind with one wait for running handlers. */
static void kprobe_unregister_points(bool returns)
{
	unsigned int i, n = 0;

	for (i = 0; i < kprobes.npoints; i++) {
		struct kpoint *p = &kprobes.points[i];

		if (!p->registered || (p->site->kind == SITE_KPROBE_RETURN) != returns)
			continue;
		if (kprobe_can_go(p))
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
	for (i = 0; i < kprobes.npoints; i++) /* the kernel sets this where it could not */
		if (kprobes.points[i].registered && !kprobes.points[i].rp.kp.addr)
			kprobes.stuck = true;
}

/* The kernel's own counts of hits without a handler. */
static void kprobe_count_missed(void)
{
	unsigned int i;

	kprobes.missed = kprobes.missed_returns = 0;
	for (i = 0; i < kprobes.npoints; i++) {
		const struct kpoint *p = &kprobes.points[i];

		kprobes.missed += p->rp.kp.nmissed;
		kprobes.missed_returns += p->rp.nmissed;
	}
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
	for (i = 0; i < kprobes.npoints; i++)
		WRITE_ONCE(kprobes.points[i].armed, false);
	for (i = 0; kpoint_slots && i < 1u << kpoint_slot_bits; i++) {
		WRITE_ONCE(kpoint_slots[i].small, NULL);
		WRITE_ONCE(kpoint_slots[i].call, NULL);
	}
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
	mail_error("the kernel cannot take probes out of its functions any more, see dmesg: module %s stays loaded until the machine is "
		   "booted again, and does nothing", THIS_MODULE->name);
}

static void kprobe_free_points(void)
{
	enum kpoint_way way;

	for (way = 0; way < KPOINT_WAYS; way++)
		if (kprobes.filters[way].used)
			ftrace_free_filter(&kpoint_ops[way]);
	kvfree(kprobes.points);
	kvfree(kpoint_slots);
	kpoint_slots = NULL;
}

static void kprobe_remove(void)
{
	enum kpoint_way way;

	kprobes.stuck = false;
	for (way = 0; way < KPOINT_WAYS; way++)
		kprobes.stuck |= kprobe_disarm_ftrace(way) != 0;
	kprobe_unregister_points(true);
	kprobe_unregister_points(false);
	if (kprobes.stuck)
		kprobe_stay();
	kprobe_free_pools();
	kprobe_count_missed();
	if (!kprobes.stuck)
		kprobe_free_points();
	kvfree(kprobes.ips);
	kvfree(kprobes.list);
	kprobes.list = NULL;
	kprobes.points = NULL;
	kprobes.ips = NULL;
	memset(kprobes.filters, 0, sizeof(kprobes.filters));
	kprobes.npoints = kprobes.room = 0;
}

static void kprobe_stop(void)
{
	const char *name;

	machine_leave(&kprobe_machine); /* it may wait for a listener that waits for the mutex */
	mutex_lock(&kprobe_mutex);
	name = state_now == STATE_STOPPING && kswitch_has_been_off() ? kprobe_any_slow() : NULL;
	if (name)
		mail_warn("kprobes were switched off during the session: hits of probe %s, and perhaps of others, are missing: %s", name,
			  kswitch_is_off() ? KPROBE_SWITCH_ON : "they are on again");
	kswitch_unwatch();
	kprobe_remove();
	mutex_unlock(&kprobe_mutex);
}

static int kprobe_make(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	int rc;

	kprobes.ftrace_location = ksyms_address("ftrace_location");
	kprobes.within_kprobe_blacklist = ksyms_address("within_kprobe_blacklist");
	kprobes.size_of_symbol = ksyms_address("kallsyms_lookup_size_offset");
	kprobes.text = ksyms_address("_stext");
	kprobes.no_returns = (const void *)ksyms_address("kretprobe_blacklist");
	kprobes.tracer_broken = (const int *)ksyms_address("ftrace_disabled");
	kswitch_find();
	kprobes.fast_returns = kpoint_init_returns() == 0;
	kprobes.room = 2 * n + 64;
	kprobes.points = kvcalloc(kprobes.room, sizeof(*kprobes.points), GFP_KERNEL);
	kprobes.list = kvcalloc(kprobes.room, sizeof(*kprobes.list), GFP_KERNEL);
	rc = kprobes.points && kprobes.list ? kprobe_register_sites(sites, n, armed) : -ENOMEM;
	rc = rc ?: kprobe_arm_points();
	if (!rc)
		kprobe_note_ways();
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
	.start = kprobe_start,
	.stop = kprobe_stop,
	.refresh = kprobe_refresh,
	.ledger = kprobe_ledger,
};
