/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: uprobe_calls 1..3: system calls that the kernel puts into programs for uprobes.  3: at entries and returns.  2: at returns.
 * 1: none.
 */
#ifndef COMPAT_UPROBE_CALLS_H
#define COMPAT_UPROBE_CALLS_H

#include <linux/types.h>
#include <asm/unistd.h>

/* COMPAT_UPROBE_CALLS_ANY: are there such system calls?  compat_uprobe_calls(): is nr, of a 64-bit program, one of them? */
#if COMPAT_UPROBE_CALLS == 3
#define COMPAT_UPROBE_CALLS_ANY true

static inline bool compat_uprobe_calls(unsigned int nr)
{
	return nr == __NR_uretprobe || nr == __NR_uprobe;
}
#elif COMPAT_UPROBE_CALLS == 2
#define COMPAT_UPROBE_CALLS_ANY true

static inline bool compat_uprobe_calls(unsigned int nr)
{
	return nr == __NR_uretprobe;
}
#elif COMPAT_UPROBE_CALLS == 1
#define COMPAT_UPROBE_CALLS_ANY false

static inline bool compat_uprobe_calls(unsigned int nr)
{
	return false;
}
#endif

#endif
