#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sixty calls that sleep in one function: no return of it or of another is lost, with few return probes and with hundreds.
# cost: 10
cd "$B" || exit 1
cat >sleepers.sh <<EOF
. $S/../lib/await.sh
seconds=$((60 * SLOW))
EOF
cat >>sleepers.sh <<'EOF'
pids=
for i in $(seq 60); do sleep 1000 & pids="$pids $!"; done
asleep() { [ "$(cat /proc/[0-9]*/stat 2>/dev/null | grep -c '(sleep) S')" -ge 60 ]; }
await_within $seconds asleep
head -c 100000 /dev/zero | dd bs=100 of=/dev/null 2>/dev/null
kill $pids
wait
EOF
for more in '' 'kernel.function("tcp_*").return, kernel.function("udp_*").return,'; do
	cat >sleepers.stp <<EOF
global slept, others, n, r
probe kernel.function("hrtimer_nanosleep").return { slept++ }
probe kernel.function("vfs_read") { n++ }
probe kernel.function("vfs_read").return { r++ }
probe $more kernel.function("vfs_write").return { others++ }
probe end { printf("%d %d %d\n", slept >= 60, n > 1000, others >= 1000 && n - r < 20) }
EOF
	"$SPILE" -w -r "$RELEASE" -p4 -m sleepers sleepers.stp >/dev/null || exit 1
	"$V" -t 60 exec "$G" -- sh -c "cd $B && $SPILERUN -c 'sh sleepers.sh' sleepers.ko >sleepers.out 2>sleepers.err" || { cat sleepers.err; exit 1; }
	[ "$(cat sleepers.out)" = '1 1 1' ] || { echo "counts: $(cat sleepers.out)"; exit 1; }
	grep -q 'too many calls' sleepers.err && { cat sleepers.err; exit 1; }
done
exit 0
