#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A stack names the functions that were there when it was printed, though the loader reads it when their module is gone and another one is at
# its place; also those that only initialise a module, whose memory is freed at once.
# needs: module("ifb").function("ifb_setup")
# cost: 10
cat >"$B/gone.stp" <<'X'
probe kernel.function("ether_setup"), kernel.function("rtnl_link_register"), kernel.function("__rtnl_link_register") ? {
	s = symdata(stack(1))
	if (!isinstr(s, "[")) next
	printf("now %s from %s\n", ppfunc(), s)
	print_backtrace()
}
probe end { println("the end") }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m stacks_gone gone.stp >/dev/null || exit 1
cat >"$B/gone" <<X
cd \$(mktemp -d) || exit 1
$SPILERUN -o out $B/stacks_gone.ko 2>err &
loader=\$!
trap 'kill -KILL \$loader 2>/dev/null' EXIT
i=0
while ! grep -qs running /proc/spile.stacks_gone/state && [ \$((i += 1)) -lt 100 ]; do sleep 0.1; done
kill -STOP \$loader
for module in dummy ifb dummy nlmon dummy; do
	modprobe \$module || exit 1
	ip link add \${module}7 type \$module || exit 1
	rmmod \$module || exit 1
done
kill -CONT \$loader
sleep 0.5
kill -INT \$loader
wait \$loader
cat err out
X
"$V" -t 100 exec "$G" -- sh "$B/gone" >got 2>&1
cat got
grep -qx 'the end' got || exit 1
# The line after the probed function's is that of its caller, as the handler saw it.
awk '
	/^now / { want = $4 " " $5; line = NR + 2; stacks++; if (/dummy/) dummies++ }
	NR == line && substr($0, index($0, " : ") + 3) != want { print "stack " stacks ": " $0 " instead of " want; wrong = 1 }
	/^ 0x.* : 0x/ { print "no name: " $0; wrong = 1 }
	END { exit wrong || stacks < 8 || dummies < 6 }' got
