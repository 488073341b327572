/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: get_user_page 1..2: faults a page of the current task in.  2: NUMA hint faults must be requested.  1: it also returns areas. */
/*
 * Under mmap_lock for reading, which stays held.  1: *page is in memory, with a reference; 0: not now, since that would wait
 * (FOLL_NOWAIT); else -errno.
 */
#ifndef COMPAT_GET_USER_PAGE_H
#define COMPAT_GET_USER_PAGE_H

#include <linux/mm.h>

#if COMPAT_GET_USER_PAGE == 2
static inline long compat_get_user_page(unsigned long addr, unsigned int flags, struct page **page)
{
	return get_user_pages(addr, 1, flags | FOLL_HONOR_NUMA_FAULT, page);
}
#elif COMPAT_GET_USER_PAGE == 1
static inline long compat_get_user_page(unsigned long addr, unsigned int flags, struct page **page)
{
	return get_user_pages(addr, 1, flags, page, NULL);
}
#endif

#endif
