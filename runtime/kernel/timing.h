/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What handlers take, for each probe: with -t (rt_limits.timing) only. */
#ifndef KERNEL_TIMING_H
#define KERNEL_TIMING_H

#include "rt/rt.h"

static __always_inline bool timing_wanted(void)
{
	return rt_script.limits->timing;
}

/* 0, also if it is not wanted, or -ENOMEM.  Process context. */
int timing_init(void);
void timing_free(void);
/* A handler took so many nanoseconds; only if timing_wanted().  Any context. */
void timing_add(const struct rt_probe *p, u64 ns);
/* Puts a table into the output, if it is wanted, when no handler runs any more.  Process context, may wait for the reader. */
void timing_report(void);

#endif
