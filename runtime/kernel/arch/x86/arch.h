/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64, inline.  See kernel/arch/arch.h, which includes this. */
#ifndef KERNEL_ARCH_X86_ARCH_H
#define KERNEL_ARCH_X86_ARCH_H

#include <linux/pgtable.h>
#include <asm/processor-flags.h>
#include <asm/special_insns.h>
#include <asm/text-patching.h>

static inline bool arch_not_nmi(struct pt_regs *regs)
{
	return regs && !user_mode(regs) && ((regs->flags & X86_EFLAGS_IF) || arch_on_task_stack());
}

/* The bit is set in every processor. */
static inline bool arch_regs_are_whole(const struct pt_regs *regs)
{
	return regs->flags & X86_EFLAGS_FIXED;
}

bool arch_page_is_uncached(unsigned long addr);

static __always_inline bool arch_is_device(unsigned long addr)
{
	if (likely(addr - (unsigned long)task_stack_page(current) < THREAD_SIZE))
		return false;
	return (addr - VMALLOC_START <= VMALLOC_END - VMALLOC_START || addr >= MODULES_END) && arch_page_is_uncached(addr);
}

static __always_inline bool arch_is_of_module(unsigned long addr)
{
	return addr - MODULES_VADDR < MODULES_END - MODULES_VADDR;
}

static __always_inline unsigned long arch_fault_address(void)
{
	return read_cr2();
}

static __always_inline void arch_set_fault_address(unsigned long addr)
{
	if (addr != read_cr2())
		write_cr2(addr);
}

static __always_inline unsigned long arch_hit_pointer(unsigned long addr)
{
	return addr + INT3_INSN_SIZE;
}

static inline unsigned long *arch_return_slot(const struct pt_regs *regs)
{
	return (unsigned long *)regs->sp;
}

static inline void arch_set_return_slot(struct pt_regs *regs, unsigned long *slot)
{
	regs->sp = (unsigned long)slot;
}

/* The trampoline stores __KERNEL_DS as the stack segment. */
static inline bool arch_return_under_way(unsigned long frame)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)(frame - 8)) == __KERNEL_DS &&
	       READ_ONCE_NOCHECK(*(unsigned long *)(frame - 16)) == frame + 8;
}

#endif
