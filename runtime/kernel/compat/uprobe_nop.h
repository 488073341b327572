/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: uprobe_nop 1..2: a probe at a nop that is as long as a call instruction.  2: the kernel replaces the nop by a call, which writes
 * below the stack pointer (and leads to a system call).  1: it is a breakpoint as elsewhere, or the call spares the red zone.
 */
#ifndef COMPAT_UPROBE_NOP_H
#define COMPAT_UPROBE_NOP_H

#include <linux/version.h>
#include <asm/unistd.h>

/* COMPAT_UPROBE_NOP_HARMS: does such a probe overwrite the red zone, where the program may keep data? */
#if COMPAT_UPROBE_NOP == 2
#define COMPAT_UPROBE_NOP_HARMS true
_Static_assert(__NR_uprobe > 0, "there is such a system call");
_Static_assert(LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0), "it writes there");
#elif COMPAT_UPROBE_NOP == 1
#define COMPAT_UPROBE_NOP_HARMS false
#endif

#endif
