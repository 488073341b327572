#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A hook that replaces the function that Spile probes, as live patches do: whichever comes or goes first, both count
# all calls, and callers get what the new function returns.  And a live patch becomes complete although tasks sleep in functions whose returns
# Spile has hooked.
# timeout: 600
# cost: 30
cd "$B" || exit 1
. "$S/../lib/beside.sh"
grep -qsx CONFIG_LIVEPATCH=y "${SPILE_KERNELS:-}/boot/config-$RELEASE" || { echo "note: no live patches in this kernel"; exit 0; }
beside_build
rm -rf patch
mkdir patch
echo 'obj-m := beside_patch.o' >patch/Makefile
cat >patch/beside_patch.c <<'EOF2'
#include <linux/ftrace.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/sched.h>

static atomic_t calls;

static int calls_get(char *buffer, const struct kernel_param *kp)
{
	return sprintf(buffer, "%d\n", atomic_read(&calls));
}

static const struct kernel_param_ops calls_ops = { .get = calls_get };
module_param_cb(calls, &calls_ops, NULL, 0444);

/* For the caller's own process only. */
static long beside_getpgid(const struct pt_regs *regs)
{
	if (strcmp(current->comm, "counted") == 0)
		atomic_inc(&calls);
	return regs->di ? -ESRCH : task_pgrp_vnr(current);
}

static void notrace beside_hook(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ftrace_get_regs(fregs)->ip = (unsigned long)beside_getpgid;
}

static struct ftrace_ops hook = { .func = beside_hook, .flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY };

static bool live;
module_param(live, bool, 0444);

static struct klp_func functions[] = { { .old_name = "__x64_sys_getpgid", .new_func = beside_getpgid }, {} };
static struct klp_object objects[] = { { .funcs = functions }, {} };
static struct klp_patch patch = { .mod = THIS_MODULE, .objs = objects };

static int __init beside_patch_init(void)
{
	int rc;

	if (live)
		return klp_enable_patch(&patch);
	rc = ftrace_set_filter(&hook, functions[0].old_name, strlen(functions[0].old_name), 1);
	return rc ? rc : register_ftrace_function(&hook);
}
module_init(beside_patch_init);

static void __exit beside_patch_exit(void)
{
	if (!live)
		unregister_ftrace_function(&hook);
}
module_exit(beside_patch_exit);

MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
EOF2
make -s -C "${SPILE_KERNELS:-}/lib/modules/$RELEASE/build" M="$B/patch" modules >patch/said 2>&1 || { cat patch/said; exit 1; }
cp patch/beside_patch.ko .
# of the sleepers, and of those who wait for them
echo 'probe kernel.function("hrtimer_nanosleep").return, kernel.function("do_nanosleep").return, kernel.function("kernel_wait4").return,
	kernel.function("do_wait*").return {}' >sleepers.stp
"$SPILE" -u -w -r "$RELEASE" -p4 -m sleepers sleepers.stp >/dev/null || exit 1
cat >tools.sh <<EOF2
p=/sys/kernel/livepatch/beside_patch
is_done() { [ "\$(cat \$p/transition)" = 0 ]; }
is_gone() { [ ! -e \$p ]; }
hook_on() { insmod $B/beside_patch.ko; }
hook_off() { rmmod beside_patch; }
hook_seen() { cat /sys/module/beside_patch/parameters/calls; }
hook_sees() { echo \$calls; }
EOF2
beside_run hook
cat >sleepers.sh <<EOF2
. $S/../lib/beside.sh
. $B/tools.sh
order=sleepers
asleep() { [ "\$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c '(sleep) S')" -ge 5 ]; }
for i in 1 2 3 4 5; do sleep 1000 & pids="\$pids \$!"; done
await asleep
insmod $B/beside_patch.ko live=1 && await is_done
echo 0 >\$p/enabled && await is_gone && rmmod beside_patch || bad "the patch cannot be removed"
kill \$pids
EOF2
"$V" -t 250 exec "$G" -- "$SPILERUN" -w -c "sh $B/sleepers.sh" "$B/sleepers.ko"
