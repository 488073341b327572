#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that reads whatever files there are takes nothing of a session's output and does not end it, nor keeps its module.
# timeout: 240
cd "$B" || exit 1
cat >shared.stp <<'EOF'
global n, others
probe timer.hz(100) { printf("%d\n", n++); if (n >= 200 && others) exit() }
probe process("/bin/true").begin { others = 1 }
probe end { println("all ", n) }
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m shared shared.stp >/dev/null || exit 1
cat >shared-run.sh <<EOF
cd $B
. $S/../lib/await.sh
d=/proc/spile.shared
$SPILERUN -o shared.out shared.ko 2>shared.err & r=\$!
await_within $((60 * SLOW)) grep -qs running \$d/state || { cat shared.err; bad 'it does not run'; }
for i in 1 2 3 4 5; do
	cat \$d/* >stolen 2>refused
	sleep 0.1
done
grep -q 'trace0: .*busy' refused && grep -q 'ctl: ' refused && echo refused || cat refused
sleep 1000 <\$d/trace0 2>/dev/null && bad 'the file was opened'
/bin/true
wait \$r || { cat shared.err; bad 'the session failed'; }
[ \$(wc -l <shared.out) = \$((\$(sed -n 's/^all //p' shared.out) + 1)) ] && echo whole || tail -3 shared.out
grep -q '^shared ' /proc/modules || echo gone
EOF
"$V" -t $((180 * SLOW)) exec "$G" -- sh "$B/shared-run.sh" >shared.said
printf '%s\n' refused whole gone | cmp -s - shared.said || { cat shared.said; exit 1; }
