/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel side of a probe family: one const struct rt_family in probes/NAME.c, one line in
 * probes/families.def.
 *
 * The session calls start() in the order of families.def with the sites of the script, and stop() in reverse,
 * both in process context with nothing locked.  A start() that fails has undone its own work.  After stop()
 * returns no handler of the family runs any more on any CPU.
 */
#ifndef KERNEL_FAMILY_H
#define KERNEL_FAMILY_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "rt/rt.h"

struct pt_regs;

struct rt_family {
	const char *name; /* as in struct rt_site_table */
	/* 0 or -errno; *armed += sites that are armed. */
	int (*start)(const struct rt_site *sites, rt_u32 n, rt_u32 *armed);
	void (*stop)(void);
	/* All families have started and hits are handled from now on.  Process context; NULL = nothing to do then. */
	void (*running)(void);
	/*
	 * Hits that the kernel dropped before any handler ran (nmissed and the like): adds to the ledger with
	 * hit_skipped(). Called once, right after stop().  NULL = none.
	 */
	void (*ledger)(void);
	/*
	 * Arms and disarms what arming_wants() has another answer for than before (kernel/arming.h); start()
	 * has asked it too.  Process context, after start() and before stop().  NULL = the sites cannot be
	 * disarmed: handlers find their condition false.
	 */
	void (*refresh)(void);
};

/*
 * A hit.  hit_enter() gives a context or NULL (the hit is then counted as skipped, with its cause); the
 * family may fill c->entry, c->probe_addr, c->load_base and c->retval (0 until then; c->regs is set), then
 * calls hit_run() which runs the probe's handler (or entry handler), and hit_leave(). sleeps: called in task
 * context where user memory may be faulted in (uprobe handlers); else any context, NMI included. A hit that
 * comes in while the session is not running (not yet started, stopping) is skipped as WIRE_SKIP_STOPPING.
 */
struct rt_ctx *hit_enter(rt_u32 probe, struct pt_regs *regs, bool sleeps);
void hit_run(struct rt_ctx *c);
/* Runs probe->entry, which fills c->entry[]; same rules, errors counted alike. */
void hit_run_entry(struct rt_ctx *c);
void hit_leave(struct rt_ctx *c);
/*
 * A function with a return probe is entered: may its return be hooked?  Not inside a handler, where the hit is counted as skipped; and
 * not in an NMI, which may have interrupted the very pool that its call would be taken from, unless in_nmi says that this is known
 * to be none.  If so, hits of what is called are skipped until the mark is taken away, else NULL.  Preemption is off throughout.
 */
bool *hit_mark_call(struct pt_regs *regs, bool in_nmi);
static __always_inline void hit_unmark_call(bool *mark)
{
	barrier();
	*mark = false;
}
/* Counts hits that the session itself caused, and that are left out: kernel/own.h. */
void hit_own(unsigned long n);
/* Counts a hit that was lost before hit_enter(): cause is enum wire_skip. */
void hit_skipped(unsigned cause, unsigned long n);

/* Text for the user's stderr; any context.  Errors make the run's exit status 1. */
void session_warn(const char *fmt, ...) __printf(1, 2);
void session_error(const char *fmt, ...) __printf(1, 2);
/* Pid of the target (-c, -x), 0 = none. */
int session_target(void);

#endif
