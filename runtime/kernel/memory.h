/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a session may take of the machine's memory: half of what is available when it first asks, so that the kernel kills nobody for it. */
#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H

#include <linux/types.h>

/* May so many more bytes be allocated?  They then count as taken until the module goes.  Process context. */
bool memory_take(u64 bytes);
/* The same for n objects of kmalloc() or the like. */
bool memory_take_objects(u64 n, size_t size);

#endif
