#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Entry and return of what handlers themselves use, and of what exceptions pass through: every hit is handled or skipped, and the kernel
# goes on without complaint.  Counters, which run without a context, are in a second module, and statistics, whose handlers are entered in a
# shorter way, in a third.
# cost: 10
cd "$B" || exit 1
points=
for name in '*nofault*' '*exception*' 'do_*_fault' 'do_*_addr_fault' '*bad_area*' '*int3*' '*nmi*' 'unwind_*' '__unwind_*' 'stack_trace_*' \
	'sprint_*' 'kallsyms_*' 'vprintk*' '_printk' 'vsnprintf' 'format_decode' 'relay_*' 'irq_work_*' 'ktime_*' '*sched_clock*' 'local_clock*' \
	'timekeeping_*' 'notify_die' '*notifier_call*' 'rcu_*' '__rcu_*' '*rethook*' '*kprobe*' 'ftrace_*' 'text_poke*' 'hrtimer_*' \
	'preempt_*' 'rb_*' 'ring_buffer_*' 'kmem_cache_*' '__kmalloc*' 'irq_enter*' 'irq_exit*' '__irq_*' 'perf_*event*' 'try_to_wake_up' 'schedule*'; do
	points="$points kernel.function(\"$name\")?, kernel.function(\"$name\").return?,"
done
cat >uses.stp <<EOF
global n, r
probe $points kernel.function("vfs_read")
{
	n++
	try {
		if (n % 50 == 0) printf("%s %s %s\n", ppfunc(), symname(addr()), kernel_string_n(0xffffffffff, 20))
		if (n % 250 == 0) print_backtrace()
	} catch { r++ }
}
probe end { println(n > 1000 && r > 1) }
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m uses uses.stp -D STP_NO_OVERLOAD >/dev/null || exit 1
printf '%s\n' "global n probe $points kernel.function(\"vfs_read\") { n++ } probe end { println(n > 10000) }" >counts.stp
"$SPILE" -w -r "$RELEASE" -p4 -m counts counts.stp -D STP_NO_OVERLOAD >/dev/null || exit 1
printf '%s\n' "global s, a probe $points kernel.function(\"vfs_read\") { s <<< gettimeofday_ns() & 0xff; a[tid() & 0xf]++ }" \
	'probe end { println(@count(s) > 10000 && a[1] >= 0) }' >feeds.stp
"$SPILE" -w -r "$RELEASE" -p4 -m feeds feeds.stp -D STP_NO_OVERLOAD >/dev/null || exit 1
cat >uses-work.sh <<'EOF'
cat /proc/self/maps /proc/self/stack /proc/kallsyms | head -500 >/dev/null
ls -l /proc/self/fd >/dev/null
kill -0 $$
sleep 0.01
echo "functions that handlers use" >/dev/kmsg
EOF
for m in uses counts feeds; do
	"$V" -t 100 exec "$G" -- sh -c "cd $B && $SPILERUN -w -c 'sh uses-work.sh' $m.ko >uses.out 2>uses.err"
	status=$?
	[ $status = 0 ] && [ "$(tail -n 1 uses.out)" = 1 ] && continue
	echo "$m: exit status $status"
	tail -n 3 uses.out uses.err
	exit 1
done
