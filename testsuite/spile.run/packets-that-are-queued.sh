#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Packets that wait for the verdict of a program go on waiting while the condition of a probe of packets changes: with each hook that
# goes, the kernel would drop them.  (A session in guru mode queues them, where elsewhere a rule of a packet filter would.)  A packet of
# a protocol that the kernel does not take back from a program is not queued.
# needs: netfilter.hook("NF_INET_LOCAL_IN").pf("NFPROTO_IPV4")
# cost: 10
cd "$B" || exit 1
cat >queues.stp <<'X'
global queued
probe netfilter.hook("NF_INET_LOCAL_OUT").pf("NFPROTO_IPV4") { if ($skb->len == 100) { $verdict = 3; queued++ } }
probe end { println(queued, " queued") }
X
cat >looks.stp <<'X'
global on = 1, n
probe netfilter.hook("NF_INET_FORWARD").pf("NFPROTO_IPV6") if (on) { n++ }
probe procfs("on").write { on = strtol($value, 10) }
probe end { println(n) }
X
echo 'probe netfilter.hook("NF_ARP_OUT").pf("NFPROTO_ARP") { $verdict = 3 }' >arp.stp
for m in queues looks arp; do
	"$SPILE" -g -w -r "$RELEASE" -p4 -m packets_$m $m.stp >/dev/null || exit 1
done
cat >queued <<X
. $S/../lib/await.sh
waiting() { awk '\$1 == 0 { print \$3 }' /proc/net/netfilter/nfnetlink_queue; }
modprobe nfnetlink_queue || bad "no nfnetlink_queue"
$W/queue & q=\$!
await grep -q . /proc/net/netfilter/nfnetlink_queue
$SPILERUN packets_queues.ko >queued.out & a=\$!
sent() { $W/packets 10 >/dev/null; test "\$(waiting)" -gt 0; }
await sent
before=\$(waiting)
$SPILERUN -w packets_looks.ko & b=\$!
await test -e /proc/spile.packets_looks/on
for on in 0 1 0 1 0; do
	echo \$on >/proc/spile.packets_looks/on
	sleep 0.3
done
[ \$(waiting) = \$before ] || bad "\$(waiting) of \$before packets wait"
kill -INT \$b; wait \$b
kill -INT \$a; wait \$a
kill \$q
[ \$(sed 's/ queued//' queued.out) -ge \$before ] || bad "\$(cat queued.out)"
modprobe veth
$SPILERUN packets_arp.ko >arp.out 2>&1 & a=\$!
await grep -q packets_arp /proc/modules
ip link add arp0 type veth peer name arp1 && ip address add 10.9.9.1/24 dev arp0 && ip link set arp0 up && ip link set arp1 up ||
	bad "no device"
asked() { echo hello >/dev/udp/10.9.9.2/9; grep -q 'is no verdict' arp.out; }
await asked
kill -INT \$a; wait \$a
ip link delete arp0
X
"$V" -t $((200 * SLOW)) exec "$G" -- bash -c "cd $B && . ./queued"
