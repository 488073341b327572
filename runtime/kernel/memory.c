// SPDX-License-Identifier: GPL-2.0-or-later
/* A bound for the memory of a session.  See memory.h. */
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>

#include "kernel/memory.h"

static atomic64_t memory_taken, memory_room; /* bytes; room: 0 before the first request */

static u64 memory_half(void)
{
	return (u64)max(si_mem_available(), 0L) * PAGE_SIZE / 2;
}

bool memory_take(u64 bytes)
{
	atomic64_cmpxchg(&memory_room, 0, memory_half());
	if (bytes > memory_half())
		return false;
	if (atomic64_add_return(bytes, &memory_taken) <= atomic64_read(&memory_room))
		return true;
	memory_give(bytes);
	return false;
}

void memory_give(u64 bytes)
{
	atomic64_sub(bytes, &memory_taken);
}

bool memory_take_objects(u64 n, size_t size)
{
	return memory_take(n * roundup_pow_of_two(size));
}
