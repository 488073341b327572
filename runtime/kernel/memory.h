/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much memory a session may take: half of what is available at its first request, so that the kernel kills no process for it. */
#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H

#include <linux/types.h>

/* May so many more bytes be allocated?  Then they count as taken until the module is unloaded.  Process context. */
bool memory_take(u64 bytes);
/* They are free again. */
void memory_give(u64 bytes);
/* memory_take() for n objects of kmalloc() or the like. */
bool memory_take_objects(u64 n, size_t size);

#endif
