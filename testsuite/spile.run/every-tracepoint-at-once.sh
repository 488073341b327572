#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All tracepoints of the kernel are armed while processes, files, modules and CPUs come and go: each hit is accounted for, the kernel does not
# complain, and the session ends.  Then the same with a line for each hit, so that what the session itself does hits too.
# cost: 30
cat >"$B/all.stp" <<'X'
global n
probe kernel.trace("*") { n[pp()]++ }
probe end {
	foreach (point in n) {
		total += n[point]
		if (point =~ "sched:sched_(switch|waking|process_(fork|exec|exit))\"|raw_syscalls:sys_(enter|exit)\"")
			found++
	}
	printf("%d of them hit, %d\n", found, total)
}
X
cat >"$B/lines.stp" <<'X'
probe kernel.trace("*") { printf("%s %s\n", pp(), $$parms) }
X
cd "$B" || exit 1
"$SPILE" -r "$RELEASE" -p4 -m every_tp all.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -p4 -m every_tp_line lines.stp >/dev/null || exit 1
cat >"$B/all" <<X
dir=\$(mktemp -d) && cd \$dir || exit 1
cat >load <<'Y'
for i in 1 2 3; do
	modprobe dummy && rmmod dummy
	ls -l /proc/self/fd >/dev/null
	dd if=/dev/zero of=file bs=4k count=100 2>/dev/null && sync file && rm file
	(sleep 0.1 & kill \$!)
	for online in /sys/devices/system/cpu/cpu*/online; do echo 0 >\$online && echo 1 >\$online; done
done
Y
$SPILERUN -v -o out -c "sh load" $B/every_tp.ko 2>err || { cat err; exit 1; }
cat out
grep '^spilerun: hits' err
# A kernel with lockdep hits so often that lines are lost: that is reported, and the status says so.
$SPILERUN -v -o lines -c "sh load" $B/every_tp_line.ko 2>err || grep -q '^WARNING: lost [0-9]* records' err || { cat err; exit 1; }
awk '!/^kernel.trace\("[a-z_A-Z0-9:]+"\) ([a-z_A-Z0-9]+=|$)/ { other++ } END { print (NR > 1000 ? "many" : NR), "lines,", other + 0, "others" }' lines
X
out=$("$V" -t 300 exec "$G" -- sh "$B/all" 2>&1)
echo "$out"
echo "$out" | awk '
	/of them hit/ { found = $1; counted = $NF }
	/^spilerun: hits/ { for (i = 1; i < NF; i++) if ($i == "handled") handled = $(i + 1) }
	/^many lines, 0 others$/ { lines = 1 }
	END { exit !(found == 7 && counted > 1000 && counted == handled - 1 && lines) }'
