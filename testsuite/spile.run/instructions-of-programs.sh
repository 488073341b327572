#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each instruction of a program's function can be probed at its address, and is hit as often as the program gets there; locals have their values.  An
# address in the middle of one is refused.  With .absolute the address is that in a running process.
cd "$B" || exit 1
p=$W/statements
objdump -d --no-show-raw-insn "$p" --disassemble=statements_sum | sed -n 's/^ *\([0-9a-f]*\):	*\([a-z]*\).*/\1 \2/p' >code
first=$(sed -n '1s/ .*//p' code) last=$(sed -n '/ ret$/{s/ .*//p;q}' code)
[ "$first" ] && [ "$last" ] || exit 1
# After the multiplication in squared(), where $area is.
area=$(sed -n '/ imul$/{n;s/ .*//p;q}' code)
{
	echo 'global n, areas'
	while read -r at mnemonic; do
		echo "probe process(\"$p\").statement(0x$at) { n[0x$at]++ }"
	done <code
	echo "probe process(\"$p\").statement(0x$area) { areas .= sprintf(\" %d\", \$area) }"
	echo "probe end { println(\"points \", n[0x$first], \" \", n[0x$last], \" areas\", areas) }"
} >all.stp
"$SPILE" -r "$RELEASE" -p4 -m all_instructions all.stp >/dev/null || exit 1
# The code of a program that is not position independent is where it is linked to.
printf '#include <unistd.h>\n__attribute__((noipa)) int fixed(int n) { return n + 1; }\nint main(void) { for (int i = 0; i < 5; i++) fixed(i); return 0; }\n' >fixed.c
"${CC:-cc}" -O1 -g -no-pie -static -o fixed fixed.c || exit 1
at=$(nm fixed | sed -n 's/ T fixed$//p')
"$SPILE" -r "$RELEASE" -p4 -m fixed_code -e "global n probe process(\"$B/fixed\").statement(0x$at).absolute { n += \$n } probe end { println(\"fixed \", n) }" >/dev/null || exit 1
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh -c "cd \$(mktemp -d) && $SPILERUN -c '$p 3' $B/all_instructions.ko && $SPILERUN -c $B/fixed $B/fixed_code.ko" 2>&1)
echo "$out"
[ "$out" = "total 813
points 3 3 areas 0 0 100 0 100 400
fixed 10" ] || exit 1
# What is in the middle, and what a process has elsewhere.
"$SPILE" -l "process(\"$p\").statement($((0x$first + 1)))" 2>&1 | grep -q 'in the middle of an instruction' || exit 1
sleep 100 &
trap 'kill $!' EXIT
until [ "$(cat /proc/$!/comm)" = sleep ] && libc=$(awk '$2 ~ /x/ && /libc.so/ { print $1, $3, $6 }' /proc/$!/maps) && [ "$libc" ]; do
	sleep 0.1 # until then it is a copy of this shell, which has its library elsewhere
done
set -- $libc
entry=$(nm -D "$3" | sed -n 's/ . getpid@@.*//p')
point=$("$SPILE" -l "process($!).statement($((0x${1%-*} - 0x$2 + 0x$entry))).absolute")
echo "$point"
[ "$point" = "process(\"$3\").statement(0x$(echo "$entry" | sed 's/^0*//'))" ]
