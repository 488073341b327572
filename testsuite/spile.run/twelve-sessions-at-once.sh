#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Twelve sessions at once.  A module's static per-CPU data comes out of 8 KiB that the kernel has for all modules together, so
# ours have none, and the kernel does not complain.
# timeout: 400
cd "$B" || exit 1
cat >twelve.stp <<X
global n, returns, calls
probe kernel.function("vfs_read") { n++ }
probe kernel.function("vfs_read").return { returns++ }
probe process("$W/pound").function("pound_work").return { calls++ }
probe end { println(n > 0, " ", returns > 0, " ", calls > 0) }
X
"$SPILE" -r "$RELEASE" -p4 -m twelve twelve.stp >/dev/null || exit 1
readelf -SW twelve.ko >sections || exit 1
grep -q ' \.text ' sections || { echo "readelf does not tell the sections"; exit 1; }
grep percpu sections && { echo "the module has static per-CPU data"; exit 1; }
cat >twelve.sh <<Y
. $S/../lib/await.sh
cd /tmp; pids=
running() { cat /proc/spile.twelve*/state 2>/dev/null | grep -c running; }
for i in \$(seq 12); do $SPILERUN -w -s 1 -o out.\$i $B/twelve.ko 2>err.\$i & pids="\$pids \$!"; done
all_run() { [ \$(running) = 12 ]; }
await_within $((90 * SLOW)) all_run
echo "\$(running) sessions"
$W/pound 1 100 >/dev/null; cat /etc/passwd >/dev/null
for p in \$pids; do kill -INT \$p; done
for p in \$pids; do wait \$p || echo "exit status \$?"; done
for i in \$(seq 12); do cat out.\$i err.\$i; rm -f out.\$i err.\$i; done
dmesg | grep -E 'percpu: alloc|percpu data'
grep ^twelve /proc/modules
Y
"$V" -t $((300 * SLOW)) exec "$G" -- sh "$B/twelve.sh" >twelve.got 2>&1
{ echo "12 sessions"; for i in $(seq 12); do echo "1 1 1"; done; } | diff - twelve.got || { echo "not what was expected"; exit 1; }
