#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# With the kernel's kprobes switched off, probes where the function tracer has no place cannot fire: an error, not silence, and a warning if it
# happens during the session, for however short a time.  The others do not need kprobes.
# cost: 10
cd "$B" || exit 1
echo 'global n probe kernel.function("__put_user_4") { n++ } probe end { println(n > 0) }' >slow.stp
echo 'global n probe kernel.function("__x64_sys_newuname").return { n++ } probe end { println(n > 0) }' >fast.stp
cat >later.stp <<'X'
global on, n
probe process("/bin/true").begin { on = 1 }
probe kernel.function("__put_user_4") if (on) { n++ }
probe end { println(on, n > 0) }
X
for m in slow fast later; do "$SPILE" -g -w -r "$RELEASE" -p4 -m $m $m.stp >/dev/null || exit 1; done
cat >off-all.sh <<X
cd $B
bad() { echo "\$*"; cat off.out off.err; exit 1; }
run() { $SPILERUN -o off.out -c "\$1" \$2 >/dev/null 2>off.err; }
mount -t debugfs none /sys/kernel/debug 2>/dev/null
switch=/sys/kernel/debug/kprobes/enabled
puts='sh -c "true & wait"'

echo 0 >\$switch
run "\$puts" slow.ko && bad 'off: no error'
grep -q "needs kprobes.*echo 1 >\$switch" off.err || bad 'off: not told'
run uname fast.ko && grep -qx 1 off.out && [ ! -s off.err ] || bad 'off: the function tracer'

echo 1 >\$switch
run "\$puts" slow.ko && grep -qx 1 off.out && [ ! -s off.err ] || bad 'on again'

run "sh -c 'echo 0 >\$switch'" slow.ko || bad 'switched off: failed'
grep -q "switched off during the session.*echo 1 >\$switch" off.err || bad 'switched off: not told'

# A probe whose condition becomes true meanwhile is not armed, also when they are on again.
echo 1 >\$switch
run "sh -c 'echo 0 >\$switch; /bin/true; sleep 1; echo 1 >\$switch; true & wait'" later.ko && grep -qx 10 off.out || bad 'armed while off'
grep -q "switched off during the session.*on again" off.err || bad 'armed while off: not told'

# Off for a moment only.
run "sh -c 'echo 0 >\$switch; echo 1 >\$switch; true & wait'" slow.ko && grep -qx 1 off.out || bad 'off and on again: failed'
grep -q "switched off during the session.*on again" off.err || bad 'off and on again: not told'
for on in 1 on; do
	run "sh -c 'echo \$on >\$switch; true & wait'" slow.ko && grep -qx 1 off.out && [ ! -s off.err ] || bad "\$on: which they were"
done
run "\$puts" slow.ko && grep -qx 1 off.out && [ ! -s off.err ] || bad 'on at last'
[ ! -s /sys/kernel/debug/kprobes/list ] || bad 'something is left'
X
"$V" -t 120 exec "$G" -- sh "$B/off-all.sh"
