/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the runtime must know about the machine, mostly as inline functions.  Other headers in this folder: stack.h (where stacks end),
 * regs.h (the stack and registers at a hit), frame.h (the calls of a program).  The headers here declare the functions and say what
 * they do.  Each architecture defines them in files of the same names, in a folder that is named as in the kernel's sources.  Only the
 * folder of the kernel's architecture is compiled.
 */
#ifndef KERNEL_ARCH_ARCH_H
#define KERNEL_ARCH_ARCH_H

#include <linux/ptrace.h>
#include <linux/sched/task_stack.h>

static inline unsigned long arch_stack_pointer(void)
{
	return (unsigned long)__builtin_frame_address(0);
}

/*
 * Where the code is that this is part of: its address, stack pointer and frame pointer.  While the function that it is in has not returned, the
 * kernel's stack can be walked up from there.
 */
static __always_inline void arch_here(unsigned long here[3]);

static inline bool arch_on_task_stack(void)
{
	return arch_stack_pointer() - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

/*
 * The kernel counts a breakpoint in kernel code as an NMI, though it may come in any context.  True if the
 * probed code, and so this hit, cannot be in a real NMI that interrupted the kernel: those run with
 * interrupts off and on a stack of their own.
 */
static inline bool arch_not_nmi(struct pt_regs *regs);

/* Registers that the kernel's perf subsystem gives: all of them, or only where the code was?  It fills in no more for its software events. */
static inline bool arch_regs_are_whole(const struct pt_regs *regs);

/*
 * Does a device answer at addr, so that looking changes something, as where a register is cleared by a read?  What the kernel maps in one
 * go is memory.  Any context.
 */
static __always_inline bool arch_is_device(unsigned long addr);

/*
 * Is the address in the part that the kernel has?  Asked before copy_from_kernel_nofault(): on x86-64, that of 6.1 checks for the canonical form of
 * 57 bits even when 48 are in use, and a read of an address that is not canonical with 48 then gives a WARNING.  Any context.
 */
static __always_inline bool arch_is_of_kernel(unsigned long addr);

/* Is the address where the kernel puts modules, and other code that comes and goes? */
static __always_inline bool arch_is_of_module(unsigned long addr);

/*
 * Where the last page fault of this CPU was.  Code that runs between a fault and the kernel's look at this, as at a watchpoint in the
 * kernel's entry, puts it back: a read that fails is a fault, too.
 */
static __always_inline unsigned long arch_fault_address(void);

/* Which of the kernel's vdsos a program's memory has, and where; NULL: none. */
static inline const void *arch_vdso(const struct mm_struct *mm, unsigned long *start);

/* Is the processor emulated, with debug exceptions that differ from those of the real one?  May sleep. */
static inline bool arch_is_emulated(void);
/* Does the code begin with a nop of ARCH_NOP bytes, as many as a call has? */
static inline bool arch_is_nop(const u8 *code);
static __always_inline void arch_set_fault_address(unsigned long addr);

/*
 * Variables that the kernel accesses, on its way into an exception, before it has switched the machine's watchpoints off, and which it
 * nevertheless allows to be watched.  An exception for such an access would come before the one under way is safe from another: the kernel
 * would enter it again and again on the same stack.  Ends with a name that is NULL; not every kernel has all of them.
 */
struct arch_variable {
	const char *name;  /* "": it is where per-CPU memory begins, which no look-up of a name tells from none */
	unsigned int size; /* bytes, at least */
	bool per_cpu;
};
extern const struct arch_variable arch_entry_variables[];

/* What the instruction pointer is in the handler of a kprobe at addr. */
static __always_inline unsigned long arch_hit_pointer(unsigned long addr);

/* Where the function that is entered with these registers finds the address to return to. */
static inline unsigned long *arch_return_slot(const struct pt_regs *regs);
static inline void arch_set_return_slot(struct pt_regs *regs, unsigned long *slot);

/*
 * Is the kernel's trampoline running for the return whose address was at frame, which is on the stack of the caller?  It stores the
 * registers of the return below that, with a stack pointer that points just above it, and calls a function of the kernel there.
 * trampoline: where its code begins.
 */
static inline bool arch_return_under_way(unsigned long frame, unsigned long trampoline);

/*
 * ARCH_FUNCTION_ENTRY(name, fast, slow): defines code, at void name(void), that the kernel's function tracer can call at the entry of a
 * function instead of its own.  It calls bool fast(ip, slot), and if that is false, void slow(ip, regs): ip is where the function has the
 * tracer's call, slot where its address to return to is.  Both are static functions with __used, in the same file.  The function goes
 * on with its registers as they were, whatever slow() makes of regs.  Preemption is as it is for the function; any context.
 */
/* In fast(): registers of which only those are there that rt_arg() reads for arguments that are not on the stack, and that it is kernel code. */
static __always_inline struct pt_regs *arch_entry_regs(unsigned long *slot);

/*
 * fn(a, b, c, d) with the address of any function of the kernel, also of one that it calls by its name only, and which therefore may
 * not be the target of an indirect call.  The context is what fn allows.  Not for hot paths.
 */
unsigned long arch_call4(unsigned long fn, unsigned long a, unsigned long b, unsigned long c, unsigned long d);

#ifdef CONFIG_X86_64
#include "kernel/arch/x86/arch.h"
#else
#error "spile knows x86-64 only; a port needs a folder of its own in runtime/kernel/arch/"
#endif

#endif
