#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# When the loader is killed, arrays and buffers of its session are given back at once, though the module stays until the next session; whatever the
# session had: returns of kernel functions and programs, stacks, timers, conditions, a procfs file that somebody reads.  The next session removes the module.
# timeout: 700
# cost: 10
cd "$B" || exit 1
cat >held.stp <<'EOF'
global a[300000], n, on = 1, stacks
probe begin { for (i = 0; i < 300000; i++) a[i, "x"] = i }
probe kernel.function("vfs_read").return { n++ }
probe kernel.function("vfs_write").return { if (@entry(gettimeofday_ns())) stacks[backtrace()] <<< 1 }
probe process(@1).function("recursion_down").return { n++ }
probe syscall.read.return { n++ }
probe kernel.trace("sched:sched_switch") { n++ }
probe timer.profile { stacks[ubacktrace()] <<< 1 }
probe kernel.function("vfs_open") if (on) { n++ }
probe procfs("n").read { $value = sprint(n) }
EOF
echo 'probe begin { println("next"); exit() }' >next.stp
"$SPILE" -w -r "$RELEASE" -D MAXACTION=100000000 -D MAXMAPENTRIES=300000 -D STP_NO_OVERLOAD -p4 -m held held.stp "$W/recursion" >/dev/null || exit 1
"$SPILE" -w -r "$RELEASE" -p4 -m next next.stp >/dev/null || exit 1
cat >held-run.sh <<EOF
cd $B
. $S/../lib/await.sh
# In MB, without what the page cache has.
taken() { awk '/^(MemTotal|MemFree|Buffers|Cached|SReclaimable):/ { n[\$1] = \$2 } END { print int((n["MemTotal:"] - n["MemFree:"] - n["Buffers:"] - n["Cached:"] - n["SReclaimable:"]) / 1024) }' /proc/meminfo; }
is_over() { grep -q stopped /proc/spile.held/state; }
is_back() { [ \$(taken) -lt \$((before + 60)) ]; }
before=\$(taken)
$SPILERUN -o held.out held.ko 2>held.err & r=\$!
await_within $((300 * SLOW)) grep -qs running /proc/spile.held/state || { cat held.err; bad 'it does not run'; }
[ \$(taken) -gt \$((before + 200)) ] || bad "it takes \$(taken) MB, and before \$before: too little for this test"
$W/recursion 1 2000 >/dev/null & p=\$!
sh -c 'while cat /proc/spile.held/n; do :; done' >/dev/null 2>&1 & reader=\$!
kill -KILL \$r
wait \$r; wait \$p
await_within $((60 * SLOW)) is_over || bad "it does not end"
await_within $((20 * SLOW)) is_back && echo given back || bad "before \$before MB, now \$(taken)"
grep -q '^held ' /proc/modules && echo still loaded
wait \$reader
sh -c : ; cat /proc/self/maps /proc/spile.held/state >/dev/null
$SPILERUN next.ko
grep -q '^held ' /proc/modules || echo gone
EOF
"$V" -t $((600 * SLOW)) exec "$G" -- sh "$B/held-run.sh" >held.said
printf '%s\n' 'given back' 'still loaded' next gone | cmp -s - held.said || { cat held.said; exit 1; }
