#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest that QEMU emulates, a session that watches memory of programs needs -g, and does not start if it probes functions of programs too
# (doc/safety.md); in one with KVM it does.  So it is with two sessions: a thread whose program is probed already is not watched.  Points that watch the
# same memory are warned of.
cd "$B" || exit 1
cat >emulated.stp <<X
probe process("$W/written").data("written_counter").write { n++ }
probe process("$W/written").function("main") { n++ }
probe end { println("ran ", n > 1) }
global n
X
"$SPILE" -g -r "$RELEASE" -p4 -m emulated emulated.stp >/dev/null || exit 1
echo "probe process(\"$W/written\").function(\"main\") { println(\"main\") }" >emulated_first.stp
echo "probe process(\"$W/written\").data(\"written_counter\").write { n++ } probe end { println(\"watched \", n > 1) } global n" >emulated_second.stp
cat >emulated_overlap.stp <<X
probe process("$W/written").data("written_counter").write, process("$W/written").data("written_counter").length(1).write { println("hit") }
probe kernel.data("panic_timeout").length(4).write, kernel.data("panic_timeout").length(2).write { println("hit") }
X
for name in first second overlap; do
	"$SPILE" -g -r "$RELEASE" -p4 -m emulated_$name emulated_$name.stp >/dev/null || exit 1
done
"$SPILE" -r "$RELEASE" -p4 -m emulated_safe emulated_second.stp >/dev/null || exit 1
cat >emulated.sh <<X
cd $B
rm -f emulated.out
hit() { $W/written 1 1 >/dev/null; [ -s emulated.out ]; }
$SPILERUN -c '$W/written 1 1 >/dev/null' emulated_safe.ko; echo status \$?
$SPILERUN -c '$W/written 1 1 >/dev/null' emulated.ko; echo status \$?
$SPILERUN -w -o emulated.out emulated_first.ko & first=\$!
. $S/../lib/await.sh
await_within $((20 * SLOW)) grep -qs "^emulated_first .*Live" /proc/modules
await_within $((20 * SLOW)) hit
$SPILERUN -c '$W/written 1 1 >/dev/null' emulated_second.ko
kill -INT \$first; wait \$first
uniq emulated.out
$SPILERUN -c true emulated_overlap.ko 2>&1 | sed -n 's/.* watch the same memory: this machine is emulated.*/overlap/p'
X
if "$V" exec "$G" -- sh -c "dmesg | grep -q 'Hypervisor detected: KVM'"; then
	want="watched 1
status 0
ran 1
status 0
watched 1
main"
else
	want="ERROR: memory of programs cannot be watched: this machine is emulated
status 1
ERROR: memory of programs cannot be watched beside probes of functions or markers of programs: this machine is emulated
status 1
WARNING: probe process().data(): not watched in thread: functions or markers of the program are probed
watched 0
WARNING: some skipped
main
overlap
overlap"
fi
out=$("$V" -t $((100 * SLOW)) exec "$G" -- sh emulated.sh 2>&1)
echo "$out"
out=$(echo "$out" | sed 's/ (QEMU.*//; s/probe .*: not watched in thread [0-9]*/probe process().data(): not watched in thread/; s/ are probed, .*/ are probed/; s/Number of errors.*/some skipped/; /^WARNING: hits /d')
echo "$want" >emulated.want; echo "$out" | diff emulated.want -
