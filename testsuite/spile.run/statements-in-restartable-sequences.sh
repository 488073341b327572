#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The instructions of a restartable sequence (rseq) are refused, by address and by line, and left out of wildcards: a copy of one elsewhere, which the
# kernel executes, would keep the sequence from beginning again when the thread is interrupted.  What is before and after can be probed.
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
cat >restart.c <<'EOF'
#include <stdio.h>
#include <sys/rseq.h>

static volatile long counter;

__attribute__((noinline, noipa)) void add(void)
{
	__asm__ volatile(
		".pushsection __rseq_cs, \"aw\"\n.balign 32\n3: .long 0, 0\n.quad seq_first, seq_after - seq_first, 5f\n.popsection\n"
		"4: leaq 3b(%%rip), %%rax\n"
		"movq %%rax, %%fs:8(%[rseq])\n"
		"seq_first: movq %[counter], %%rcx\n"
		"seq_middle: addq $1, %%rcx\n"
		"seq_last: movq %%rcx, %[counter]\n"
		"seq_after: addq $0, %%rcx\n"
		".pushsection .text.abort, \"ax\"\n.byte 0x0f, 0xb9, 0x3d\n.long 0x53053053\n5: jmp 4b\n.popsection\n"
		: [counter] "+m"(counter) : [rseq] "r"(__rseq_offset) : "rax", "rcx", "memory", "cc");
}

int main(void)
{
	for (int i = 0; i < 1000; i++)
		add();
	printf("%ld\n", counter);
	return 0;
}
EOF
at() { nm $1 | sed -n "s/^0*\([0-9a-f]*\) . $2$/0x\1/p"; }
says() {
	LC_ALL=C "$SPILE" -r "$RELEASE" -p2 -e "$1" >said 2>&1 && fail "accepted: $1"
	grep -qF -- "$2" said || { cat said; fail "not said: $2"; }
}
why='cannot be probed: it is in a restartable sequence (rseq), which would not begin again where it is interrupted'
for how in -pie -no-pie; do
	gcc -g -O1 -fpie $how -o restart$how restart.c || exit 1
	for name in seq_first seq_middle seq_last; do
		says "probe process(\"$B/restart$how\").statement($(at restart$how $name)) { }" "the instruction at $(at restart$how $name) $why"
	done
	LC_ALL=C "$SPILE" -r "$RELEASE" -p2 -e "probe process(\"$B/restart$how\").statement($(at restart$how seq_after)) { println(1) }" >said 2>&1 || { cat said; exit 1; }
done
# Whose first line is in the sequence.
cat >lines.S <<'EOF'
	.text
	.globl lines
	.type lines, @function
lines:
	nop
	.pushsection __rseq_cs, "aw"
	.balign 32
	.long 0, 0
	.quad seq, end - seq, lines
	.popsection
seq:	nop
	nop
end:	ret
	.size lines, . - lines
	.section .note.GNU-stack, "", @progbits
EOF
cat >calls.c <<'EOF'
void lines(void);
int main(void) { lines(); return 0; }
EOF
gcc -g -o lines lines.S calls.c || exit 1
says "probe process(\"$B/lines\").statement(\"lines@lines.S:11\") { }" "$why"
cat >restart.stp <<EOF
global n
probe process("$B/restart-pie").statement("add@restart.c:*") { n++ }
probe process("$B/restart-pie").statement($(at restart-pie seq_after)) { n++ }
probe process("$B/lines").statement("lines@lines.S:*") { n += 10000 }
probe end { println(n >= 1000, " ", n / 10000) }
EOF
"$SPILE" -r "$RELEASE" -p4 -m restart restart.stp >/dev/null || exit 1
echo "$SPILERUN -c 'sh -c \"$B/restart-pie; $B/lines\"' $B/restart.ko" >restart-run.sh
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/restart-run.sh" >restart.got 2>&1
printf '1000\n1 2\n' | diff - restart.got
