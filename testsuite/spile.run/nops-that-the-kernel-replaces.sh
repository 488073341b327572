#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels from 6.18 on replace a probed nop of five bytes by a call, and before 7.3 that overwrites what a function keeps below its stack pointer.
# There such a place is refused, and left out of wildcards; a runtime that takes the guest's kernel for one of these shows that.  On others it is probed.
# cost: 30
cd "$B" || exit 1
cat >nops.c <<'EOF'
#include <stdio.h>

/* Leaves with a nop in the middle, in all forms that are five bytes, and two that are not. */
#define LEAF(name, nop) \
	__attribute__((noinline, noipa)) int name(int n) \
	{ \
		int kept; \
		__asm__ volatile("mov %1, -8(%%rsp)\n" #name "_nop: " nop "\nmov -8(%%rsp), %0" : "=r"(kept) : "r"(n) : "memory"); \
		return kept; \
	}
LEAF(plain, ".byte 0x0f, 0x1f, 0x44, 0x00, 0x00")
LEAF(once, ".byte 0x66, 0x0f, 0x1f, 0x40, 0x00")
LEAF(twice, ".byte 0x66, 0x66, 0x0f, 0x1f, 0x00")
LEAF(prefixed, ".byte 0x66, 0x66, 0x66, 0x66, 0x90")
LEAF(scaled, ".byte 0x66, 0x0f, 0x1f, 0x04, 0x00")
LEAF(shorter, ".byte 0x0f, 0x1f, 0x40, 0x00")
LEAF(longer, ".byte 0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00")

int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += plain(i) + once(i) + twice(i) + prefixed(i) + scaled(i) + shorter(i) + longer(i);
	printf("sum %d\n", sum);
	return 0;
}
EOF
gcc -O2 -o nops nops.c || exit 1
at() { nm nops | sed -n "s/^0*\([0-9a-f]*\) . $1_nop$/0x\1/p"; }
for name in plain once twice prefixed scaled shorter longer; do
	echo "probe process(\"$B/nops\").statement($(at $name))? { n[\"$name\"]++ }"
done >nops.stp
echo 'global n; probe end { foreach (name+ in n) println(name, " ", n[name]) }' >>nops.stp
echo "probe process(\"$B/nops\").statement($(at plain)) { println(1) }" >one.stp
# The two lines that say which kernels these are.
rm -rf nop-runtime && cp -r "$S/../../runtime" nop-runtime && sed -i '/_Static_assert/d' nop-runtime/kernel/compat/uprobe_nop.h || exit 1
"$SPILE" -r "$RELEASE" -p4 -m nops nops.stp >/dev/null 2>&1 || exit 1
for m in nops one; do SPILE_RUNTIME=$B/nop-runtime "$SPILE" -r "$RELEASE" -p4 -m harm_$m $m.stp >/dev/null 2>harm.err || { cat harm.err; exit 1; }; done
cat >nops-run.sh <<EOF
cd $B
for m in nops harm_nops harm_one; do $SPILERUN -c $B/nops \$m.ko 2>&1; done
EOF
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/nops-run.sh" >nops.got
sed -i "s,$B,.,g; s/offset 0x[0-9a-f]*/offset N/; s/statement(0x[0-9a-f]*)/statement(N)/" nops.got
cat >nops.want <<'EOF'
sum 315
longer 10
once 10
plain 10
prefixed 10
scaled 10
shorter 10
twice 10
WARNING: 5 of 7 user probe points could not be probed: this kernel replaces such a nop by a call, which overwrites what the program keeps below its stack pointer (./nops)
sum 315
longer 10
shorter 10
ERROR: probe process("./nops").statement(N): cannot probe ./nops at offset N: this kernel replaces such a nop by a call, which overwrites what the program keeps below its stack pointer (error -2)
EOF
diff nops.want nops.got
