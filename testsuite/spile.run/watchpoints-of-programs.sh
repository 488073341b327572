#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions come and go while programs that they watch begin, write and end on all CPUs.  A running process is watched by an address.  Where the machine has no
# place left, a warning says so; and all places are free again at the end.
# cost: 30
cd "$B" || exit 1
gcc -g -O2 -pthread -no-pie -D_GNU_SOURCE -I"$S/../workload" -o written_fixed "$S/../workload/written.c" || exit 1
address=0x$(nm written_fixed | sed -n 's/ . written_counter$//p')
written=$W/written
cat >user_load.stp <<X
global n, ends, rounds
probe process("$written").data("written_counter").write { n++ }
probe process("$written").data("written_other").rw { n++ }
probe process("$written").thread.end { ends++ }
probe timer.ms(50) { if (n && ends && ++rounds == 6) exit() }
probe end { printf("%d %d\n", n > 0, ends > 0) }
X
cat >user_five.stp <<X
global n
probe kernel.data($address).write, process.data($address).length(2).write, process.data($address).length(4).write { n++ }
probe process.data($address).rw, process.data($address).length(2).rw { n++ }
probe timer.ms(20) { if (n) exit() }
probe end { println(n > 0) }
X
cat >user_running.stp <<X
global n
probe process.data($address).length(4).write { if (\$after != \$before) n++ }
probe timer.ms(20) { if (n > 100) exit() }
probe end { println("running ", n > 100) }
X
for v in panic_timeout panic_on_oops print_fatal_signals randomize_va_space; do echo "probe kernel.data(\"$v\").length(4).write { println(1) }"; done >user_four.stp
echo 'probe begin { println("four"); exit() }' >>user_four.stp
for name in load four; do
	"$SPILE" -g -r "$RELEASE" -p4 -m user_$name user_$name.stp >/dev/null || exit 1
done
for name in five running; do
	"$SPILE" -g -r "$RELEASE" -c true -p4 -m user_$name user_$name.stp >/dev/null || exit 1
done
cat >user_cycles <<X
trap 'kill \$one \$two \$three 2>/dev/null' EXIT
sh -c 'while :; do $written 3 200; done' >/dev/null & one=\$!
sh -c 'while :; do $written 2 50; done' >/dev/null & two=\$!
./written_fixed 2 100000000000 >/dev/null & three=\$!
i=0
while [ \$i -lt 4 ]; do
	i=\$((i + 1))
	$SPILERUN -T 60 user_load.ko >out 2>err || { echo "exit status \$?"; cat err; exit 1; }
	[ "\$(tail -n 1 out)" = "1 1" ] || { tail -n 1 out; exit 1; }
done
$SPILERUN -x \$three user_running.ko
$SPILERUN -x \$three user_five.ko 2>&1 | sed 's/probe .*: not watched in thread [0-9]*/not watched/; s/in use, .*/in use/; s/skipped probes: [1-9][0-9]*/some skipped/; /^WARNING: hits /d; /^WARNING: probes .* watch the same memory: /d'
$SPILERUN user_four.ko
! grep ^user_ /proc/modules
X
out=$("$V" -t $((400 * SLOW)) exec "$G" -- sh -c "cd $B && sh user_cycles" 2>&1)
echo "$out"
[ "$out" = "running 1
WARNING: not watched: all watchpoints of the machine are in use
1
WARNING: Number of errors: 0, some skipped
four" ]
