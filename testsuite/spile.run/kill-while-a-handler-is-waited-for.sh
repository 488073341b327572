#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The loader is killed while it waits for a handler that runs for long: the handler gives up, and the session ends.
cd "$B" || exit 1
cat >long.stp <<'EOF'
global inside
probe process(@1).function("recursion_down").call { inside = 1; for (i = 0; i < 99000000; i++) s = sprintf("%d", i); println(s) }
probe timer.ms(50) { if (inside) exit() }
EOF
"$SPILE" -w -r "$RELEASE" -D MAXACTION=100000000 -D STP_NO_OVERLOAD -p4 -m long long.stp "$W/recursion" >/dev/null || exit 1
cat >long-run.sh <<EOF
cd $B
. $S/../lib/await.sh
until_true() { await_within $((60 * SLOW)) "\$@"; }
is_stopping() { grep -q stopping /proc/spile.long/state; }
is_over() { ! grep -q 'stopping\|running' /proc/spile.long/state 2>/dev/null; }
fail() { echo "\$*"; cat long.err; exit 1; }
$SPILERUN -o long.out long.ko 2>long.err & r=\$!
until_true grep -q running /proc/spile.long/state 2>/dev/null
$W/recursion 1 1 >/dev/null & p=\$!
until_true is_stopping || fail 'it does not stop'
kill -KILL \$r
until_true is_over || fail 'the handler is waited for'
wait \$p || fail 'the program failed'
echo over
EOF
"$V" -t $((120 * SLOW)) exec "$G" -- sh "$B/long-run.sh"
