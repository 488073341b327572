#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Stripped Go programs (the linker's -s and -w, strip, position independent ones): functions have their names, each call is seen once when it begins and
# once when it returns, arguments and results are in the registers where Go has them, arguments that may be on the stack are errors, and stacks have names
# and lines, for stacks that grow too.
# timeout: 900
# needs-package: process("/usr/bin/go").begin
# kernel: any
cd "$B" || exit 1
w=$(cd "$S/../workload" && pwd)/goroutines.go
step=$(grep -n 'func (c \*counter) step' "$w" | cut -d: -f1)
call=$(grep -n 'i < 50' "$w" | cut -d: -f1)
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
probe process(@1).function("main.many") {
	printf("many %d %d %d %d", int_arg(1), uint_arg(6), long_arg(7), pointer_arg(9))
	for (i = -1; i <= 10; i += 11)
		try { printf(" wrong %d\n", long_arg(i)) } catch (what) { printf("\nmany: %s", what) }
	try { printf(" wrong %d\n", int_arg(0x100000001)) } catch (what) { printf("\nmany: %s\n", what) }
	set_long_arg(9, long_arg(9) + 100)
	try { set_long_arg(10, 0) } catch (what) { printf("many: %s\n", what) }
}
probe process(@1).function("main.many").return { printf("many = %d\n", returnval()) }
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
1 main.many
1 return of main.main
1 return of main.many
21204 1225 166
4 main.main.func1
4 return of main.main.func1
450 main.add
450 return of main.add
50 main.(*counter).step
50 return of main.(*counter).step
7: main.(*counter).step $w:$step
7: main.main $w:$call
7: the last is runtime.goexit of 4
804 main.deep
804 return of main.deep
many 1 6 7 9
many = 166
many: int_arg: of a function of Go only the first 9 words that are passed in registers are known, not 4294967297
many: long_arg: of a function of Go only the first 9 words that are passed in registers are known, not 10
many: long_arg: there is no argument -1 here
many: set_long_arg: of a function of Go only the first 9 words that are passed in registers are known, not 10
sum 0
X
export HOME="$B" GOCACHE="$B/go-cache" GO111MODULE=off
go build -o go_linked -ldflags='-s -w' "$w" && go build -o go_whole "$w" && strip -o go_stripped go_whole &&
	go build -o go_pie -ldflags='-s -w' -buildmode=pie "$w" || exit 1
: >stripped.sh
for program in go_linked go_stripped go_pie; do
	"$SPILE" -r "$RELEASE" -g -p4 -m $program stripped.stp "$B/$program" >/dev/null || exit 1
	echo "$SPILERUN -c $B/$program $B/$program.ko >$B/$program.got 2>&1" >>stripped.sh
done
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/stripped.sh"
for program in go_linked go_stripped go_pie; do
	LC_ALL=C sort $program.got | grep -v 'main.main.func2$' | LC_ALL=C diff - stripped.want || exit 1
done
