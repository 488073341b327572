// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Family "kprobe": kernel functions and addresses.  What a site means: sites/kprobe.h.
 *
 * Every site becomes one or more points.  Where the kernel's function tracer has its call, points are fast: all of them are armed
 * through one ftrace_ops of ours, in a single pass over the kernel text, while arming kprobes one by one costs a pass each.
 * A hit there comes straight to us.  Whether the place may be probed at all is asked of the blacklist of kprobes.
 *
 * The others are a kprobe or kretprobe each, registered disarmed; that resolves the symbol and checks the place, but costs a walk
 * over all jump labels of the kernel.  What turns out to be a place of the tracer then is fast too; the rest is armed as usual.
 *
 * Conditions: fast points come and go in the filter of our ftrace_ops, again in one pass for all.  A filter without
 * any function would mean all functions, and registering anew waits for every task: so one that nobody calls
 * stays in it.
 *
 * A fast return probe calls the pre-handler of a kretprobe, as the breakpoint of that would have done.  It need not be the
 * function's own kretprobe: one, the carrier, lends its instances to all fast return probes without a number of their own.
 */
#include <linux/errno.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/reboot.h>
#include <linux/slab.h>

#include "kernel/arming.h"
#include "kernel/compat/ftrace_regs.h"
#include "kernel/family.h"
#include "kernel/ksyms.h"
#include "kernel/probes/failures.h"
#include "sites/kprobe.h"
#include "wire.h"

struct kprobe_point {
	struct kretprobe rp; /* an ENTRY uses only rp.kp */
	struct kretprobe *instances; /* fast RETURN: rp or the carrier */
	const struct rt_site *site;
	const struct rt_probe *probe;
	struct kprobe_point *next; /* at the same address, armed through ftrace */
	char *name;                /* module:symbol, else NULL */
	bool registered; /* as a kprobe */
	bool fast;       /* armed through ftrace, with its slot */
	bool armed;      /* by its condition */
	bool failed;     /* to be armed or disarmed, which was told */
};

/* An active call of a function with a return probe. */
struct kprobe_call {
	struct kprobe_point *point;
	rt_u64 slots[];
};

/* An address armed through ftrace, and what is there. */
struct kprobe_slot {
	unsigned long ip;
	struct kprobe_point *first;
	bool armed;
};

static struct {
	struct kprobe_point *points;
	unsigned int npoints, room;
	void **list; /* room for all of them, for unregistering */
	struct kprobe_slot *slots;
	unsigned int slot_bits;
	unsigned long *ips; /* room for those of all slots and the guard */
	unsigned long guard; /* a function that stays in the filter, 0: none */
	struct kretprobe carrier;
	bool carrier_registered;
	bool ftrace_armed;
	bool has_filter;   /* to be freed once */
	bool ftrace_stale; /* the last attempt to change it failed */
	unsigned long ftrace_location, within_kprobe_blacklist; /* ksyms_function() */
	const struct kretprobe_blackpoint *no_returns;          /* the kernel's kretprobe_blacklist */
	unsigned long missed, missed_returns; /* of the points that kprobe_stop() removed */
} kprobe_family;

/* The fast return probe whose kretprobe's pre-handler is running; taken by the entry handler. */
static DEFINE_PER_CPU(struct kprobe_point *, kprobe_calling);

/* ---- hits ---- */

static void kprobe_run_entry(struct kprobe_point *p, struct pt_regs *regs)
{
	struct rt_ctx *c = hit_enter(p->site->probe, regs, false);

	if (!c)
		return;
	c->probe_addr = (unsigned long)p->rp.kp.addr;
	hit_run(c);
	hit_leave(c);
}

static int kprobe_on_entry(struct kprobe *k, struct pt_regs *regs)
{
	kprobe_run_entry(container_of(k, struct kprobe_point, rp.kp), regs);
	return 0;
}
NOKPROBE_SYMBOL(kprobe_on_entry);

/* A call begins.  Not 0: no return hit for it (it is counted as skipped or failed). */
static int kprobe_begin_call(struct kprobe_call *call, struct kprobe_point *p, struct pt_regs *regs)
{
	struct rt_ctx *c;
	bool failed;

	call->point = p;
	if (!p->probe->entry)
		return 0;
	c = hit_enter(p->site->probe, regs, false);
	if (!c)
		return 1;
	c->probe_addr = (unsigned long)p->rp.kp.addr;
	c->entry = call->slots;
	hit_run_entry(c);
	failed = RT_FAILED(c);
	hit_leave(c);
	return failed;
}
NOKPROBE_SYMBOL(kprobe_begin_call);

static int kprobe_on_call(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);

	return kprobe_begin_call((void *)ri->data, container_of(rp, struct kprobe_point, rp), regs);
}
NOKPROBE_SYMBOL(kprobe_on_call);

static int kprobe_on_fast_call(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kprobe_point *p = this_cpu_read(kprobe_calling);

	this_cpu_write(kprobe_calling, NULL);
	return kprobe_begin_call((void *)ri->data, p, regs);
}

static int kprobe_on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kprobe_call *call = (void *)ri->data;
	struct kprobe_point *p;
	struct rt_ctx *c;

	if (!get_kretprobe(ri))
		return 0;
	p = call->point;
	c = hit_enter(p->site->probe, regs, false);
	if (!c)
		return 0;
	c->probe_addr = (unsigned long)p->rp.kp.addr;
	c->entry = p->probe->entry ? call->slots : NULL;
	hit_run(c);
	hit_leave(c);
	return 0;
}
NOKPROBE_SYMBOL(kprobe_on_return);

/* In an interrupt this may nest between the two statements of its like. */
static void kprobe_begin_fast_call(struct kprobe_point *p, struct pt_regs *regs)
{
	struct kprobe_point *interrupted = this_cpu_read(kprobe_calling);

	this_cpu_write(kprobe_calling, p);
	p->instances->kp.pre_handler(&p->instances->kp, regs);
	if (this_cpu_read(kprobe_calling) == p)
		hit_skipped(WIRE_SKIP_RETURN, 1); /* there was no free instance */
	this_cpu_write(kprobe_calling, interrupted);
}

static struct kprobe_slot *kprobe_find_slot(unsigned long ip)
{
	unsigned int mask = (1u << kprobe_family.slot_bits) - 1;
	unsigned int i = hash_long(ip, kprobe_family.slot_bits);

	while (kprobe_family.slots[i].ip && kprobe_family.slots[i].ip != ip)
		i = (i + 1) & mask;
	return &kprobe_family.slots[i];
}

void kprobe_on_ftrace(unsigned long ip, struct pt_regs *regs)
{
	struct kprobe_point *p;
	unsigned long saved;
	int bit;

	if (!regs)
		return;
	bit = ftrace_test_recursion_trylock(ip, 0);
	if (bit < 0) {
		hit_skipped(WIRE_SKIP_REENTRANT, 1);
		return;
	}
	saved = regs->ip;
	regs->ip = ip + sizeof(kprobe_opcode_t); /* as behind a breakpoint */
	for (p = kprobe_find_slot(ip)->first; p; p = p->next) {
		if (!READ_ONCE(p->armed))
			continue;
		if (p->site->kind == SITE_KPROBE_RETURN)
			kprobe_begin_fast_call(p, regs);
		else
			kprobe_run_entry(p, regs);
	}
	regs->ip = saved;
	ftrace_test_recursion_unlock(bit);
}

/* ---- registration ---- */

static const char *kprobe_reason(int rc)
{
	switch (rc) {
	case -ENOENT:
		return "the running kernel has no such function";
	case -EINVAL:
		return "the kernel forbids probes there";
	case -EILSEQ:
		return "not at the start of an instruction";
	case -ENOMEM:
		return "out of memory";
	case -EOPNOTSUPP:
		return "this kernel does not support it";
	case -ENOSPC:
		return "too many functions of the same name";
	default:
		return "the kernel refused";
	}
}

static int kprobe_add_point(const struct rt_site *site, unsigned long addr)
{
	struct kprobe_point *p;

	if (kprobe_family.npoints == kprobe_family.room)
		return -ENOSPC;
	p = &kprobe_family.points[kprobe_family.npoints++];
	p->site = site;
	p->probe = &rt_script.probes[site->probe];
	p->rp.kp.offset = site->n[0];
	p->rp.kp.flags = KPROBE_FLAG_DISABLED;
	if (addr) {
		p->rp.kp.addr = (kprobe_opcode_t *)addr;
		return 0;
	}
	if (!site->s[1]) {
		p->rp.kp.symbol_name = site->s[0];
		return 0;
	}
	p->name = kasprintf(GFP_KERNEL, "%s:%s", site->s[1], site->s[0]);
	if (!p->name)
		return -ENOMEM;
	p->rp.kp.symbol_name = p->name;
	return 0;
}

static int kprobe_add_address(void *site, unsigned long addr)
{
	return kprobe_add_point(site, addr);
}

/* The points of a site, one per address of the symbol. */
static int kprobe_add_points(const struct rt_site *site)
{
	unsigned int before = kprobe_family.npoints;
	int rc;

	if (!site->s[0])
		return kprobe_add_point(site, site->n[2]);
	if (!site->s[1]) {
		rc = ksyms_each(site->s[0], kprobe_add_address, (void *)site);
		if (rc && rc != -EOPNOTSUPP)
			return rc;
		if (kprobe_family.npoints - before > 1 && site->n[0])
			return -ENOTUNIQ;
	}
	return kprobe_family.npoints > before ? 0 : kprobe_add_point(site, 0);
}

static int kprobe_maxactive(const struct rt_site *site)
{
	if (site->n[1])
		return site->n[1];
	if (rt_script.limits->kretactive)
		return rt_script.limits->kretactive;
	return max(15u, 6 * num_possible_cpus());
}

static bool kprobe_may_return(unsigned long addr)
{
	const struct kretprobe_blackpoint *b = kprobe_family.no_returns;

	if (!b)
		return false;
	for (; b->name; b++)
		if ((unsigned long)b->addr == addr)
			return false;
	return true;
}

/*
 * Is the function at p's address to be armed through ftrace without a kprobe of its own?  Then its address becomes that of the
 * tracer's call there.
 */
static bool kprobe_is_fast(struct kprobe_point *p)
{
	unsigned long addr = (unsigned long)p->rp.kp.addr, ip;
	bool returns = p->site->kind == SITE_KPROBE_RETURN;

	if (!addr || p->rp.kp.offset || (returns && (p->site->n[1] || !kprobe_may_return(addr))))
		return false;
	if (!kprobe_family.ftrace_location || !kprobe_family.within_kprobe_blacklist)
		return false;
	ip = ksyms_call3(kprobe_family.ftrace_location, addr, 0, 0);
	if (!ip || (bool)(u8)ksyms_call3(kprobe_family.within_kprobe_blacklist, addr, 0, 0))
		return false;
	p->rp.kp.addr = (kprobe_opcode_t *)ip;
	return true;
}

static int kprobe_register_return(struct kretprobe *rp, kretprobe_handler_t on_call, int maxactive,
				  unsigned int slots)
{
	rp->handler = kprobe_on_return;
	rp->entry_handler = on_call;
	BUILD_BUG_ON(sizeof(struct kprobe_call) + SITE_KPROBE_ENTRY_MAX > KRETPROBE_MAX_DATA_SIZE);
	rp->data_size = sizeof(struct kprobe_call) + slots * sizeof(rt_u64);
	rp->maxactive = maxactive;
	return register_kretprobe(rp);
}

/* As a kprobe of its own, disarmed. */
static int kprobe_register(struct kprobe_point *p)
{
	int rc;

	if (p->site->kind == SITE_KPROBE_RETURN) {
		rc = kprobe_register_return(&p->rp, kprobe_on_call, kprobe_maxactive(p->site), p->probe->entry_slots);
	} else {
		p->rp.kp.pre_handler = kprobe_on_entry;
		rc = register_kprobe(&p->rp.kp);
	}
	p->registered = rc == 0;
	return rc;
}

static int kprobe_prepare_point(struct kprobe_point *p)
{
	int rc;

	p->fast = kprobe_is_fast(p);
	if (p->fast)
		return 0;
	rc = kprobe_register(p);
	p->fast = rc == 0 && (p->rp.kp.flags & KPROBE_FLAG_FTRACE);
	if (p->fast && p->site->kind == SITE_KPROBE_RETURN) {
		p->instances = &p->rp;
		p->rp.entry_handler = kprobe_on_fast_call;
	}
	return rc;
}

/* Gives the fast return probes without instances some: the carrier's, registered at whichever of their functions takes it. */
static void kprobe_make_carrier(void)
{
	struct kretprobe *carrier = &kprobe_family.carrier;
	unsigned int i, slots = 0;
	int active = 0;

	for (i = 0; i < kprobe_family.npoints; i++) {
		struct kprobe_point *p = &kprobe_family.points[i];

		if (!p->fast || p->site->kind != SITE_KPROBE_RETURN || p->instances)
			continue;
		p->instances = carrier;
		active += kprobe_maxactive(p->site);
		slots = max(slots, p->probe->entry_slots);
	}
	for (i = 0; active && !kprobe_family.carrier_registered && i < kprobe_family.npoints; i++) {
		struct kprobe_point *p = &kprobe_family.points[i];

		if (p->instances != carrier)
			continue;
		memset(carrier, 0, sizeof(*carrier));
		carrier->kp.addr = p->rp.kp.addr;
		carrier->kp.flags = KPROBE_FLAG_DISABLED;
		kprobe_family.carrier_registered = kprobe_register_return(carrier, kprobe_on_fast_call, active, slots) == 0;
	}
}

/* Tells of a site that cannot be probed: a warning (later, with others) or an error (now). */
static void kprobe_refuse(const struct rt_site *site, int rc, struct failures *f)
{
	const char *name = site->s[0] ?: "absolute address";

	if (site->flags & RT_SITE_OPTIONAL)
		failures_add(f, kprobe_reason(rc), name);
	else if (rc == -ENOTUNIQ)
		session_error("probe %s: several functions are called %s, so an offset has no one meaning",
			      rt_script.probes[site->probe].point, name);
	else
		session_error("probe %s: cannot probe %s%s%s: %s (rc %d)", rt_script.probes[site->probe].point,
			      site->s[1] ?: "", site->s[1] ? ":" : "", name, kprobe_reason(rc), rc);
}

/* Registers all points disarmed.  0, or what a site that is not optional met. */
static int kprobe_register_sites(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	struct failures *f = kzalloc(sizeof(*f), GFP_KERNEL);
	int failed = 0;
	rt_u32 i;

	if (!f)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		unsigned int k = kprobe_family.npoints, good = 0;
		int first = 0, rc = kprobe_add_points(&sites[i]);

		if (rc && rc != -ENOSPC)
			kprobe_family.npoints = k;
		for (; k < kprobe_family.npoints; k++) {
			int r = kprobe_prepare_point(&kprobe_family.points[k]);

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

static struct ftrace_ops kprobe_fast_ops = {
	.func = compat_ftrace_callback,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
};

/* Its module is gone, and with it the tracer's place. */
static bool kprobe_is_unloaded(unsigned long ip)
{
	return kprobe_family.ftrace_location && !ksyms_call3(kprobe_family.ftrace_location, ip, 0, 0);
}

/* Gathers what is to be armed, for kprobe_set_filter(): how many; *changed: they are others than now. */
static unsigned int kprobe_gather_ips(bool *changed)
{
	unsigned int i, n = 0;

	*changed = !kprobe_family.ftrace_armed || kprobe_family.ftrace_stale;
	for (i = 0; i < 1u << kprobe_family.slot_bits; i++) {
		struct kprobe_slot *slot = &kprobe_family.slots[i];
		struct kprobe_point *p;
		bool wanted = false;

		for (p = slot->first; p; p = p->next)
			wanted |= arming_wants(p->probe);
		*changed |= wanted != slot->armed;
		if (wanted && !kprobe_is_unloaded(slot->ip))
			kprobe_family.ips[n++] = slot->ip;
		slot->armed = wanted;
	}
	if (kprobe_family.guard)
		kprobe_family.ips[n++] = kprobe_family.guard;
	return n;
}

static void kprobe_disarm_ftrace(void)
{
	if (kprobe_family.ftrace_armed)
		unregister_ftrace_function(&kprobe_fast_ops);
	kprobe_family.ftrace_armed = false;
}

static int kprobe_set_filter(void)
{
	bool changed;
	unsigned int n = kprobe_gather_ips(&changed);
	int rc;

	if (!changed)
		return 0;
	if (!n) {
		kprobe_disarm_ftrace();
		return 0;
	}
	kprobe_family.has_filter = true;
	rc = ftrace_set_filter_ips(&kprobe_fast_ops, kprobe_family.ips, n, 0, 1);
	kprobe_family.ftrace_stale = rc != 0;
	if (kprobe_family.ftrace_armed)
		return rc;
	if (!rc)
		rc = register_ftrace_function(&kprobe_fast_ops);
	kprobe_family.ftrace_armed = rc == 0;
	return rc;
}

/* Arms and disarms fast points as their conditions say.  They see hits from before their address is armed to after. */
static int kprobe_set_fast_points(void)
{
	unsigned int i;
	int rc;

	for (i = 0; i < kprobe_family.npoints; i++)
		if (arming_wants(kprobe_family.points[i].probe) && kprobe_family.points[i].fast)
			WRITE_ONCE(kprobe_family.points[i].armed, true);
	rc = kprobe_set_filter();
	for (i = 0; i < kprobe_family.npoints; i++)
		if (!arming_wants(kprobe_family.points[i].probe) && kprobe_family.points[i].fast)
			WRITE_ONCE(kprobe_family.points[i].armed, false);
	return rc;
}

static int kprobe_arm_fast_points(unsigned int n)
{
	bool conditional = false;
	unsigned int i;

	kprobe_family.slot_bits = ilog2(roundup_pow_of_two(2 * n)) + 1;
	kprobe_family.slots = kvcalloc(1u << kprobe_family.slot_bits, sizeof(*kprobe_family.slots), GFP_KERNEL);
	kprobe_family.ips = kvcalloc(n + 1, sizeof(*kprobe_family.ips), GFP_KERNEL);
	if (!kprobe_family.slots || !kprobe_family.ips)
		return -ENOMEM;
	/* backwards, so that the points of one address run in the order of the script */
	for (i = kprobe_family.npoints; i-- > 0;) {
		struct kprobe_point *p = &kprobe_family.points[i];
		struct kprobe_slot *slot;

		if (!p->fast)
			continue;
		slot = kprobe_find_slot((unsigned long)p->rp.kp.addr);
		slot->ip = (unsigned long)p->rp.kp.addr;
		p->next = slot->first;
		slot->first = p;
		conditional |= p->probe->condition != 0;
	}
	if (conditional && kprobe_family.ftrace_location)
		kprobe_family.guard = ksyms_call3(kprobe_family.ftrace_location, (unsigned long)kernel_halt, 0, 0);
	return kprobe_set_fast_points();
}

/* The function tracer does not take the points, or there is no carrier: kprobes one by one. */
static int kprobe_make_slow(void)
{
	unsigned int i;

	kvfree(kprobe_family.ips);
	kprobe_family.ips = NULL;
	for (i = 0; i < kprobe_family.npoints; i++) {
		struct kprobe_point *p = &kprobe_family.points[i];
		int rc = p->fast && !p->registered ? kprobe_register(p) : 0;

		if (rc) {
			session_error("probe %s: cannot probe %pS (rc %d)", p->probe->point, p->rp.kp.addr, rc);
			return rc;
		}
		if (p->fast && p->site->kind == SITE_KPROBE_RETURN)
			p->rp.entry_handler = kprobe_on_call;
		p->fast = p->armed = false;
	}
	return 0;
}

/* Arms and disarms, as their conditions say, the kprobes. */
static int kprobe_set_slow_points(void)
{
	unsigned int i;
	int first = 0;

	for (i = 0; i < kprobe_family.npoints; i++) {
		struct kprobe_point *p = &kprobe_family.points[i];
		bool wanted = arming_wants(p->probe);
		int rc;

		if (!p->registered || p->fast || wanted == p->armed || kprobe_gone(&p->rp.kp))
			continue;
		rc = wanted ? enable_kprobe(&p->rp.kp) : disable_kprobe(&p->rp.kp);
		if (rc && !p->failed)
			session_error("probe %s: cannot %s %pS (rc %d)", p->probe->point, wanted ? "arm" : "disarm",
				      p->rp.kp.addr, rc);
		p->failed = rc != 0;
		if (!rc)
			p->armed = wanted;
		first = first ?: rc;
	}
	return first;
}

static int kprobe_arm_points(void)
{
	unsigned int i, nfast = 0;
	bool carried = true;
	int rc = 0;

	kprobe_make_carrier();
	for (i = 0; i < kprobe_family.npoints; i++) {
		struct kprobe_point *p = &kprobe_family.points[i];

		nfast += p->fast;
		carried &= p->instances != &kprobe_family.carrier || kprobe_family.carrier_registered;
	}
	if (nfast && carried)
		rc = kprobe_arm_fast_points(nfast);
	if (rc == -EBUSY) {
		session_error("probes at the entry of kernel functions need the function tracer, which is switched off: "
			      "sysctl kernel.ftrace_enabled=1");
		return rc;
	}
	if (nfast && (rc || !carried))
		rc = kprobe_make_slow();
	return rc ?: kprobe_set_slow_points();
}

static void kprobe_refresh(void)
{
	bool was_stale = kprobe_family.ftrace_stale;
	int rc = kprobe_family.ips ? kprobe_set_fast_points() : 0;

	if (rc && !was_stale)
		session_error("kernel functions cannot be armed or disarmed (rc %d)", rc);
	kprobe_set_slow_points();
}

/* ---- the family ---- */

/* Unregisters all of one kind with one wait for running handlers. */
static void kprobe_unregister_points(bool returns)
{
	unsigned int i, n = 0;

	for (i = 0; i < kprobe_family.npoints; i++) {
		struct kprobe_point *p = &kprobe_family.points[i];

		if (!p->registered || (p->site->kind == SITE_KPROBE_RETURN) != returns)
			continue;
		kprobe_family.list[n++] = returns ? (void *)&p->rp : (void *)&p->rp.kp;
	}
	if (!n)
		return;
	if (returns)
		unregister_kretprobes((struct kretprobe **)kprobe_family.list, n);
	else
		unregister_kprobes((struct kprobe **)kprobe_family.list, n);
}

/* The kernel's own counts of hits that no handler saw. */
static void kprobe_count_missed(void)
{
	unsigned int i;

	kprobe_family.missed = kprobe_family.missed_returns = 0;
	for (i = 0; i < kprobe_family.npoints; i++) {
		const struct kprobe_point *p = &kprobe_family.points[i];

		kprobe_family.missed += p->rp.kp.nmissed;
		if (!p->fast) /* else counted one by one */
			kprobe_family.missed_returns += p->rp.nmissed;
	}
}

static void kprobe_ledger(void)
{
	hit_skipped(WIRE_SKIP_MISSED, kprobe_family.missed);
	hit_skipped(WIRE_SKIP_RETURN, kprobe_family.missed_returns);
}

static void kprobe_stop(void)
{
	unsigned int i;

	kprobe_disarm_ftrace();
	if (kprobe_family.has_filter)
		ftrace_free_filter(&kprobe_fast_ops);
	kprobe_family.has_filter = false;
	kprobe_unregister_points(true);
	if (kprobe_family.carrier_registered)
		unregister_kretprobe(&kprobe_family.carrier);
	kprobe_family.carrier_registered = false;
	kprobe_unregister_points(false);
	kprobe_count_missed();
	for (i = 0; i < kprobe_family.npoints; i++)
		kfree(kprobe_family.points[i].name);
	kvfree(kprobe_family.points);
	kvfree(kprobe_family.slots);
	kvfree(kprobe_family.ips);
	kvfree(kprobe_family.list);
	kprobe_family.list = NULL;
	kprobe_family.points = NULL;
	kprobe_family.slots = NULL;
	kprobe_family.ips = NULL;
	kprobe_family.guard = 0;
	kprobe_family.npoints = kprobe_family.room = 0;
}

static int kprobe_set_no_returns(void *data, unsigned long addr)
{
	kprobe_family.no_returns = (const void *)addr;
	return 0;
}

static int kprobe_start(const struct rt_site *sites, rt_u32 n, rt_u32 *armed)
{
	rt_u32 before = *armed;
	int rc;

	kprobe_family.ftrace_location = ksyms_function("ftrace_location");
	kprobe_family.within_kprobe_blacklist = ksyms_function("within_kprobe_blacklist");
	ksyms_each("kretprobe_blacklist", kprobe_set_no_returns, NULL);
	kprobe_family.room = 2 * n + 64;
	kprobe_family.points = kvcalloc(kprobe_family.room, sizeof(*kprobe_family.points), GFP_KERNEL);
	kprobe_family.list = kvcalloc(kprobe_family.room, sizeof(*kprobe_family.list), GFP_KERNEL);
	rc = kprobe_family.points && kprobe_family.list ? kprobe_register_sites(sites, n, armed) : -ENOMEM;
	if (!rc)
		rc = kprobe_arm_points();
	if (rc) {
		kprobe_stop();
		*armed = before;
	}
	return rc;
}

const struct rt_family rt_family_kprobe = {
	.name = "kprobe",
	.start = kprobe_start,
	.stop = kprobe_stop,
	.refresh = kprobe_refresh,
	.ledger = kprobe_ledger,
};
