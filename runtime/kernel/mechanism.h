/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel side of a mechanism.  (A mechanism is what the kernel offers to serve sites: doc/design.md.)  Each is a const struct
 * rt_mechanism, rt_mechanism_NAME in probes/NAME.c.  The tables of a script refer to those that it uses, and no others are linked to it.
 *
 * The session calls start() in the order of the script's tables, each with its sites, and stop() in reverse,
 * both in process context with nothing locked.  A start() that fails has undone its own work.  After stop()
 * returns no handler of it runs any more on any CPU.
 */
#ifndef KERNEL_MECHANISM_H
#define KERNEL_MECHANISM_H

#include <linux/types.h>

#include "rt/rt.h"

struct rt_mechanism {
	const char *name;
	bool runs_handlers; /* start() and stop() do, perhaps for long */
	/*
	 * Called in module_init: takes references that must not be lost before start(), which may never be called.  NULL =
	 * there is no such thing.  let_go() undoes it, once, after stop() or without a start(); also if hold() was not called.
	 */
	void (*hold)(const struct rt_site *sites, rt_u32 n);
	void (*let_go)(void);
	/* 0 or -errno; *armed += sites that are armed. */
	int (*start)(const struct rt_site *sites, rt_u32 n, rt_u32 *armed);
	void (*stop)(void);
	/* Called when all mechanisms have started and hits are handled.  Process context; NULL = nothing to do. */
	void (*running)(void);
	/*
	 * Hits that the kernel dropped before any handler ran (nmissed and the like): adds to the ledger with
	 * hit_skipped(). Called once, right after stop().  NULL = none.
	 */
	void (*ledger)(void);
	/*
	 * Arms and disarms the sites for which the answer of arming_wants() has changed (kernel/arming.h); start() uses
	 * arming_wants() too.  Process context, after start() and before stop().  NULL = the sites cannot be disarmed: handlers find
	 * their condition false.
	 */
	void (*refresh)(void);
};

#endif
