#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# module("PATTERN"): two modules of the guest are probed by one point, those that are not loaded are named once, and on the running kernel
# a pattern means only the loaded ones.  A small kernel may have no second module: then the test says so, and uses one.
# cost: 10
point='module("[di][uf][mb]*").function("*stats64")'
cat >"$B/modules.stp" <<X
global calls, returns
probe $point { if (execname() == "sh") calls[ppfunc()]++ }
probe $point.return { if (execname() == "sh") returns[ppfunc()]++ }
probe end { foreach (f+ in calls) printf("%s %d %d\n", f, calls[f], returns[f]) }
X
cat >"$B/module_alone.stp" <<X
probe module("dummy").function("dummy_get_stats64") { println("hit") }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m by_pattern modules.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m alone module_alone.stp >/dev/null || exit 1
# The part that a wildcard leaves open is listed as a pattern: the functions of all modules are neither read nor kept for that.
forms=$(ulimit -v 400000; "$SPILE" -r "$RELEASE" -l '*' 2>&1)
echo "$forms" | grep -qxF 'module("*").function("*").return' || { echo "-l '*': $forms"; exit 1; }
cat >"$B/modules" <<X
list() { $SPILE -l '$point' 2>&1; }
cd \$(mktemp -d) || exit 1
echo 'for i in dummy0 ifb0; do [ ! -d /sys/class/net/\$i ] || read x </sys/class/net/\$i/statistics/rx_packets; done' >look
$SPILERUN -o out -c true $B/alone.ko 2>&1 | grep -o 'module dummy is not loaded; its functions are probed as soon as it is'
list | grep -o 'no loaded module of kernel\|hint: load it first: modprobe dummy'
rmmod ifb 2>/dev/null # which another test may have left
modprobe dummy numdummies=1 || exit 1
list
has_ifb() { grep -q '/ifb\.ko' "/lib/modules/$RELEASE/modules.dep"; }
if has_ifb; then modprobe ifb numifbs=1 || exit 1; fi
list
$SPILERUN -o out -c "sh look" $B/by_pattern.ko 2>err || { cat err; exit 1; }
cat out err
rmmod dummy
if has_ifb; then rmmod ifb; else echo "no module ifb"; fi
X
out=$("$V" -t 100 exec "$G" -- sh "$B/modules" 2>&1)
echo "$out"
want='module dummy is not loaded; its functions are probed as soon as it is
no loaded module of kernel
hint: load it first: modprobe dummy
module("dummy").function("dummy_get_stats64")
module("dummy").function("dummy_get_stats64")
module("ifb").function("ifb_stats64")
dummy_get_stats64 1 1
ifb_stats64 1 1'
# Whether modules are found that are not loaded depends on the packages: those of a kernel in SPILE_KERNELS are.
if [ "${SPILE_KERNELS:-}" ]; then
	once() { grep -v '^no loaded\|^hint' | awk '!seen[$0]++'; }
	want=$(echo "$want" | once)
	out=$(echo "$out" | once)
fi
[ "$out" = "$want" ] || [ "$out" = "$(echo "$want" | grep -v ifb)
no module ifb" ]
