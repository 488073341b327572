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
#include <asm/ptrace.h>
#include <asm/segment.h>
#include <asm/unwind_hints.h>

#include "calls/calls.h"

/* Numbers of structures for the text of the frame, whose instructions are shorter with them than with symbols. */
#define ARCH_CALLS_SLOT_SHIFT 6 /* of the size */
#define ARCH_CALLS_ERA 8
#define ARCH_CALLS_ORDINARY 16
#define ARCH_CALLS_REGS_LEFT 48 /* of struct pt_regs: what is not popped after the slow call */
#define ARCH_CALLS_REGS_AX 80
#define ARCH_CALLS_REGS_DX 96
static_assert(sizeof(struct spile_calls_slot) == 1 << ARCH_CALLS_SLOT_SHIFT);
static_assert(offsetof(struct spile_calls_slot, ip) == 0);
static_assert(offsetof(struct spile_calls_slot, era) == ARCH_CALLS_ERA);
static_assert(offsetof(struct spile_calls_slot, ordinary) == ARCH_CALLS_ORDINARY);
static_assert(offsetof(struct pt_regs, r11) == ARCH_CALLS_REGS_LEFT);
static_assert(offsetof(struct pt_regs, ax) == ARCH_CALLS_REGS_AX);
static_assert(offsetof(struct pt_regs, dx) == ARCH_CALLS_REGS_DX);

#define ARCH_CALLS_ROOM (THREAD_SIZE / 2) /* what a task's stack must have left, so that our frames take none of what deep calls need */

/* What is in the instruction to which a body returns, which does nothing: in memory these bytes are the letters "spil". */
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
 *
 * The stack while the body runs, from rbp:
 *
 *	 16	the caller's
 *	  8	where the function returns to, in its caller
 *	  0	the caller's rbp
 *	 -8	the function's place in the table
 *	-16	the era of its owner when the call began
 *	-24	calls_return, where the body returns to; after that: the result, ax
 *	-32	the body's; after that: the result, dx.  Below it for the slow call: struct pt_regs
 *
 * The ways through it:
 *
 *	calls_entry	r10 is the address after the tracer's call, r11 its place in the table
 *	.Lcalls_done	the result is on the stack: no more of this call is to be done
 *	.Lcalls_slow	the fast call has declined: all registers are saved, for the other one
 *	.Lcalls_no_room	this is not the task's stack, or too little of it is left: to the ordinary code, as the tracer would have called it
 *	.Lcalls_no_owner	the owner has left: to the body, and from there to the caller
 *	.Lcalls_other	the same for a function that has no place in the table; r10 is its body
 *	calls_to_body	called, so that the body returns to us; r10 is the body
 */
#define ARCH_CALLS_FRAME(slots, current_at, active, fast, slow) \
	asm(".pushsection .text\n" \
	    ".type calls_entry, @function\n" \
	    "calls_entry:\n" \
	    ASM_ENDBR \
	    "	pop %r10\n" \
	    UNWIND_HINT_FUNC "\n" \
	    "	mov %r10d, %r11d\n" \
	    "	shr $" __stringify(CALLS_HASH_SHIFT) ", %r11d\n" \
	    "	and $" __stringify(CALLS_SLOTS) " - 1, %r11d\n" \
	    "	shl $" __stringify(ARCH_CALLS_SLOT_SHIFT) ", %r11\n" \
	    "	add $" #slots ", %r11\n" \
	    "	cmp %r10, (%r11)\n" /* ip */ \
	    "	jne .Lcalls_other\n" \
	    /* How much is left of the stack, less than the room or more than all of it: jae, without a sign. */ \
	    "	mov " #current_at "(%rip), %r10\n" \
	    "	mov %gs:(%r10), %r10\n" \
	    "	mov calls_stack(%r10), %r10\n" \
	    "	sub %rsp, %r10\n" \
	    "	neg %r10\n" \
	    "	sub $calls_room, %r10\n" \
	    "	cmp $calls_rest, %r10\n" \
	    "	jae .Lcalls_no_room\n" \
	    "	push %rbp\n" \
	    "	mov %rsp, %rbp\n" \
	    "	push %r11\n" \
	    "	mov " __stringify(ARCH_CALLS_ERA) "(%r11), %r10\n" \
	    "	test %r10, %r10\n" \
	    "	jz .Lcalls_no_owner\n" \
	    "	push %r10\n" \
	    "	mov " #active "(%rip), %r10\n" \
	    "	incq %gs:(%r10)\n" \
	    "	mov (%r11), %r10\n" /* ip */ \
	    "	call calls_to_body\n" \
	    "calls_return:\n" \
	    "	nopl calls_mark(%rax)\n" \
	    "	mov -8(%rbp), %rdi\n" /* place */ \
	    "	mov -16(%rbp), %rsi\n" /* era */ \
	    "	push %rax\n" \
	    "	push %rdx\n" \
	    "	call " #fast "\n" \
	    "	test %al, %al\n" \
	    "	jz .Lcalls_slow\n" \
	    ".Lcalls_done:\n" \
	    "	mov " #active "(%rip), %r10\n" \
	    "	decq %gs:(%r10)\n" \
	    "	pop %rdx\n" \
	    "	pop %rax\n" \
	    "	leave\n" \
	    ASM_RET \
	    ".Lcalls_slow:\n" /* struct pt_regs, from its end, as it will be in the caller */ \
	    "	pushq $" __stringify(__KERNEL_DS) "\n" /* ss */ \
	    "	lea 16(%rbp), %rdi\n" \
	    "	push %rdi\n" /* sp */ \
	    "	pushf\n" \
	    "	pushq $" __stringify(__KERNEL_CS) "\n" \
	    "	push 8(%rbp)\n" /* ip */ \
	    "	pushq $-1\n" /* orig_ax */ \
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
	    "	push (%rbp)\n" /* bp */ \
	    "	push %r12\n" \
	    "	push %r13\n" \
	    "	push %r14\n" \
	    "	push %r15\n" \
	    "	mov -8(%rbp), %rdi\n" /* place */ \
	    "	mov %rsp, %rsi\n" \
	    "	call " #slow "\n" \
	    /* The handler may have changed the result, and registers that a function leaves alone. */ \
	    "	pop %r15\n" \
	    "	pop %r14\n" \
	    "	pop %r13\n" \
	    "	pop %r12\n" \
	    "	add $8, %rsp\n" /* bp */ \
	    "	pop %rbx\n" \
	    "	mov " __stringify(ARCH_CALLS_REGS_AX) " - " __stringify(ARCH_CALLS_REGS_LEFT) "(%rsp), %rax\n" \
	    "	mov %rax, -24(%rbp)\n" \
	    "	mov " __stringify(ARCH_CALLS_REGS_DX) " - " __stringify(ARCH_CALLS_REGS_LEFT) "(%rsp), %rax\n" \
	    "	mov %rax, -32(%rbp)\n" \
	    "	lea -32(%rbp), %rsp\n" \
	    "	jmp .Lcalls_done\n" \
	    ".Lcalls_no_room:\n" /* the ordinary code returns to the body, and that to the caller */ \
	    "	push (%r11)\n" /* ip */ \
	    "	push " __stringify(ARCH_CALLS_ORDINARY) "(%r11)\n" \
	    UNWIND_HINT_FUNC "\n" \
	    ASM_RET \
	    ".Lcalls_no_owner:\n" \
	    "	mov (%r11), %r10\n" /* ip */ \
	    "	leave\n" \
	    ".Lcalls_other:\n" \
	    "	push %r10\n" \
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
