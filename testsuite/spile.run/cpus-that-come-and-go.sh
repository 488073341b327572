#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU that comes online while a session runs has its hits handled and its output read; no hit is lost while it goes and comes
# under load, and a session ends well while it is away.
cat >"$B/cpus.stp" <<'X'
global n, there
probe kernel.function("__x64_sys_umask") {
	if (execname() == "umasks") {
		println("hit ", ++n)
		if (cpu() == 1) there++
	}
}
probe end { printf("%d hits, on the new CPU %d\n", n, there >= 300) }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m cpus_come cpus.stp >/dev/null || exit 1
cat >"$B/cpus" <<X
dir=\$(mktemp -d) && cd \$dir && cp /bin/sh umasks || exit 1
online=/sys/devices/system/cpu/cpu1/online
[ -w \$online ] || { echo "the guest has no second CPU"; exit 1; }
cat >umask <<'Y'
i=0
: >running
while [ \$i -lt \$1 ]; do umask 022; i=\$((i + 1)); done
Y
cat >come <<'Y'
. $S/../lib/await.sh
echo 1 >\$1
await_within $((200 * SLOW)) taskset -c 1 true 2>/dev/null # its cpuset comes a moment later
taskset -c 1 ./umasks umask 300
rm running
taskset -c 1 ./umasks umask 3000 & load=\$!
await_within $((200 * SLOW)) test -e running # the kernel moves it, but taskset asks for a CPU that is there
for i in 1 2 3; do echo 0 >\$1; echo 1 >\$1; done
wait \$load
Y
# The shell needs several calls for each umask.
check() {
	hits=\$(grep -c '^hit ' out)
	[ \$((hits % \$1)) = 0 ] && [ \$((hits / \$1)) = \${calls:=\$((hits / \$1))} ] && [ \$hits -gt 0 ] || echo "\$1: \$hits lines of \$calls calls each"
	[ "\$(tail -1 out)" = "\$hits hits, on the new CPU 1" ] || tail -1 out
}
echo 0 >\$online
$SPILERUN -o out -c "sh come \$online" $B/cpus_come.ko || exit 1
check 3300
$SPILERUN -o out -c "sh -c '. $S/../lib/await.sh; await_within $((200 * SLOW)) taskset -c 1 true 2>/dev/null; taskset -c 1 ./umasks umask 300; echo 0 >\$online; ./umasks umask 200'" $B/cpus_come.ko || exit 1
echo 1 >\$online
check 500
X
out=$("$V" -t 200 exec "$G" -- sh "$B/cpus" 2>&1) && [ -z "$out" ] || { echo "$out"; exit 1; }
