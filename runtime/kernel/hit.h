/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hits: a context for each handler, and counters of how it ended. */
#ifndef KERNEL_HIT_H
#define KERNEL_HIT_H

#include <linux/compiler.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "rt/rt.h"
#include "wire.h"

struct pt_regs;

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
/*
 * Runs a handler that is small (RT_PROBE_SMALL): it needs no context, and nothing can be hit inside it.  So there is no mark, preemption
 * may be on, and RCU need not watch.  False: the hit is not counted and the handler was not called, since something is in the way that
 * hit_enter() knows about, or this hit is to be timed; then the mechanism goes on as for any handler.  Any context; calls nothing that can
 * be probed.
 */
bool hit_small(rt_handler *handler);
/* The same for a probe whose handler may be small or not. */
static __always_inline bool hit_probe_small(rt_u32 probe)
{
	const struct rt_probe *p = &rt_script.probes[probe];

	return (p->flags & RT_PROBE_SMALL) && hit_small(p->handler);
}
/*
 * A function with a return probe is entered: may its return be hooked?  Not inside a handler, where the hit is counted as skipped; and
 * not in an NMI, which may have interrupted the pool that its call would be taken from, unless in_nmi says that this is known to be no
 * NMI.  If it may, hits in called functions are skipped until the caller clears the mark that is returned; else NULL.  Preemption is off
 * throughout.
 */
bool *hit_mark_call(struct pt_regs *regs, bool in_nmi);
static __always_inline void hit_unmark_call(bool *mark)
{
	barrier();
	*mark = false;
}
/* May hit_mark_call() be called without registers?  Preemption is off. */
bool hit_mark_needs_no_regs(void);
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
