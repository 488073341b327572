#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A condition of a probe point takes the probe out of the code and puts it back: the breakpoint of a function of a program, the
# tracer's hook of a kernel function, and a kprobe of its own.  Running /bin/true switches.  Calls that began while a return probe
# was armed are seen when they return, others are not.
# cost: 10
cd "$B" || exit 1
cat >armed.stp <<'X'
global on, calls, returns, entries, exits, slow, waited, kernel_waited, n
probe process("/bin/true").begin { on = !on }
probe process(@1).function("pound_work") if (on) { calls++ }
probe process(@1).function("pound_work").return if (on) { returns++ }
probe kernel.function("__x64_sys_getpgid") if (on) { if (execname() == "pound") entries++ }
probe kernel.function("__x64_sys_getpgid").return if (on) { if (execname() == "pound") exits++ }
probe kernel.function("__put_user_4") if (on && n >= 0) { slow = 1 }
probe process(@2).function("waits_here").return if (on) { waited += @entry($call) }
probe kernel.function("hrtimer_nanosleep").return if (on) { if (execname() == "sleeper") kernel_waited += @entry(on) }
probe end {
	n++
	printf("calls %d %d %d %d %d waited %d %d\n", calls, returns, entries, exits, slow, waited, kernel_waited)
}
X
"$SPILE" -g -r "$RELEASE" -p4 -m armed armed.stp "$W/pound" "$W/waits" >/dev/null || exit 1
cat >armed.sh <<X
. $S/../lib/await.sh
cd /tmp; mkfifo go; cp /bin/sleep sleeper # not the sleep that this waits with
mount -t tracefs none /sys/kernel/tracing 2>/dev/null; mount -t debugfs none /sys/kernel/debug 2>/dev/null
T=/sys/kernel/tracing; test -e \$T/enabled_functions || T=/sys/kernel/debug/tracing
# What is in place of breakpoint, hook of the tracer and kprobe.
state() {
	echo "\$($W/pound 0), \$(grep -c '^__x64_sys_getpgid .*\[armed\]' \$T/enabled_functions) hooked," \
		"\$(grep __put_user_4 /sys/kernel/debug/kprobes/list | grep -vc DISABLED) enabled"
}
armed='probed, 1 hooked, 1 enabled' disarmed='not probed, 0 hooked, 0 enabled'
is_state() { test "\$(state)" = "\$1"; }
until_state() { await_within 30 is_state "\$1" || echo "\$2: \$(state)"; }
until_asleep() { await_within 30 grep -q "\$2" /proc/\$1/stack || echo "\$1 does not sleep"; }
on() { /bin/true; until_state "\$armed" "on for \$1"; }
off() { /bin/true; until_state "\$disarmed" "off for \$1"; }
$SPILERUN -o out "$B/armed.ko" & r=\$!
await_within 30 grep -q running /proc/spile.armed/state 2>/dev/null
until_state "\$disarmed" start
$W/pound 1 100 >pounded
on first; $W/pound 1 100 >pounded
# in calls that began armed, when the probes are disarmed
$W/waits 4 <go >waited & w=\$!
exec 3>go
./sleeper 1000 & s=\$!
until_asleep \$w read; until_asleep \$s nanosleep
off second; $W/pound 1 100 >pounded
echo -n 1 >&3; kill \$s; wait \$s 2>/dev/null
# the second call began disarmed
./sleeper 1000 & s=\$!
until_asleep \$s nanosleep; until_asleep \$w read
on third; $W/pound 1 100 >pounded
echo -n 2 >&3; kill \$s; wait \$s 2>/dev/null
# the third began armed, and the probes are armed again when it returns
./sleeper 1000 & s=\$!
until_asleep \$s nanosleep; until_asleep \$w read
off fourth; on fifth
echo -n 3 >&3; kill \$s; wait \$s 2>/dev/null
off sixth; $W/pound 1 100 >pounded
echo -n 4 >&3; wait \$w; exec 3>&-
kill -INT \$r; wait \$r || echo "exit status \$?"
cat out; state; rm -f go out pounded waited sleeper
X
out=$("$V" -t 280 exec "$G" -- sh "$B/armed.sh" 2>&1)
[ "$out" = "calls 200 200 200 200 1 waited 3 1
not probed, 0 hooked, 0 enabled" ] || { echo "$out"; exit 1; }
