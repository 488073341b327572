#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a program has not used yet of the memory below its stack is not there: reading it is an error, the stack does not grow, and the kernel does
# not complain (6.12 does, once an hour, about a tool that asks for such a page).
cd "$B" || exit 1
cat >below.c <<'X'
#include <stdio.h>

__attribute__((noinline, noipa)) void below(char *at) { __asm__ volatile("" : : "r"(at) : "memory"); }

static char *stack_begins(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], *begins = 0;
	int n;

	while (maps && fgets(line, sizeof(line), maps)) {
		void *from;

		n = 0;
		if (sscanf(line, "%p-%*p %*s %*s %*s %*s [stack]%n", &from, &n) == 1 && n)
			begins = from;
	}
	return begins;
}

int main(void)
{
	char *begins = stack_begins();

	below(begins - 256);
	below(begins);
	printf("the same %d\n", begins && begins == stack_begins());
	return 0;
}
X
gcc -O2 -g -o below below.c || exit 1
cat >below.stp <<X
probe process("$B/below").function("below") {
	try { println("read ", user_int64_error(\$at) != -1) } catch { println("not there") }
}
X
"$SPILE" -r "$RELEASE" -p4 -m below below.stp >/dev/null || exit 1
out=$("$V" -t $((60 * SLOW)) exec "$G" -- sh -c "dmesg -C; cd $B && $SPILERUN -c ./below below.ko; dmesg | grep -i -A3 'stack\\|gup'" 2>&1)
echo "$out"
# The program's line may come before or after the session's.
[ "$(echo "$out" | sort)" = "not there
read 1
the same 1" ]
