/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the return of a call of a user function may be hooked.  The kernel writes the address of its
 * trampoline over the word that the stack pointer points to at the entry.  It keeps a list of these calls for
 * each task, and drops those that the task seems to have left, which it sees by comparing stack pointers.  So
 * a program is harmed in two cases: where that word is no return address, it is lost; and where a thread has
 * a second stack (coroutines, sigaltstack), the kernel drops calls that are still active, and kills the
 * program when one returns.
 *
 * Everything here is for the entry handler of a uprobe, which is process context that may sleep, unless it says otherwise.
 */
#ifndef KERNEL_PROBES_FRAME_H
#define KERNEL_PROBES_FRAME_H

#include <linux/fs.h>
#include <linux/ptrace.h>
#include <linux/types.h>

#include "kernel/access.h"
#include "kernel/pool.h"

extern struct pool frame_pool; /* what is left to be done at the end of hits; tests empty it */

/* Current, which has these registers of its program, is about to walk up its stack, or must not return from hooked calls: frame_unhook(). */
typedef void frame_unwind_fn(struct pt_regs *regs);

/* Before the first hit; 0 or -ENOMEM.  Process context. */
int frame_start(frame_unwind_fn *unwind);
/*
 * Before the first return is hooked: watches for tasks that begin to intercept their own system calls, where the kernel needs one to return
 * from a hooked call.  unwind() is called for them as task work.  Once is enough.  Process context, may sleep, one call at a time.
 */
void frame_watch_dispatch(void);
/*
 * Waits until the errands are done: what hits left to be done before user mode (frame_spare() and others).  Tasks that do not come to it,
 * since the kernel has them wait for a page at the probed instruction, are named, and after some seconds left alone.  May sleep.
 */
void frame_wait_for_errands(void);
/* After the last hit: that, and frees all. */
void frame_stop(void);

/*
 * Can the return be hooked: is there a return address, is it on the thread's own stack, the only one whose calls the kernel can follow, and
 * does nobody intercept the system call by which the program would return?  False when in doubt.
 */
bool frame_can_return(struct pt_regs *regs, struct access_wait *wait);

/*
 * Keeps the kernel from hooking the return of this one hit, for other sessions and tools as well: what one found to be harmful
 * stays so, whatever the next one finds.
 */
void frame_spare(void);

/* Was that done at this hit, by whatever session?  Or at one before, by one that found no memory to undo it. */
bool frame_is_spared(void);

/* The hits after this one are not spared any more, if there is memory for that. */
void frame_spare_no_longer(void);

/*
 * To be called before the kernel hooks the return of this hit, because it then drops the calls that the task seems to have left.  Most
 * were left.  But the thread may just be on another stack above them, as when a signal handler's stack is a local array: such a call would
 * return to the trampoline, which would kill the program.  So this puts the return addresses of these calls back.  As most were left, it
 * counts no skipped returns.
 *
 * A child of vfork() has copies of its parent's calls, in its parent's memory: on a stack of its own above them (posix_spawn() in a thread)
 * it seems to have left them, but its parent has not.  False: there are such calls, so the return of this hit must not be hooked.
 */
bool frame_put_left_back(struct pt_regs *regs);

/*
 * For a hit at which the kernel's count of active calls is at its limit, though the innermost of them was left by a
 * longjmp() or an exception (compat_uretprobe_left()).  Makes the kernel hook the return of this hit nevertheless.
 * False: it cannot be hooked, or there is no memory.
 */
bool frame_make_room(struct pt_regs *regs, struct access_wait *wait);

/*
 * For a hit after which it is not certain that the kernel hooks the return, though frame_can_return() said yes: checked() is called after
 * the hit, by its task, and says what the kernel did.  sp: the stack pointer at the hit.  False: there is no memory for that, so nobody will
 * know.  A task that does not come to the end of the hit before the session ends is taken for one whose return is hooked.
 */
enum frame_outcome {
	FRAME_HOOKED,
	FRAME_SPARED, /* another session kept the kernel from it */
	FRAME_MISSED, /* the kernel could not */
};
typedef void frame_checked_fn(void *point, unsigned long sp, enum frame_outcome outcome);
bool frame_watch(struct pt_regs *regs, frame_checked_fn *checked, void *point);

/*
 * How many hits of this session the return of an active call would be.  The call: of the function at offset
 * in the file of inode (NULL: not known), with the stack pointer sp at its entry.
 */
typedef unsigned int frame_hits_fn(const struct inode *inode, u64 offset, unsigned long sp);

/*
 * Current is about to walk up its stack: the return addresses of all its active calls are put back before it
 * goes on in user mode (by task work, for which memory may have to be waited for).  Returns how many hits of this session
 * that prevents.  Counting and writing wait ten seconds at most, both together; what that leaves undone is reported.  In a child of
 * vfork() these are also the calls of its parent, whose returns are then not seen: better than that the child ends.
 */
unsigned int frame_unhook(struct pt_regs *regs, frame_hits_fn *hits);

#endif
