#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# More calls are active than the kernel follows, and a signal's handler with a probed call runs on a stack that is above them, in a
# variable of main(): what is saved of the calls below stays, and the returns that the kernel follows are all seen.
cd "$B" || exit 1
cat >above.c <<'EOF'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int sum;

__attribute__((noinline)) int handled(int n)
{
	sum = sum + n;
	return n;
}

static void on_signal(int sig)
{
	handled(sig);
}

__attribute__((noinline)) int down(int n)
{
	if (n)
		sum = sum + down(n - 1);
	else
		raise(SIGUSR1);
	return n;
}

int main(void)
{
	char stack[65536];
	stack_t s = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	if (sigaltstack(&s, NULL) || sigaction(SIGUSR1, &a, NULL))
		return 1;
	down(71);
	puts("alive");
	return 0;
}
EOF
gcc -O1 -g -fno-optimize-sibling-calls -o above above.c || exit 1
cat >above.stp <<'EOF'
global entries, returns, wrong, handled
probe process(@1).function("down").call { entries++ }
probe process(@1).function("down").return { returns++; if (@entry($n) != $return) wrong++ }
probe process(@1).function("handled").call { handled++ }
probe process(@1).function("handled").return { println("the kernel followed it") }
probe end { printf("%d entries %d returns %d wrong %d\n", entries, returns, wrong, handled) }
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m above above.stp "$B/above" >/dev/null || exit 1
"$V" -t $((60 * SLOW)) exec "$G" -- sh -c "cd $B && $SPILERUN -v -o above.out -c ./above above.ko 2>above.err; cat above.out" >above.got
printf '%s\n' alive '72 entries 64 returns 0 wrong 1' >above.want
diff above.want above.got || { cat above.err; exit 1; }
