/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64.  See kernel/arch/calls.h, which includes this. */
#ifndef KERNEL_ARCH_X86_CALLS_H
#define KERNEL_ARCH_X86_CALLS_H

#include <linux/linkage.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/stringify.h>
#include <linux/thread_info.h>
#include <linux/uaccess.h>
#include <asm/ibt.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

#include "calls/calls.h"

static_assert(sizeof(struct spile_calls_slot) == 64);
static_assert(offsetof(struct spile_calls_slot, era) == 8);
static_assert(offsetof(struct spile_calls_slot, ordinary) == 16);

#define ARCH_CALLS_ROOM (THREAD_SIZE / 2) /* what a task's stack must have left, so that our frames take none of what deep calls need */

/* What is in the instruction to which a body returns: it does nothing. */
#define ARCH_CALLS_MARK 0x6c697073
#define ARCH_CALLS_MARK_OPCODE 0x801f0full /* nopl MARK(%rax) */

static inline bool arch_calls_is_frame(unsigned long addr)
{
	u64 code;

	return !copy_from_kernel_nofault(&code, (void *)addr, sizeof(code)) &&
	       (code & 0xffffffffffffffull) == (ARCH_CALLS_MARK_OPCODE | (u64)ARCH_CALLS_MARK << 24);
}

static inline unsigned long arch_calls_stack_pointer(const struct task_struct *t)
{
	return READ_ONCE(t->thread.sp);
}

#define ARCH_CALLS_NUMBERS() \
	asm volatile(".set calls_stack, %c0\n.set calls_room, %c1\n.set calls_rest, %c2\n.set calls_mark, %c3" : : \
		     "i"(offsetof(struct task_struct, stack)), "i"(ARCH_CALLS_ROOM), "i"(THREAD_SIZE - ARCH_CALLS_ROOM), "i"(ARCH_CALLS_MARK))

/*
 * At the entry only r10, r11 and the flags change, which callers do not rely on: the kernel is compiled for the tracer, so no caller knows
 * more of a function than the ABI says.
 *
 * The address after the tracer's call is taken from the stack at once.  From then on this is a function that was called instead of
 * the other, by its caller, which is how a stack is read.  It goes to the body by a return, since there is no ENDBR at that place, and
 * each call but the tracer's has its return: the processor's stack of return addresses is right again for the caller.
 */
#define ARCH_CALLS_FRAME(slots, current_at, active, fast, slow) \
	asm(".pushsection .text\n" \
	    ".type calls_entry, @function\n" \
	    "calls_entry:\n" \
	    ASM_ENDBR \
	    "	pop %r10\n" \
	    UNWIND_HINT_FUNC "\n" \
	    "	mov %r10d, %r11d\n" \
	    "	shr $4, %r11d\n" \
	    "	and $" __stringify(CALLS_SLOTS) " - 1, %r11d\n" \
	    "	shl $6, %r11\n" \
	    "	add $" #slots ", %r11\n" \
	    "	cmp %r10, (%r11)\n" \
	    "	jne 9f\n" \
	    "	mov " #current_at "(%rip), %r10\n" \
	    "	mov %gs:(%r10), %r10\n" \
	    "	mov calls_stack(%r10), %r10\n" \
	    "	sub %rsp, %r10\n" \
	    "	neg %r10\n" \
	    "	sub $calls_room, %r10\n" \
	    "	cmp $calls_rest, %r10\n" \
	    "	jae 7f\n" \
	    "	push %rbp\n" \
	    "	mov %rsp, %rbp\n" \
	    "	push %r11\n" \
	    "	mov 8(%r11), %r10\n" /* era */ \
	    "	test %r10, %r10\n" \
	    "	jz 8f\n" \
	    "	push %r10\n" \
	    "	mov " #active "(%rip), %r10\n" \
	    "	incq %gs:(%r10)\n" \
	    "	mov (%r11), %r10\n" \
	    "	call calls_to_body\n" \
	    "calls_return:\n" \
	    "	nopl calls_mark(%rax)\n" \
	    "	mov -8(%rbp), %rdi\n" \
	    "	mov -16(%rbp), %rsi\n" \
	    "	push %rax\n" \
	    "	push %rdx\n" \
	    "	call " #fast "\n" \
	    "	test %al, %al\n" \
	    "	jz 2f\n" \
	    "1:	mov " #active "(%rip), %r10\n" \
	    "	decq %gs:(%r10)\n" \
	    "	pop %rdx\n" \
	    "	pop %rax\n" \
	    "	leave\n" \
	    ASM_RET \
	    "2:	pushq $" __stringify(__KERNEL_DS) "\n" \
	    "	lea 16(%rbp), %rdi\n" \
	    "	push %rdi\n" /* sp */ \
	    "	pushf\n" \
	    "	pushq $" __stringify(__KERNEL_CS) "\n" \
	    "	push 8(%rbp)\n" /* ip */ \
	    "	pushq $-1\n" \
	    "	push %rdi\n" \
	    "	push %rsi\n" \
	    "	push -32(%rbp)\n" /* dx */ \
	    "	push %rcx\n" \
	    "	push -24(%rbp)\n" /* ax */ \
	    "	push %r8\n" \
	    "	push %r9\n" \
	    "	push %r10\n" \
	    "	push %r11\n" \
	    "	push %rbx\n" \
	    "	push (%rbp)\n" \
	    "	push %r12\n" \
	    "	push %r13\n" \
	    "	push %r14\n" \
	    "	push %r15\n" \
	    "	mov -8(%rbp), %rdi\n" \
	    "	mov %rsp, %rsi\n" \
	    "	call " #slow "\n" \
	    "	pop %r15\n" \
	    "	pop %r14\n" \
	    "	pop %r13\n" \
	    "	pop %r12\n" \
	    "	add $8, %rsp\n" \
	    "	pop %rbx\n" \
	    "	mov 32(%rsp), %rax\n" \
	    "	mov %rax, -24(%rbp)\n" \
	    "	mov 48(%rsp), %rax\n" \
	    "	mov %rax, -32(%rbp)\n" \
	    "	lea -32(%rbp), %rsp\n" \
	    "	jmp 1b\n" \
	    "7:	push (%r11)\n" /* to the ordinary code, as the tracer would have called it */ \
	    "	push 16(%r11)\n" \
	    UNWIND_HINT_FUNC "\n" \
	    ASM_RET \
	    "8:	mov (%r11), %r10\n" \
	    "	leave\n" \
	    "9:	push %r10\n" \
	    UNWIND_HINT_FUNC "\n" \
	    ASM_RET \
	    ".size calls_entry, . - calls_entry\n" \
	    ".type calls_to_body, @function\n" \
	    "calls_to_body:\n" \
	    "	push %r10\n" \
	    UNWIND_HINT_FUNC "\n" \
	    ASM_RET \
	    ".size calls_to_body, . - calls_to_body\n" \
	    ".popsection\n")

#endif
