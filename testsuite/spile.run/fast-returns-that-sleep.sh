#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A session ends while thousands of calls sleep in bodies that were called for it: its module leaves at once, and the module that called
# them stays as long as they sleep.  The next session uses it too.  When they have ended, it leaves with the session that ends next.  When a
# loader is killed, the next one removes it.
# timeout: 900
# cost: 30
. "$S/../lib/await.sh"
cd "$B" || exit 1
cat >naps.stp <<'X'
global n
probe kernel.function("hrtimer_nanosleep").return { n++ }
probe end { println(n) }
X
"$SPILE" -r "$RELEASE" --fast-returns -p4 -m naps naps.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m plain -e 'probe begin { exit() }' >/dev/null || exit 1
cat >naps-work.sh <<X
. $S/../lib/await.sh
naps=10000
calls=/sys/module/spile_calls_1
is() { [ "\$(cat \$calls/\$1)" = "\$2" ]; }
here() { [ -d \$calls ]; }
sessions() { grep -c '^naps' /proc/modules; }
echo 100000 >/proc/sys/kernel/threads-max; echo 100000 >/proc/sys/kernel/pid_max; echo 200000 >/proc/sys/vm/max_map_count

cat >first.sh <<Y
$W/naps \$naps $B/begun >naps.out 2>&1 &
echo \\\$! >naps.pid
for i in \\\$(seq $((1000 * SLOW))); do [ -e $B/begun ] && [ "\\\$(cat \$calls/parameters/under_way)" -ge \$naps ] && break; sleep 0.2; done
Y
rm -f begun
$SPILERUN -v -c 'sh first.sh' naps.ko >first.out 2>first.err || bad "first: \$(cat first.err)"
grep -q 'armed as callers of their functions: kernel.function("hrtimer_nanosleep").return' first.err || bad "first: \$(cat first.err)"
[ "\$(cat first.out)" -ge 1 ] || bad "first: \$(cat first.out)"
[ \$(sessions) = 0 ] || bad "the session's module stays: \$(cat /proc/modules)"
is parameters/under_way \$naps || bad "under way: \$(cat \$calls/parameters/under_way)"
is refcnt 1 || bad "held: \$(cat \$calls/refcnt)"
rmmod spile_calls_1 2>/dev/null && bad "it could be removed"
p=\$(cat naps.pid)
t=\$(ls /proc/\$p/task | sed -n 500p)
is_asleep() { [ "\$(cat /proc/\$p/task/\$t/wchan)" = hrtimer_nanosleep ]; }
is_asleep || bad "asleep in \$(cat /proc/\$p/task/\$t/wchan)"
grep -c calls_entry /proc/\$p/task/\$t/stack | grep -qx 1 || bad "stack: \$(cat /proc/\$p/task/\$t/stack)"

# two at once: one of them has the place of the function
$SPILERUN -v -c 'sh -c "for i in 1 2 3 4 5 6 7 8; do sleep 0.5; done"' naps.ko >a.out 2>a.err & a=\$!
sleep 1
$SPILERUN -v -c 'sh -c "sleep 0.1; sleep 0.1"' naps.ko >b.out 2>b.err || bad "b: \$(cat b.err)"
wait \$a || bad "a: \$(cat a.err)"
grep -q 'armed as callers' a.err || bad "a: \$(cat a.err)"
[ "\$(cat a.out)" -ge 8 ] && [ "\$(cat b.out)" -ge 2 ] || bad "two: \$(cat a.out b.out)"
grep -q 'loaded spile_calls_1' a.err b.err && bad "loaded again: \$(cat a.err b.err)"

rm begun
wait_naps() { ! kill -0 \$p 2>/dev/null; }
await_within $((200 * SLOW)) wait_naps || bad "naps do not end"
[ "\$(cat naps.out)" = "slept \$naps" ] || bad "naps: \$(cat naps.out)"
is_free() { is refcnt 0; }
await_within $((200 * SLOW)) is_free || bad "still held: \$(cat \$calls/refcnt \$calls/parameters/under_way)"
$SPILERUN -v plain.ko >c.out 2>c.err || bad "c: \$(cat c.err)"
here && bad "it stays: \$(cat c.err)"

# killed
$SPILERUN -T 100 naps.ko >d.out 2>d.err & d=\$!
holds() { here && ! is_free; }
await holds
kill -9 \$d
wait \$d 2>/dev/null
gone() { [ \$(sessions) = 0 ]; }
$SPILERUN -v plain.ko >e.out 2>e.err || bad "e: \$(cat e.err)"
await gone
$SPILERUN -v plain.ko >f.out 2>f.err || bad "f: \$(cat f.err)"
here && bad "after a kill: \$(cat f.err)"
echo well
X
"$V" -t $((800 * SLOW)) exec "$G" -- sh -c "cd $B && sh naps-work.sh" >naps-said 2>&1
tail -1 naps-said | grep -qx well || { cat naps-said; exit 1; }
