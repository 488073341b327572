#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Thousands of timers, and hundreds of clocks, each as fast as it can be: a hundred times what a CPU can serve.  Such a script is refused; where conditions hide it
# from the translator, the session ends itself while they are still being armed or soon after, and the machine goes on.
# cost: 10
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
# many N POINT [IF]: a script of so many probes, whose handlers do little.
many() {
	awk -v n="$1" -v point="$2" -v cond="${3-}" 'BEGIN {
		print "global on = 1, n"
		for (i = 0; i < n; i++) print "probe " point " " cond " { n++ }"
		print "probe timer.s(60) { println(\"not ended\") exit() }"
	}'
}
many 3000 'timer.us(100)' >plain.stp
"$SPILE" -p2 -r "$RELEASE" plain.stp >/dev/null 2>plain.err && fail "3000 timers are not refused"
grep -q 'error: timers and clocks have 30000000 hits a second on one CPU, and at most 200000 are allowed \[too-often\]' plain.err || fail "refused otherwise: $(cat plain.err)"
many 3000 'timer.us(100)' 'if (on)' >timers.stp
many 300 'perf.sw.cpu_clock.sample(1)' 'if (on)' >clocks.stp
for m in timers clocks; do
	"$SPILE" -r "$RELEASE" -p4 -m "many_$m" $m.stp >/dev/null || fail "$m.stp does not compile"
	"$V" -t $((120 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN many_$m.ko" >$m.out 2>$m.err
	status=$?
	[ $status -eq 1 ] && [ ! -s $m.out ] && grep -q 'ERROR: probe overhead .* exceeded threshold' $m.err ||
		fail "$m: exit status $status: $(cat $m.out $m.err)"
done
