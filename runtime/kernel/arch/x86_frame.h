/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was a function of a program entered by a call, and on which stack?  x86-64. */
#ifndef KERNEL_ARCH_X86_FRAME_H
#define KERNEL_ARCH_X86_FRAME_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>
#include <asm/prctl.h>

struct access_wait; /* kernel/access.h */

/* The thread pointer of current's user code, which has these registers; 0: not known (32-bit code). */
unsigned long arch_thread_pointer(struct pt_regs *regs);

/*
 * Does the stack of the user function that is entered with these registers begin with an address to return to?  hooked: the kernel
 * may have put its trampoline there.  No when in doubt.  Process context that may sleep.
 */
bool arch_entered_by_call(struct pt_regs *regs, bool hooked, struct access_wait *wait);

/* Does the task keep return addresses on a second stack?  Nobody can put them back there when an exception comes. */
static inline bool arch_has_shadow_stack(void)
{
#ifdef CONFIG_X86_USER_SHADOW_STACK
	return current->thread.features & ARCH_SHSTK_SHSTK;
#else
	return false;
#endif
}

#define ARCH_CALL_RELATIVE 0xe8 /* and a distance of 4 bytes */

/*
 * arch_entered_by_call() in few instructions, for most cases: did a call with a constant distance lead here,
 * and are the pages there?  False: ask arch_entered_by_call().  Of a 32-bit program two words are read as
 * one, which is mostly no address.
 */
static inline bool arch_is_plain_call(const struct pt_regs *regs)
{
	const u64 __user *sp = (const u64 __user *)regs->sp, *end;
	unsigned long address;
	u64 code = 0;

	pagefault_disable();
	if (user_access_begin(sp, sizeof(*sp))) {
		unsafe_get_user(address, sp, failed);
		end = (const u64 __user *)address;
		if (__access_ok(end - 1, sizeof(code))) {
			barrier_nospec(); /* the address is the program's */
			unsafe_get_user(code, end - 1, failed);
		}
failed:
		user_access_end();
	}
	pagefault_enable();
	return (u8)(code >> 24) == ARCH_CALL_RELATIVE; /* the fifth byte before the return address */
}

#endif
