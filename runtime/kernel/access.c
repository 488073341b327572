// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reading and writing memory whose address cannot be trusted.  Kernel memory is never faulted in.  User memory is, when
 * the handler may sleep; the kernel has page faults enabled there and nothing locked.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "kernel/compat/kernel_write.h"
#include "kernel/hit.h"
#include "rt/port.h"

static bool may_fault_in(const struct rt_ctx *c)
{
	return c->may_sleep && !irqs_disabled() && current->mm;
}

int rt_port_read(struct rt_ctx *c, enum rt_space space, rt_u64 addr, void *dst, rt_u32 n)
{
	const void __user *from = (const void __user *)(unsigned long)addr;

	if (space == RT_KERNEL)
		return copy_from_kernel_nofault(dst, (const void *)(unsigned long)addr, n) ? -1 : 0;
	if (may_fault_in(c))
		return copy_from_user(dst, from, n) ? -1 : 0;
	return copy_from_user_nofault(dst, from, n) ? -1 : 0;
}

int rt_port_write(struct rt_ctx *c, enum rt_space space, rt_u64 addr, const void *src, rt_u32 n)
{
	void __user *to = (void __user *)(unsigned long)addr;
	u64 before;

	if (space == RT_KERNEL) {
		if (copy_from_kernel_nofault(&before, (const void *)(unsigned long)addr, n))
			return -1;
		return compat_kernel_write((void *)(unsigned long)addr, src, n) ? -1 : 0;
	}
	if (may_fault_in(c))
		return copy_to_user(to, src, n) ? -1 : 0;
	if (!current->mm || hit_in_nmi()) /* the memory that is mapped may be another's */
		return -1;
	return copy_to_user_nofault(to, src, n) ? -1 : 0;
}

rt_u64 rt_this_cpu(rt_u64 object)
{
	return (unsigned long)raw_cpu_ptr((void __percpu *)(unsigned long)object);
}

/* In pieces that cross no page, so that a string that ends before a page that cannot be read is read. */
rt_s64 rt_port_read_str(struct rt_ctx *c, enum rt_space space, rt_u64 addr, char *dst, rt_u32 n)
{
	rt_u32 done = 0;

	while (done < n) {
		rt_u32 room = PAGE_SIZE - (addr + done) % PAGE_SIZE;
		rt_u32 piece = min3(n - done, room, done ? 256u : 64u);
		size_t len;

		if (rt_port_read(c, space, addr + done, dst + done, piece))
			return -1;
		len = strnlen(dst + done, piece);
		done += len;
		if (len < piece)
			break;
	}
	return done;
}
