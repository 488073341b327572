/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What hits cost a CPU outside of their handlers, where the session itself makes them come: timers, clocks, counters.  They come as often
 * as the script says, whatever else the CPU has to do, and the kernel's interrupt and its handling of the timer often take longer than the
 * handler.  So they count against the overload limit.  (A probe in code only costs whoever runs that code, at the pace of that code.)
 *
 * Of each hit counts the time since the last one on that CPU, and at most what an interrupt of a timer takes, which is measured when the
 * session begins.  So the hits that one interrupt handles are charged for one interrupt, and a CPU that does nothing else is charged for all
 * of its time.  If more periods have passed than one, a hit is charged for each: the kernel lets other code run between, but the CPU
 * cannot keep up.
 */
#ifndef KERNEL_OVERHEAD_H
#define KERNEL_OVERHEAD_H

#include <linux/types.h>

/* Measures, if that was not done yet.  Process context; takes less than a millisecond, or a few on a busy machine.  -ENOMEM. */
int overhead_prepare(void);
void overhead_free(void);
/*
 * A hit: what it has taken before its handler.  is_interrupt: not an event in code that runs anyway.  Any context; preemption is off, or the
 * CPU does not change until overhead_end().
 */
u64 overhead_begin(bool is_interrupt);
/* Its end; took: by overhead_begin(); periods that have passed, at least 1. */
void overhead_end(u64 took, u64 periods);

#endif
