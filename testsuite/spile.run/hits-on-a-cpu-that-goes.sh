#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Functions that run on a CPU that goes offline, after its interrupt controller was switched off: hits there are counted as not
# delivered.  A handler there would wake the loader by an interrupt that never comes: sessions hung, those of others on that CPU too.
cat >"$B/going.stp" <<'S'
global n
probe kernel.function("sched_cpu_dying") { n++; println("dying"); exit() }
probe kernel.function("ksys_sync") if (n > 0) { println("sync") }
probe end { println("end ", n) }
S
echo 'probe kernel.function("ksys_sync") { println("sync"); exit() }' >"$B/later.stp"
cd "$B" || exit 1
for m in going later; do "$SPILE" -r "$RELEASE" -p4 -m cpu_$m $m.stp >/dev/null || exit 1; done
cat >"$B/going.sh" <<X
. $S/../lib/await.sh
cd $B || exit 1
online=/sys/devices/system/cpu/cpu1/online
[ -w \$online ] || { echo "the guest has no second CPU"; exit 1; }
$SPILERUN -v -o out -c "sh -c 'echo 0 >\$online; echo 1 >\$online'" cpu_going.ko 2>err || { cat err; exit 1; }
cat out
grep -o 'the kernel could not deliver the hit: [0-9]*' err | head -1
await_within $((150 * SLOW)) taskset -c 1 true 2>/dev/null # its cpuset comes a moment later
timeout $((60 * SLOW)) $SPILERUN -o out -c "taskset -c 1 sync" cpu_later.ko 2>err; echo "status \$?"; cat out err
grep ^cpu_ /proc/modules
echo done
X
out=$("$V" -t $((150 * SLOW)) exec "$G" -- sh "$B/going.sh" 2>&1)
[ "$out" = "end 0
the kernel could not deliver the hit: 1
status 0
sync
done" ] && exit
echo "$out"
exit 1
