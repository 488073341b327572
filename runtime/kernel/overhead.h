/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cost of hits outside of their handlers, for hits that the session itself causes: timers, clocks, counters.  They come as often
 * as the script says, whatever else the CPU has to do, and the kernel's interrupt and its handling of the timer often take longer than the
 * handler.  So this time counts against the overload limit.  (A probe in code is hit only as often as that code runs.)
 *
 * A hit is charged the time since the last hit on its CPU, but at most the time of one timer interrupt, which is measured when the
 * session begins.  So several hits of one interrupt are charged for one interrupt, and a CPU that only handles hits is charged for all
 * of its time.  If more than one period has passed since the last hit, each period is charged: the kernel lets other code run in between, but
 * the CPU cannot keep up.
 */
#ifndef KERNEL_OVERHEAD_H
#define KERNEL_OVERHEAD_H

#include <linux/types.h>

/* Measures an interrupt, once a session.  Process context; takes less than a millisecond, or up to four on a busy machine.  0 or -ENOMEM. */
int overhead_prepare(void);
void overhead_free(void);
/*
 * Called at the begin of a hit; returns the time that it took before its handler.  is_interrupt: false for an event that the kernel counts in code
 * which runs anyway.  Any context; the task must stay on its CPU until overhead_end().
 */
u64 overhead_begin(bool is_interrupt);
/* Called at the end of the hit.  took: of overhead_begin().  periods: those that have passed, at least 1. */
void overhead_end(u64 took, u64 periods);

#endif
