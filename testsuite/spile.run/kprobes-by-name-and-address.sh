#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# kprobe.function is hit as often as kernel.function, with its arguments by number; a probe at the address of a function as well; an address in the
# middle of its first instructions is refused.
cd "$B" || exit 1
at() { "$V" exec "$G" -- grep -w "[tT] __x64_sys_getpgid" /proc/kallsyms | cut -d' ' -f1; }
address=0x$(at)
[ "$address" != 0x ] || exit 1
cat >names.stp <<X
global n
probe kernel.function("__x64_sys_getpgid") { if (pid() == target()) n["kernel"]++ }
probe kprobe.function("__x64_sys_getpgid") { if (pid() == target() && pointer_arg(1)) n[pp()]++ }
probe kprobe.function("__x64_sys_getpgi?").return { if (pid() == target() && returnval() >= 0) n[pp()]++ }
probe kernel.statement($address).absolute { if (pid() == target() && addr() - $address < 16) n["address"]++ }
probe end { foreach (k+ in n) println(n[k], " ", k) }
X
"$SPILE" -g -r "$RELEASE" -p4 -m by_name names.stp >/dev/null || exit 1
"$SPILE" -g -r "$RELEASE" -p4 -m amid -e "probe kprobe.statement(${address%0}2).absolute { println(1) }" >/dev/null || exit 1
cat >run <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
$SPILERUN -o out -c "exec perl -e 'getpgrp(1) for 1..7'" $B/by_name.ko || exit 1
cat out
$SPILERUN -o out -c true $B/amid.ko 2>&1 | grep -o 'cannot probe absolute address: .*'
X
out=$("$V" -t 100 exec "$G" -- sh "$B/run" 2>&1)
echo "$out"
[ "$out" = "7 address
7 kernel
7 kprobe.function(\"__x64_sys_getpgid\")
7 kprobe.function(\"__x64_sys_getpgid\").return
cannot probe absolute address: not at the start of an instruction (error -84)" ]
