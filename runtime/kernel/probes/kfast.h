/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arming of fast points: those of one way (kpoint.h) through one ftrace_ops, whose filter has the addresses of those that are armed.  So
 * any number of them is armed or disarmed in one pass over the kernel text.  Process context; one caller at a time.
 */
#ifndef KFAST_H
#define KFAST_H

#include "kernel/probes/kpoint.h"

/*
 * For n fast points at most.  moves: they may get other addresses while they are armed.  guard: an address that stays in the filter, or 0,
 * since a filter without any function would mean all functions, and registering again waits for every task.  0 or -ENOMEM.
 */
int kfast_make(unsigned int n, bool moves, unsigned long guard);
/*
 * Enters the fast ones of n points that are not absent into the table of addresses, in the order in which they run.  Again only if they
 * may move; then this waits for hits that still use an older table.
 */
void kfast_place(struct kpoint *points, unsigned int n);
/* Arms and disarms them as their conditions say: 0 or -errno.  They accept hits from before they are armed until after they are disarmed. */
int kfast_set(struct kpoint *points, unsigned int n);
/* Disarms all.  0, or why the function tracer still calls us: it has found itself broken and changes nothing any more. */
int kfast_disarm(void);
/* For -v: which way each of the points took, and which are kprobes.  After kfast_set(). */
void kfast_report(const struct kpoint *points, unsigned int n);
/* After kfast_disarm() that returned 0.  If it did not, keep: what hits use stays allocated for good. */
void kfast_free(bool keep);

#endif
