/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of the current task, for what the kernel's own <asm/syscall.h> does not say. */
#ifndef KERNEL_ARCH_SYSCALL_H
#define KERNEL_ARCH_SYSCALL_H

#include <linux/ptrace.h>

/* Is the call that is under way one of a 32-bit program, whose numbers are others? */
static __always_inline bool arch_syscall_is_compat(void);
/* Does the call of this number return twice: in the caller, and with 0 in the new task? */
static inline bool arch_syscall_forks(unsigned int nr, bool compat);
/* The i-th (0 ..) of the calls that restore the registers of before a signal, so that they have no number at their end; -1: there are not so many. */
static inline int arch_syscall_sigreturn(unsigned int i, bool compat);
/*
 * Called when a system call has ended, whose number the kernel has cleared: the number, if the call was made by instructions like those that the
 * kernel puts into programs for uprobes; else -1.  Any context of current.
 */
static inline int arch_syscall_made_by_kernel(const struct pt_regs *regs);
/* Where the n-th (0 .. 5) argument of the call is, which has not begun yet. */
static inline unsigned long *arch_syscall_argument(struct pt_regs *regs, unsigned int n);

#ifdef CONFIG_X86_64
#include "kernel/arch/x86/syscall.h"
#endif

#endif
