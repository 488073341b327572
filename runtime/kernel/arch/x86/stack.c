// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stacks of a CPU of x86-64 that are no task's: one for interrupts, and those on which the CPU itself begins certain
 * exceptions, NMIs among them.  All of these lie in one area, each with a page that cannot be touched below it.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <asm/cpu_entry_area.h>
#include <asm/page_types.h>

#include "kernel/arch/arch.h"
#include "kernel/arch/stack.h"
#include "kernel/compat/irq_stack.h"

#define EXCEPTION_STEP (PAGE_SIZE + EXCEPTION_STKSZ)

static_assert(offsetof(struct cea_exception_stacks, DF_stack) == PAGE_SIZE);
static_assert(offsetof(struct cea_exception_stacks, NMI_stack) == PAGE_SIZE + EXCEPTION_STEP);
static_assert(sizeof(struct cea_exception_stacks) % EXCEPTION_STEP == PAGE_SIZE);

static void *__percpu *irq_stack_top;
static unsigned long __percpu *exception_stacks;

int arch_stacks_find(void)
{
	int cpu;

	irq_stack_top = compat_irq_stack();
	exception_stacks = alloc_percpu_gfp(unsigned long, GFP_KERNEL | __GFP_NOWARN);
	if (!exception_stacks)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		*per_cpu_ptr(exception_stacks, cpu) = (unsigned long)&get_cpu_entry_area(cpu)->estacks;
	return 0;
}

void arch_stacks_forget(void)
{
	free_percpu(exception_stacks);
	exception_stacks = NULL;
}

unsigned long arch_cpu_stack_bottom(unsigned long sp)
{
	unsigned long area = raw_cpu_read(*exception_stacks), bottom;

	if (sp - area < sizeof(struct cea_exception_stacks))
		return area + (sp - area) / EXCEPTION_STEP * EXCEPTION_STEP + PAGE_SIZE;
	if (!irq_stack_top)
		return 0;
	bottom = (unsigned long)raw_cpu_read(*irq_stack_top) + sizeof(long) - IRQ_STACK_SIZE;
	return sp - bottom < IRQ_STACK_SIZE ? bottom : 0;
}

unsigned long arch_cpu_stack_size(unsigned long sp)
{
	unsigned long area = raw_cpu_read(*exception_stacks);

	return sp - area < sizeof(struct cea_exception_stacks) ? EXCEPTION_STKSZ : IRQ_STACK_SIZE;
}

static bool is_watching_stack(unsigned long sp)
{
	unsigned long area = raw_cpu_read(*exception_stacks);

	return sp - area - offsetof(struct cea_exception_stacks, DB_stack) < EXCEPTION_STKSZ;
}

bool arch_is_watched_access(struct pt_regs *regs)
{
	return is_watching_stack(arch_stack_pointer()) && regs && !is_watching_stack(kernel_stack_pointer(regs));
}
