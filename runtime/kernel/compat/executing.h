/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: executing 1..1: does current change its program, so that its registers may be those of another one?  1: in_execve. */
#ifndef COMPAT_EXECUTING_H
#define COMPAT_EXECUTING_H

#include <linux/sched.h>

#if COMPAT_EXECUTING == 1
static inline bool compat_executing(void)
{
	return current->in_execve;
}
#endif

#endif
