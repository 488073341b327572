#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The kernel pauses a clock that comes more often than it allows until its next tick: each pause is counted, and a warning says why.
echo 'global n; probe perf.sw.cpu_clock.sample(200000) { n++ } probe end { println(n > 100 && n < 16 * HZ()) }' >"$B/paused.stp"
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m paused paused.stp >/dev/null || exit 1
cat >"$B/paused" <<X
rate=/proc/sys/kernel/perf_event_max_sample_rate
was=\$(cat \$rate)
trap 'echo \$was >\$rate' EXIT
echo 500 >\$rate
$SPILERUN -v -c 'timeout 2 sh -c "while :; do :; done"; true' paused.ko >out 2>err || { cat err; exit 1; }
[ "\$(cat out)" = 1 ] || { echo "too few hits, or too many: \$(cat out)"; cat err; }
grep -q 'probe perf.type(1).config(0).sample(200000): the event comes more often than kernel.perf_event_max_sample_rate allows' err || { echo "no warning"; cat err; }
grep -q 'the kernel could not deliver the hit: [1-9][0-9]' err || { echo "not counted"; cat err; }
X
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh -c "cd $B && sh paused" 2>&1) && [ -z "$out" ] || { echo "$out"; exit 1; }
