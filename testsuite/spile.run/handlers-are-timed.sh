#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -t: at the end there is a row for each probe that was hit, with as many hits as there were, also of handlers that otherwise are only counters,
# of returns, of several CPUs; one with a loop of some length takes longer than one without.
cd "$B" || exit 1
cat >timed.stp <<'Y'
global n, calls, turns
probe begin { n = 0 }
probe kernel.function("__x64_sys_sched_get_priority_max") { calls <<< 1 }
probe syscall.sched_get_priority_max { if (pid() == target()) n++ }
probe syscall.sched_get_priority_max.return { for (i = 0; i < 200; i++) turns <<< i }
probe process("/nowhere").begin ? { n++ }
probe kernel.function("vfs_rmdir") { n++ }
probe end { printf("%d %d %d\n", n, @count(calls), @count(turns)) }
Y
"$SPILE" -w -t -r "$RELEASE" -p4 -m timed timed.stp >/dev/null || exit 1
"$SPILE" -w -r "$RELEASE" -p4 -m untimed timed.stp >/dev/null || exit 1
cat >timed.sh <<Y
$SPILERUN -c "$W/systemcalls many 300 2" timed.ko >timed.out || echo "status \$?"
$SPILERUN -c "$W/systemcalls many 300 2" untimed.ko
sed 's/nsecs: .*//; s,(/.*/\\([a-z]*.stp\\):[0-9:]*,(\\1,' timed.out
awk '/nsecs/ { split(\$0, part, "nsecs: "); split(part[2], v, /[a-z\/]+/); if (v[1] + 0 <= v[2] + 0 && v[2] + 0 <= v[3] + 0 && v[3] > 0) sound++
	avg[NR] = v[2] } END { print sound " rows are sound"; print (avg[7] > avg[6] ? "a loop takes longer" : "a loop takes " avg[7] ", not more than " avg[6]) }' timed.out
Y
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/timed.sh" >out 2>&1
cat >want <<'Y'
calls 600
600 600 120000
calls 600
600 600 120000
----- probe hit report: 
begin, (timed.stp:2:7), hits: 1, 
kernel.function("__x64_sys_sched_get_priority_max"), (timed.stp:3:7), hits: 600, 
kernel.syscall("sched_get_priority_max"), (syscalls.stp), hits: 600, 
kernel.syscall("sched_get_priority_max").return, (syscalls.stp), hits: 600, 
end, (timed.stp:8:7), hits: 1, 
5 rows are sound
a loop takes longer
Y
diff want out
