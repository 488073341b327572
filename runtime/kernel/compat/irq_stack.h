/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: irq_stack 1..2: where a CPU keeps the top of its interrupt stack.  2: in an exported struct.  1: in a variable, not exported. */
#ifndef COMPAT_IRQ_STACK_H
#define COMPAT_IRQ_STACK_H

#include <linux/percpu.h>
#include <asm/current.h>
#include <asm/processor.h>

#include "kernel/ksyms.h"

/* The per-CPU pointer to the topmost word of the stack, or NULL: not known.  Process context. */
#if COMPAT_IRQ_STACK == 2
static inline void *__percpu *compat_irq_stack(void)
{
	return &pcpu_hot.hardirq_stack_ptr;
}
#elif COMPAT_IRQ_STACK == 1
static inline void *__percpu *compat_irq_stack(void)
{
	return (void *__percpu *)ksyms_address("hardirq_stack_ptr");
}
#endif

#endif
