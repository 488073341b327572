/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: tracepoint_context 1..2: what a tracepoint's functions are called with.  2: preemption is off.  1: it may be on. */
#ifndef COMPAT_TRACEPOINT_CONTEXT_H
#define COMPAT_TRACEPOINT_CONTEXT_H

#include <linux/preempt.h>
#include <linux/tracepoint.h>

/*
 * Since 6.13 those of system calls are called with preemption on, in 7.2 all: then a grace period of RCU does not wait for them, and they may
 * go on on another CPU.  Our functions have it off everywhere, between these two.  Any context.
 */
#if COMPAT_TRACEPOINT_CONTEXT == 2
/* The change of 6.13 moved this member to a structure of its own, which says what calls with preemption on. */
_Static_assert(sizeof(((struct tracepoint *)0)->regfunc), "all are called with preemption off");

static __always_inline void compat_tracepoint_begin(void)
{
}

static __always_inline void compat_tracepoint_end(void)
{
}
#elif COMPAT_TRACEPOINT_CONTEXT == 1
static __always_inline void compat_tracepoint_begin(void)
{
	preempt_disable_notrace();
}

static __always_inline void compat_tracepoint_end(void)
{
	preempt_enable_notrace();
}
#endif

#endif
