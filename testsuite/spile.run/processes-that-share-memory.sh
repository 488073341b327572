#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A process that shares its memory with its parent, without being a thread of it, is probed by its id, and as a target; and the parent is
# not.  (Those that a target makes are targets too.)
cd "$B" || exit 1
cat >sharing.c <<'X'
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noipa)) long shared_work(long n) { return n + 1; }

static int child(void *unused)
{
	for (;;) {
		shared_work(1);
		usleep(1000);
	}
	return 0;
}

int main(void)
{
	char *stack = malloc(65536);
	pid_t pid = clone(child, stack + 65536, CLONE_VM | SIGCHLD, NULL);

	printf("%d %d\n", (int)getpid(), (int)pid);
	fflush(stdout);
	for (;;) {
		shared_work(0);
		usleep(1000);
	}
}
X
gcc -D_GNU_SOURCE -O2 -g -o sharing sharing.c || exit 1
cat >sharing.stp <<X
global n
probe process("$B/sharing").function("shared_work").call { n[pid() == target(), \$n]++; if (n[1, 1] == 100 || n[1, 0] == 100) exit() }
probe end { foreach ([own, arg+] in n) if (own) printf("%d %d\n", arg, n[own, arg] > 99); println("other ", [0, 0] in n) }
X
sed 's/process("[^"]*")/process/' sharing.stp >sharing_bare.stp
"$SPILE" -r "$RELEASE" -c "$B/sharing" -p4 -m sharing_bare sharing_bare.stp >/dev/null || exit 1
cat >sharing_run <<X
./sharing >sharing.pids &
. $S/../lib/await.sh
await_within $((20 * SLOW)) test -s sharing.pids
read parent child <sharing.pids
$SPILERUN -T $((20 * SLOW)) -x \$child sharing_bare.ko
$SPILERUN -T $((20 * SLOW)) -x \$parent sharing_bare.ko
kill \$child \$parent
X
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh -c "cd $B && sh sharing_run" 2>&1)
echo "$out"
[ "$out" = "1 1
other 0
0 1
other 0" ]
