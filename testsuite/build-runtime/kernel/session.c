/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uses both wrappers, so that the chosen variants must fit the kernel. */
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/stacktrace.h>

#include "kernel/compat/unaligned.h"
#include "kernel/compat/uprobes.h"
#include "kernel/session.h"
#include "rt/rt.h"

/* Prints who called it: this shows that the unwinder's tables of the script's and of the runtime's code are right. */
int rt_print(const char *text, int n)
{
	unsigned long at[4];
	unsigned int depth = stack_trace_save(at, ARRAY_SIZE(at), 0);

	for (unsigned int i = 0; i < depth; i++)
		pr_info("spile-test: from %ps\n", (void *)at[i]);
	pr_info("spile-test: %s %d\n", text, n);
	return n;
}

int session_start(void)
{
	static const unsigned char bytes[] = {0, 1, 2, 3, 4};
	struct compat_uprobe u = {0};

	/* Never registered: NULL is not an inode. */
	if (bytes[0] && compat_uprobe_register(&u, NULL, 0, NULL))
		return -1;
	return compat_get_u32(bytes + 1) == 0x04030201 ? 0 : -1;
}
