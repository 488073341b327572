/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of the current task's program, for what looks at it before a handler runs.  Process context that may sleep, without
 * mmap_lock.
 *
 * until: when to stop waiting, as rt_port_clock_ns() counts.  0 at the beginning of a hit; set by the first wait, or by access_insist(),
 * which makes it odd.
 */
#ifndef KERNEL_ACCESS_H
#define KERNEL_ACCESS_H

#include <linux/types.h>

/*
 * Copies n bytes, at most a page.  A page that is not there is waited for as one that a handler reads: another CPU that arms or
 * disarms a probe takes it away for a moment.  0, or one of enum rt_access.
 */
int access_read_user(unsigned long addr, void *buffer, unsigned int n, u64 *until);
int access_write_user(unsigned long addr, const void *buffer, unsigned int n, u64 *until);

/* May a hit wait any longer?  Not when the session or the task ends. */
bool access_may_wait(u64 *until);
/*
 * For what has to be done lest the program be harmed: *until is some ten seconds from now, and what is waited for up to then goes on when
 * the session ends.
 */
void access_insist(u64 *until);

#endif
