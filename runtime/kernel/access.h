/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory of the current task's program, for the runtime's own needs, outside of a handler.  Process context
 * that may sleep, without mmap_lock.
 */
#ifndef KERNEL_ACCESS_H
#define KERNEL_ACCESS_H

#include <linux/types.h>

/* How long a hit waits: all of it together, whatever it waits for. */
struct access_wait {
	u64 until;     /* in ns of rt_port_clock_ns(): the end of the wait; 0: nothing was waited for yet */
	bool outlasts; /* goes on when the session ends */
};

/*
 * Copies n bytes, at most a page.  Waits for a page that is not mapped, by the same rules as in a handler (access.c): it may only be
 * missing for a moment, because another CPU arms or disarms a probe in it.  0, or one of enum rt_access.
 */
int access_read_user(unsigned long addr, void *buffer, unsigned int n, struct access_wait *w);
int access_write_user(unsigned long addr, const void *buffer, unsigned int n, struct access_wait *w);

/* May a hit wait longer?  Not when the time is over, a fatal signal is pending, or the session ends (unless outlasts). */
bool access_may_wait(struct access_wait *w);
/* For work without which the program is harmed: the wait may last so long from now, and outlasts the session. */
#define ACCESS_INSIST_NS 10000000000ull
void access_insist(struct access_wait *w, u64 ns);
/* The rest of the time. */
u64 access_left(const struct access_wait *w);

#endif
