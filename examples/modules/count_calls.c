// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts how often an instruction of a process is executed, e.g. the first one of a function:
 *
 *	insmod count_calls.ko pid=PID vaddr=ADDRESS
 *	cat /sys/module/count_calls/parameters/calls
 *	rmmod count_calls
 */
#define pr_fmt(text) KBUILD_MODNAME ": " text

#include <linux/atomic.h>
#include <linux/module.h>

#include "probes.c"

static struct user_probe probe;
module_param_named(pid, probe.pid, int, 0444);
MODULE_PARM_DESC(pid, "process");
module_param_named(vaddr, probe.vaddr, ulong, 0444);
MODULE_PARM_DESC(vaddr, "address of the instruction");

static atomic64_t calls;

static int get_calls(char *text, const struct kernel_param *unused)
{
	return sysfs_emit(text, "%lld\n", atomic64_read(&calls));
}
static const struct kernel_param_ops calls_ops = { .get = get_calls };
module_param_cb(calls, &calls_ops, NULL, 0444);

/* Several threads may run it at the same time. */
static void count(struct user_probe *u, struct pt_regs *regs)
{
	atomic64_inc(&calls);
}

static int __init count_calls_init(void)
{
	int rc;

	probe.handler = count;
	rc = register_uprobe(&probe);
	if (rc)
		unregister_all_uprobes();
	return rc;
}

static void __exit count_calls_exit(void)
{
	unregister_all_uprobes();
	pr_info("%lld calls\n", atomic64_read(&calls));
}

module_init(count_calls_init);
module_exit(count_calls_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("counts how often an instruction of a process is executed");
