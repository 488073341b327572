/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobe_filter 1..2: the question whether an address space is to be probed.  2: of the space.  1: and the occasion. */
/* uprobe_wants() is the function of probes/uprobe.c that compat_uprobe_set_filter() installs. */
#ifndef COMPAT_UPROBE_FILTER_H
#define COMPAT_UPROBE_FILTER_H

#include <linux/uprobes.h>

bool uprobe_wants(struct uprobe_consumer *uc, struct mm_struct *mm);

#if COMPAT_UPROBE_FILTER == 2
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->filter),
					    bool (*)(struct uprobe_consumer *, struct mm_struct *)), "filter");

static bool compat_uprobe_filter(struct uprobe_consumer *uc, struct mm_struct *mm)
{
	return uprobe_wants(uc, mm);
}
#elif COMPAT_UPROBE_FILTER == 1
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->filter),
					    bool (*)(struct uprobe_consumer *, enum uprobe_filter_ctx,
						     struct mm_struct *)), "filter");

static bool compat_uprobe_filter(struct uprobe_consumer *uc, enum uprobe_filter_ctx ctx, struct mm_struct *mm)
{
	return uprobe_wants(uc, mm);
}
#endif

static inline void compat_uprobe_set_filter(struct uprobe_consumer *uc)
{
	uc->filter = compat_uprobe_filter;
}

#endif
