#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Two sessions at a time come and go while every CPU is busy in the functions that they probe, and others fork, crash and recurse in
# them.  Each sees hits, ends well and leaves no module; lib/spile.exp checks the console.
# cost: 30
cat >"$B/user.stp" <<'X'
global n, saved
probe process("busy").function("busy_work") { n++ }
probe process("busy").function("busy_work").return { if (@entry($a) >= 0) saved++ }
probe process("forks").function("*_work").return, process("crash").function("crash_work").return { n++ }
probe timer.ms(1) { n++ }
probe process.begin, process.end, process.thread.begin, process.thread.end { n++ }
probe end { printf("%d %d\n", n > 0, saved > 0) }
X
cat >"$B/kernel.stp" <<'X'
global n, saved, bytes
probe kernel.function("vfs_read"), kernel.function("do_nanosleep"), kernel.function("handle_mm_fault") { n++ }
probe kernel.function("vfs_open"), kernel.function("__d_lookup_rcu"), kernel.function("vm_area_dup"), kernel.function("fput") { n++ }
probe kernel.function("vfs_write") { bytes[tid() % 100] <<< $count }
probe kernel.function("do_sys_openat2").return { bytes[$return < 0] <<< 1 }
probe kernel.function("hrtimer_nanosleep").return, kernel.function("ksys_read").return { n++ }
probe kernel.function("vfs_read").return, kernel.function("do_nanosleep").return { n++ }
probe kernel.function("handle_mm_fault").return { if (@entry($address)) saved++ }
probe end { foreach (t in bytes) fed += @count(bytes[t]); printf("%d %d\n", n > 0 && fed, saved > 0) }
X
cd "$B" || exit 1
for name in user kernel; do
	PATH=$W:$PATH "$SPILE" -r "$RELEASE" -p4 -m "load_$name" $name.stp >/dev/null || exit 1
done
cat >"$B/cycles" <<X
trap 'kill \$busy \$storm' EXIT
$W/busy 2 600 >/dev/null 2>&1 & busy=\$!
while :; do $W/forks 8; $W/crash 1; $W/recursion 10 1; cat /proc/self/maps; done >/dev/null 2>&1 & storm=\$!
i=0
while [ \$i -lt 5 ]; do
	$SPILERUN -c 'sleep 0.3' load_user.ko >user.out 2>user.err & user=\$!
	$SPILERUN -c 'sleep 0.2' load_kernel.ko >kernel.out 2>kernel.err || { echo "kernel: exit status \$?"; cat kernel.err; exit 1; }
	wait \$user || { echo "user: exit status \$?"; cat user.err; exit 1; }
	for f in user.out kernel.out; do
		[ "\$(cat \$f)" = "1 1" ] || { echo "\$f: \$(cat \$f)"; exit 1; }
	done
	i=\$((i + 1))
done
! grep ^load_ /proc/modules
X
"$V" -t 400 exec "$G" -- sh -c "cd $B && sh cycles"
