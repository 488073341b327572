/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's stack at a hit.  What else regs.c of an architecture has, the registers of the probed code, is declared in rt/rt.h. */
#ifndef KERNEL_ARCH_REGS_H
#define KERNEL_ARCH_REGS_H

#include "rt/rt.h"

struct task_struct;
struct pt_regs;

/*
 * Registers of current's program: those of the hit, or those that the kernel has stored when it was entered; NULL if these may not be
 * complete.  It has a program.  Any context.
 */
struct pt_regs *arch_user_regs(struct rt_ctx *c);
/*
 * Stored registers: may they be of a breakpoint that the kernel has not looked at yet?  Then the instruction pointer is behind it, and all else
 * as it is before the instruction in whose place it is.  Any context.
 */
bool arch_behind_breakpoint(const struct pt_regs *regs);
/* n of them, by DWARF's numbers, in 64-bit code; 0 if there is none of a number. */
void arch_user_registers(const struct pt_regs *regs, const rt_u8 *dwarf, rt_u32 n, rt_u64 *to);

/* Return addresses of the kernel stack of the hit, the probed address first; number of them. */
unsigned int arch_stack_trace(struct rt_ctx *c, rt_u64 *to, unsigned int max);

/*
 * The same of a task that is not the current one; 0 if it runs on a CPU, has run meanwhile, or has exited.  The task_struct stays, and
 * preemption is off.  Any context.
 */
unsigned int arch_task_stack_trace(struct task_struct *t, rt_u64 *to, unsigned int max);

#endif
