#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The end of -T does what the first interrupt does: handlers with a budget of minutes give up, begin probes too, which have this time for
# themselves; end probes run as always, also long ones, and also when the time ends while they run.
# timeout: 400
# cost: 10
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
# A turn of it takes so long that no machine is through with the budget in the seconds of these tests.
numbers=$(yes '%19d' | head -n 20 | tr '\n' ' ') values=$(yes ', x' | head -n 19 | tr -d '\n')
work="while (1) if (sprintf(\"$numbers\", x++$values) == \"\") exit()"
cat >begin.stp <<Y
probe begin { $work }
probe begin(1) { println("no") }
probe end { for (i = 0; i < 50000; i++) n++; println(n, " at the end") }
Y
cat >user.stp <<Y
probe begin { println("begin") }
probe process("$W/steady").function("steady_work") { $work }
probe end { println("the end") }
Y
cat >end.stp <<Y
probe begin { println("begin") }
probe timer.ms(500) { exit() }
probe end { t = gettimeofday_ms(); while (gettimeofday_ms() < t + 2500) if (sprintf("%s %d", s, n++) == s) exit(); println(n > 0, " at the end") }
Y
for m in begin user end; do
	"$SPILE" -w -r "$RELEASE" -D MAXACTION=100000000 -p4 -m time_$m $m.stp >/dev/null || fail "$m.stp does not compile"
done
cat >time.sh <<Y
cd /tmp
# module, spilerun's options: the line, the result
try() {
	m=\$1; shift; : >out
	t=\$(date +%s%3N)
	$SPILERUN -o out "\$@" $B/time_\$m.ko 2>err
	echo "== \$m \$?"; t=\$((\$(date +%s%3N) - t))
	[ \$t -lt \$((20000 * $SLOW)) ] || echo "took \$t ms"
	cat out; sed 's/ near .*//; /Number/d; /^WARNING: hits/d' err; rm -f out err
}
try begin -T 1
try user -T $((6 * SLOW)) -c "$W/steady one 1 >/dev/null" # enough for it to come to its function
try end -T 2
Y
"$V" -t $((300 * SLOW)) exec "$G" -- sh "$B/time.sh" >time.got 2>&1
cat >time.want <<Y
== begin 0
50000 at the end
WARNING: the handler was interrupted before it was done
== user 0
begin
the end
WARNING: the handler was interrupted before it was done
== end 0
begin
1 at the end
Y
diff time.want time.got || fail "not what was expected"
