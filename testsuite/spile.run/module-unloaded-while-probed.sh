#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A module is unloaded and loaded again while its functions are probed: that is reported, and nothing that is at its place now
# counts under its name, and no variable of it is read.  Functions outside of it stay probed.
cat >"$B/module.stp" <<'X'
global entries, returns, others, read, gone
probe module("dummy").function("dummy_get_stats64") { if (execname() == "sh") entries++ }
probe module("dummy").function("dummy_get_stats64").return { if (execname() == "sh") returns++ }
probe kernel.function("dev_get_stats") {
	others++
	try { read += @cast(&@var("numdummies", "dummy"), "int")[0] == 1 } catch (why) { gone[why]++ }
}
probe end {
	foreach (why in gone) println(why, " ", read >= 10, " ", gone[why] >= 10)
	printf("%d %d %d\n", entries, returns, others >= 20)
}
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m module_goes module.stp >/dev/null || exit 1
cat >"$B/module" <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
cat >reload <<'Y'
read_ten() { for i in 0 1 2 3 4 5 6 7 8 9; do read x </sys/class/net/dummy0/statistics/rx_packets; done; }
place() { grep -w dummy_get_stats64 /proc/kallsyms; }
read_ten
before=\$(place)
rmmod dummy && modprobe dummy numdummies=1 || exit 1
[ "\$before" != "\$(place)" ] || echo "at the same place" >>place
read_ten
rmmod dummy && modprobe dummy numdummies=1
Y
modprobe dummy numdummies=1 || exit 1
$SPILERUN -o out -c "sh reload" $B/module_goes.ko 2>err || { cat err; exit 1; }
rmmod dummy
cat out place 2>/dev/null
grep 'module dummy was unloaded:' err
X
out=$("$V" -t 100 exec "$G" -- sh "$B/module" 2>&1)
echo "$out"
echo "$out" | grep -qx '10 10 1' && echo "$out" | grep -qx 'module dummy was unloaded, and with it "numdummies" 1 1' && [ "$(echo "$out" | grep -c 'module dummy was unloaded:')" = 1 ]
