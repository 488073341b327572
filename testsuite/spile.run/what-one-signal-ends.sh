#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What ends a session ends all of it: spile, the loader, the command of -c with what that started, the guest.  Output that has no reader,
# or one that does not read, delays nothing; what could not be written is reported.
# timeout: 400
# cost: 100
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
cat >signals.stp <<'Y'
probe begin { println("begin") }
probe timer.ms(5) { printf("%d %s\n", gettimeofday_ms(), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx") }
probe end { println("end") }
Y
cat >many.stp <<'Y'
probe timer.ms(1) { for (i = 0; i < 200; i++) printf("%d xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n", i) }
Y
for m in signals many; do "$SPILE" -r "$RELEASE" -D STP_NO_OVERLOAD -p4 -m one_$m $m.stp >/dev/null || fail "$m.stp does not compile"; done
cat >signals.sh <<Y
. $S/../lib/await.sh
cd /tmp
runs() { grep -q running /proc/spile.one_*/state 2>/dev/null; }
began() { await_within 30 runs || echo "not running"; }
deaf_run() { [ \$(pgrep -fc 'sleep 1006') = 2 ]; }
none_is_left() { ! pgrep -f 'sleep 1005' >/dev/null; }
gone() { for p; do kill -0 \$p 2>/dev/null && echo "\$p is there"; done; }
# the command ends with the session, also one that runs others and one that does not listen
$SPILERUN -T 1 -c 'sleep 1001' $B/one_signals.ko >out; echo "-T \$? \$(pidof sleep | wc -w) \$(tail -1 out)"
$SPILERUN -T 1 -c 'sleep 1002; echo no' $B/one_signals.ko >out; echo "shell \$? \$(pgrep -fc 'sleep 100[0-9]')"
$SPILERUN -T 1 -c 'trap "" TERM INT; while :; do sleep 1003; done' $B/one_signals.ko >out; echo "deaf \$? \$(pgrep -fc 'sleep 100[0-9]')"
printf '#!/bin/sh\ntrap "" TERM\nexec sleep 1006\n' >deaf; chmod +x deaf
$SPILERUN -c '/tmp/deaf & /tmp/deaf; true' $B/one_signals.ko >out & r=\$!
await_within 30 deaf_run
kill -TERM \$r; wait \$r; echo "orphans \$? \$(pgrep -fc 'sleep 100[0-9]')"; pkill -KILL -f 'sleep 1006'
$SPILERUN -c 'no-such-program' $B/one_signals.ko >out 2>err; echo "absent \$?"; cat err
for sig in INT TERM HUP QUIT; do
	$SPILERUN -c 'sleep 1004' $B/one_signals.ko >out & r=\$!; began; kill -\$sig \$r; wait \$r; echo "\$sig \$? \$(tail -1 out)"
done
$SPILERUN -c 'sleep 1005' $B/one_signals.ko >/dev/null & r=\$!; began; kill -KILL \$r; wait \$r 2>/dev/null
await_within 10 none_is_left; echo "left \$(pgrep -fc 'sleep 100[0-9]')"
# a reader that leaves, that has stopped, that has left although nothing is printed
mkfifo pipe
for m in signals many; do
	$SPILERUN $B/one_\$m.ko 2>err >pipe & r=\$!; head -2 <pipe >/dev/null; wait \$r; echo "reader left \$?"; grep -v lost err
done
$SPILERUN $B/one_many.ko 2>err >pipe & r=\$!; sleep 1000 <pipe & s=\$!
await_within 30 runs; sleep 2
kill -INT \$r; wait \$r; echo "reader stopped \$?"; sed 's/[0-9][0-9]*/N/g; /lost/d' err; kill \$s; rm pipe
# no room
$SPILERUN -T 5 $B/one_signals.ko 2>err >/dev/full; echo "full \$?"; sed 's/[0-9][0-9]*/N/g' err
$SPILERUN -T 5 $B/one_signals.ko 2>err >&-; echo "closed \$?"; grep -c Bad err
$SPILERUN -o /tmp $B/one_signals.ko 2>err; echo "folder \$?"; cat err
mkdir small; mount -t tmpfs -o size=64k none small
$SPILERUN -T 30 -o small/out $B/one_many.ko 2>err; echo "small \$?"; grep 'cannot write' err
set -- \$(sed -n 's/.*of \([0-9]*\) bytes of output \([0-9]*\) were written and \([0-9]*\) were not/\1 \2 \3/p' err)
test \$2 = \$(stat -c %s small/out) && test \$((\$2 + \$3)) = \$1 && echo adds up
umount small
# a limit of the size of a file does not end us by SIGXFSZ; it ends the command, as usual
(ulimit -f 8; $SPILERUN -T 30 -o limited $B/one_many.ko 2>err); echo "limit \$?"; grep 'cannot write' err
set -- \$(sed -n 's/.*of \([0-9]*\) bytes of output \([0-9]*\) were written and \([0-9]*\) were not/\1 \2 \3/p' err)
test \$2 = \$(stat -c %s limited) && test \$((\$2 + \$3)) = \$1 && echo adds up
$SPILERUN -c 'kill -XFSZ \$\$; true' $B/one_signals.ko 2>&1 >out | sed 's/signal [0-9]*/signal N/'
$SPILERUN -h >/dev/full 2>err; echo "help \$?"; cat err
grep ^one_ /proc/modules
Y
"$V" -t 200 exec "$G" -- sh "$B/signals.sh" >signals.got 2>&1
cat >signals.want <<'Y'
-T 0 0 end
shell 0 0
deaf 0 0
orphans 0 0
absent 1
ERROR: cannot run "no-such-program": there is no such program in the folders of PATH
INT 0 end
TERM 0 end
HUP 0 end
QUIT 0 end
left 0
reader left 141
reader left 141
reader stopped 1
ERROR: the output was not read for N seconds
ERROR: of N bytes of output N were written and N were not
full 1
ERROR: cannot write the output: No space left on device
ERROR: of N bytes of output N were written and N were not
closed 1
1
folder 1
ERROR: cannot write /tmp: Is a directory
small 1
ERROR: cannot write small/out: No space left on device
adds up
limit 1
ERROR: cannot write limited: File too large
adds up
WARNING: Child process exited with signal N (File size limit exceeded)
help 1
spilerun: cannot write the output: No space left on device
Y
diff signals.want signals.got || fail "not what was expected"

# An error of our own output is not a reader that is gone, and the end of the command in the guest shows that.
"$V" -t 100 exec "$G" -- $SPILERUN -T 30 "$B/one_many.ko" >/dev/full 2>err; status=$?
[ $status = 1 ] || fail "exec >/dev/full: $status: $(cat err)"
grep -q 'cannot write the output: No space left' err && grep -q '[1-9][0-9]* bytes that came from the guest were not written' err ||
	fail "exec >/dev/full: $(cat err)"

# The module is complete or does not exist.
"$SPILE" -r "$RELEASE" -p4 -m one_part signals.stp >/dev/null && rm one_part.ko || fail "-m does not compile"
(ulimit -f 8; "$SPILE" -r "$RELEASE" -p4 -m one_part signals.stp >out 2>err); status=$?
[ $status = 1 ] && grep -q 'cannot write one_part.ko' err || fail "-m, no room: $status: $(cat out err)"
[ -z "$(ls one_part.ko* 2>/dev/null)" ] || fail "left behind: $(ls one_part.ko*)"
for o in --help --version "--explain" "-l begin" "-p1 -e probe\ begin{}"; do
	eval "\"$SPILE\" $o" >/dev/full 2>err; [ $? = 1 ] && grep -q 'No space left\|cannot write' err || fail "$o >/dev/full: $(cat err)"
done
"$V" ps >/dev/full 2>err || grep -q 'cannot write' err || fail "ps >/dev/full: $(cat err)"

# From the host: one signal to spile, and a reader that leaves.  These boot guests of their own, for which a kernel that checks all it
# does is too slow; it does not depend on the kernel.
. "$S/../lib/await.sh"
is_gone() { ! kill -0 "$qemu" 2>/dev/null; }
[ "$SLOW" = 1 ] || { echo "signals to spile --vm are left out: the guest is too slow"; exit 0; }
"$SPILE" --vm="$RELEASE" -c 'sleep 1000' signals.stp >out 2>err & s=$!
await_within 60 grep -qs begin out
vm=$(pgrep -P $s -x spile-vm) && qemu=$(pgrep -P "$vm") || fail "no guest: $(cat err)"
kill -TERM $s; wait $s || fail "SIGTERM: exit status $?: $(cat err)"
[ "$(tail -1 out)" = end ] || fail "no end: $(tail -1 out)"
! kill -0 "$qemu" 2>/dev/null || fail "QEMU is there after SIGTERM"
mkfifo reader
"$SPILE" --vm="$RELEASE" signals.stp >reader 2>err & s=$!
head -2 reader | grep -q begin || fail "nothing to read"
wait $s; status=$?; rm reader
[ $status = 141 ] || fail "the reader left: exit status $status: $(cat err)"
# Killed by SIGKILL, it leaves no guest.
rm out # else its first line may be taken for the new one's
"$SPILE" --vm="$RELEASE" signals.stp >out 2>err & s=$!
await_within 60 grep -qs begin out
vm=$(pgrep -P $s -x spile-vm) && qemu=$(pgrep -P "$vm") || fail "no guest: $(cat err)"
kill -KILL $s
await_within 30 is_gone
! kill -0 "$qemu" 2>/dev/null || fail "QEMU is there after SIGKILL"
