#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module comes and goes all the time, while conditions arm and disarm what is probed in it, and while other sessions that probe it begin, end and
# lose their loaders.  The session that runs all the time counts each of its lives, and each call of a function of the kernel; all modules of the
# sessions can be unloaded.  (Where a session begins, the kernel holds the module for a moment.)
# cost: 30
head='global on, n, begun, ended
probe timer.ms(3) { on = !on }
probe module("dummy").function("dummy_setup") if (on) { n++ }
probe module("dummy").function("dummy_get_stats64") if (on) { n++ }
probe module("dummy").function("*").return if (!on) { n++ }
probe module("dummy").statement("dummy_get_stats64+5") ? if (on) { n++ }
probe module("dummy").statement("dummy_get_stats64+9") ? if (on) { n++ }
probe kernel.function("dev_get_stats") if (on) { n++ }
probe module("dummy").function("dummy_init_module") { begun++ }
probe module("dummy").function("dummy_init_module").return { ended++ }'
cd "$B" || exit 1
{
	echo "$head"
	echo 'global calls; probe kernel.function("__x64_sys_getpgid") { if (execname() == "perl") calls++ }'
	echo 'probe end { println(begun, " ", ended, " ", n > 0, " ", calls) }'
} >long.stp
echo "$head" >short.stp
for name in long short; do
	"$SPILE" -r "$RELEASE" -p4 -m mods_$name $name.stp >/dev/null || exit 1
	[ $name = long ] || "$SPILE" -r "$RELEASE" -p4 -m mods_killed $name.stp >/dev/null || exit 1
done
cat >churn <<'X'
i=0
while [ $i -lt $1 ]; do
	i=$((i + 1))
	perl -e 'getpgrp(1) for 1..2000' &
	modprobe dummy numdummies=1 || exit 1
	read x </sys/class/net/dummy0/statistics/rx_packets
	while ! rmmod dummy 2>/dev/null; do sleep 0.02; done
	wait
done
X
cat >load <<X
lsmod | grep -q "^dummy " && rmmod dummy
$SPILERUN -o long.out -c "sh churn 15" mods_long.ko 2>long.err & long=\$!
rounds=0
while kill -0 \$long 2>/dev/null; do
	$SPILERUN -c "sleep 0.2" mods_short.ko >/dev/null 2>short.err || { echo "short: exit status \$?"; cat short.err; exit 1; }
	$SPILERUN mods_killed.ko >/dev/null 2>killed.err & killed=\$!
	sleep 0.3
	kill -9 \$killed
	wait \$killed 2>/dev/null
	rounds=\$((rounds + 1))
done
wait \$long || { echo "long: exit status \$?"; cat long.err; }
echo "\$((rounds > 2)) \$(cat long.out)"
$SPILERUN -c true mods_short.ko >/dev/null 2>&1
grep ^mods_ /proc/modules
exit 0
X
out=$("$V" -t $((300 * SLOW)) exec "$G" -- sh -c "cd $B && sh load" 2>&1)
echo "$out"
[ "$out" = "1 15 15 1 30000" ]
