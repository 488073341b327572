/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rt/ asks of the machine.  An architecture may have a file here; all others use what the compiler offers. */
#ifndef RT_ARCH_H
#define RT_ARCH_H

#include "rt/script.h"

/*
 * Adds 1 to *p, in one step for everything that interrupts this CPU, also an NMI; other CPUs only read it.  Neither compiler nor CPU
 * moves a write from before it to after it, or back.
 */
static inline void rt_bump(rt_u32 *p);

#if defined(__x86_64__) || defined(__i386__)
#include "rt/arch/x86.h"
#else
static inline void rt_bump(rt_u32 *p)
{
	__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
}
#define RT_FRAME_POINTER 29 /* of arm64 */
#define RT_JAVA_FRAMES 0
#endif

#endif
