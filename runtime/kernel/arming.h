/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which probes are to be armed, by the conditions of their points.
 *
 * A handler that may have changed a value that a condition uses calls arming_changed().  The conditions are then checked in a work item.
 * If the answer of one has changed, refresh() of the mechanisms that can disarm is called.  Handlers check their condition as
 * well: a hit of a probe that is not disarmed yet does nothing.
 */
#ifndef KERNEL_ARMING_H
#define KERNEL_ARMING_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "rt/rt.h"

extern bool *arming_answers; /* the last answer of each condition; written only by arming.c */

/* Should the probe be armed?  Any context. */
static inline bool arming_wants(const struct rt_probe *p)
{
	return likely(!p->condition) || READ_ONCE(arming_answers[p->condition - 1]);
}

/* ---- for the session; process context ---- */

/*
 * ask: does the condition hold?  1, 0, or -EAGAIN: there is no answer yet.  refresh: some answers have changed; called between
 * arming_enable() and arming_disable().  0 or -ENOMEM.
 */
int arming_init(int (*ask)(rt_condition *), void (*refresh)(void));
void arming_free(void);
/* Checks all conditions, while no handler runs: before the mechanisms start. */
void arming_ask(void);
/* After it, arming_changed() has an effect. */
void arming_enable(void);
/* After it, no refresh() runs or begins. */
void arming_disable(void);
/* To be called after the last handler: waits until no work is pending any more. */
void arming_drain(void);

/* A handler has run that may change a condition.  Any context. */
void arming_changed(void);

#endif
