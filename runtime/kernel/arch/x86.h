/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the core must know of the machine and asks inline: x86-64.  The calling convention is in
 * arch/x86_regs.c.
 */
#ifndef KERNEL_ARCH_X86_H
#define KERNEL_ARCH_X86_H

#include <linux/pgtable.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>
#include <asm/prctl.h>
#include <asm/processor-flags.h>

struct access_wait; /* kernel/access.h */

#ifndef CONFIG_X86_64
#error "spile knows x86-64 only; a port needs arch/NAME.h and arch/NAME_regs.c"
#endif

static inline unsigned long arch_stack_pointer(void)
{
	return (unsigned long)__builtin_frame_address(0);
}

static inline bool arch_on_task_stack(void)
{
	return arch_stack_pointer() - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

/* Learns where the stacks of all CPUs are; 0 or -ENOMEM.  Process context, before arch_cpu_stack_bottom(). */
int arch_stacks_find(void);
/* When nobody asks any more, or never could. */
void arch_stacks_forget(void);
/* Lowest address of the stack of this CPU, not a task's, that sp is on; 0: not known.  Any context, preemption off; calls nothing. */
unsigned long arch_cpu_stack_bottom(unsigned long sp);

/*
 * The kernel counts a breakpoint in kernel code as an NMI, though it may come in any context.  True if the
 * probed code, and so this hit, cannot be in a real NMI that interrupted the kernel: those run with
 * interrupts off and on a stack of their own.
 */
static inline bool arch_not_nmi(struct pt_regs *regs)
{
	return regs && !user_mode(regs) && ((regs->flags & X86_EFLAGS_IF) || arch_on_task_stack());
}

bool arch_page_is_uncached(unsigned long addr);

/*
 * Does a device answer at addr, so that looking changes something, as where a register is cleared by a read?  What the kernel maps in one
 * go is memory.  Any context.
 */
static __always_inline bool arch_is_device(unsigned long addr)
{
	if (likely(addr - (unsigned long)task_stack_page(current) < THREAD_SIZE))
		return false;
	return (addr - VMALLOC_START <= VMALLOC_END - VMALLOC_START || addr >= MODULES_END) && arch_page_is_uncached(addr);
}

/* Where the function that is entered with these registers finds the address to return to. */
static inline unsigned long *arch_return_slot(const struct pt_regs *regs)
{
	return (unsigned long *)regs->sp;
}

static inline void arch_set_return_slot(struct pt_regs *regs, unsigned long *slot)
{
	regs->sp = (unsigned long)slot;
}

/*
 * Is the kernel's trampoline under way for the return whose address stood at frame, which is on the stack of the caller?  It leaves
 * there what no function has at the top of its frame: the registers of the return, whose stack pointer is just above.
 */
static inline bool arch_return_under_way(unsigned long frame)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)(frame - 8)) == __KERNEL_DS &&
	       READ_ONCE_NOCHECK(*(unsigned long *)(frame - 16)) == frame + 8;
}

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
