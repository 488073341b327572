/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: unbound_queue 1..2: the kernel's queue of work for any CPU.  2: system_dfl_wq.  1: system_unbound_wq, of which newer kernels warn. */
#ifndef COMPAT_UNBOUND_QUEUE_H
#define COMPAT_UNBOUND_QUEUE_H

#include <linux/workqueue.h>

#if COMPAT_UNBOUND_QUEUE == 2
static inline struct workqueue_struct *compat_unbound_queue(void)
{
	return system_dfl_wq;
}
#elif COMPAT_UNBOUND_QUEUE == 1
static inline struct workqueue_struct *compat_unbound_queue(void)
{
	return system_unbound_wq;
}
#endif

#endif
