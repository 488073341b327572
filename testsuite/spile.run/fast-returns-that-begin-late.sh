#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Between the load of a session's module and its arming another session ends, which unloads what nobody holds: the module that calls
# bodies of functions is held from the load on.  It is let go when the session never arms anything, and where it is not there, a session that
# asked for it says so and goes on.
# timeout: 300
# cost: 30
. "$S/../lib/await.sh"
cd "$B" || exit 1
cat >late.stp <<'X'
%{
#include <linux/delay.h>
#include <linux/panic.h>
%}
function timeout:long() %{ udelay(200); STAP_RETVALUE = READ_ONCE(panic_timeout); %}
global n
probe begin { while (timeout() != 7777) {} }
probe kernel.function("hrtimer_nanosleep").return { n++ }
probe end { println(n) }
X
"$SPILE" -r "$RELEASE" -g --suppress-time-limits --fast-returns -p4 -m late late.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m plain -e 'probe begin { exit() }' >/dev/null || exit 1
objcopy -R .spile.calls late.ko alone.ko || exit 1
cat >late-work.sh <<X
. $S/../lib/await.sh
calls=/sys/module/spile_calls_1
was=\$(sysctl -n kernel.panic)
go() { sysctl -qw kernel.panic=7777; }
stop() { sysctl -qw kernel.panic=\$was; }
is_held() { [ "\$(cat \$calls/refcnt 2>/dev/null)" = 1 ]; }
$SPILERUN -v -c 'sleep 0.01' late.ko >late.out 2>late.err & late=\$!
await is_held || bad "not held"
for i in 1 2; do $SPILERUN -v plain.ko >plain.out 2>plain.err || bad "plain: \$(cat plain.err)"; done
grep -q 'spile_calls_1 stays' plain.err || bad "plain: \$(cat plain.err)"
go
wait \$late || bad "late: \$(cat late.err)"
grep -q 'armed as callers of their functions: kernel.function("hrtimer_nanosleep").return' late.err || bad "late: \$(cat late.err)"
[ "\$(cat late.out)" -ge 1 ] || bad "late: \$(cat late.out)"
[ ! -d \$calls ] || bad "it stays: \$(cat late.err)"
stop

# ended while its begin handler runs
$SPILERUN -v late.ko >early.out 2>early.err & early=\$!
await is_held || bad "not held by the second"
kill -INT \$early
sleep 0.2
go
wait \$early
[ ! -d \$calls ] || bad "it stays after a session that armed nothing: \$(cat early.err)"

# without it
$SPILERUN -c 'sleep 0.01' alone.ko >alone.out 2>alone.err || bad "alone: \$(cat alone.err)"
grep -q 'spile_calls_1 is not loaded (-v says why): 1 return is hooked instead' alone.err || bad "alone: \$(cat alone.err)"
[ "\$(cat alone.out)" -ge 1 ] || bad "alone: \$(cat alone.out)"
stop
echo well
X
"$V" -t $((250 * SLOW)) exec "$G" -- sh -c "cd $B && sh late-work.sh" >late-said 2>&1
tail -1 late-said | grep -qx well || { cat late-said; exit 1; }
