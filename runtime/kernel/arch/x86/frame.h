/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64, inline, 32-bit programs included.  See kernel/arch/frame.h, which includes this. */
#ifndef KERNEL_ARCH_X86_FRAME_H
#define KERNEL_ARCH_X86_FRAME_H

#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>
#include <asm/prctl.h>

static inline bool arch_has_shadow_stack(void)
{
#ifdef CONFIG_X86_USER_SHADOW_STACK
	return current->thread.features & ARCH_SHSTK_SHSTK;
#else
	return false;
#endif
}

static inline unsigned int arch_address_size(struct pt_regs *regs)
{
	return user_64bit_mode(regs) ? 8 : 4;
}

static inline unsigned int arch_return_size(struct pt_regs *regs)
{
	return arch_address_size(regs);
}

#define ARCH_CALL_RELATIVE 0xe8 /* and a distance of 4 bytes */

/* Of a 32-bit program two words are read as one, which is mostly no address. */
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
