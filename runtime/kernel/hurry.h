/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Short waits for RCU.  What the kernel waits for in one of its own functions, before it returns or before it frees something, is one or
 * two grace periods of RCU, 4 to 16 ms each, also where nothing else runs.  While a session hurries these waits are expedited: the CPUs that
 * RCU must hear of are interrupted instead of awaited, as they are when code is patched, and a wait takes some 0.1 ms.  The guarantee
 * is the same.
 *
 * The kernel has one count for this, for the whole machine.  So a session hurries while it arms and removes probes, not while it runs, nor while
 * handlers of its begin and end probes do.  A machine that was told not to expedite (rcupdate.rcu_normal, PREEMPT_RT) waits as before.
 */
#ifndef KERNEL_HURRY_H
#define KERNEL_HURRY_H

#include <linux/compiler.h>

/*
 * From process context; each call is undone by one of hurry_end().  What they call is exported, but declared in a header of RCU's own only.  A
 * kernel for a single CPU has neither, nor needs them.
 */
static inline void hurry_begin(void)
{
	extern void rcu_expedite_gp(void) __weak;

	if (rcu_expedite_gp)
		rcu_expedite_gp();
}

static inline void hurry_end(void)
{
	extern void rcu_unexpedite_gp(void) __weak;

	if (rcu_unexpedite_gp)
		rcu_unexpedite_gp();
}

#endif
