#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each process that starts, by fork() and by vfork() and execve(), on all CPUs at once, begins once for each of these and ends once, seen by probes of the
# whole system.  STARTS=50000 in the environment makes 100,000 of them.
# timeout: 5000
# cost: 100
cd "$B" || exit 1
n=${STARTS:-500}
cat >starter.c <<'Y'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; i--) {
		pid_t pid = i % 2 ? fork() : vfork();

		if (!pid && i % 2)
			_exit(0);
		if (!pid)
			execl("/proc/self/exe", "starter", (char *)NULL), _exit(1);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return 1;
	}
	return 0;
}
Y
gcc -O2 -static -o starter starter.c || exit 1
cat >starts.stp <<'Y'
global begun, ended, of_path
probe process.begin { begun[execname()]++ }
probe process.end { ended[execname()]++ }
probe process(@1).begin { of_path++ }
probe end { printf("begun %d, of the path %d, ended %d\n", begun["starter"] + begun["exe"], of_path, ended["starter"] + ended["exe"]) }
Y
"$SPILE" -r "$RELEASE" -p4 -m starts starts.stp "$B/starter" >/dev/null || exit 1
cat >starts.sh <<Y
$SPILERUN -w -c 'for i in 1 2; do "$B/starter" $n & jobs="\$jobs \$!"; done; for j in \$jobs; do wait \$j || echo failed; done' $B/starts.ko
Y
"$V" -t $((4900 * SLOW)) exec "$G" -- sh "$B/starts.sh" >starts.got 2>&1
# of each two processes one begins twice, the second time with the name exe, when it is made and when it executes the program
echo "begun $((3 * n + 2)), of the path $((3 * n + 2)), ended $((2 * n + 2))" | diff - starts.got
