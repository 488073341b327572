/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compat: trace_puts 1..2: a text for the kernel's trace buffer.  2: up to its NUL.  1: of a length. */
#ifndef COMPAT_TRACE_PUTS_H
#define COMPAT_TRACE_PUTS_H

#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#if COMPAT_TRACE_PUTS == 2
static inline void compat_trace_puts(unsigned long ip, const char *text, int n)
{
	char part[256];

	for (int size; n > 0; n -= size, text += size) { /* a long text becomes several lines there */
		size = min(n, (int)sizeof(part) - 1);
		memcpy(part, text, size);
		part[size] = 0;
		__trace_puts(ip, part);
	}
}
#elif COMPAT_TRACE_PUTS == 1
static inline void compat_trace_puts(unsigned long ip, const char *text, int n)
{
	__trace_puts(ip, text, n);
}
#endif

#endif
