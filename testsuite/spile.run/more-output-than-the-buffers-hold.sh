#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Begin and end probes print three times what the buffers hold, with warnings between, while the session starts and stops; also when the
# first has asked for the end.  All of it arrives, in order.
cat >"$B/much.stp" <<'Y'
function lines(what) {
	for (i = 0; i < 30000; i++) {
		if (i % 1000 == 0) warn(sprintf("%s %d", what, i))
		printf("%s %5d xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", what, i)
	}
}
probe begin { exit(); lines("begin") }
probe end { lines("end..") }
Y
"$SPILE" -r "$RELEASE" -p4 -m much -D MAXACTION=10000000 "$B/much.stp" >/dev/null || exit 1
mv much.ko "$B/much.ko"
cat >"$B/much.sh" <<Y
cd /tmp
$SPILERUN -s 1 $B/much.ko >out 2>err; echo "status \$?"
awk '{ if (\$2 != n % 30000 || \$1 != (n < 30000 ? "begin" : "end..")) bad++; n++ } END { print n, "lines,", bad + 0, "bad" }' out
grep -c '^WARNING: begin' err; grep -c '^WARNING: end' err; grep -v '^WARNING: [be]' err; grep ^much /proc/modules
Y
out=$("$V" -t 120 exec "$G" -- sh "$B/much.sh" 2>&1)
[ "$out" = "status 0
60000 lines, 0 bad
30
30" ] || { echo "$out"; exit 1; }
