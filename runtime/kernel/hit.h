/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contexts and the account of hits, for the session; what families use is in family.h. */
#ifndef KERNEL_HIT_H
#define KERNEL_HIT_H

#include "kernel/family.h"
#include "wire.h"

/*
 * Makes the contexts of all CPUs (of those that come online later when they do) and of handlers that sleep; 0
 * or -ENOMEM.  Process context.
 */
int hit_init(void);
void hit_free(void);
/* Waits until no context is in use; the families are stopped.  May sleep. */
void hit_wait_idle(void);
/* Runs a probe of the begin family: alone, in process context, whatever the session's state. */
void hit_run_alone(rt_u32 probe);
/*
 * Does the condition hold?  1, 0, or -EAGAIN when a lock could not be had; what fails holds.  One at a time, in
 * process context.
 */
int hit_ask(rt_condition *condition);
/* Adds up what all CPUs counted. */
void hit_ledger(struct wire_ledger *l);
/* Is a handler running on this CPU that is, or may be, an NMI's? */
bool hit_in_nmi(void);
/*
 * Before a handler: did the current task come to the probe, and not an interrupt on top of it?  Any context;
 * calls nothing that can be probed.
 */
bool hit_comes_from_task(struct pt_regs *regs);
/* In a handler: it is the current task that came to the probe, not an interrupt.  in_task() is false for tasks at an int3. */
bool hit_in_task(void);

#endif
