/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel addresses as text.  The stack is walked in arch/. */
#ifndef KERNEL_SYMBOLS_H
#define KERNEL_SYMBOLS_H

#include "rt/rt.h"

/* Return addresses of the kernel stack of the hit, the probed address first; number of them. */
unsigned int symbols_stack(struct rt_ctx *c, unsigned long *to, unsigned int max);

#endif
