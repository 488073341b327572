/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uretprobe_depth 1..1: the calls of current that the kernel has hooked.  1: struct uprobe_task. */
#ifndef COMPAT_URETPROBE_DEPTH_H
#define COMPAT_URETPROBE_DEPTH_H

#include <linux/sched.h>
#include <linux/uprobes.h>

/* In an entry handler: will the kernel leave out the return of this call, because too many are active? */
#if COMPAT_URETPROBE_DEPTH == 1
static inline bool compat_uretprobe_exhausted(void)
{
	return current->utask && current->utask->depth >= MAX_URETPROBE_DEPTH;
}

/*
 * Was the innermost call that is counted left, as by longjmp()?  sp: stack pointer at the entry of the next
 * call.
 */
static inline bool compat_uretprobe_left(unsigned long sp)
{
	const struct return_instance *r = current->utask ? current->utask->return_instances : NULL;

	return r && r->stack < sp;
}

/*
 * Adds to the number of active calls that the kernel counts for current; more may be negative.  With
 * COMPAT_URETPROBE_MOST more the limit is reached, and no return is hooked.  Nobody but current reads or
 * writes that number.
 */
static inline void compat_uretprobe_count(int more)
{
	if (current->utask)
		current->utask->depth += more;
}
enum { COMPAT_URETPROBE_MOST = MAX_URETPROBE_DEPTH };

/* Did the kernel hook the return of an active call of current whose stack began at sp? */
static inline bool compat_uretprobe_at(unsigned long sp)
{
	const struct return_instance *r = current->utask ? current->utask->return_instances : NULL;

	while (r && r->stack < sp)
		r = r->next;
	return r && r->stack == sp;
}

/*
 * Iterates over the calls of current whose returns the kernel has hooked, from the innermost: NULL gives the
 * first, the last NULL.
 */
static inline const struct return_instance *compat_uretprobe_next(const struct return_instance *r)
{
	return r ? r->next : current->utask ? current->utask->return_instances : NULL;
}
#endif

#endif
