#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Instructions within a function are hit as often as it is called, by their offset or by the address as the kernel is linked; what begins none is
# refused with the reason.  What handlers at breakpoints write to watched memory is skipped, and counted.
# cost: 30
cd "$B" || exit 1
# The lower half of an address: a shell's numbers have 63 bits.
at() { "$V" exec "$G" -- grep -w "[tTA] $1" /proc/kallsyms | cut -c9-16; }
f=__x64_sys_getpgid
distance=$((0x$(at $f) - 0x$(at _stext)))
[ "$distance" -gt 0 ] || exit 1
offsets() { i=0; while [ $i -lt 16 ]; do i=$((i + 1)); eval "echo \"$1\""; done; }
head='global n'
tail='probe end { foreach (i in n) { points++; if (n[i] == 50) right++ } println("all ", points == right, " right, more than one ", points > 1) }'
{
	echo "$head"
	offsets 'probe kernel.statement(\"$f+$i\") ? { if (execname() == \"perl\") n[$i]++ }'
	echo "$tail"
} >offsets.stp
{
	echo "$head"
	offsets 'probe kernel.function($(printf 0xffffffff%x $((0x81000000 + distance + i)))) ? { if (execname() == \"perl\") n[$i]++ }'
	echo "$tail"
} >linked.stp
{
	echo "$head, written, seen"
	echo '%{
#include <linux/panic.h>
%}
function write_it() %{ WRITE_ONCE(panic_timeout, 0); %}
probe kernel.data("panic_timeout").length(4).write { seen++ }'
	offsets 'probe kernel.statement(\"$f+$i\") ? { if (execname() == \"perl\") { write_it(); written++; n[$i]++ } }'
	echo "$tail"
	echo 'probe end { println("written ", written) println("seen ", seen) }'
} >watched.stp
echo "probe kernel.statement(\"$f+4096\") { println(1) }" >long.stp
echo "probe kernel.statement(\"vfs_read+1\"), kernel.statement(\"vfs_read+2\"), kernel.statement(\"vfs_read+3\") { println(1) }" >amid.stp
for name in offsets linked watched long amid; do
	"$SPILE" -g -r "$RELEASE" -p4 -m in_$name $name.stp >/dev/null || exit 1
done
"$SPILE" -r "$RELEASE" -p4 -m in_offsets offsets.stp >/dev/null || exit 1
cat >run <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
for name in offsets linked watched; do
	$SPILERUN -v -o out -c "exec perl -e 'getpgrp(1) for 1..50'" $B/in_\$name.ko 2>\$name.err || { cat \$name.err; exit 1; }
	grep -v written out
done
written=\$(sed -n 's/^written //p' out)
grep -q "inside a probe handler: \$written)" watched.err || { echo "written \$written"; grep hits watched.err; }
$SPILERUN -o out -c true $B/in_long.ko 2>&1 | grep -o 'the function is not that long'
$SPILERUN -o out -c true $B/in_amid.ko 2>&1 | grep -o 'not at the start of an instruction' | sort -u
X
out=$("$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/run" 2>&1)
echo "$out"
[ "$out" = "all 1 right, more than one 1
all 1 right, more than one 1
all 1 right, more than one 1
seen 0
the function is not that long
not at the start of an instruction" ]
