/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: uprobe_shared 1..2: the consumers of one probe.  2: in a list_head, in a ring with the probe's own.  1: linked by next. */
#ifndef COMPAT_UPROBE_SHARED_H
#define COMPAT_UPROBE_SHARED_H

#include <linux/uprobes.h>

/* In a handler of uc: may another consumer, one with a handler for returns, be called after it at this hit?  Yes when in doubt. */
#if COMPAT_UPROBE_SHARED == 2
static inline bool compat_uprobe_shared(const struct uprobe_consumer *uc)
{
	return READ_ONCE(uc->cons_node.next) != READ_ONCE(uc->cons_node.prev); /* alone: both are the probe's own */
}
#elif COMPAT_UPROBE_SHARED == 1
static inline bool compat_uprobe_shared(const struct uprobe_consumer *uc)
{
	while ((uc = READ_ONCE(uc->next)))
		if (uc->ret_handler)
			return true;
	return false;
}
#endif

#endif
