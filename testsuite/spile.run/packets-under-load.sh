#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions come and go while packets flow on all CPUs, and while network namespaces are made and end.  Each sees packets and ends well, and
# no packet is lost but by a handler's verdict.
# needs: netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")
# cost: 30
cat >"$B/load.stp" <<'X'
global n, on, dropped
probe netfilter.hook("NF_INET_*").pf("NFPROTO_IPV*") { n[cpu()] <<< $skb->len }
probe netfilter.hook("NF_INET_PRE_ROUTING").pf("NFPROTO_INET") if (on) { n[-1] <<< 1 }
probe netfilter.hook("NF_INET_LOCAL_OUT").pf("NFPROTO_IPV4") if (!on) { n[-2] <<< 1 }
probe netfilter.hook("NF_INET_LOCAL_OUT").pf("NFPROTO_IPV6") { if (++dropped % 2) $verdict = 0 }
probe timer.ms(20) { on = !on }
probe end { printf("%d %d %d %d\n", @count(n[0]) > 0, @count(n[1]) > 0, @count(n[-1]) + @count(n[-2]) > 0, dropped > 0) }
X
cd "$B" || exit 1
"$SPILE" -g -r "$RELEASE" -p4 -m packet_load load.stp >/dev/null || exit 1
cat >"$B/cycles" <<X
trap 'kill \$one \$two \$three' EXIT
sh -c 'while :; do taskset 1 $W/packets 2000; done' >four 2>&1 & one=\$!
sh -c 'while :; do taskset 2 $W/packets 2000; done' >four2 2>&1 & two=\$!
sh -c 'while :; do $W/packets -n -6 20; done' >six 2>&1 & three=\$!
i=0
while [ \$i -lt 8 ]; do
	i=\$((i + 1))
	$SPILERUN -c "sleep 0.6" packet_load.ko >out 2>err || { echo "exit status \$?"; cat err; exit 1; }
	[ "\$(tail -n 1 out)" = "1 1 1 1" ] || { tail -n 1 out; exit 1; }
done
! grep -v 'sent 2000 refused 0 received 2000' four four2 || exit 1
grep -q 'sent 10 refused 10 received 10' six || { tail six; exit 1; }
! grep ^packet_load /proc/modules
X
"$V" -t $((400 * SLOW)) exec "$G" -- sh -c "cd $B && sh cycles"
