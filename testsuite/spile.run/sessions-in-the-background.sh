#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# -F: the command ends when the probes are armed, having printed the id of the session's process, which ends in order at a signal; messages
# are in a file then.  What does not begin says so, as without -F, and a signal while it begins ends it.
# kernel: any
# cost: 10
cd "$B" || exit 1
fail() { echo "$*"; cat background.got; exit 1; }
cat >background.stp <<'EOF'
global calls
probe begin { println("begin") }
probe syscall.sethostname { calls++ }
probe procfs("warn").read { warn("asked"); $value = "x" }
probe end { println("end ", calls) }
EOF
echo 'probe timer.ms(10) { for (i = 0; i < 50; i++) println("much much much much much much") }' >much.stp
"$SPILE" -w -r "$RELEASE" -p4 -m background background.stp >/dev/null && "$SPILE" -w -r "$RELEASE" -p4 -m much much.stp >/dev/null || exit 1
"$SPILE" -w -r "$RELEASE" -p4 -m bad -e 'probe begin { println("once"); error("no good") } probe timer.s(1) { println("tick") }' >/dev/null &&
	"$SPILE" -w -r "$RELEASE" -p4 -m brief -e 'probe begin { println("once"); exit() }' >/dev/null || exit 1
cat >background-run.sh <<EOF
. $S/../lib/await.sh
cd $B
gone() { ! kill -0 \$1 2>/dev/null; }
run() { $SPILERUN -F "\$@"; echo "status \$?"; }

# its output is closed although the session goes on: else this would wait
set -- \$(run -o background.out background.ko)
echo "\$2 \$3"
pid=\$1
kill -0 \$pid || echo "not there"
[ "\$(ps -o sid= -p \$pid | tr -d ' ')" = \$pid ] || echo "no session of its own"
hostname one; hostname two
cat /proc/spile.background/warn >/dev/null
kill -TERM \$pid
await gone \$pid
cat background.out
cat background.out.messages

# standard error is a file: so it stays
set -- \$(run -T 1 -o background.out background.ko 2>background.err)
cat /proc/spile.background/warn >/dev/null
await gone \$1
cat background.err

# what does not begin
run -o background.out there-is-none.ko 2>&1
run background.ko 2>&1
run -o /nowhere/background.out background.ko 2>&1
[ -d /sys/module/background ] && echo "still loaded"

# a begin probe ends it: there is no session to go on, and errors are seen at once
run -w -o bad.out bad.ko 2>&1 | sed 's/ near .*//'
cat bad.out
run -o brief.out brief.ko 2>&1
cat brief.out
[ -e bad.out.messages ] || [ -e brief.out.messages ] && echo "a file of no messages"
[ -d /sys/module/bad ] || [ -d /sys/module/brief ] && echo "still loaded"

# what does not begin costs no output of before, and a file is of one session
echo before >kept; echo said >kept.messages
run -o kept background.ko no_such_global=1 2>&1 | grep status
cat kept kept.messages
set -- \$(run -o background.out background.ko)
run -o background.out background.ko 2>&1
kill -TERM \$1
await gone \$1
cat background.out

# where messages could not be found later; a disk that is full
run -o /dev/full background.ko 2>&1
mkdir -p full && mount -t tmpfs -o size=64k none full
set -- \$(run -o full/out much.ko)
await gone \$1
sed 's/full: .*/full/' full/out.messages | grep -o 'cannot write.*out: No space left on device'
umount full

# a signal while it begins: no session stays, or it was there and its id was said
for delay in 0 0.02 0.05 0.1 0.2 0.4; do
	$SPILERUN -F -w -o background.\$delay.out background.ko >background.id 2>background.err & p=\$!
	sleep \$delay
	kill -INT \$p 2>/dev/null
	kill -TERM \$p 2>/dev/null
	wait \$p 2>/dev/null
	if [ -s background.id ]; then
		kill -TERM \$(cat background.id) 2>/dev/null # the first signal may have ended it by now
		await gone \$(cat background.id)
	fi
	await [ ! -e /sys/module/background ]
done
EOF
"$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/background-run.sh" >background.got 2>&1
diff - background.got <<'EOF' || fail "not what was expected"
status 0
begin
end 2
WARNING: asked
WARNING: asked
ERROR: cannot open there-is-none.ko: No such file or directory
status 1
ERROR: -F needs a file: -o FILE
status 1
ERROR: cannot write /nowhere/background.out: No such file or directory
status 1
ERROR: no good
status 1
once
status 0
once
status 1
before
said
ERROR: cannot write background.out: another session writes it
status 1
begin
end 0
ERROR: -F needs a file of a disk, and /dev/full is none: what goes wrong in the background must be found somewhere
status 1
cannot write full/out: No space left on device
EOF
