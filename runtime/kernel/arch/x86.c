// SPDX-License-Identifier: GPL-2.0-or-later
/* What of an x86-64 machine takes more than a few instructions to find out. */
#include <linux/pgtable.h>
#include <asm/pgtable_types.h>

#include "kernel/arch/x86.h"

bool arch_page_is_uncached(unsigned long addr)
{
	unsigned int level;
	const pte_t *pte = lookup_address(addr, &level);

	return pte && (pte_flags(*pte) & _PAGE_PRESENT) && (pte_flags(*pte) & _PAGE_PCD);
}
