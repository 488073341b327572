#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions that look at the system calls of some processes come and go while such processes begin, fork, call and end on all CPUs, and while
# conditions change.  Each sees calls, at returns nothing that another call has saved, and ends well.
# cost: 30
cat >"$B/load.stp" <<'X'
global n, left, saved, wrong, begun, on
probe process("forks").syscall { n <<< $syscall }
probe process("forks").syscall.return { left <<< $return }
probe process("systemcalls").syscall.return if (on) {
	if ($syscall >= 0 && @entry($syscall) != $syscall && $syscall != syscall_num("execve")) wrong++
	saved <<< @entry($arg1)
}
probe process("systemcalls").syscall if (!on) { n <<< 1 }
probe process("forks").begin, process("systemcalls").end { begun <<< 1 }
probe timer.ms(20) { on = !on }
probe end { printf("%d %d %d %d %d\n", @count(n) > 0, @count(left) > 0, @count(saved) > 0, @count(begun) > 0, wrong) }
X
cd "$B" || exit 1
PATH=$W:$PATH "$SPILE" -r "$RELEASE" -p4 -m call_load load.stp >/dev/null || exit 1
cat >"$B/cycles" <<X
trap 'kill \$one \$two \$three' EXIT
sh -c 'while :; do $W/forks 50; done' >/dev/null 2>&1 & one=\$!
sh -c 'while :; do $W/systemcalls many 3000 3; $W/systemcalls replace; done' >/dev/null 2>&1 & two=\$!
sh -c 'while :; do $W/systemcalls some; $W/systemcalls sleep 20; done' >/dev/null 2>&1 & three=\$!
i=0
while [ \$i -lt 8 ]; do
	i=\$((i + 1))
	$SPILERUN -T $SLOW call_load.ko >out 2>err || { echo "exit status \$?"; cat err; exit 1; }
	[ "\$(tail -n 1 out)" = "1 1 1 1 0" ] || { tail -n 1 out; exit 1; }
done
! grep ^call_load /proc/modules
X
"$V" -t $((400 * SLOW)) exec "$G" -- sh -c "cd $B && sh cycles"
