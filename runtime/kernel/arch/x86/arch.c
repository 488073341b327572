// SPDX-License-Identifier: GPL-2.0-or-later
/* What of an x86-64 machine takes more than a few instructions to find out, or assembler to do.  See kernel/arch/arch.h. */
#include <linux/pgtable.h>
#include <asm/nospec-branch.h>
#include <asm/pgtable_types.h>
#include <asm/unwind_hints.h>

#include "kernel/arch/arch.h"

bool arch_page_is_uncached(unsigned long addr)
{
	unsigned int level;
	const pte_t *pte = lookup_address(addr, &level);

	return pte && (pte_flags(*pte) & _PAGE_PRESENT) && (pte_flags(*pte) & _PAGE_PCD);
}

/*
 * The call goes through a return instruction, because the target of an indirect call needs an ENDBR that the kernel erases from
 * functions whose address it takes nowhere.  Shifts the arguments down by one and goes to the first; the callee returns to our caller.
 */
asm(".pushsection .text\n"
    ".type arch_call4, @function\n"
    ".globl arch_call4\n"
    "arch_call4:\n"
    "	mov %rdi, %rax\n"
    "	mov %rsi, %rdi\n"
    "	mov %rdx, %rsi\n"
    "	mov %rcx, %rdx\n"
    "	mov %r8, %rcx\n"
    "	push %rax\n"
    UNWIND_HINT_FUNC
    ANNOTATE_RETPOLINE_SAFE
    "	ret\n"
    "	int3\n"
    ".size arch_call4, . - arch_call4\n"
    ".popsection\n");
