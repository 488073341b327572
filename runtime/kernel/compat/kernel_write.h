/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: kernel_write 1..1: writing to kernel memory that may be bad or read-only.  1: the inline access with a fault handler of
 * its own, __put_kernel_nofault().  The function around it, copy_to_kernel_nofault(), is not exported to modules.
 */
#ifndef COMPAT_KERNEL_WRITE_H
#define COMPAT_KERNEL_WRITE_H

#include <linux/types.h>
#include <linux/uaccess.h>

/*
 * n: 1, 2, 4, 8.  The address must have been read with success just before: this kind of fault handler handles page faults, but not
 * the protection fault of a non-canonical address.
 */
#if COMPAT_KERNEL_WRITE == 1
static inline int compat_kernel_write(void *to, const void *from, unsigned int n)
{
	pagefault_disable();
	switch (n) {
	case 1:
		__put_kernel_nofault(to, from, u8, fault);
		break;
	case 2:
		__put_kernel_nofault(to, from, u16, fault);
		break;
	case 4:
		__put_kernel_nofault(to, from, u32, fault);
		break;
	default:
		__put_kernel_nofault(to, from, u64, fault);
	}
	pagefault_enable();
	return 0;
fault:
	pagefault_enable();
	return -EFAULT;
}
#endif

#endif
