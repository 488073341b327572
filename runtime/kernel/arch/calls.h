/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The frame from which bodies of functions are called (calls/calls.h), and how it is known in a stack.
 *
 * ARCH_CALLS_FRAME(slots, current_at, active, fast, slow): defines void calls_entry(void), which the function tracer calls at a function's entry.
 * It finds the function's slot in slots[]; without one the function goes on as it is.  On a stack that is not the current task's, or of
 * which half is used, the slot's `ordinary` decides.  Else the call is added to the per-CPU count *active, and the function's body called with
 * its registers as they are.  When that returns, bool fast(slot, era) is called; if it is false, void slow(slot, regs).  Then the count
 * goes down, and the code returns to the function's caller.  The names are of static variables and functions of the file, with __used;
 * current_at: the per-CPU address of the current task, active: unsigned long __percpu *.
 *
 * ARCH_CALLS_NUMBERS(): once, in a function of the file that nobody calls.
 */
#ifndef KERNEL_ARCH_CALLS_H
#define KERNEL_ARCH_CALLS_H

#include <linux/types.h>

/*
 * Is the address in a stack, which is in memory of modules, where a body returns to in the frame of any module that has one?  The code there
 * may be gone.  Any context.
 */
static inline bool arch_calls_is_frame(unsigned long addr);

/* Of a task when it last did not run: all of its stack that it used then is above.  Any context. */
struct task_struct;
static inline unsigned long arch_calls_stack_pointer(const struct task_struct *t);

#ifdef CONFIG_X86_64
#include "kernel/arch/x86/calls.h"
#else
#error "spile knows x86-64 only; a port needs a folder of its own in runtime/kernel/arch/"
#endif

#endif
