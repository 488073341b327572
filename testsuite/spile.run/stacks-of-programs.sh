#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The stack of a program without frame pointers is the one that the program knows: through frames of every kind, functions of the C library that
# call back, a thread, and a handler of a signal on a stack of its own; at a fixed address and elsewhere; also where only .debug_frame has how to find callers.
# kernel: any
# cost: 10
cat >"$B/program.stp" <<X
probe process("$W/stacks").function("stacks_end"), process("$W/stacks_fixed").function("stacks_end"),
	process("$W/stacks_debug_frame").function("stacks_end") {
	printf("stack %s\nfirst %s\nthird 0x%x\n", ubacktrace(), ucallers(1), ustack(3))
	print_ubacktrace()
	print_ubacktrace_brief()
	printf("%s %s %s\n", usymname(uaddr()), usymdata(ustack(1)), umodname(uaddr()))
}
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m stacks_of_programs program.stp >/dev/null || exit 1
cat >"$B/program" <<X
. $S/../lib/await.sh
for program in stacks stacks_fixed stacks_debug_frame; do
	for mode in calls sort thread signal both; do
		echo "run \$program \$mode"
		$SPILERUN -c "$W/\$program \$mode" stacks_of_programs.ko || bad "status \$?"
	done
done
X
"$V" -t $((100 * SLOW)) exec "$G" -- sh -c "cd $B && sh program" >got 2>&1
awk -v W="$W/" '
	function bad(text) { print run ": " text; failed = 1 }
	function finish(  i, k, want) {
		if (!run)
			return
		# What the program knows is all there, in this order; without a break as far as only its own functions are called.
		split(known, k, " ")
		for (i = 1; i <= nstack && stack[i] == k[i]; i++)
			;
		if (i <= 6 || (mode == "calls" && k[i] != ""))
			bad("not as it knows from frame " i " on")
		for (i = want = 1; i <= nstack; i++)
			if (stack[i] == k[want])
				want++
		if (k[want] != "" || want < 8)
			bad("knows " known)
		if (lines != nstack || brief != nstack || first != stack[1] || third != stack[4])
			bad(lines " lines, " brief " names of " nstack " frames; " first ", " third)
		ends = mode == "thread" ? "" : " main _start"
		if (own != " stacks_end stacks_registers stacks_variable stacks_aligned stacks_large" middle[mode] ends)
			bad("functions" own)
		if (last != "stacks_end stacks_registers+0x" || !at)
			bad(last)
		runs++
	}
	BEGIN {
		middle["calls"] = " stacks_main"
		middle["sort"] = " stacks_compare stacks_main"
		middle["thread"] = " stacks_thread"
		middle["signal"] = " stacks_handler stacks_main"
		middle["both"] = " stacks_handler stacks_compare stacks_main"
	}
	/^run / { finish(); run = $0; mode = $3; program = $2; lines = brief = at = 0; own = known = "" }
	/^stack / { nstack = split(substr($0, 7), stack, " ") }
	/^known / { known = substr($0, 7) }
	/^first / { first = $2 }
	/^third / { third = $2 }
	/^ 0x[0-9a-f]* : / {
		lines++
		if (index($0, "[" W program "]")) {
			sub(/\+.*/, "", $3)
			own = own " " $3
		}
	}
	/^ [a-zA-Z_0-9.]*(\+0x[0-9a-f]*)?$/ { brief++ }
	/^ \(/ { bad($0) }
	/^stacks_end stacks_/ { last = substr($0, 1, 30); at = $4 == program }
	END { finish(); if (runs != 15) print runs " runs"; exit failed || runs != 15 }' got || { cat got; exit 1; }
