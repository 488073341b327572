#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Addresses between those of programs and those of the kernel, and at their ends, cannot be read or written, and the kernel says nothing of it.  6.1 looks
# at them as if the processor used all bits that it has, and warned of those that are none then: so in a guest that boots fast, with fewer in use.
# timeout: 200
# cost: 10
cd "$B" || exit 1
cat >none.stp <<'X'
global bad, tried, unwritten, tries
function look(addr)
{
	tried += 2
	try { println(kernel_long(addr)) } catch { bad++ }
	try { println(kernel_string(addr)) } catch { bad++ }
	tries++
	try { set_kernel_char(addr, 0) } catch { unwritten++ }
}
probe begin
{
	look(0x800000000000)
	look(0x8000000000000)
	look(0xfffffffffffff8)
	look(0x100000000000000)
	look(0x7fffffffffffffff)
	look(0x8000000000000000)
	look(0xff00000000000000 - 8)
}
probe end { printf("%d of %d cannot be read, %d of %d not written\n", bad, tried, unwritten, tries) }
X
"$SPILE" -g --vm="$RELEASE" none.stp -c 'sh -c "dmesg >/tmp/said; grep -c . /tmp/said >/dev/null && ! grep -A3 cut.here /tmp/said"' >none.out 2>none.err
[ "$(cat none.out)" = "14 of 14 cannot be read, 7 of 7 not written" ] || { cat none.out none.err; exit 1; }
