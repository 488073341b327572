/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the core must know of the machine and asks inline: x86-64.  Beside it: x86_stack (where stacks end), x86_regs (the
 * calling convention, for handlers), x86_frame (the calls of a program).
 */
#ifndef KERNEL_ARCH_X86_H
#define KERNEL_ARCH_X86_H

#include <linux/pgtable.h>
#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>
#include <asm/processor-flags.h>

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

#endif
