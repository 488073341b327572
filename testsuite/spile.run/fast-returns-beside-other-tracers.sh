#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two processes call functions whose bodies a frame of ours calls, one that sleeps and one that does not, while the kernel's function
# tracer, its graph of calls, a kprobe and a hook of the return come and go there, and other sessions too: each call is counted once.
# timeout: 600
# cost: 10
cd "$B" || exit 1
cat >beside.stp <<'X'
global n, m
probe kernel.function("__x64_sys_sched_getscheduler").return { n++ }
probe kernel.function("__x64_sys_nanosleep").return { if ($return == 0) m++ }
probe end { println(n, " ", m) }
X
"$SPILE" -r "$RELEASE" --fast-returns -p4 -m beside beside.stp -D STP_NO_OVERLOAD >/dev/null || exit 1
"$SPILE" -r "$RELEASE" --fast-returns -p4 -m other -e 'global n probe kernel.function("__x64_sys_nanosleep").return { n++ } probe kernel.function("__x64_sys_sched_getparam").return { n++ }
	probe end { println(n > 0) }' >/dev/null || exit 1
cat >beside-work.sh <<X
t=/sys/kernel/tracing
calls() { perl -e '\$nap = pack("qq", 0, 100000); until (-e "beside-over") { for (1..50) { for (1..20) { syscall(145, 0); syscall(143, 0, \$room = "x" x 64) } syscall(35, \$nap, 0) } \$n += 1000 } print "\$n\\n"' >\$1; }
rm -f beside-over
tools() {
	echo __x64_sys_sched_getscheduler __x64_sys_nanosleep >\$t/set_ftrace_filter || echo "no filter"
	for i in 1 2 3; do
		echo function >\$t/current_tracer || echo "no function tracer"
		echo 'p:beside/k __x64_sys_sched_getscheduler' >>\$t/kprobe_events && echo 1 >\$t/events/beside/k/enable || echo "no kprobe"
		echo 'r:beside/r __x64_sys_nanosleep' >>\$t/kprobe_events && echo 1 >\$t/events/beside/r/enable || echo "no return"
		echo nop >\$t/current_tracer
		echo function_graph >\$t/current_tracer || echo "no graph"
		echo 0 >\$t/events/beside/enable
		echo '-:beside/k' >>\$t/kprobe_events
		echo '-:beside/r' >>\$t/kprobe_events
		echo nop >\$t/current_tracer
		$SPILERUN -T 1 other.ko >other.out 2>other.err && [ "\$(cat other.out)" = 1 ] || cat other.out other.err
	done
	echo >\$t/set_ftrace_filter
}
calls one & one=\$!
calls two & two=\$!
tools
: >beside-over
wait \$one \$two
X
"$V" -t $((500 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN -v -c 'sh beside-work.sh' beside.ko >beside.out 2>beside.err; grep spile_calls /proc/modules" && { echo "it stays"; cat beside.err; exit 1; }
grep -q 'armed as callers of their functions: .*getscheduler.*nanosleep' beside.err || { cat beside.err; exit 1; }
n=$(($(cat one) + $(cat two)))
[ $n -gt 1000 ] && [ "$(head -1 beside.out)" = "$n $((n / 20))" ] || { echo "of $n calls:"; cat beside.out beside.err; exit 1; }
