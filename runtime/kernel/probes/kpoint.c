// SPDX-License-Identifier: GPL-2.0-or-later
/* Hits of points in the kernel.  See kpoint.h. */
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "kernel/arch/arch.h"
#include "kernel/compat/ftrace_regs.h"
#include "kernel/compat/rethook_handler.h"
#include "kernel/hit.h"
#include "kernel/own.h"
#include "kernel/probes/kcalls.h"
#include "kernel/probes/kpoint.h"
#include "sites/kprobe.h"
#include "wire.h"

struct kpoint_table *kpoint_table __read_mostly;

/* asked: hit_small() or hit_brief() has refused this hit, perhaps since it is to be timed; asked again, it would take it. */
static __always_inline void kpoint_run_entry(struct kpoint *p, struct pt_regs *regs, bool asked)
{
	struct rt_ctx *c;

	if (!asked && ((p->small && hit_small(p->small)) || (p->brief && hit_brief(p->probe, regs, NULL, 0))))
		return;
	c = hit_enter(p->site->probe, regs, false);
	if (!c)
		return;
	c->probe_addr = (unsigned long)p->rp.kp.addr;
	hit_run(c);
	hit_leave(c);
}

int kpoint_on_entry(struct kprobe *k, struct pt_regs *regs)
{
	if (own_hit(regs))
		hit_own(1);
	else
		kpoint_run_entry(container_of(k, struct kpoint, rp.kp), regs, false);
	return 0;
}
NOKPROBE_SYMBOL(kpoint_on_entry);

static bool kpoint_run_call(rt_u64 *slots, struct kpoint *p, struct pt_regs *regs)
{
	struct rt_ctx *c = hit_enter(p->site->probe, regs, false);
	bool failed;

	if (!c)
		return false;
	c->probe_addr = (unsigned long)p->rp.kp.addr;
	c->entry = slots;
	hit_run_entry(c);
	failed = RT_FAILED(c);
	hit_leave(c);
	return !failed;
}
NOKPROBE_SYMBOL(kpoint_run_call);

/* A call begins.  False: no return hit for it (it is counted as skipped or failed). */
static __always_inline bool kpoint_begin_call(rt_u64 *slots, struct kpoint *p, struct pt_regs *regs)
{
	return !p->probe->entry || kpoint_run_call(slots, p, regs);
}

/* hit_small() has refused this hit, or the handler is not small. */
static noinline void kpoint_run_return(rt_u64 *slots, struct kpoint *p, struct pt_regs *regs)
{
	struct rt_ctx *c;

	if (p->brief && hit_brief(p->probe, regs, NULL, 0))
		return;
	if (hit_is_unwatched()) {
		hit_skipped(WIRE_SKIP_MISSED, 1);
		return;
	}
	c = hit_enter(p->site->probe, regs, false);
	if (!c)
		return;
	c->probe_addr = (unsigned long)p->rp.kp.addr;
	c->entry = p->probe->entry ? slots : NULL;
	hit_run(c);
	hit_leave(c);
}
NOKPROBE_SYMBOL(kpoint_run_return);

static __always_inline void kpoint_handle_return(rt_u64 *slots, struct kpoint *p, struct pt_regs *regs)
{
	if (!p->small || !hit_small(p->small))
		kpoint_run_return(slots, p, regs);
}

int kpoint_on_call(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kpoint *p = container_of(get_kretprobe(ri), struct kpoint, rp);
	bool *mark;

	if (own_hit(regs)) {
		hit_own(1);
		return 1;
	}
	/* Only to ask whether the return may be hooked: the kernel has taken the call from its own pool already. */
	mark = hit_mark_call(regs, true);
	if (!mark)
		return 1;
	hit_unmark_call(mark);
	return !kpoint_begin_call((void *)ri->data, p, regs);
}
NOKPROBE_SYMBOL(kpoint_on_call);

int kpoint_on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct kretprobe *rp = get_kretprobe(ri);

	if (rp)
		kpoint_handle_return((void *)ri->data, container_of(rp, struct kpoint, rp), regs);
	return 0;
}
NOKPROBE_SYMBOL(kpoint_on_return);

/* Taking a call from the pool may call a function that is probed too.  Such hits are skipped because of the mark, or it would never end. */
static __always_inline void kpoint_begin_fast_call(struct kpoint *p, unsigned long *slot, struct pt_regs *regs)
{
	struct kreturn_call *call;
	bool *mark;

	if (unlikely(kreturn_in_trampoline(slot))) {
		hit_skipped(WIRE_SKIP_REENTRANT, 1);
		return;
	}
	mark = hit_mark_call(regs, false);
	if (!mark)
		return;
	call = kreturn_take(&p->calls);
	hit_unmark_call(mark);
	if (unlikely(!call))
		hit_skipped(WIRE_SKIP_RETURN, 1);
	else if (likely(kpoint_begin_call(call->slots, p, regs)))
		kreturn_hook(call, slot);
	else
		kreturn_give_back(call);
}

static __always_inline void kpoint_on_hooked_return(struct rethook_node *node, struct pt_regs *regs)
{
	struct kreturn_call *call = container_of(node, struct kreturn_call, node);

	kpoint_handle_return(call->slots, container_of(call->owner, struct kpoint, calls), regs);
	this_cpu_write(*kreturn_last, node->frame);
	kreturn_done(call);
}

COMPAT_RETHOOK_HANDLER_FUNCTION(kpoint_rethook_handler, kpoint_on_hooked_return)
NOKPROBE_SYMBOL(kpoint_rethook_handler);

/* The first of the points there; NULL: none. */
static __always_inline struct kpoint *kpoint_first(unsigned long ip)
{
	return kpoint_find_slot(READ_ONCE(kpoint_table), ip)->first;
}

static noinline void kpoint_count_own(unsigned long ip)
{
	struct kpoint *p;

	for (p = kpoint_first(ip); p; p = READ_ONCE(p->next))
		hit_own(READ_ONCE(p->armed));
}

/* Calls nothing that can be probed before a mark of hit.c is set, so the marks of the function tracer are not needed. */
static __always_inline void kpoint_run_all(unsigned long ip, struct pt_regs *regs, bool asked)
{
	struct kpoint *p;
	unsigned long saved;
	bool unwatched;

	if (!regs)
		return;
	if (own_hit(regs)) {
		kpoint_count_own(ip);
		return;
	}
	preempt_disable_notrace();
	unwatched = hit_is_unwatched();
	saved = instruction_pointer(regs);
	instruction_pointer_set(regs, arch_hit_pointer(ip));
	for (p = kpoint_first(ip); p; p = READ_ONCE(p->next)) {
		if (!READ_ONCE(p->armed))
			continue;
		if (unlikely(unwatched))
			hit_skipped(WIRE_SKIP_MISSED, 1);
		else if (p->site->kind == SITE_KPROBE_RETURN)
			kpoint_begin_fast_call(p, arch_return_slot(regs), regs);
		else
			kpoint_run_entry(p, regs, asked);
	}
	instruction_pointer_set(regs, saved);
	preempt_enable_notrace();
}

static void kpoint_on_ftrace(unsigned long ip, struct pt_regs *regs)
{
	kpoint_run_all(ip, regs, false);
}

COMPAT_FTRACE_FUNCTION(kpoint_ftrace_callback, kpoint_on_ftrace)

static void __used kpoint_on_direct_rest(unsigned long ip, struct pt_regs *regs)
{
	kpoint_run_all(ip, regs, true);
}

/* A call that begins in an interrupt, or while a handler is under way. */
static noinline bool kpoint_on_direct_call_there(struct kpoint *p, unsigned long *slot)
{
	if (!hit_mark_needs_no_regs())
		return false;
	kpoint_begin_fast_call(p, slot, NULL);
	return true;
}

/* Does what kpoint_begin_fast_call() does, with a mark set. */
static __always_inline void kpoint_begin_plain_call(struct kpoint *p, unsigned long *slot)
{
	bool reentrant = kreturn_in_trampoline(slot);
	struct kreturn_call *call = likely(!reentrant) ? kreturn_take(&p->calls) : NULL;

	hit_unmark_plain();
	if (likely(call))
		kreturn_hook(call, slot);
	else
		hit_skipped(reentrant ? WIRE_SKIP_REENTRANT : WIRE_SKIP_RETURN, 1);
}

/* Of a point without an entry handler, which would need the registers.  False: it cannot be decided without them. */
static __flatten noinline bool kpoint_on_direct_call(struct kpoint *p, unsigned long *slot)
{
	bool decided = true;

	preempt_disable_notrace();
	if (likely(hit_mark_plain()))
		kpoint_begin_plain_call(p, slot);
	else
		decided = kpoint_on_direct_call_there(p, slot);
	preempt_enable_notrace();
	return decided;
}

/* Without registers what cannot be decided is left to kpoint_on_direct_rest(): false. */
static bool __used kpoint_on_direct_entry(unsigned long ip, unsigned long *slot)
{
	struct kpoint *p = kpoint_find_slot(READ_ONCE(kpoint_table), ip)->only;

	if (!p || !READ_ONCE(p->armed) || own_hit_perhaps() || is_idle_task(current))
		return false;
	if (p->is_return)
		return kpoint_on_direct_call(p, slot);
	return p->small ? hit_small(p->small) : hit_brief(p->probe, arch_entry_regs(slot), NULL, 0);
}

void kpoint_direct_entry(void);
ARCH_FUNCTION_ENTRY(kpoint_direct_entry, kpoint_on_direct_entry, kpoint_on_direct_rest);

/*
 * The tracer lets the owner of an ftrace_ops bring its own code for functions that nobody else traces.  It waits for tasks that are in that
 * code, also preempted ones, before unregister_ftrace_function() returns.
 */
struct ftrace_ops kpoint_ops[KPOINT_WAYS] = {
	[KPOINT_TRACER] = {
		.func = kpoint_ftrace_callback,
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
	},
	[KPOINT_DIRECT] = {
		.func = kpoint_ftrace_callback,
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
		.trampoline = (unsigned long)kpoint_direct_entry,
	},
	[KPOINT_BODY] = {
		.func = kpoint_ftrace_callback,
		.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
	},
};

/* A body that was called by code of ours has returned.  Preemption is as it was for the function. */
static bool kpoint_on_body(void *point)
{
	struct kpoint *p = point;

	return p->small && !own_hit_perhaps() && !is_idle_task(current) && hit_small(p->small);
}

static void kpoint_on_body_rest(void *point, struct pt_regs *regs)
{
	if (own_hit(regs)) {
		hit_own(1);
		return;
	}
	preempt_disable_notrace();
	kpoint_run_return(NULL, point, regs);
	preempt_enable_notrace();
}

/* By the site and its probe alone; modules are excluded, as they may be unloaded. */
static bool kpoint_may_call_body(const struct rt_site *site)
{
	const struct rt_probe *p = &rt_script.probes[site->probe];

	return site->kind == SITE_KPROBE_RETURN && (site->n[3] & SITE_KPROBE_IN_REGISTERS) && !site->s[1] && !p->entry &&
	       (p->flags & (RT_PROBE_SMALL | RT_PROBE_BRIEF));
}

void kpoint_set_site(struct kpoint *p, const struct rt_site *site)
{
	p->site = site;
	p->probe = &rt_script.probes[site->probe];
	p->small = p->probe->flags & RT_PROBE_SMALL ? p->probe->handler : NULL;
	p->brief = p->probe->flags & RT_PROBE_BRIEF;
	p->is_return = site->kind == SITE_KPROBE_RETURN;
	p->may_call_body = kpoint_may_call_body(site);
}

void kpoint_hold(const struct rt_site *sites, rt_u32 n)
{
	rt_u32 i;

	for (i = 0; i < n && !kpoint_may_call_body(&sites[i]); i++)
		;
	if (i < n)
		kcalls_hold();
}

bool kpoint_claim_body(struct kpoint *p)
{
	const struct spile_calls_slot how = {
		.ordinary = (unsigned long)kpoint_direct_entry,
		.point = p,
		.fast = kpoint_on_body,
		.slow = kpoint_on_body_rest,
	};

	if (!kcalls_claim((unsigned long)p->rp.kp.addr, p->site->s[0], &how))
		return false;
	kpoint_ops[KPOINT_BODY].trampoline = kcalls_entry();
	return true;
}

int kpoint_init_returns(void)
{
	return kreturn_init(kpoint_rethook_handler);
}

/* The second call runs on each CPU.  A task that was preempted in code that functions call directly is waited for by the third. */
void kpoint_wait_for_hits(void)
{
	synchronize_rcu();
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}
