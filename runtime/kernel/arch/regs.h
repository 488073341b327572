/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's stack at a hit.  What else regs.c of an architecture has, the registers of the probed code, is declared in rt/rt.h. */
#ifndef KERNEL_ARCH_REGS_H
#define KERNEL_ARCH_REGS_H

#include "rt/rt.h"

/* Return addresses of the kernel stack of the hit, the probed address first; number of them. */
unsigned int arch_stack_trace(struct rt_ctx *c, rt_u64 *to, unsigned int max);

#endif
