/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobe_filter 1..2: the filter that decides whether an address space is probed.  2: gets the space.  1: also the reason of the call. */
/* COMPAT_UPROBE_FILTER_FUNCTION() defines the filter `name', which returns wants(consumer, address space). */
#ifndef COMPAT_UPROBE_FILTER_H
#define COMPAT_UPROBE_FILTER_H

#include <linux/uprobes.h>

#if COMPAT_UPROBE_FILTER == 2
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->filter),
					    bool (*)(struct uprobe_consumer *, struct mm_struct *)), "filter");

#define COMPAT_UPROBE_FILTER_FUNCTION(name, wants) \
	static bool name(struct uprobe_consumer *uc, struct mm_struct *mm) \
	{ \
		return wants(uc, mm); \
	}
#elif COMPAT_UPROBE_FILTER == 1
_Static_assert(__builtin_types_compatible_p(typeof(((struct uprobe_consumer *)0)->filter),
					    bool (*)(struct uprobe_consumer *, enum uprobe_filter_ctx,
						     struct mm_struct *)), "filter");

#define COMPAT_UPROBE_FILTER_FUNCTION(name, wants) \
	static bool name(struct uprobe_consumer *uc, enum uprobe_filter_ctx ctx, struct mm_struct *mm) \
	{ \
		return wants(uc, mm); \
	}
#endif

#endif
