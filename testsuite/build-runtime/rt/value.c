/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Freestanding: no kernel header. */
#include "rt/rt.h"

#ifdef __KERNEL__
#error "rt/ must be compiled without the kernel's headers"
#endif

int rt_twice(int n)
{
	return 2 * n;
}
