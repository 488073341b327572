/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the stacks of CPUs end: those for interrupts and exceptions, which belong to no task. */
#ifndef KERNEL_ARCH_STACK_H
#define KERNEL_ARCH_STACK_H

#include <linux/types.h>

/* Learns where the stacks of all CPUs are; 0 or -ENOMEM.  Process context, before arch_cpu_stack_bottom(). */
int arch_stacks_find(void);
/* Frees what arch_stacks_find() made, after the last arch_cpu_stack_bottom(); also if it failed or was not called. */
void arch_stacks_forget(void);
/* Lowest address of the stack of this CPU, not a task's, that sp is on; 0: not known.  Any context, preemption off; calls nothing. */
unsigned long arch_cpu_stack_bottom(unsigned long sp);
/* Its size, if arch_cpu_stack_bottom() is not 0. */
unsigned long arch_cpu_stack_size(unsigned long sp);
struct pt_regs;
/*
 * Does the machine report that code with these registers has accessed watched memory?  It does that on a stack of its own.  The code is no
 * NMI: nothing is watched there.  Preemption is off; calls nothing.
 */
bool arch_is_watched_access(struct pt_regs *regs);

#endif
