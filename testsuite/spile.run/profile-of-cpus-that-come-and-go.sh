#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU that goes offline and comes back while a session runs, or is offline when it begins, is sampled again when it is there; and a
# session ends well while it is away.
# cost: 30
cat >"$B/profile.stp" <<'X'
global ticks, faults, elsewhere
probe timer.profile {
	if (cpu() == 1) ticks[execname()]++
	else elsewhere++
}
probe perf.sw.page_faults.sample(1) { if (cpu() == 1) faults[execname()]++ }
probe end { printf("%d %d %d %d, elsewhere %d\n", ticks["first"] > 20, faults["first"] > 20, ticks["then"] > 20, faults["then"] > 20, elsewhere > 20) }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m profile_cpus profile.stp >/dev/null || exit 1
cat >"$B/profile" <<X
dir=\$(mktemp -d) && cd \$dir && cp /bin/sh first && cp /bin/sh then || exit 1
online=/sys/devices/system/cpu/cpu1/online
[ -w \$online ] || { echo "the guest has no second CPU"; exit 1; }
cat >burn <<'Y'
. $S/../lib/await.sh
await_within $((200 * SLOW)) taskset -c 1 true 2>/dev/null # its cpuset comes a moment later
timeout 3 taskset -c 1 ./\$1 -c 'while :; do :; done' # the program itself faults
:
Y
cat >come-and-go <<'Y'
sh burn first
timeout 100 ./then -c 'while :; do :; done' & load=\$!
for i in 1 2 3; do echo 0 >\$1; echo 1 >\$1; done
kill \$load
sh burn then
Y
cat >come <<'Y'
echo 1 >\$1
sh burn then
echo 0 >\$1
Y
$SPILERUN -v -o out -c "sh come-and-go \$online" $B/profile_cpus.ko 2>err || { cat err; exit 1; }
cat out
echo 0 >\$online
$SPILERUN -v -o out -c "sh come \$online" $B/profile_cpus.ko 2>err || { cat err; exit 1; }
cat out
echo 1 >\$online
! grep ^profile_ /proc/modules
X
out=$("$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/profile" 2>&1)
[ "$out" = "1 1 1 1, elsewhere 1
0 0 1 1, elsewhere 1" ] && exit
echo "$out"
exit 1
