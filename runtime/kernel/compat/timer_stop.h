/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: timer_stop 1..2: stopping a timer for good, waiting for its handler.  2: timer_delete_sync.  1: del_timer_sync. */
#ifndef COMPAT_TIMER_STOP_H
#define COMPAT_TIMER_STOP_H

#include <linux/timer.h>

#if COMPAT_TIMER_STOP == 2
static inline void compat_timer_stop(struct timer_list *t)
{
	timer_delete_sync(t);
}
#elif COMPAT_TIMER_STOP == 1
static inline void compat_timer_stop(struct timer_list *t)
{
	del_timer_sync(t);
}
#endif

#endif
