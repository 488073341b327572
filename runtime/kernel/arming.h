/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which probes are to be armed, by the conditions behind their points.
 *
 * A handler that may have changed what a condition looks at says so with arming_changed().  The conditions are
 * then asked in a work item, and if one has another answer than before, the mechanisms that can disarm are called with
 * their refresh().  Handlers ask their condition as well: what hits a probe that is not disarmed yet does nothing.
 */
#ifndef KERNEL_ARMING_H
#define KERNEL_ARMING_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "rt/rt.h"

extern bool *arming_answers; /* of each condition, the last; written only by arming.c */

/* Is the probe to be armed?  Any context. */
static inline bool arming_wants(const struct rt_probe *p)
{
	return likely(!p->condition) || READ_ONCE(arming_answers[p->condition - 1]);
}

/* ---- for the session; process context ---- */

/*
 * ask: does the condition hold?  1, 0, or -EAGAIN: there is no answer yet.  refresh: some have another answer than before; called
 * between arming_enable() and arming_disable().  0 or -ENOMEM.
 */
int arming_init(int (*ask)(rt_condition *), void (*refresh)(void));
void arming_free(void);
/* Asks all conditions, while no handler runs: before the mechanisms start. */
void arming_ask(void);
/* From here on arming_changed() has an effect. */
void arming_enable(void);
/* Behind it no refresh() runs nor begins. */
void arming_disable(void);
/* When the last handler has run: nothing of this is on its way any more. */
void arming_drain(void);

/* A handler has run that may change what a condition looks at.  Any context. */
void arming_changed(void);

#endif
