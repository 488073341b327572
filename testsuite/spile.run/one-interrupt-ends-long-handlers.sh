#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A handler with a budget of minutes is ended by one interrupt, and by a kill: begin and end probes, those of programs, timers.  End probes run as
# always after it, also long ones.  One that keeps its CPU is ended without an interrupt.  The kernel does not complain.
# timeout: 400
# cost: 30
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
work='warn("works"); while (1) if (sprintf("%s %d", s, x++) == s) exit()'
cat >begin.stp <<Y
probe begin { $work }
probe end { for (i = 0; i < 50000; i++) n++; println(n, " at the end") }
Y
cat >caught.stp <<Y
function long_work() { $work; return x }
probe begin { exit(); try { long_work() } catch { println("no") } println("no") }
Y
cat >end.stp <<Y
probe begin { exit() }
probe end { $work }
probe end(1) { println("the last") }
Y
cat >user.stp <<Y
probe process("$W/steady").function("steady_work") { $work }
probe end { println("the end") }
Y
cat >timer.stp <<Y
probe timer.ms(100) { $work }
probe error { println("an error") }
Y
for m in begin caught end user timer; do
	"$SPILE" -w -r "$RELEASE" -D MAXACTION=100000000 -p4 -m long_$m $m.stp >/dev/null || fail "$m.stp does not compile"
done
"$SPILE" -w -r "$RELEASE" -D MAXACTION=100000000 -D STP_NO_OVERLOAD -p4 -m long_free timer.stp >/dev/null || fail "no"
cat >long.sh <<Y
. $S/../lib/await.sh
cd /tmp
started() { ! grep -q starting /proc/spile.long_begin/state; }
# module, how to end it, spilerun's options: the line, the result
try() {
	m=\$1 how=\$2; shift 2; : >out
	$SPILERUN -o out "\$@" $B/long_\$m.ko 2>err & r=\$!
	await_within 60 grep -q works err; sleep 0.3
	t=\$(date +%s%3N); [ \$how = none ] || kill -\$how \$r; wait \$r 2>/dev/null
	echo "== \$m \$how \$?"; t=\$((\$(date +%s%3N) - t))
	[ \$how = none ] || [ \$t -lt \$((4000 * $SLOW)) ] || echo "took \$t ms"
	cat out; sed 's/ near .*//; /works/d; /Number/d; /^WARNING: hits/d' err; rm -f out err
}
try begin INT
try begin KILL
await_within 20 started; cut -d' ' -f1 /proc/spile.long_begin/state
try caught TERM
try end INT
try user INT -c "$W/steady one 1 >/dev/null"
try timer none
try free none
dmesg | grep -E 'lockup|stalls|\\bBUG:|WARNING:'
Y
"$V" -t $((300 * SLOW)) exec "$G" -- sh "$B/long.sh" >long.got 2>&1
cat >long.want <<Y
== begin INT 0
50000 at the end
WARNING: the handler was interrupted before it was done
== begin KILL 137
stopped
== caught TERM 0
WARNING: the handler was interrupted before it was done
== end INT 0
the last
WARNING: the handler was interrupted before it was done
== user INT 0
the end
WARNING: the handler was interrupted before it was done
== timer none 1
an error
ERROR: the handler has kept its CPU for too long
  hint: do long work in end probes, which let others run, or in parts, by a timer
== free none 1
an error
ERROR: the handler has kept its CPU for too long
  hint: do long work in end probes, which let others run, or in parts, by a timer
Y
diff long.want long.got || fail "not what was expected"
