/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uretprobe_depth 1..1: calls of probed functions that the task has active.  1: struct uprobe_task. */
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
#endif

#endif
