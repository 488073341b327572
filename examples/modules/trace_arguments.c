// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the arguments of each call of a function of a process, and what it returns, to the kernel's log:
 *
 *	insmod trace_arguments.ko pid=PID vaddr=ADDRESS [arguments=2]
 *	dmesg
 *	rmmod trace_arguments
 */
#define pr_fmt(text) KBUILD_MODNAME ": " text

#include <linux/kernel.h>
#include <linux/module.h>

#include "probes.c"

static int pid;
module_param(pid, int, 0444);
MODULE_PARM_DESC(pid, "process");
static ulong vaddr;
module_param(vaddr, ulong, 0444);
MODULE_PARM_DESC(vaddr, "address of the function");
static uint arguments = 1;
module_param(arguments, uint, 0444);
MODULE_PARM_DESC(arguments, "how many arguments, at most 6, are shown");

static struct user_probe entry;
static struct user_retprobe ret;

/* Functions of programs get their arguments as those of the kernel do. */
static void on_entry(struct user_probe *u, struct pt_regs *regs)
{
	char text[6 * 24] = "";
	unsigned int i, n = 0;

	for (i = 0; i < min(arguments, 6U); i++)
		n += scnprintf(text + n, sizeof(text) - n, " %ld", regs_get_kernel_argument(regs, i));
	pr_info("%#lx called:%s\n", u->vaddr, text);
}

static void on_return(struct user_retprobe_instance *ri, struct pt_regs *regs)
{
	pr_info("%#lx returns %ld to %#lx\n", ri->rp->u.vaddr, (long)regs_return_value(regs), ri->ret_addr);
}

static int __init trace_arguments_init(void)
{
	int rc;

	entry.pid = ret.u.pid = pid;
	entry.vaddr = ret.u.vaddr = vaddr;
	entry.handler = on_entry;
	ret.handler = on_return;
	rc = register_uprobe(&entry);
	if (!rc)
		rc = register_uretprobe(&ret);
	if (rc)
		unregister_all_uprobes();
	return rc;
}

static void __exit trace_arguments_exit(void)
{
	unregister_all_uprobes();
}

module_init(trace_arguments_init);
module_exit(trace_arguments_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("traces the arguments of a function of a process, and what it returns");
