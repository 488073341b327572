/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: hrtimer_setup 1..2: giving an hrtimer its function.  2: one call.  1: two steps. */
#ifndef COMPAT_HRTIMER_SETUP_H
#define COMPAT_HRTIMER_SETUP_H

#include <linux/hrtimer.h>

/* Prepares a monotonic timer that expires in the hard interrupt. */
#if COMPAT_HRTIMER_SETUP == 2
static inline void compat_hrtimer_prepare(struct hrtimer *t, enum hrtimer_restart (*fn)(struct hrtimer *))
{
	hrtimer_setup(t, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
}
#elif COMPAT_HRTIMER_SETUP == 1
static inline void compat_hrtimer_prepare(struct hrtimer *t, enum hrtimer_restart (*fn)(struct hrtimer *))
{
	hrtimer_init(t, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	t->function = fn;
}
#endif

#endif
