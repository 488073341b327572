#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Stripped Go programs (the linker's -s and -w, strip, position independent ones): functions have their names, each call is seen once when it begins and
# once when it returns, arguments and results are in the registers where Go has them, and stacks have names and lines, for stacks that grow too.
# timeout: 900
# needs-package: process("/usr/bin/go").begin
cd "$B" || exit 1
cat >stripped.go <<'X'
package main

import "fmt"

//go:noinline
func add(a, b int) int { return a + b }

type counter struct{ n int }

//go:noinline
func (c *counter) step(by int) int {
	c.n = add(c.n, by)
	return c.n
}

//go:noinline
func deep(n int) int {
	var room [100]int
	if n > 0 {
		room[n%100] = deep(n - 1)
	}
	return room[n%100] + 1
}

func main() {
	c := &counter{}
	done := make(chan int)
	sum := 0
	for i := 0; i < 4; i++ {
		go func(i int) {
			s := 0
			for k := 0; k < 100; k++ {
				s += add(k, i)
			}
			done <- s + deep(200)
		}(i)
	}
	for i := 0; i < 4; i++ {
		sum += <-done
	}
	for i := 0; i < 50; i++ {
		c.step(i)
	}
	fmt.Println(sum, c.n)
}
X
cat >stripped.stp <<X
global n, sum, depth
probe process(@1).function("main.*") { n[ppfunc()]++; depth[u_register("r14"), ppfunc()]++ }
probe process(@1).function("main.*").return { n["return of " . ppfunc()] += is_return(); depth[u_register("r14"), ppfunc()]-- }
probe process(@1).function("main.add") { sum += long_arg(1) + uint_arg(2) }
probe process(@1).function("main.add").return { sum -= returnval() }
probe process(@1).function("main.(*counter).step") {
	if (int_arg(2) == 7) {
		for (i = 0; i < 2; i++)
			println("7: ", usymname(ustack(i)), " ", usymfileline(ustack(i)))
		println("7: the last is ", usymname(ustack(3)), " of ", ustack(4) ? "more" : "4")
	}
}
probe process(@1).function("main.deep") {
	if (!long_arg(1)) {
		for (i = 0; i < 64 && usymname(ustack(i)) == "main.deep";) i++
		println("0: ", i, " calls of main.deep")
	}
}
probe end {
	foreach (f in n)
		println(n[f], " ", f)
	foreach ([g, f] in depth)
		if (depth[g, f])
			println(depth[g, f], " more calls than returns of ", f)
	println("sum ", sum)
}
X
cat >stripped.want <<X
0: 64 calls of main.deep
0: 64 calls of main.deep
0: 64 calls of main.deep
0: 64 calls of main.deep
1 main.main
1 return of main.main
21204 1225
4 main.main.func1
4 return of main.main.func1
450 main.add
450 return of main.add
50 main.(*counter).step
50 return of main.(*counter).step
7: main.(*counter).step $B/stripped.go:11
7: main.main $B/stripped.go:41
7: the last is runtime.goexit of 4
804 main.deep
804 return of main.deep
sum 0
X
export HOME="$B" GOCACHE="$B/go-cache" GO111MODULE=off
go build -o go_linked -ldflags='-s -w' stripped.go && go build -o go_whole stripped.go && strip -o go_stripped go_whole &&
	go build -o go_pie -ldflags='-s -w' -buildmode=pie stripped.go || exit 1
: >stripped.sh
for program in go_linked go_stripped go_pie; do
	"$SPILE" -r "$RELEASE" -p4 -m $program stripped.stp "$B/$program" >/dev/null || exit 1
	echo "$SPILERUN -c $B/$program $B/$program.ko >$B/$program.got 2>&1" >>stripped.sh
done
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/stripped.sh"
for program in go_linked go_stripped go_pie; do
	LC_ALL=C sort $program.got | grep -v 'main.main.func2$' | LC_ALL=C diff - stripped.want || exit 1
done
