#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A Go program, with goroutines that move between threads and stacks that grow and move: each call of its functions is seen once when it begins and once when
# it returns, with the goroutine as key, and the program computes what it does without probes.
# needs-package: process("/usr/bin/go").begin
# kernel: any
cd "$B" || exit 1
cat >in_go.want <<'X'
0 1
1 main.main
1 main.many
1 return of main.main
1 return of main.many
21204 1225 66
4 main.main.func1
4 return of main.main.func1
450 main.add
450 return of main.add
50 main.(*counter).step
50 return of main.(*counter).step
804 main.deep
804 return of main.deep
X
HOME=$B GOCACHE=$B/go-cache GO111MODULE=off go build -o in_go "$S/../workload/goroutines.go" || exit 1
cat >in_go.stp <<X
global n, all, sum, depth
probe process("$B/in_go").function("main.*") { n[ppfunc()]++; depth[u_register("r14"), ppfunc()]++ }
probe process("$B/in_go").function("main.*").return { n["return of " . ppfunc()]++; depth[u_register("r14"), ppfunc()]-- }
probe process("$B/in_go").function("main.add") { sum += \$a + \$b }
probe process("$B/in_go").function("main.(*counter).step") { sum += \$c->n + \$by }
probe process("$B/in_go").function("main.add").return, process("$B/in_go").function("main.(*counter).step").return { sum -= \$return }
probe process("$B/in_go").function("runtime.newstack"), process("$B/in_go").function("runtime.gopark").return { all++ }
probe end {
	foreach (f in n)
		println(n[f], " ", f)
	foreach ([g, f] in depth)
		if (depth[g, f])
			println(depth[g, f], " more calls than returns of ", f)
	println(sum, " ", all > 0)
}
X
"$SPILE" -r "$RELEASE" -p4 -m in_go in_go.stp >/dev/null || exit 1
echo "$SPILERUN -c \"$B/in_go\" $B/in_go.ko" >in_go.sh
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/in_go.sh" >in_go.got 2>&1
sort in_go.got | grep -v "main.main.func2$" | diff - in_go.want
