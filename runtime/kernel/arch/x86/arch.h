/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64, inline.  See kernel/arch/arch.h, which includes this. */
#ifndef KERNEL_ARCH_X86_ARCH_H
#define KERNEL_ARCH_X86_ARCH_H

#include <linux/linkage.h>
#include <linux/mm_types.h>
#include <linux/pgtable.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <asm/ftrace.h>
#include <asm/ibt.h>
#include <asm/processor.h>
#include <asm/processor-flags.h>
#include <asm/segment.h>
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

static __always_inline bool arch_is_of_kernel(unsigned long addr)
{
	return addr >= ~0UL << __VIRTUAL_MASK_SHIFT;
}

static __always_inline bool arch_is_of_module(unsigned long addr)
{
	return addr - MODULES_VADDR < MODULES_END - MODULES_VADDR;
}

static __always_inline void arch_here(unsigned long here[3])
{
	asm volatile("mov %%rsp, %1\n\tmov %%rbp, %2\n1:	lea 1b(%%rip), %0" : "=r"(here[0]), "=m"(here[1]), "=m"(here[2]));
}

/* QEMU's own emulator says so, beside its name. */
enum { ARCH_NOP = 5 };

/* Prefixes of segments, of 16 bits or REX before nop, or before the long nop, whose operand has as many bytes as are left; or lea 0(%rsi), %rsi. */
static inline bool arch_is_nop(const u8 *code)
{
	static const u8 lea[ARCH_NOP] = { 0x48, 0x8d, 0x74, 0x26, 0x00 };
	unsigned int n = 0, mod, rm;

	if (!memcmp(code, lea, sizeof(lea)))
		return true;
	while (n < ARCH_NOP - 1 && (code[n] == 0x66 || code[n] == 0x64 || code[n] == 0x65 || (code[n] & 0xe7) == 0x26))
		n++;
	if (n < ARCH_NOP - 1 && (code[n] & 0xf0) == 0x40)
		n++;
	if (n == ARCH_NOP - 1)
		return code[n] == 0x90;
	if (n > ARCH_NOP - 3 || code[n] != 0x0f || code[n + 1] != 0x1f)
		return false;
	mod = code[n + 2] >> 6;
	rm = code[n + 2] & 7;
	return n + 3 + (mod != 3 && rm == 4) + (mod == 1) + (mod == 2 || (!mod && rm == 5) ? 4 : 0) == ARCH_NOP;
}

static inline bool arch_is_emulated(void)
{
	u32 level = 0x40000000, words[3];

	if (!boot_cpu_has(X86_FEATURE_HYPERVISOR))
		return false;
	asm volatile("cpuid" : "+a"(level), "=b"(words[0]), "=c"(words[1]), "=d"(words[2]) : "2"(0));
	return !memcmp(words, "TCGTCGTCGTCG", sizeof(words));
}

static inline const void *arch_vdso(const struct mm_struct *mm, unsigned long *start)
{
	*start = (unsigned long)mm->context.vdso;
	return mm->context.vdso_image;
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

/*
 * Saves what the tracer's own code saves, which is all that the function and its callers rely on, where struct pt_regs has it.  For slow() the
 * rest of that is filled in; sp is that of the function's entry, as from the tracer.
 */
#define ARCH_FUNCTION_ENTRY(name, fast, slow) \
	asm(".pushsection .text\n" \
	    ".type " #name ", @function\n" \
	    #name ":\n" \
	    ASM_ENDBR \
	    "	sub $48, %rsp\n" /* orig_ax, ip, cs, flags, sp, ss */ \
	    "	push %rdi\n" \
	    "	push %rsi\n" \
	    "	push %rdx\n" \
	    "	push %rcx\n" \
	    "	push %rax\n" \
	    "	push %r8\n" \
	    "	push %r9\n" \
	    "	mov 104(%rsp), %rdi\n" \
	    "	sub $" __stringify(MCOUNT_INSN_SIZE) ", %rdi\n" \
	    "	lea 112(%rsp), %rsi\n" \
	    "	call " #fast "\n" \
	    "	test %al, %al\n" \
	    "	jz 2f\n" \
	    "1:	pop %r9\n" \
	    "	pop %r8\n" \
	    "	pop %rax\n" \
	    "	pop %rcx\n" \
	    "	pop %rdx\n" \
	    "	pop %rsi\n" \
	    "	pop %rdi\n" \
	    "	add $48, %rsp\n" \
	    ASM_RET \
	    "2:	push %r10\n" \
	    "	push %r11\n" \
	    "	push %rbx\n" \
	    "	push %rbp\n" \
	    "	push %r12\n" \
	    "	push %r13\n" \
	    "	push %r14\n" \
	    "	push %r15\n" \
	    "	pushf\n" \
	    "	pop 144(%rsp)\n" /* flags: the address is that after the pop */ \
	    "	movq $0, 120(%rsp)\n" /* orig_ax */ \
	    "	movq $" __stringify(__KERNEL_CS) ", 136(%rsp)\n" \
	    "	movq $" __stringify(__KERNEL_DS) ", 160(%rsp)\n" \
	    "	lea 176(%rsp), %rdi\n" \
	    "	mov %rdi, 152(%rsp)\n" /* sp */ \
	    "	mov 168(%rsp), %rdi\n" \
	    "	mov %rdi, 128(%rsp)\n" /* ip */ \
	    "	sub $" __stringify(MCOUNT_INSN_SIZE) ", %rdi\n" \
	    "	mov %rsp, %rsi\n" \
	    "	call " #slow "\n" \
	    "	pop %r15\n" \
	    "	pop %r14\n" \
	    "	pop %r13\n" \
	    "	pop %r12\n" \
	    "	pop %rbp\n" \
	    "	pop %rbx\n" \
	    "	pop %r11\n" \
	    "	pop %r10\n" \
	    "	jmp 1b\n" \
	    ".size " #name ", . - " #name "\n" \
	    ".popsection\n")

/* The lower registers are not there: the stack ends above their places. */
static __always_inline struct pt_regs *arch_entry_regs(unsigned long *slot)
{
	struct pt_regs *regs = (struct pt_regs *)(slot - 1) - 1;

	regs->cs = __KERNEL_CS;
	return regs;
}

enum { ARCH_TRAMPOLINE_SIZE = 256 }; /* at most, of the code of the kernel's trampoline */

/*
 * The trampoline stores __KERNEL_DS as the stack segment, until it is done, and calls the kernel's function with the registers right above that
 * call's return address.  The first two words alone are also what an interrupt leaves that comes right after a function has returned there.
 */
static inline bool arch_return_under_way(unsigned long frame, unsigned long trampoline)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)(frame - 8)) == __KERNEL_DS &&
	       READ_ONCE_NOCHECK(*(unsigned long *)(frame - 16)) == frame + 8 &&
	       READ_ONCE_NOCHECK(*(unsigned long *)(frame - sizeof(struct pt_regs) - 8)) - trampoline < ARCH_TRAMPOLINE_SIZE;
}

#endif
