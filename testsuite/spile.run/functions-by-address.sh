#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function of a program by its address, at its entry and its return, with its variables; an address within it is refused.  An instruction of it by
# its address, if the line table says that it begins there: with the variables of that place, which are those of the same place by its line.
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
address=0x$(nm "$W/threads" | awk '$3 == "threads_work" { print $1 }')
cat >at.stp <<X
global n, left, sum
probe process("$W/threads").function($address) { n++; sum += \$call; if (ppfunc() != "threads_work") println(pp()) }
probe process("$W/threads").function($address).return { left += \$return == (@entry(\$thread) ^ @entry(\$call)) }
probe end { println(n, " ", left, " ", sum) }
X
"$SPILE" -r "$RELEASE" -p4 -m at_address at.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p2 -e "probe process(\"$W/threads\").function($((address + 1))) { println(1) }" >within 2>&1 && fail "an address within it is taken"
grep -q "the address is in threads_work, which begins at 0x" within || fail "$(cat within)"
"$V" -t 100 exec "$G" -- "$SPILERUN" -c "$W/threads 3 100" "$B/at_address.ko" >at.got 2>&1
printf 'threads_work 300\n300 300 14850\n' | diff - at.got || fail "not what was expected"

# the instruction where the code of a line begins, by its address and by its line
source=$S/../workload/statements.c
line=$(($(sed -n '/^PROBED long statements_sum/=' "$source") + 9))
address=$(readelf --debug-dump=decodedline "$W/statements" | awk -v line=$line '$1 == "statements.c" && $2 == line { print $3 }' | sort | head -1)
# in the middle of an instruction of two bytes or more
within=$(objdump -d --no-show-raw-insn --disassemble=statements_sum "$W/statements" | sed -n 's/^ *\([0-9a-f]*\):.*/\1/p' |
	while read -r a; do [ -z "$last" ] || [ $((0x$a - 0x$last)) -lt 2 ] || { echo $((0x$last + 1)); break; }; last=$a; done)
[ -n "$within" ] || fail "no such instruction"
cat >instruction.stp <<X
global n, sum
probe process("$W/statements").statement($address) { n["address"]++; sum["address"] += \$i * 100 + \$calls; if (pp() !~ "statement\\\\($address\\\\)$") println(pp()) }
probe process("$W/statements").statement("statements_sum@statements.c+9") { n["line"]++; sum["line"] += \$i * 100 + \$calls }
probe end { println(n["address"], " ", n["line"], " ", sum["address"] == sum["line"], " ", sum["line"] > 0) }
X
"$SPILE" -r "$RELEASE" -p4 -m at_instruction instruction.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p2 -e "probe process(\"$W/statements\").statement($within) { println(1) }" >within 2>&1 && fail "an address in an instruction is taken"
grep -q "is in statements_sum, but may be in the middle of an instruction" within || fail "$(cat within)"
"$V" -t 100 exec "$G" -- "$SPILERUN" -c "$W/statements 4" "$B/at_instruction.ko" >at.got 2>&1
printf 'total %d\n10 10 1 1\n' "$("$W/statements" 4 | sed 's/total //')" | diff - at.got || fail "not what was expected"
