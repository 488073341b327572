#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Processes that sleep when a session starts sleep on, those that match and those that do not.  The former are reported when they go to
# user mode next.  Their ends come in any case, here of one that is stopped when the session starts and is killed then.
# cost: 10
cat >"$B/matched.stp" <<'X'
global begins, ends, thread_begins, thread_ends
probe process("sleeps").begin { begins++ }
probe process("sleeps").end { ends++ }
probe process("sleeps").thread.begin { thread_begins++ }
probe process("sleeps").thread.end { thread_ends++ }
probe end { printf("begins %d %d ends %d %d\n", begins, thread_begins, ends, thread_ends) }
X
cat >"$B/unmatched.stp" <<'X'
probe process("busy").begin, process("busy").thread.begin, process("busy").end { println("wrong: ", execname()) }
X
cat >"$B/everybody.stp" <<'X'
global n
probe process.begin, process.thread.begin, process.end { n++ }
probe end { println(n > 0) }
X
cd "$B" || exit 1
for name in matched unmatched everybody; do
	PATH=$W:$PATH "$SPILE" -r "$RELEASE" -p4 -m "sleeps_$name" $name.stp >/dev/null || exit 1
done
cat >"$B/nobody" <<X
. $S/../lib/await.sh
# are PID STATE: its five threads
are_now() { [ "\$(cat /proc/\$1/task/*/stat 2>/dev/null | grep -c ") \$2 ")" = 5 ]; }
are() { await_within $((120 * SLOW)) are_now \$*; }
dir=\$(mktemp -d) && cd \$dir && mkfifo asleep stopped || exit 1
$W/sleeps <asleep >out & asleep=\$!
$W/sleeps <stopped & stopped=\$!
(await_within $((120 * SLOW)) test -e ended) >asleep 2>stopped &
are \$asleep S
are \$stopped S
kill -STOP \$stopped
are \$stopped T
$SPILERUN -c true $B/sleeps_unmatched.ko || exit 1
[ "\$($SPILERUN -c true $B/sleeps_everybody.ko)" = 1 ] || { echo "everybody: nobody"; exit 1; }
cat >end <<'Y'
kill -KILL \$2
touch ended
. $S/../lib/await.sh
are_gone() { ! kill -0 \$1 2>/dev/null && ! kill -0 \$2 2>/dev/null; }
await_within $((120 * SLOW)) are_gone \$1 \$2
Y
$SPILERUN -o matched.out -c "sh end \$asleep \$stopped" $B/sleeps_matched.ko
cat out matched.out
X
out=$("$V" -t 120 exec "$G" -- sh "$B/nobody" 2>&1)
[ "$(echo "$out" | tail -2)" = "interrupted 0
begins 1 4 ends 2 8" ] || { echo "$out"; exit 1; }
