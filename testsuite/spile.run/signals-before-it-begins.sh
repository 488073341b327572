#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A signal at any moment while the module is loaded and started: either there was a session, with begin and end probes, all of its
# output and status 0, or nothing of it, and the status is that of a program ended by the signal.
# cost: 30
cd "$B" || exit 1
fail() { echo "$*"; exit 1; }
cat >begins.stp <<'EOF'
probe begin { println("begin") }
probe kernel.function("vfs_*").call { next }
probe end { println("end") }
EOF
"$SPILE" -w -r "$RELEASE" -p4 -m begins begins.stp >/dev/null || exit 1
cat >begins-run.sh <<EOF
. $S/../lib/await.sh
cd $B
early=0 whole=0
for try in 0 1 2 3 4 5 6 7 8 9 10 11; do
	# the signal is there before the program is, or comes a little later each time
	env --block-signal=TERM sh -c 'kill -STOP \$\$; exec $SPILERUN -w -T 30 -o begins.out begins.ko' & p=\$!
	await_within $((20 * SLOW)) grep -qs '^State:.*T' /proc/\$p/status || echo "try \$try: not stopped"
	[ \$try != 0 ] || kill -TERM \$p
	kill -CONT \$p
	[ \$try -le 2 ] || sleep 0.\$((\$try / 4))\$((\$try % 4 * 2))
	[ \$try = 0 ] || kill -TERM \$p
	wait \$p
	status=\$?
	case "\$status \$(cat begins.out | tr '\n' ' ')" in
	'143 ') early=1 ;;
	'0 begin end ') whole=1 ;;
	*) echo "try \$try: status \$status"; cat begins.out ;;
	esac
	rm -f begins.out; : >begins.out
done
env --block-signal=TERM $SPILERUN -w -o begins.out begins.ko & p=\$!
await_within $((200 * SLOW)) grep -q begin begins.out
kill -TERM \$p; wait \$p; echo "status \$?"
echo "early \$early"
EOF
"$V" -t 200 exec "$G" -- sh "$B/begins-run.sh" >begins.got 2>&1
printf 'status 0\nearly 1\n' | diff - begins.got || fail "not what was expected"
