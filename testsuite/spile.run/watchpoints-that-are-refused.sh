#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Memory that the kernel touches on its way into an exception, before it has switched watching off, cannot be watched: by name, and not at
# the address of one CPU's copy either.  What is next to it can.
cd "$B" || exit 1
own="x86_spec_ctrl_current cpu_current_top_of_stack nmi_state nmi_cr2 nmi_dr7" # each CPU's; the second is not in all kernels
{
	echo 'probe end { println("goes on") }'
	for v in $own; do
		echo "probe kernel.data(\"$v\").length(4).rw ? { println(\"hit\") }"
	done
	echo 'probe kernel.data("__cpu_online_mask").length(8).rw ? { println("hit") }'
	echo 'probe kernel.data("__cpu_present_mask").length(8).write ? { println("hit") }'
} >refused.stp
"$SPILE" -r "$RELEASE" -p4 -m refused refused.stp >/dev/null || exit 1
# Where the first CPU's copies are is the first of the offsets; that of the canary has an address like all memory.
symbols=$("$V" exec "$G" -- grep -wE '__per_cpu_offset|fixed_percpu_data|cpu_current_top_of_stack|__cpu_present_mask' /proc/kallsyms)
address() { echo "$symbols" | awk -v name="$1" '$3 == name { print $1 }'; }
echo "probe begin { println(sprintf(\"%x\", kernel_long(0x$(address __per_cpu_offset)) + 0x$(address fixed_percpu_data) + 40)) exit() }" >offset.stp
"$SPILE" -r "$RELEASE" -p4 -m offset offset.stp >/dev/null || exit 1
canary=$("$V" -t $((100 * SLOW)) exec "$G" -- "$SPILERUN" "$B/offset.ko")
echo "probe kernel.data(0x$canary).length(8).rw { println(\"hit\") }" >canary.stp
"$SPILE" -r "$RELEASE" -p4 -m canary canary.stp >/dev/null || exit 1
# Where the registers of a program are on the stack of its task.
echo 'probe begin { println(sprintf("0x%x", @cast(task_current(), "task_struct")->stack + 16384 - 168 + 40)) exit() }' >stack.stp
"$SPILE" -r "$RELEASE" -p4 -m stack stack.stp >/dev/null || exit 1
stack=$("$V" -t $((100 * SLOW)) exec "$G" -- "$SPILERUN" "$B/stack.ko")
echo "probe kernel.data($stack).length(8).rw { println(\"hit\") }" >stack.stp
"$SPILE" -r "$RELEASE" -p4 -m stack stack.stp >/dev/null || exit 1
out=$("$V" -t $((200 * SLOW)) exec "$G" -- sh -c "
	cd \$(mktemp -d)
	$SPILERUN -c true $B/refused.ko 2>&1
	$SPILERUN -c true $B/stack.ko 2>&1
	$SPILERUN -c true $B/canary.ko 2>&1
	echo status \$?")
echo "$out"
why="the kernel does not let this memory be watched: it uses it on the way into an exception"
# says TEXT...: each is in a line of its own.
says() {
	for text; do
		echo "$out" | grep -qF -- "$text" || { echo "there is no line with: $text"; exit 1; }
	done
}
for v in $own; do
	case $v in cpu_current_top_of_stack) [ -n "$(address $v)" ] || continue ;; esac
	says "kernel.data(\"$v\").length(4).rw: $why"
done
says "kernel.data(\"__cpu_online_mask\").length(8).rw: $why" "kernel.data($stack).length(8).rw: it is where the kernel puts stacks of tasks" \
	"goes on" "kernel.data(0x$canary).length(8).rw: $why" "status 1"
[ -n "$(address __cpu_present_mask)" ] || { echo "the kernel has no __cpu_present_mask"; exit 1; }
! echo "$out" | grep -e __cpu_present_mask -e hit || exit 1
