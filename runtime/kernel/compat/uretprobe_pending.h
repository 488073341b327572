/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: uretprobe_pending 1..2: may the kernel's list of current's hooked calls be read in a handler of a return?  2: always: a call is taken
 * out of the list before its handlers run.  1: not always: while handlers run, the list still has calls that the kernel has handled and freed.
 */
#ifndef COMPAT_URETPROBE_PENDING_H
#define COMPAT_URETPROBE_PENDING_H

#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>
#include <linux/version.h>

/* In a handler of the return from func to the address `to', with stack pointer sp: true if no entry of the list has been freed. */
#if COMPAT_URETPROBE_PENDING == 2
_Static_assert(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0), "what is handled is taken out of the list first");

static inline bool compat_uretprobe_pending(unsigned long func, unsigned long to, unsigned long sp)
{
	return true;
}
#elif COMPAT_URETPROBE_PENDING == 1
/*
 * One exception of the program may be the return of several calls: of functions that jumped to each other, and of calls that were left by
 * longjmp().  The kernel counts each out when it has freed it.  So nothing is freed if the list has as many calls as the kernel's count, and begins
 * with this one.  Before that is known it is read as if it were damaged.
 */
static inline bool compat_uretprobe_pending(unsigned long func, unsigned long to, unsigned long sp)
{
	const struct return_instance *at = current->utask ? current->utask->return_instances : NULL;
	unsigned int left = current->utask ? current->utask->depth : 0;
	struct return_instance r = { 0 };
	unsigned long above = 0;

	if (!left || left > MAX_URETPROBE_DEPTH)
		return false;
	for (; left && at; left--, at = r.next) {
		if (copy_from_kernel_nofault(&r, at, sizeof(r)) || r.stack < above)
			return false;
		if (!above && (r.func != func || r.orig_ret_vaddr != to || r.stack >= sp))
			return false;
		above = r.stack;
	}
	return !left && !at;
}
#endif

#endif
