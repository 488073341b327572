/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module: calls the script's handler at load and prints its result. */
#include <linux/module.h>

#include "kernel/session.h"
#include "rt/rt.h"

static int __init session_init(void)
{
	pr_info("spile-test %s: handler says %d, uprobes variant %d\n", rt_script.name,
		rt_script.handler(rt_twice, 20), COMPAT_UPROBES);
	return session_start();
}

static void __exit session_exit(void)
{
	pr_info("spile-test %s: bye\n", THIS_MODULE->name);
}

module_init(session_init);
module_exit(session_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("test of the module build");
