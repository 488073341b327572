/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of the current task's program, for the runtime's own needs, outside of a handler.  Process context
 * that may sleep, without mmap_lock.
 *
 * until: when to stop waiting, in ns of rt_port_clock_ns().  0 at the beginning of a hit; the first wait
 * makes it a second from then, an even number.  access_insist() makes it odd, which stands for: go on when
 * the session ends.
 */
#ifndef KERNEL_ACCESS_H
#define KERNEL_ACCESS_H

#include <linux/types.h>

/*
 * Copies n bytes, at most a page.  A page that is not there is waited for, by the same rules as in a handler
 * (access.c): it may be away for a moment only, because another CPU arms or disarms a probe in it.  0, or one
 * of enum rt_access.
 */
int access_read_user(unsigned long addr, void *buffer, unsigned int n, u64 *until);
int access_write_user(unsigned long addr, const void *buffer, unsigned int n, u64 *until);

/*
 * May a hit wait any longer?  Not when the time is over, a fatal signal is pending, or the session ends (but
 * see access_insist()).
 */
bool access_may_wait(u64 *until);
/*
 * For what must be done or the program is harmed: *until becomes ten seconds from now, and until then the
 * wait goes on even when the session ends; only a fatal signal for the task ends it.
 */
void access_insist(u64 *until);

#endif
