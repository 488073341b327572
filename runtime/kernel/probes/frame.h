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

#include <linux/fs.h>
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
 * The kernel takes as many calls for active as it follows.  Makes it hook the return of this hit nevertheless, since some of them
 * were left by a longjmp() or an exception: false if not, or this return cannot be hooked.
 */
bool frame_make_room(struct pt_regs *regs);

/* How many hits the return of a call is for the session: of the function there in that file, whose stack began at sp. */
typedef unsigned int frame_hits_fn(const struct inode *inode, u64 offset, unsigned long sp);

/*
 * Puts the return addresses of all active calls of current back in their places before it goes on, since it is about to walk up its
 * stack.  How many hits there will not be because of it.
 */
unsigned int frame_unhook(struct pt_regs *regs, frame_hits_fn *hits);

#endif
