/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uretprobe_area 1..1: has a process the page of the kernel that hooked returns lead to?  1: in uprobes_state. */
#ifndef COMPAT_URETPROBE_AREA_H
#define COMPAT_URETPROBE_AREA_H

#include <linux/mm_types.h>
#include <linux/sched.h>

/*
 * Current's process gets it behind the first hit with a return that is to be hooked; that may fail, as where the address space is full.
 * When it is there nothing else can fail for a task that goes on: memory for the entry of one call is refused only to a task that the
 * kernel kills to get some, and a stack that cannot be written is no use to the program either.
 */
#if COMPAT_URETPROBE_AREA == 1
static inline bool compat_uretprobe_area(void)
{
	return READ_ONCE(current->mm->uprobes_state.xol_area);
}
#endif

#endif
