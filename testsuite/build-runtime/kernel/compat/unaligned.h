/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: unaligned 1..2: reading numbers at odd addresses. 2: linux/unaligned.h. 1: asm/unaligned.h. */
#ifndef COMPAT_UNALIGNED_H
#define COMPAT_UNALIGNED_H

#if COMPAT_UNALIGNED == 2
#include <linux/unaligned.h>
#elif COMPAT_UNALIGNED == 1
#include <asm/unaligned.h>
#endif

static inline u32 compat_get_u32(const void *p)
{
	return get_unaligned_le32(p);
}

#endif
