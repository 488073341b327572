/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uretprobe_depth 1..1: the calls of current that the kernel has hooked.  1: struct uprobe_task. */
#ifndef COMPAT_URETPROBE_DEPTH_H
#define COMPAT_URETPROBE_DEPTH_H

#include <linux/sched.h>
#include <linux/uprobes.h>

/* In an entry handler: will the kernel not hook the return of this call, because its count of active calls is at the limit? */
#if COMPAT_URETPROBE_DEPTH == 1
static inline bool compat_uretprobe_exhausted(void)
{
	return current->utask && current->utask->depth >= MAX_URETPROBE_DEPTH;
}

/*
 * Was the innermost counted call left, as by longjmp()?  sp: stack pointer at the entry of the next call.
 */
static inline bool compat_uretprobe_left(unsigned long sp)
{
	const struct return_instance *r = current->utask ? current->utask->return_instances : NULL;

	return r && r->stack < sp;
}

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

/*
 * The kernel counts the active calls of current, and hooks no return once it has MAX_URETPROBE_DEPTH of them.  Only current reads or
 * writes that number.  The bit that is set here is above any real count, so all sessions see it.
 */
enum { COMPAT_URETPROBE_SPARED = 1 << 16 };

/* Keeps the kernel from hooking returns of current, until its count is corrected. */
static inline void compat_uretprobe_spare(void)
{
	if (current->utask)
		current->utask->depth |= COMPAT_URETPROBE_SPARED;
}

static inline bool compat_uretprobe_spared(void)
{
	return current->utask && current->utask->depth >= COMPAT_URETPROBE_SPARED;
}

/* Makes the kernel hook one more return than it would, until its count is corrected. */
static inline void compat_uretprobe_make_room(void)
{
	if (current->utask && current->utask->depth)
		current->utask->depth--;
}

/* Corrects the kernel's count: sets it to the number of calls in its list.  Not in a handler. */
static inline void compat_uretprobe_correct(void)
{
	const struct return_instance *r = NULL;
	unsigned int n = 0;

	while ((r = compat_uretprobe_next(r)))
		n++;
	if (current->utask)
		current->utask->depth = n;
}
#endif

#endif
