#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tasks end inside bodies that were called for a session: they never come back, so their calls are never counted as over.  The module that
# called them finds that no stack has them any more, and leaves with the next session.  Not as long as another task sleeps in such a body.
# timeout: 400
# cost: 100
. "$S/../lib/await.sh"
cd "$B" || exit 1
cat >killed.stp <<'X'
global n, m
probe kernel.function("get_signal").return { n++ }
probe kernel.function("hrtimer_nanosleep").return { m++ }
probe end { println(n, " ", m) }
X
"$SPILE" -r "$RELEASE" --fast-returns -p4 -m killed killed.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m plain -e 'probe begin { exit() }' >/dev/null || exit 1
cat >killed-work.sh <<X
. $S/../lib/await.sh
calls=/sys/module/spile_calls_1
is() { [ "\$(cat \$calls/\$1)" = "\$2" ]; }
is_over() { is parameters/under_way 0 && is refcnt 0; }
plain() { $SPILERUN -v plain.ko >plain.out 2>plain.err || bad "plain: \$(cat plain.err)"; }
rm -f asleep

# twenty end in get_signal(); asked while the session runs, since soon after it the first look finds that they are over
cat >twenty.sh <<Y
perl -e 'for (1..20) { fork || kill(9, \\\$\\\$) } 1 while wait > 0'
cat \$calls/parameters/under_way >counted
Y
rm -f counted
$SPILERUN -v -c 'sh twenty.sh' killed.ko >killed.out 2>killed.err || bad "\$(cat killed.err)"
grep -q 'armed as callers of their functions: kernel.function("get_signal").return' killed.err || bad "armed: \$(cat killed.err)"
[ "\$(cat counted)" -ge 20 ] || bad "counted: \$(cat counted)"
# A slow machine takes longer to end the session than to look: then it has gone.
[ ! -d \$calls ] || { await is_over; plain; }
[ ! -d \$calls ] || bad "it stays: \$(cat plain.err)"

# and one sleeps
cat >first.sh <<Y
sleep $((20 * SLOW)) & echo \\\$! >asleep
perl -e 'for (1..20) { fork || kill(9, \\\$\\\$) } 1 while wait > 0'
sleep 0.5
Y
$SPILERUN -v -c 'sh first.sh' killed.ko >killed.out 2>killed.err || bad "\$(cat killed.err)"
sleep 8
plain
kill -0 \$(cat asleep) || bad "it slept too short"
is refcnt 1 || bad "not held: \$(cat \$calls/refcnt \$calls/parameters/under_way)"
wait_asleep() { ! kill -0 \$(cat asleep) 2>/dev/null; }
await wait_asleep
await is_over
plain
[ ! -d \$calls ] || bad "it stays after the sleep: \$(cat plain.err)"
echo well
X
"$V" -t $((350 * SLOW)) exec "$G" -- sh -c "cd $B && sh killed-work.sh" >killed-said 2>&1
tail -1 killed-said | grep -qx well || { cat killed-said; exit 1; }
