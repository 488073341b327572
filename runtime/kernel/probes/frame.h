/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the return of a call of a user function may be hooked.  The kernel puts the address of a trampoline of its own where the stack
 * pointer points to, and keeps one list of such calls for each task, from which it drops those that look left by comparing stack
 * pointers.  So a word that is no return address is lost to the program, and calls on a second stack of a thread (coroutines,
 * sigaltstack) are taken for calls that were left: the program is killed.
 *
 * Everything here is for the entry handler of a uprobe, which is process context that may sleep, unless it says otherwise.
 */
#ifndef KERNEL_PROBES_FRAME_H
#define KERNEL_PROBES_FRAME_H

#include <linux/ptrace.h>
#include <linux/types.h>

/* Before the first hit; 0 or -ENOMEM. */
int frame_start(void);
/* After the last one has returned to user mode or will not come here any more: waits for what is under way.  May sleep. */
void frame_stop(void);

/* Is there a return address, and is it on the only stack whose calls the kernel can follow?  No when in doubt. */
bool frame_can_return(struct pt_regs *regs);

/* Keeps the kernel from hooking the return of this one hit.  False: cannot. */
bool frame_spare(void);

/*
 * Puts the return addresses of all active calls of current back in their places, since it is about to walk up its stack.  How many
 * calls are not seen to return because of it.
 */
unsigned int frame_unhook(struct pt_regs *regs);

#endif
