#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function of a program by its address, at its entry and its return, with its variables; an address within it is refused.
# kernel: any
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
