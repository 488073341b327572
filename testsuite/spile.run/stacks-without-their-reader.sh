#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The program that reads programs for stacks may fail: the session goes on, with addresses, ends without waiting for it, and as it should.  It does not
# stay when the loader is killed, and with it gone the session's module can be removed.
# kernel: any
# cost: 10
cd "$B" || exit 1
cat >read.stp <<'X'
global n
probe kernel.function("ksys_write") {
	if (execname() != "stacks") next
	n++
	printf("<%s>\n", sprint_ubacktrace())
}
probe end { printf("n %d\n", n > 0) }
X
echo 'probe begin { println("next"); exit() }' >next.stp
"$SPILE" -r "$RELEASE" -p4 -m unread read.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m next next.stp >/dev/null || exit 1
cat >read-run.sh <<X
cd $B
. $S/../lib/await.sh
reader_of() { reader=\$(cat /proc/\$1/task/*/children 2>/dev/null | tr ' ' '\n' | while read -r p; do grep -qs spile-tables /proc/\$p/comm && echo \$p; done) && [ -n "\$reader" ]; }
is_gone() { [ ! -d /proc/\$reader ] || grep -qs '^State:.Z' /proc/\$reader/status; }
runs() { grep -qs running /proc/spile.unread/state; }
$SPILERUN -o unread.out unread.ko 2>unread.err & r=\$!
await runs
await reader_of \$r
kill -KILL \$reader
await is_gone
$W/stacks calls >/dev/null
sleep 1
$W/stacks calls >/dev/null
kill -INT \$r
wait \$r
echo "status \$?"
sort -u unread.out
cat unread.err
$SPILERUN -o unread.out unread.ko 2>unread.err & r=\$!
await runs
await reader_of \$r
kill -STOP \$reader
$W/stacks calls >/dev/null
kill -KILL \$r
kill -CONT \$reader
await is_gone
echo "reader gone"
is_stopped() { grep -qs stopped /proc/spile.unread/state; }
await is_stopped
$SPILERUN next.ko
grep -q '^unread ' /proc/modules || echo "module gone"
X
"$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/read-run.sh" >got 2>&1
printf '%s\n' 'status 0' '<[libc.so.6+N]>' 'n 1' 'reader gone' next 'module gone' >want
sed 's/+0x[0-9a-f]*/+N/' got | diff want - || { cat got; exit 1; }
