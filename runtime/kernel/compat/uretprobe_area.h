/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uretprobe_area 1..1: does a process have the kernel's page to which hooked returns lead?  1: in uprobes_state. */
#ifndef COMPAT_URETPROBE_AREA_H
#define COMPAT_URETPROBE_AREA_H

#include <linux/mm_types.h>
#include <linux/sched.h>

/*
 * Current's process gets the page after the first hit whose return is to be hooked.  That may fail, for example if the address space is
 * full.  With the page, nothing else can fail for a task that goes on: memory for the entry of one call is refused only to a task that
 * the kernel kills for lack of memory, and a program whose stack cannot be written cannot go on either.
 */
#if COMPAT_URETPROBE_AREA == 1
static inline bool compat_uretprobe_area(void)
{
	return READ_ONCE(current->mm->uprobes_state.xol_area);
}
#endif

#endif
