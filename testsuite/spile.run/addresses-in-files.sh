#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# umodaddr() is the address that nm has: of a program that is loaded anywhere, of one that is not moved, and of a library; addr2line takes it.
# kernel: any
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
libc=$(ldd "$W/stacks" | awk '$1 == "libc.so.6" { print $3 }')
cat >where.stp <<X
probe process("$W/stacks").function("stacks_end"), process("$W/stacks_fixed").function("stacks_end") {
	printf("%s %x\n%s %x\n", umodname(uaddr()), umodaddr(uaddr()), umodname(ustack(1)), umodaddr(ustack(1)))
}
probe process("$W/stacks").library("libc.so.6").function("qsort") { printf("libc %x %x\n", umodaddr(uaddr()), umodaddr(0)) }
X
"$SPILE" -r "$RELEASE" -p4 -m where_in_files where.stp >/dev/null || exit 1
"$V" -t $((100 * SLOW)) exec "$G" -- sh -c "cd $B && for p in stacks stacks_fixed; do $SPILERUN -c \"$W/\$p sort\" where_in_files.ko || exit 1; done" >got 2>&1 ||
	fail "$(cat got)"
# of FILE and NAME: as nm has it, without zeros at the front
place() { nm $3 "$1" | awk -v name="$2" '$3 ~ "^" name "(@|$)" { sub(/^0*/, "", $1); print $1; exit }'; }
for program in stacks stacks_fixed; do
	address=$(place "$W/$program" stacks_end)
	grep -qx "$program $address" got || fail "stacks_end of $program is at $address: $(cat got)"
	# what it returns to is in the function that called it
	back=$(awk -v p=$program '$1 == p { n++; if (n == 2) print $2 }' got)
	addr2line -fe "$W/$program" "$back" | grep -qx stacks_registers || fail "$back of $program: $(addr2line -fe "$W/$program" "$back")"
done
grep -qx "libc $(place "$libc" qsort -D) 0" got || fail "qsort: $(cat got)"
