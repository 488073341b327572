#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that nobody else traces calls a counter of ours, or a handler that feeds statistics, directly, or has its return hooked
# directly.  The kernel's function tracer, its graph of calls, a kprobe and a hook that replaces the function come and go there
# while two processes call it: each call is counted once, before, during and after.
# timeout: 600
# cost: 30
cd "$B" || exit 1
cat >direct.stp <<'X'
global n, m, s
probe kernel.function("__x64_sys_sched_getscheduler") { n++ }
probe kernel.function("__x64_sys_sched_getparam") { s[tid()] <<< 3 }
probe kernel.function("__x64_sys_sched_get_priority_max").return { m += 2 }
probe end { foreach (t in s) fed += @sum(s[t]); println(n, " ", m, " ", fed) }
X
"$SPILE" -r "$RELEASE" --no-fast-returns -p4 -m direct direct.stp >/dev/null || exit 1
rm -rf replaces
mkdir replaces
echo 'obj-m := direct_hook.o' >replaces/Makefile
cat >replaces/direct_hook.c <<'X'
#include <linux/ftrace.h>
#include <linux/module.h>

static long direct_replacement(const struct pt_regs *regs)
{
	return 77;
}

static void notrace direct_hook(unsigned long ip, unsigned long parent, struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ftrace_get_regs(fregs)->ip = (unsigned long)direct_replacement;
}

static struct ftrace_ops hook = { .func = direct_hook, .flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY };

static int __init direct_hook_init(void)
{
	static char name[] = "__x64_sys_sched_get_priority_max";

	return ftrace_set_filter(&hook, name, strlen(name), 1) ?: register_ftrace_function(&hook);
}
module_init(direct_hook_init);

static void __exit direct_hook_exit(void)
{
	unregister_ftrace_function(&hook);
}
module_exit(direct_hook_exit);

MODULE_LICENSE("GPL");
X
make -s -C "${SPILE_KERNELS:-}/lib/modules/$RELEASE/build" M="$B/replaces" modules >replaces/said 2>&1 || { cat replaces/said; exit 1; }
cat >direct-work.sh <<X
t=/sys/kernel/tracing
calls() { perl -e 'until (-e "tools-over") { for (1..1000) { syscall(145, 0); syscall(146, 1); syscall(143, 0, 0) } \$n += 1000 } print "\$n\\n"' >\$1; }
rm -f tools-over
tools() {
	echo __x64_sys_sched_getscheduler __x64_sys_sched_get_priority_max __x64_sys_sched_getparam >\$t/set_ftrace_filter || echo "no filter"
	for i in 1 2; do
		echo function >\$t/current_tracer || echo "no function tracer"
		echo 'p:direct/k __x64_sys_sched_getscheduler' >>\$t/kprobe_events && echo 1 >\$t/events/direct/k/enable || echo "no kprobe"
		insmod $B/replaces/direct_hook.ko || echo "no hook"
		echo nop >\$t/current_tracer
		echo function_graph >\$t/current_tracer || echo "no graph"
		rmmod direct_hook
		echo 0 >\$t/events/direct/k/enable
		echo '-:direct/k' >>\$t/kprobe_events
		echo nop >\$t/current_tracer
	done
	echo >\$t/set_ftrace_filter
}
calls one & one=\$!
calls two & two=\$!
tools
: >tools-over
wait \$one \$two
X
"$V" -t $((500 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN -v -c 'sh direct-work.sh' direct.ko >direct.out 2>direct.err" || { cat direct.err; exit 1; }
grep -q 'armed by calls of their own: .*getscheduler.*getparam.*priority_max' direct.err || { cat direct.err; exit 1; }
n=$(($(cat one) + $(cat two)))
[ $n -gt 10000 ] && [ "$(cat direct.out)" = "$n $((2 * n)) $((3 * n))" ] || { echo "of $n calls:"; cat direct.out direct.err; exit 1; }
