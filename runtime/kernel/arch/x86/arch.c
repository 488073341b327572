// SPDX-License-Identifier: GPL-2.0-or-later
/* What of an x86-64 machine takes more than a few instructions to find out, or assembler to do.  See kernel/arch/arch.h. */
#include <linux/cpumask.h>
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

/* Read off entry/entry_64.S, entry/calling.h, asm/nospec-branch.h, and the beginnings of exc_debug(), exc_nmi() and exc_machine_check(). */
const struct arch_variable arch_entry_variables[] = {
	{ "x86_spec_ctrl_current", 8, true }, /* where the kernel restricts indirect branches by it */
	{ "pcpu_hot", 64, true },             /* since 6.2 it has the depth of calls and the CPU's number */
	{ "cpu_number", 4, true },            /* before */
	{ "cpu_current_top_of_stack", 8, true }, /* an exception of a program changes to its stack */
	{ "", 48, true },                     /* fixed_percpu_data, whose address is 0: of functions with a stack protector, the canary */
	{ "__stack_chk_guard", 8, true },
	{ "__x86_call_depth", 8, true },
	{ "__x86_call_count", 8, true },
	{ "__x86_ret_count", 8, true },
	{ "__x86_stuffs_count", 8, true },
	{ "__x86_ctxsw_count", 8, true },
	{ "__cpu_online_mask", sizeof(struct cpumask), false }, /* NMIs ask whether the CPU is online */
	{ "nmi_state", 4, true },
	{ "nmi_cr2", 8, true },
	{ "nmi_dr7", 8, true },
	{ "nmi_stats", 128, true },
	{ NULL, 0, false },
};

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
