#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# While the kernel looks for what a user probe's breakpoint is of, the program seems to be one byte further than it is.  If its first instruction has one
# byte, a stack from there would begin with a caller that is none: it says that the registers are not known.  The probe's own stacks are whole.
# needs: kernel.function("uprobe_notify_resume")
cd "$B" || exit 1
cat >pushes.c <<'X'
#include <stdio.h>
long pushes(long n);
__asm__(".text\n.globl pushes\n.type pushes, @function\npushes: .cfi_startproc\npush %rbx\n.cfi_def_cfa_offset 16\n.cfi_offset 3, -16\n"
	"lea 1(%rdi), %rax\npop %rbx\n.cfi_def_cfa_offset 8\nret\n.cfi_endproc\n.size pushes, .-pushes");
__attribute__((noinline, noclone)) long calls_pushes(long n)
{
	return pushes(n) + 1;
}
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 100; i++)
		sum += calls_pushes(i);
	printf("%ld\n", sum);
	return 0;
}
X
gcc -O2 -o pushes pushes.c || exit 1
cat >pushes.stp <<X
global frames, stacks, whole, shown
probe process("$B/pushes").function("pushes") {
	s = sprint_ubacktrace()
	if (s =~ "^pushes[+].*\ncalls_pushes[+].*\nmain[+]") whole++
}
probe kernel.function("uprobe_notify_resume") {
	if (execname() != "pushes") next
	stacks++
	s = sprint_ubacktrace()
	if (s == "" || (s =~ "^pushes[+].*\ncalls_pushes[+].*\nmain[+]")) next
	frames++
	if (!shown++) print_ubacktrace()
}
probe end { printf("whole %d, stacks %d, wrong %d\n", whole, stacks >= 100, frames) }
X
"$SPILE" -r "$RELEASE" -p4 -DMAXSTRINGLEN=2048 -m at_a_breakpoint pushes.stp -d "$B/pushes" >/dev/null || exit 1
out=$("$V" -t $((60 * SLOW)) exec "$G" -- "$SPILERUN" -c "$B/pushes" "$B/at_a_breakpoint.ko" 2>&1)
echo "$out"
echo "$out" | grep -Fqx 'whole 100, stacks 1, wrong 0'
