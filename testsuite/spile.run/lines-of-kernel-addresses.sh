#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# symfileline() is what addr2line says, of every byte of functions of a module, wherever it is loaded, and again after it was loaded elsewhere.
# print_backtrace_fileline() has the lines of the calls.  Where nothing is known there is no line.
# cost: 30
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
. "$S/../lib/module.sh"
module_build lines_in_module || exit 1
ko=$B/lines_in_module/lines_in_module.ko
size() { nm -S "$ko" | awk -v f="$1" '$4 == f { print "0x" $2 }'; }
cat >kernel_lines.stp <<X
global calls
function look(name, size) {
	at = addr() & ~15 # functions begin there, and the probed instruction may be a later one
	for (i = calls[name]++ ? size : 0; i < size; i++) {
		line = symfileline(at + i)
		if (symfile(at + i) . ":" . symline(at + i) != line) line .= " but " . symfile(at + i) . ":" . symline(at + i)
		printf("%s %d %s\n", name, i, line)
	}
}
probe module("$ko").function("lines_sum") { look("lines_sum", $(size lines_sum)) }
probe module("$ko").function("doubled") {
	look("doubled", $(size doubled))
	if (calls["stacks"]++) next
	print_backtrace_fileline()
	printf("called at %s\nnone %s %s %s\n", symfileline(stack(1) - 1), symfileline(1), symfile(0), symline(-1))
}
X
"$SPILE" -r "$RELEASE" -p4 -m kernel_lines -D MAXACTION=1000000 kernel_lines.stp >/dev/null || exit 1
cat >kernel-lines-run <<X
run=/sys/module/lines_in_module/parameters/run
insmod $ko && $SPILERUN -c "sh -c 'echo 1 >\$run; cat \$run'" $B/kernel_lines.ko && rmmod lines_in_module
echo "status \$?"
# loaded while the session runs
$SPILERUN -c "sh -c 'insmod $ko; echo 1 >\$run'" $B/kernel_lines.ko
rmmod lines_in_module
X
"$V" -t $((100 * SLOW)) exec "$G" -- sh kernel-lines-run >got 2>&1
grep -qx 'status 0' got || fail "$(tail -5 got)"
grep -q ' but ' got && fail "$(grep ' but ' got | head -3)"
[ "$(grep -c '^WARNING: ' got)" = 1 ] || fail "$(grep '^WARNING: ' got)"
for f in lines_sum doubled; do
	start=$(nm "$ko" | awk -v f=$f '$3 == f { print "0x" $1 }')
	i=0
	while [ $i -lt $(($(size $f))) ]; do
		printf '%x\n' $((start + i))
		i=$((i + 1))
	done >places
	addr2line -j .text -e "$ko" <places | sed 's/ (discriminator.*//; s/.*:?$/??:0/' >theirs
	sed -n "s/^$f [0-9]* //p" got >mine
	cat theirs theirs | diff - mine >differ || fail "$f: $(wc -l <differ) differ: $(head -6 differ)"
	grep -q 'lines_in_module.c:[0-9]' theirs || fail "$f has no lines"
done
call=$(grep -n 'sum + doubled(calls)' lines_in_module/lines_in_module.c | cut -d: -f1)
[ "$(grep -c "^called at .*lines_in_module/lines_in_module\.c:$call$" got)" = 2 ] || fail "$(grep '^called' got), not $call"
[ "$(grep -c "^ 0x[0-9a-f]* : lines_sum+0x[0-9a-f]*/0x[0-9a-f]* at .*/lines_in_module\.c:$call \[lines_in_module\]$" got)" = 2 ] || fail "$(grep '^ 0x' got)"
grep -q '^ 0x[0-9a-f]* : vfs_write+0x[0-9a-f]*/0x[0-9a-f]*\( at .*:[0-9]*\)* \[kernel\]$' got || fail "$(grep '^ 0x' got)"
[ "$(grep -cx 'none 0x1 0x0 0xffffffffffffffff' got)" = 2 ] || fail "$(grep '^none' got)"
