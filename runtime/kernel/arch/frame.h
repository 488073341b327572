/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was a function of a program entered by a call, and on which stack?  See arch.h. */
#ifndef KERNEL_ARCH_FRAME_H
#define KERNEL_ARCH_FRAME_H

#include <linux/ptrace.h>

struct access_wait; /* kernel/access.h */

/* The thread pointer of current's user code, which has these registers; 0: not known. */
unsigned long arch_thread_pointer(struct pt_regs *regs);

/*
 * Does the stack of the user function that is entered with these registers begin with an address to return to?  hooked: the kernel
 * may have put its trampoline there.  No when in doubt.  Process context that may sleep.
 */
bool arch_entered_by_call(struct pt_regs *regs, bool hooked, struct access_wait *wait);

/*
 * arch_entered_by_call() in few instructions, for most cases: did a call with a constant distance lead here, and are the pages there?
 * False: ask arch_entered_by_call().
 */
static inline bool arch_is_plain_call(const struct pt_regs *regs);

/* Does the task keep return addresses on a second stack?  Nobody can put them back there when an exception comes. */
static inline bool arch_has_shadow_stack(void);

/* Bytes of a return address of the user code that has these registers; and of what its return takes off the stack. */
static inline unsigned int arch_address_size(struct pt_regs *regs);
static inline unsigned int arch_return_size(struct pt_regs *regs);

#ifdef CONFIG_X86_64
#include "kernel/arch/x86/frame.h"
#endif

#endif
