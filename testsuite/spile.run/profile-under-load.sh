#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two sessions at a time with thousands of samples, all switches and faults of each CPU, and counters of threads that end come and go while every CPU is busy, and
# others fork and crash.  Each sees hits of all kinds, ends well and leaves no module; lib/spile.exp checks the console.
# cost: 100
cat >"$B/load.stp" <<'X'
global n, on, text
probe timer.profile.freq.hz(2000) { n[0]++; if (!user_mode()) text = backtrace() }
probe perf.sw.context_switches.sample(1) { n[1]++; text = execname() }
probe perf.sw.page_faults.sample(1), perf.sw.page_faults.hz(500) { n[2]++; on++ }
probe perf.sw.cpu_migrations.sample(1)?, perf.sw.task_clock.process { n[3]++ }
probe perf.sw.page_faults.process("faults").counter("faults"), perf.sw.context_switches.counter("switches") {}
probe process("faults").function("faults_work").return { if (@perf("faults") > 0) n[5]++ ; n[6] = @perf("switches") }
probe timer.profile if (on % 100 > 50) { n[4]++ }
probe end { printf("%d %d %d %d %d %d %d\n", n[0] > 0, n[1] > 0, n[2] > 0, n[3] > 0, n[5] > 0, n[6] > 0, text != "") }
X
cd "$B" || exit 1
for m in one two; do PATH=$W:$PATH "$SPILE" -r "$RELEASE" -p4 -m "samples_$m" -c 'sleep 1' load.stp >/dev/null || exit 1; done
cat >"$B/cycles" <<X
trap 'kill \$busy \$storm \$faults' EXIT
$W/busy 2 600 >/dev/null 2>&1 & busy=\$!
while :; do $W/forks 8; $W/crash 1; cat /proc/self/maps; done >/dev/null 2>&1 & storm=\$!
while :; do $W/faults 4 50; done >/dev/null 2>&1 & faults=\$!
i=0
while [ \$i -lt 5 ]; do
	$SPILERUN -c 'sleep 1.4' samples_one.ko >one.out 2>one.err & one=\$!
	$SPILERUN -c 'sleep 1.2' samples_two.ko >two.out 2>two.err || { echo "two: exit status \$?"; cat two.err; exit 1; }
	wait \$one || { echo "one: exit status \$?"; cat one.err; exit 1; }
	for f in one.out two.out; do
		[ "\$(cat \$f)" = "1 1 1 1 1 1 1" ] || { echo "\$f: \$(cat \$f)"; exit 1; }
	done
	i=\$((i + 1))
done
! grep ^samples_ /proc/modules
X
"$V" -t $((400 * SLOW)) exec "$G" -- sh -c "cd $B && sh cycles"
