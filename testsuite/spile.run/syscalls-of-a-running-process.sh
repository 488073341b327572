#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# System calls of a process that runs already, by its id, and of the tree of -x; of one that nobody names there are none.  The loader's own
# are handled where its program is named, and there alone.
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
cat >calls-of-one.stp <<EOF
global one, one_left, tree, tree_left, nobody
probe begin { println("begun") }
probe process(31001).syscall { if (\$syscall == 146) one <<< 1 }
probe process(31001).syscall.return { if (\$syscall == 146) one_left <<< 1 }
probe process.syscall { if (\$syscall == 146) tree <<< 1 }
probe process.syscall.return { if (\$syscall == 146) tree_left <<< 1 }
probe process(30999).syscall ? { nobody <<< 1 }
probe end {
	printf("one %d %d tree %d %d nobody %d\n", @count(one), @count(one_left), @count(tree), @count(tree_left), @count(nobody))
}
EOF
"$SPILE" -w -r "$RELEASE" -p4 -x 1 -m calls_of_one calls-of-one.stp >/dev/null || exit 1
cat >calls-of-loader.stp <<EOF
global named, named_left, all
probe process("$SPILERUN").syscall { if (pid() == stp_pid()) named++ }
probe process("$SPILERUN").syscall.return { if (pid() == stp_pid()) named_left++ }
probe process.syscall { if (pid() == stp_pid()) all++ }
probe end { printf("loader %d %d %d\n", named > 0, named_left > 0, all) }
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m calls_of_loader calls-of-loader.stp >/dev/null || exit 1
cat >calls-of-one-run.sh <<EOF
. $S/../lib/await.sh
mkfifo /tmp/go
pid=0
# another process may take the number
for try in 1 2 3 4 5 6 7 8 9; do
	echo 31000 >/proc/sys/kernel/ns_last_pid
	sh -c 'read x </tmp/go; $W/systemcalls many 300 2; $W/systemcalls many 400 1 & wait; exec $W/systemcalls many 700 2' & pid=\$!
	[ \$pid != 31001 ] || break
	kill \$pid; wait \$pid
done
[ \$pid = 31001 ] || bad "the process has another number: \$pid"
$SPILERUN -w -x 31001 -o $B/calls-of-one.out $B/calls_of_one.ko & session=\$!
await grep -qs begun $B/calls-of-one.out
$W/systemcalls many 900 2 # of nobody's
echo >/tmp/go
wait 31001
wait \$session
cat $B/calls-of-one.out
$SPILERUN -w -T 2 $B/calls_of_loader.ko
EOF
"$V" -t 200 exec "$G" -- sh "$B/calls-of-one-run.sh" >calls-of-one.got 2>&1
diff - calls-of-one.got <<EOF || fail "not what was expected"
calls 1800
calls 600
calls 400
calls 1400
begun
one 1400 1400 tree 2400 2400 nobody 0
loader 1 1 0
EOF
