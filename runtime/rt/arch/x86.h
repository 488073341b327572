/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86.  See rt/arch/arch.h, which includes this. */
#ifndef RT_ARCH_X86_H
#define RT_ARCH_X86_H

static inline void rt_bump(rt_u32 *p)
{
	__asm__ __volatile__("incl %0" : "+m"(*p) : : "memory", "cc");
}

/* DWARF's number of the register that points to a frame, where code keeps to that: %rbp. */
#define RT_FRAME_POINTER 6

/* rt/java.c knows the frames that HotSpot makes here. */
#ifdef __x86_64__
#define RT_JAVA_FRAMES 1
#else
#define RT_JAVA_FRAMES 0
#endif

#endif
