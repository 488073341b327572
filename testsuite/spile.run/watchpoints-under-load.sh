#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions come and go while all CPUs hit what they watch, in tasks and in interrupts, and while a CPU goes and comes.  Each sees hits, and ends
# well.  A session whose handlers take too much of a CPU ends by itself.
# cost: 30
cat >"$B/load.stp" <<'X'
global n, ticks, on
probe kernel.data("panic_timeout").length(4).rw { n++ }
probe kernel.data("jiffies").length(8).write { ticks++ }
probe timer.ms(20) { on = !on }
probe kernel.data("process_counts").rw if (on) { n++ }
probe kernel.data("panic_timeout").length(4).write if (on) { printf("%d %s\n", $after, execname()) }
probe end { printf("%d %d\n", n > 0, ticks > 0) }
X
cat >"$B/greedy.stp" <<'X'
global n
probe kernel.data("jiffies").length(8).write { for (i = 0; i < 200; i++) n = sprint(i) }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m watch_load load.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m watch_greedy -D STP_OVERLOAD_THRESHOLD=1 -D STP_OVERLOAD_INTERVAL=10000000 greedy.stp >/dev/null || exit 1
cat >"$B/cycles" <<X
online=/sys/devices/system/cpu/cpu1/online
trap 'kill \$one \$two' EXIT
sh -c 'while :; do echo 0 >/proc/sys/kernel/panic; done' & one=\$!
sh -c 'while :; do read x </proc/sys/kernel/panic; done' & two=\$!
i=0
while [ \$i -lt 8 ]; do
	i=\$((i + 1))
	change=true
	[ \$((i % 2)) = 1 ] || change="echo 0 >\$online; echo 1 >\$online"
	$SPILERUN -c "sleep 0.4; \$change; sleep 0.1" watch_load.ko >out 2>err || { echo "exit status \$?"; cat err; exit 1; }
	[ "\$(tail -n 1 out)" = "1 1" ] || { tail -n 1 out; exit 1; }
done
$SPILERUN -T 30 watch_greedy.ko 2>&1 | grep -q 'probe overhead' || { echo "a greedy handler goes on"; exit 1; }
! grep ^watch_ /proc/modules
X
"$V" -t $((400 * SLOW)) exec "$G" -- sh -c "cd $B && sh cycles"
