#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each Ctrl-C of a terminal counts, also the second one soon after the first, and also in a pid namespace without our parent: there
# the terminal and the parent have the same number, 0.
# timeout: 300
# kernel: any
# cost: 10
cd "$B" || exit 1
cat >typed.stp <<'Y'
probe begin { warn("begun") }
probe end { t = gettimeofday_s(); while (gettimeofday_s() - t < 30) x++; println("the end") }
Y
"$SPILE" -w -r "$RELEASE" -D MAXACTION=100000000 -p4 -m typed typed.stp >/dev/null || exit 1
cat >typed.sh <<Y
. $S/../lib/await.sh
home=\$(mktemp -d) && cd \$home && mkfifo keys || exit 1
until_said() { await_within 60 grep -q "\$1" said || { echo "no \$1"; cat said; }; }
for how in "" "unshare --pid --fork"; do
	: >said
	script -qfc "\$how $SPILERUN -v -o out $B/typed.ko; echo gone" said <keys >/dev/null 2>&1 &
	exec 3>keys
	until_said "spilerun: started"; printf '\003' >&3
	until_said stopping; sleep 0.4; printf '\003' >&3
	until_said ^gone
	exec 3>&-; wait
	grep -o 'waiting for the probes' said
done
Y
"$V" -t $((250 * SLOW)) exec "$G" -- sh "$B/typed.sh" >typed.got 2>&1
printf '%s\n' 'waiting for the probes' 'waiting for the probes' >typed.want
diff typed.want typed.got
