#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# usymfileline() is what addr2line says, of every byte of a program's code: of one that is loaded anywhere, and of one that is not moved.  Code
# without debug information has no line, and none is guessed.  A stack has the lines of the calls, and arrays may be indexed by lines.
# kernel: any
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
# of a program: the first address of its code, and the one after the last
code() { readelf -SW "$W/$1" | sed 's/^ *\[ *[0-9]*\] //' | awk -v what="$2" '$1 == ".text" { print "0x" $(what == "size" ? 5 : 3) }'; }
for p in stacks stacks_fixed; do
	cat <<X
probe process("$W/$p").function("stacks_end") {
	from = uaddr() - umodaddr(uaddr()) + $(code $p address)
	for (a = from; a < from + $(code $p size); a++) {
		line = usymfileline(a)
		printf("%x %s\n", umodaddr(a), line == sprintf("0x%x", a) ? "??:0" : line)
		if (usymfile(a) . ":" . usymline(a) != line && line != sprintf("0x%x", a)) printf("%s and %s are not %s\n", usymfile(a), usymline(a), line)
	}
	n[usymfileline(ustack(1) - 1)]++
	foreach (line in n) printf("%d from %s\n", n[line], line)
	printf("none %s %s %s\n", usymfileline(1), usymfile(0), usymline(-1))
	print_ubacktrace_fileline()
}
X
done >lines.stp
sed -i '1i global n' lines.stp
"$SPILE" -r "$RELEASE" -p4 -m lines_of_addresses -D MAXACTION=10000000 lines.stp >/dev/null || exit 1
for p in stacks stacks_fixed; do
	"$V" -t $((100 * SLOW)) exec "$G" -- "$SPILERUN" -c "$W/$p calls" "$B/lines_of_addresses.ko" >got 2>&1 || fail "$(tail -5 got)"
	sed -n 's/^\([0-9a-f]*\) \([^ ]*:[0-9]*\)$/\1 \2/p' got >mine
	[ "$(wc -l <mine)" = $(($(code $p size))) ] || fail "$p: $(wc -l <mine) bytes of code: $(tail -5 got)"
	cut -d' ' -f1 mine | addr2line -e "$W/$p" | sed 's/ (discriminator.*//; s/.*:?$/??:0/' >theirs
	cut -d' ' -f2 mine | diff - theirs >differ || fail "$p: $(wc -l <differ) differ: $(head -6 differ)"
	grep -c '\.c:' mine >count
	[ "$(cat count)" -gt 400 ] || fail "$p: $(cat count) bytes with a line"
	grep -q ' are not ' got && fail "$p: $(grep ' are not ' got | head -3)"
	call=$(sed -n 's/^1 from .*stacks\.c:\([0-9]*\)$/\1/p' got)
	sed -n "${call}p" "$S/../workload/stacks.c" | grep -q stacks_end || fail "$p: called at line $call"
	grep -q "^ 0x[0-9a-f]* : stacks_registers+0x[0-9a-f]*/0x[0-9a-f]* at /.*/stacks\.c:$call \[$W/$p\]$" got || fail "$p: no line in the stack: $(grep '^ 0x' got)"
	grep -q '^none 0x1 0x0 0xffffffffffffffff$' got || fail "$p: $(grep '^none' got)"
done
