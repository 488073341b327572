/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rt/ asks of the machine.  Each architecture has a file here; one without has what the compiler makes of it. */
#ifndef RT_ARCH_H
#define RT_ARCH_H

#include "rt/script.h"

/*
 * One more, in one step for all that interrupts this CPU, an NMI too; other CPUs only read it.  Writes before it stay before it,
 * and writes after it after it.
 */
static inline void rt_bump(rt_u32 *p);

#if defined(__x86_64__) || defined(__i386__)
#include "rt/arch/x86.h"
#else
static inline void rt_bump(rt_u32 *p)
{
	__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
}
#endif

#endif
