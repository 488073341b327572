#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A Go program, with goroutines that move between threads and stacks that grow and move: each entry of its functions is seen, it computes what it does without
# probes, and returns are refused and left out of wildcards.
# needs-package: process("/usr/bin/go").begin
cd "$B" || exit 1
cat >main.go <<'X'
package main

import "fmt"

//go:noinline
func add(a, b int) int { return a + b }

type counter struct{ n int }

//go:noinline
func (c *counter) step(by int) int { c.n += by; return c.n }

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
HOME=$B GOCACHE=$B/go-cache GO111MODULE=off go build -o in_go main.go || exit 1
"$SPILE" -r "$RELEASE" -p2 -e "probe process(\"$B/in_go\").function(\"main.add\").return { println(1) }" >refused 2>&1 && exit 1
grep -q 'it is part of a Go program' refused || { cat refused; exit 1; }
cat >in_go.stp <<X
global n, all
probe process("$B/in_go").function("main.*") { n[ppfunc()]++ }
probe process("$B/in_go").function("runtime.newstack"), process("$B/in_go").function("runtime.gopark") { all++ }
probe process("$B/in_go").function("main.*").return ? { n["returns"]++ }
probe end {
	println(n["main.(*counter).step"], " ", n["main.add"], " ", n["main.main"], " ", n["main.main.func1"], " ", n["returns"])
	println(n["main.deep"] >= 804, " ", all > 0) # a function whose stack has to grow begins once more
}
X
"$SPILE" -r "$RELEASE" -p4 -m in_go in_go.stp >/dev/null || exit 1
echo "$SPILERUN -c \"$B/in_go\" $B/in_go.ko" >in_go.sh
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/in_go.sh" 2>&1)
echo "$out"
[ "$out" = '21204 1225
50 400 1 4 0
1 1' ]
