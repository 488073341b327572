#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each write to a watched variable is seen, from all CPUs at once, and with .rw each read; the values before and after follow each other.  (Emulators may
# report one of two points at the same place only.)
# CPUs that come back are watched again.  Of a per-CPU variable each CPU watches its own.
cat >"$B/watched.stp" <<'X'
global writes, on, accesses, bad, sum, forks, ups, inside
probe kernel.data("panic_timeout").length(4).write {
	sum += $after - $before
	if (execname() != "writer" || user_mode())
		bad++
	on[cpu()]++
	writes++
	inside += symname(addr()) =~ "proc_.*int"
}
probe kernel.data("panic_on_oops").length(4).rw { if (execname() == "reader") accesses++ }
probe kernel.trace("sched_process_fork") { if (execname() == "writer" && $child->pid == $child->tgid) forks++ }
probe kernel.data("process_counts").write { if (execname() == "writer" && $after == $before + 1) ups++ }
probe end {
	printf("%d writes, %d on the first CPU, %d on the other, %d accesses, %d bad\n", writes, on[0], on[1], accesses, bad)
	printf("sum %d, in the function %d\n", sum == 100, inside == writes)
	printf("%d processes, all seen %d\n", forks, ups == forks)
}
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m watched watched.stp >/dev/null || exit 1
cat >"$B/watched.sh" <<X
dir=\$(mktemp -d) && cd \$dir && cp /bin/sh writer && cp /bin/sh reader || exit 1
file=/proc/sys/kernel/panic
online=/sys/devices/system/cpu/cpu1/online
echo 0 >\$file
cat >write <<'Y'
i=0
while [ \$i -lt \$1 ]; do i=\$((i + 1)); echo \$i >\$2; done
Y
cat >access <<'Y'
i=0
while [ \$i -lt 100 ]; do i=\$((i + 1)); read x <\$1; echo \$x >\$1; done
Y
cat >fork <<'Y'
i=0
while [ \$i -lt 50 ]; do i=\$((i + 1)); (:); done
Y
cat >all <<'Y'
. $S/../lib/await.sh
taskset -c 0 ./writer write 500 \$1 & one=\$!
taskset -c 1 ./writer write 500 \$1
wait \$one
./reader access /proc/sys/kernel/panic_on_oops & ./reader access /proc/sys/kernel/panic_on_oops; wait
echo 0 >\$2
echo 1 >\$2
await_within $((200 * SLOW)) taskset -c 1 true 2>/dev/null
taskset -c 1 ./writer write 100 \$1
./writer fork
Y
$SPILERUN -o out -c "sh all \$file \$online" $B/watched.ko || exit 1
cat out
echo 0 >\$file
X
out=$("$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/watched.sh" 2>&1)
echo "$out"
[ "$out" = "1100 writes, 500 on the first CPU, 600 on the other, 400 accesses, 0 bad
sum 1, in the function 1
50 processes, all seen 1" ]
