#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module is loaded when the session runs already, unloaded, and loaded again: its functions are probed from its first instruction on,
# those too that only start or end it, their returns, and instructions in them, and its variables are read; each with the module's own counts.
# cost: 10
cat >"$B/comes.stp" <<'X'
global named, hits, at, read, why, lives, points, all
@define what %( sprintf("%d: %s", lives, ppfunc()) %)
probe module("dummy").function("dummy_init_module") { lives++; hits[@what]++ }
probe module("dummy").function("dummy_init_module").return { hits[@what . " returns"]++; hits[@what . " result " . sprint($return)]++ }
probe module("dummy").function("dummy_setup") { hits[@what]++; if (symname(addr()) == "dummy_setup") named++ }
probe module("dummy").function("dummy_get_stats64") if (lives != 2) { if (execname() == "sh") hits[@what]++ }
probe kprobe.module("dummy").function("dummy_get_stats64").return {
	if (execname() == "sh") {
		hits[@what . " returns"]++
		try { read[lives] += @cast(&@var("numdummies", "dummy"), "int")[0] } catch (w) { why[w]++ }
	}
}
@define try(n) %( probe module("dummy").statement("dummy_get_stats64+" @n) ? { if (execname() == "sh") at[@n, lives]++ } %)
@try("1") @try("2") @try("3") @try("4") @try("5") @try("6") @try("7") @try("8") @try("9") @try("10") @try("11") @try("12")
probe kernel.function("dev_get_stats") { try { if (@cast(&@var("numdummies", "dummy"), "int")[0] >= 0) read[-1] = 1 } catch (w) { why[w] = 1 } }
probe end {
	foreach (what+ in hits) printf("%s %d\n", what, hits[what])
	foreach ([o, n] in at) { points[n]++; all[n] += at[o, n] }
	foreach (n+ in points) printf("instructions %d: %d %d\n", n, points[n] > 1, all[n] == points[n] * 10)
	foreach (n+ in read) printf("read %d: %d\n", n, read[n])
	foreach (w+ in why) println(w)
	println("named ", named)
}
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -d dummy -d kernel --all-modules -p4 -m mod_comes comes.stp >/dev/null || exit 1
cat >"$B/comes" <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
cat >life <<'Y'
modprobe dummy numdummies=\$1 || exit 1
for i in 0 1 2 3 4 5 6 7 8 9; do read x </sys/class/net/dummy0/statistics/rx_packets; done
rmmod dummy
Y
lsmod | grep -q "^dummy " && rmmod dummy
$SPILERUN -o out -c "sh life 1 && cat /sys/class/net/lo/statistics/rx_packets && sh life 2 && sh life 3" $B/mod_comes.ko >/dev/null 2>err || { cat err; exit 1; }
sh life 1 || echo "the module cannot be used after it"
cat out
modprobe dummy numdummies=1 || exit 1
$SPILERUN -o out -c "rmmod dummy; sh life 2; modprobe dummy numdummies=2" $B/mod_comes.ko 2>&1 | grep -v "could not be probed"
rmmod dummy
cat out
grep -o 'module dummy is not loaded.*' err
X
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/comes" 2>&1)
echo "$out"
lives() {
	for life in 1 2 3; do
		[ $life = 2 ] || echo "$life: dummy_get_stats64 10"
		echo "$life: dummy_get_stats64 returns 10"
		echo "$life: dummy_init_module 1"
		echo "$life: dummy_init_module result 0 1"
		echo "$life: dummy_init_module returns 1"
		echo "$life: dummy_setup $life"
	done
}
over='it runs only while module dummy starts, so it is probed when the module is loaded the next time'
[ "$out" = "$(lives)
instructions 1: 1 1
instructions 2: 1 1
instructions 3: 1 1
read -1: 1
read 1: 10
read 2: 20
read 3: 30
module dummy is not loaded, and \"numdummies\" is in it
named 6
WARNING: probe module(\"dummy\").function(\"dummy_init_module\"): $over
WARNING: probe module(\"dummy\").function(\"dummy_init_module\").return: $over
$(lives | grep '^1' | sed s/setup.1/setup\ 2/)
2: dummy_init_module 1
2: dummy_init_module result 0 1
2: dummy_init_module returns 1
2: dummy_setup 2
instructions 1: 1 1
read -1: 1
read 1: 20
named 4
module dummy is not loaded: its \"numdummies\", which @var needs, is found as soon as it is
module dummy is not loaded; its functions are probed as soon as it is" ]
