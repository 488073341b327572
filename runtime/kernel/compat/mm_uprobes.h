/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: mm_uprobes 1..2: has an address space breakpoints of uprobes?  1: mm->flags is a word.  2: it has functions of its own. */
#ifndef COMPAT_MM_UPROBES_H
#define COMPAT_MM_UPROBES_H

#include <linux/mm_types.h>
#include <linux/sched/coredump.h>

/* Also for a while after the last one is gone.  Any context. */
#if COMPAT_MM_UPROBES == 2
static inline bool compat_mm_has_uprobes(const struct mm_struct *mm)
{
	return mm_flags_test(MMF_HAS_UPROBES, mm);
}
#elif COMPAT_MM_UPROBES == 1
static inline bool compat_mm_has_uprobes(const struct mm_struct *mm)
{
	return test_bit(MMF_HAS_UPROBES, &mm->flags);
}
#endif

#endif
