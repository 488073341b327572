/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hits: a context for each handler, and counters of how it ended. */
#ifndef KERNEL_HIT_H
#define KERNEL_HIT_H

#include <linux/compiler.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "kernel/state.h"
#include "rt/rt.h"
#include "wire.h"

struct pt_regs;

/* ---- of each CPU; the rest of this is hit.c's, and for the inline functions below, which every hit of some probes runs ---- */

enum hit_level { HIT_TASK, HIT_SOFTIRQ, HIT_HARDIRQ, HIT_NMI, HIT_LEVELS };

struct hit_cpu {
	union {
		bool busy[HIT_LEVELS]; /* marks: a handler runs at that level */
		u32 any_busy;
	};
	unsigned int tick, due;   /* handlers since the last timed one; how many until the next */
	u64 small;                /* handled by small handlers */
	struct hit_context *contexts; /* HIT_LEVELS of them, NULL: no memory when the CPU came online */
	u64 handled, errors, own, skipped[WIRE_SKIP_COUNT];
	u64 window, spent;        /* overload: beginning of the interval, time that hits took since then */
};
/* Allocated: for static per-CPU variables of all modules the kernel has only 8 KiB. */
extern struct hit_cpu __percpu *hit_cpus;
extern bool hit_pool_used; /* a handler has taken a context of the pool, or is about to */

/* Does the current task have a context of the pool?  Then it is inside a handler that may sleep. */
bool hit_task_in_pool(void);

/* A task that is in such a handler has set hit_pool_used itself, so it sees it set. */
static __always_inline bool hit_task_in_handler(void)
{
	return unlikely(READ_ONCE(hit_pool_used)) && hit_task_in_pool();
}

/*
 * On a CPU that goes offline or comes online, or while the machine sleeps, an interrupt that the CPU sends to itself may be lost.  Then
 * irq_work that a handler queues, to wake the loader or to check conditions, would never run, and neither would any other irq_work on
 * that CPU.
 */
static __always_inline bool hit_cpu_is_away(void)
{
	return unlikely(!cpu_online(raw_smp_processor_id()) || system_state > SYSTEM_RUNNING);
}

/* ---- for the mechanisms ---- */

/*
 * A hit.  hit_enter() gives a context, or NULL if the hit was counted as skipped, with its cause.  The mechanism may fill c->entry, c->args,
 * c->data, c->probe_addr and c->load_base (0 until then, except data), and c->regs if it gave none.  Then it calls hit_run(), which runs
 * the probe's handler (or entry handler), and hit_leave().  sleeps: called in task context where user memory may be faulted in (uprobe handlers);
 * otherwise any context, NMI included.  A hit while the session is not running (not yet started, stopping) is skipped as
 * WIRE_SKIP_STOPPING.
 */
struct rt_ctx *hit_enter(rt_u32 probe, struct pt_regs *regs, bool sleeps);
void hit_run(struct rt_ctx *c);
/* Runs probe->entry, which fills c->entry[]; same rules, errors counted alike. */
void hit_run_entry(struct rt_ctx *c);
void hit_leave(struct rt_ctx *c);
#define HIT_TIME_EVERY_SMALL 256
/* The hit goes the ordinary way, where it is timed for all since the last one that was: false. */
bool hit_leave_small_to_be_timed(void);
/*
 * Runs a handler that is small (RT_PROBE_SMALL): it needs no context, and nothing can be hit inside it.  So there is no mark, preemption
 * may be on, and RCU need not watch.  False: the hit is not counted and the handler was not called, since something is in the way that
 * hit_enter() knows about, or this hit is to be timed; then the mechanism goes on as for any handler.  Any context; calls nothing that can
 * be probed.
 *
 * What is asked here is asked at once, with preemption on: a task that is inside a handler keeps its CPU, or is in the pool, so if this hit
 * were caused by one, a mark would be set.  If a mark is set, of whatever level, hit_enter() finds out.
 */
static __always_inline bool hit_small(rt_handler *handler)
{
	BUILD_BUG_ON(sizeof_field(struct hit_cpu, busy) != sizeof_field(struct hit_cpu, any_busy));
	if (unlikely(!state_running() || this_cpu_read(hit_cpus->any_busy) || hit_task_in_handler() || hit_cpu_is_away()))
		return false;
	if (unlikely(!(this_cpu_read(hit_cpus->small) % HIT_TIME_EVERY_SMALL)))
		return hit_leave_small_to_be_timed();
	this_cpu_inc(hit_cpus->small);
	handler(NULL);
	return true;
}
/*
 * Runs a handler that is brief (RT_PROBE_BRIEF) as any other, with a mark and in a context of its CPU, but only where nearly all hits are:
 * in a task, on its stack, with no handler under way; and it prepares of the context only what such a handler uses.  regs: those of the
 * arguments, or of the result, are enough; args: n values that come with the hit instead, or NULL.  False: as for hit_small().
 */
bool hit_brief(const struct rt_probe *p, struct pt_regs *regs, const u64 *args, unsigned int n);
/* One of them for a probe whose handler may be small, brief or neither. */
static __always_inline bool hit_probe_small(rt_u32 probe)
{
	const struct rt_probe *p = &rt_script.probes[probe];

	return (p->flags & RT_PROBE_SMALL) && hit_small(p->handler);
}
static __always_inline bool hit_probe_shortly(rt_u32 probe, struct pt_regs *regs, const u64 *args, unsigned int n)
{
	const struct rt_probe *p = &rt_script.probes[probe];

	return hit_probe_small(probe) || ((p->flags & RT_PROBE_BRIEF) && hit_brief(p, regs, args, n));
}
/*
 * A function with a return probe is entered: may its return be hooked?  Not inside a handler, where the hit is counted as skipped; and
 * not in an NMI, which may have interrupted the pool that its call would be taken from, unless is_no_nmi: a kprobe's int3, which only counts as
 * one.  If it may, hits in called functions are skipped until the caller clears the mark that is returned; else NULL.  Preemption is off
 * throughout.
 */
bool *hit_mark_call(struct pt_regs *regs, bool is_no_nmi);
static __always_inline void hit_unmark_call(bool *mark)
{
	barrier();
	*mark = false;
}
/* May hit_mark_call() be called without registers?  Preemption is off. */
bool hit_mark_needs_no_regs(void);
/*
 * Sets the same mark where nearly all hits are: in a task, with no handler under way.  False: there is none, ask hit_mark_call().
 * Preemption is off until the mark is cleared.
 */
static __always_inline bool hit_mark_plain(void)
{
	if (unlikely((preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)) || this_cpu_read(hit_cpus->any_busy) ||
		     hit_task_in_handler()))
		return false;
	this_cpu_write(hit_cpus->busy[HIT_TASK], true);
	barrier();
	return true;
}
static __always_inline void hit_unmark_plain(void)
{
	barrier();
	this_cpu_write(hit_cpus->busy[HIT_TASK], false);
}
/* Adds time that hits take of this CPU outside of handlers (kernel/overhead.h).  Any context; now: rt_port_clock_ns(). */
void hit_charge(u64 now, u64 ns);
/* Counts hits that the session itself caused and that are not handled: kernel/own.h. */
void hit_own(unsigned long n);
/* Counts a hit that was lost before hit_enter(): cause is enum wire_skip. */
void hit_skipped(unsigned cause, unsigned long n);

/*
 * Handlers may need RCU, which does not watch a CPU in the middle of its idle loop or while it comes and goes.  A breakpoint makes it
 * watch.  The function tracer and tracepoints do not, and some kernels have them there.  A hit there counts as WIRE_SKIP_MISSED.
 * Preemption is off.
 */
static __always_inline bool hit_is_unwatched(void)
{
	return unlikely(is_idle_task(current)) && !rcu_is_watching();
}

/* Is a handler running on this CPU that is, or may be, an NMI's? */
bool hit_in_nmi(void);
/*
 * Before a handler: was the probe hit by the current task, and not by an interrupt on top of it?  Any context; calls nothing that can
 * be probed.
 */
bool hit_comes_from_task(struct pt_regs *regs);
/* In a handler: was the probe hit by the current task, not by an interrupt?  in_task() is false for tasks at an int3. */
bool hit_in_task(void);

/* ---- for the session ---- */

/*
 * Makes the contexts of all CPUs (for those that come online later, when they do) and of handlers that sleep; 0 or -ENOMEM.  Process
 * context.
 */
int hit_init(void);
void hit_free(void);
/* Waits until no context is in use; the mechanisms are stopped.  May sleep. */
void hit_wait_idle(void);
/* Runs a begin, end or error probe: alone, in process context, whatever the session's state. */
void hit_run_alone(rt_u32 probe);
/*
 * Does the condition hold?  1, 0, or -EAGAIN when a lock could not be taken; a condition that fails holds.  One at a time, in process
 * context.
 */
int hit_ask(rt_condition *condition);
/* Adds up what all CPUs counted. */
void hit_ledger(struct wire_ledger *l);

#endif
