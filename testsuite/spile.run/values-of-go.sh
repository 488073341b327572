#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What functions of a Go program are called with and return are the program's values, with optimisation and without: numbers of all widths, texts, slices,
# structures, interfaces, what is on the stack since registers are used up, what is moved to the heap, several results, after a panic too.
# needs-package: process("/usr/bin/go").begin
# kernel: any
cd "$B" || exit 1
cat >values.go <<'Y'
package main

import (
	"errors"
	"fmt"
)

type pair struct{ a, b int32 }
type mixed struct {
	flag bool
	n    int16
	f    float64
	p    *int
}
type wide struct {
	n int
	s string
}
type named interface{ name() string }
type dog struct{ age int }

//go:noinline
func (d *dog) name() string { return fmt.Sprint("dog", d.age) }

//go:noinline
func small(a int8, b uint16, c bool, d int32) (int8, uint16) { return a - 1, b + 1 }

//go:noinline
func text(s string, n int) (string, error) {
	if n > 1 {
		return "", errors.New("large")
	}
	return s + "!", nil
}

//go:noinline
func slices(b []byte, k []int) int { return len(b) + cap(k) }

//go:noinline
func nested(w wide) []byte { return make([]byte, w.n, 7+len(w.s)) }

//go:noinline
func structs(p pair, m mixed, last int) (q pair, sum int) { return pair{p.b, p.a}, int(p.a) + int(m.n) + last }

//go:noinline
func many(a, b, c, d, e, f, g, h, i, j int, s string) (r int) { return a + b + c + d + e + f + g + h + i + j + len(s) }

//go:noinline
func array(v [3]int, b bool, n int) [2]int32 { return [2]int32{int32(v[2]), int32(n)} }

var kept *int

//go:noinline
func escapes(x [2]int, n int, m int) int { y := &x; kept = &n; y[0]++; return x[0] + *kept + m }

//go:noinline
func floats(a float64, n int, c complex64, m int) float64 { return a + float64(n) + float64(m) + float64(real(c)) }

//go:noinline
func calls(f func(int) int, m map[string]int, i interface{}, x named, n int) int { return f(n) + m["a"] + len(x.name()) }

//go:noinline
func recovers(n int) (r int) {
	defer func() {
		if recover() != nil {
			r = -n
		}
	}()
	if n%2 == 0 {
		panic("even")
	}
	return n
}

func main() {
	k := make([]int, 2, 7)
	k[0] = 6
	one := 1
	for n := 1; n <= 2; n++ {
		fmt.Println(small(int8(-n), uint16(65530+n), n%2 == 0, int32(-100*n)))
		fmt.Println(text("word", n))
		fmt.Println(slices(make([]byte, n, 8), k))
		fmt.Println(nested(wide{n, "in"}))
		fmt.Println(structs(pair{int32(n), -5}, mixed{true, int16(-n), 1.5, &one}, 77))
		fmt.Println(many(1, 2, 3, 4, 5, 6, 7, 8, n, 10, "stack"))
		fmt.Println(array([3]int{1, 2, n}, true, 9))
		fmt.Println(escapes([2]int{n, 2}, 20, 30))
		fmt.Println(floats(1.5, n, 2, 40))
		fmt.Println(calls(func(a int) int { return a }, map[string]int{"a": 3}, n, &dog{n}, 50))
		fmt.Println(recovers(n))
	}
}
Y
cat >values.stp <<'Y'
probe process(@1).function("main.small") { printf("small %d %d %d %d\n", $a, $b, $c, $d) }
probe process(@1).function("main.small").return { printf("= %d %d\n", $return, $r1) }
probe process(@1).function("main.text") { printf("text %s %d\n", user_string_n($s->str, $s->len), $n) }
probe process(@1).function("main.text").return { printf("= %s %d\n", user_string_n($return->str, $return->len), $r1->tab != 0) }
probe process(@1).function("main.slices") { printf("slices %d %d %d %d %d\n", $b->len, $b->cap, user_long($k->array), $k->len, $k->cap) }
probe process(@1).function("main.slices").return { printf("= %d\n", $return) }
probe process(@1).function("main.nested") { printf("nested %d %s\n", $w->n, user_string_n($w->s->str, $w->s->len)) }
probe process(@1).function("main.nested").return { printf("= %d %d %d\n", $return->array != 0, $return->len, $return->cap) }
probe process(@1).function("main.structs") { printf("structs %d %d %d %d %d\n", $p->a, $p->b, $m->flag, $m->n, $last) }
probe process(@1).function("main.structs").return { printf("= %d %d %d %d\n", $return->a, $q->a, $q->b, $sum) }
probe process(@1).function("main.many") { printf("many %d %d %d %d %s\n", $a, $h, $i, $j, user_string_n($s->str, $s->len)) }
probe process(@1).function("main.many").return { printf("= %d %d\n", $return, $r) }
probe process(@1).function("main.array") { printf("array %d %d %d %d %d\n", $v[0], $v[1], $v[2], $b, $n) }
probe process(@1).function("main.array").return { printf("= %d %d\n", $return[0], $return[1]) }
probe process(@1).function("main.escapes") { printf("escapes %d %d %d %d\n", $x[0], $x[1], $n, $m) }
probe process(@1).function("main.escapes").return { printf("= %d\n", $return) }
probe process(@1).function("main.floats") { printf("floats %d %d %d %d\n", @defined($a), $n, @defined($c), $m) }
probe process(@1).function("main.floats").return { printf("= %d\n", @defined($return)) }
probe process(@1).function("main.calls") { printf("calls %d %d\n", $i->_type != 0, $n) }
probe process(@1).function("main.calls").return { printf("= %d\n", $return) }
probe process(@1).function("main.recovers") { printf("recovers %d\n", $n) }
probe process(@1).function("main.recovers").return { printf("= %d\n", $return) }
Y
export HOME="$B" GOCACHE="$B/go-cache" GO111MODULE=off
go build -o go_small values.go && go build -gcflags='-N -l' -o go_plain values.go || exit 1
: >values.sh
for program in go_small go_plain; do
	"$SPILE" -r "$RELEASE" -p4 -m $program values.stp "$B/$program" >/dev/null || exit 1
	echo "$SPILERUN -c '$B/$program >/tmp/$program' $B/$program.ko; cat /tmp/$program" >>values.sh
done
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/values.sh" >values.got 2>&1
cat >values.want <<'Y'
small -1 65531 0 -100
= -2 65532
text word 1
= word! 0
slices 1 8 6 2 7
= 8
nested 1 in
= 1 1 9
structs 1 -5 1 -1 77
= -5 -5 1 77
many 1 8 1 10 stack
= 52 52
array 1 2 1 1 9
= 1 9
escapes 1 2 20 30
= 52
floats 0 1 0 40
= 0
calls 1 50
= 57
recovers 1
= 1
small -2 65532 1 -200
= -3 65533
text word 2
=  1
slices 2 8 6 2 7
= 9
nested 2 in
= 1 2 9
structs 2 -5 1 -2 77
= -5 -5 2 77
many 1 8 2 10 stack
= 53 53
array 1 2 2 1 9
= 2 9
escapes 2 2 20 30
= 53
floats 0 2 0 40
= 0
calls 1 50
= 57
recovers 2
= -2
-2 65532
word! <nil>
8
[0]
{-5 1} 77
52
[1 9]
52
44.5
57
1
-3 65533
 large
9
[0 0]
{-5 2} 77
53
[2 9]
53
45.5
57
-2
Y
cat values.want values.want | diff - values.got
