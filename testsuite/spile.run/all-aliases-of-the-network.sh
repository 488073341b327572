#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# All aliases of the network, with all of their variables, while programs talk, bridges speak to each other and packets are lost: what the programs
# know is seen, no value of any hit is absurd, and those without hits are known.
# needs: module("ebtables").function("ebt_register_table")
# needs: module("tun").function("tun_chr_open")
# timeout: 500
# cost: 100
. "$S/../lib/aliases_fire.sh"
# Ports, sizes and addresses of what they do are in aliases.known.
cat >"$B/known8.py" <<'X'
import ctypes, os, socket, struct
from socket import *
libc = ctypes.CDLL(None)
libc.prctl(15, b"known8")

def attempt(what):
    try: what()
    except OSError as e: print(e)

def talk(family, here):
    server, client = socket(family), socket(family)
    for s, port in (server, 7007), (client, 7008):
        s.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        s.bind((here, port))
    server.listen(1)
    client.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    if family == AF_INET6: client.setsockopt(IPPROTO_IPV6, IPV6_UNICAST_HOPS, 7)
    attempt(lambda: client.setsockopt(IPPROTO_TCP, 77, 1))
    attempt(lambda: client.setsockopt(IPPROTO_IPV6, 199, 1))
    client.connect((here, 7007))
    accepted, _ = server.accept()
    client.send(b"x" * 123)
    accepted.recv(1000)
    os.write(client.fileno(), b"x" * 45)
    os.read(accepted.fileno(), 1000)
    libc.connect(client.fileno(), bytes(16), 16)
    attempt(lambda: accepted.recv(1))
    d, e = socket(family, SOCK_DGRAM), socket(family, SOCK_DGRAM)
    d.bind((here, 7009))
    e.bind((here, 7010))
    e.connect((here, 7009))
    e.send(b"x" * 77)
    d.recv(1000)
    libc.connect(e.fileno(), bytes(16), 16)

talk(AF_INET, "127.0.0.1")
talk(AF_INET6, "::1")
attempt(lambda: socket(AF_INET, SOCK_SEQPACKET))

# The memory for TCP is nearly used up.
limits = open("/proc/sys/net/ipv4/tcp_mem").read()
open("/proc/sys/net/ipv4/tcp_mem", "w").write("1 2 100000")
server, client = socket(), socket()
server.bind(("127.0.0.1", 0))
server.listen(16)
# Each CPU may have a megabyte before it is counted.
clients = [client] + [socket() for i in range(7)]
for client in clients:
    client.connect(server.getsockname())
    client.setblocking(False)
    attempt(lambda: client.send(bytes(1000000)))
open("/proc/sys/net/ipv4/tcp_mem", "w").write(limits)
X
cat >"$B/known9.py" <<'X'
import socket, sys
from socket import *
def attempt(what):
    try: what()
    except OSError as e: print(e)

for family, to in (AF_INET, sys.argv[1]), (AF_INET6, sys.argv[2]):
    s = socket(family, SOCK_DGRAM)
    s.bind(("", 7011))
    attempt(lambda: s.sendto(b"x" * 100, (to, 7012)))
    attempt(lambda: s.sendto(b"x" * 5000, (to, 9)))
    s = socket(family, SOCK_DGRAM)
    attempt(lambda: s.setsockopt(IPPROTO_IP, 10, 3)) # IP_PMTUDISC_PROBE: never in fragments
    attempt(lambda: s.sendto(b"x" * 1400, (to, 9)))
    s = socket(family)
    s.bind(("", 7013))
    attempt(lambda: s.connect((to, 7014)))

# A packet whose checksum is wrong.
s = socket(AF_PACKET, SOCK_RAW)
s.bind((sys.argv[3], 0x0800))
s.send(bytes.fromhex("0200000001 01 020000000102 0800 45000014 00000000 40ff0bad 0a090102 0a090101") + bytes(40))
X
aliases_fire 'netdev|tcp|udp|netfilter|socket|ipmib|linuxmib|tcpmib' '
modprobe -r br_netfilter; modprobe bridge; modprobe veth; modprobe tun
ip link set lo up
for option in "" -6 -w "-6 -w"; do $W/talks $option; done
python3 $B/known8.py
ip link add veth7 type veth peer name veth8
ip link set veth7 mtu 1234; ip link set veth7 address 02:03:04:05:06:07; ip link set veth7 up
ip link set veth7 promisc on; ip link set veth7 promisc off; ip link set veth7 allmulticast on; ip -s link show veth7
ip link set veth7 down
ip link del veth7
# Two network namespaces beside this one, which forwards packets of IPv4 and IPv6 between them.
unshare -n sleep 100 & one=$!
unshare -n sleep 100 & two=$!
sleep 1
for i in 1 2; do
	[ $i = 1 ] && ns=$one || ns=$two
	ip link add to$i address 02:00:00:00:0$i:01 type veth peer name from$i address 02:00:00:00:0$i:02
	ip link set from$i netns $ns
	ip addr add 10.9.$i.1/24 dev to$i; ip addr add fd09:$i::1/64 dev to$i nodad; ip link set to$i up
	nsenter -n -t $ns sh -c "ip link set lo up; ip addr add 10.9.$i.2/24 dev from$i; ip addr add fd09:$i::2/64 dev from$i nodad; ip link set from$i up
		ip route add default via 10.9.$i.1; ip route add default via fd09:$i::1"
done
sleep 1
echo 0 >/proc/sys/net/ipv4/ip_forward
nsenter -n -t $one bash -c "echo >/dev/udp/10.9.2.2/9"
echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding
nsenter -n -t $one python3 $B/known9.py 10.9.2.2 fd09:2::2 from1
# What is larger than the way to two, and must not be in fragments.
ip link set to2 mtu 1300
nsenter -n -t $one python3 $B/known9.py 10.9.2.2 fd09:2::2 from1
ip link set to2 mtu 1500
# Two bridges, and packets of others that pass through one, without and with filters for IP.
ip link add br5 address 02:00:00:00:05:05 type bridge stp_state 1 priority 5 hello_time 100 forward_delay 200
ip link add br6 type bridge stp_state 1 priority 6 forward_delay 200
ip link add veth5 type veth peer name veth6
ip link set veth5 master br5; ip link set veth6 master br6
ip link set br5 up; ip link set veth5 up; ip link set br6 up; ip link set veth6 up
ip addr flush dev to1; ip addr flush dev to2
ip link set to1 master br5; ip link set to2 master br5
nsenter -n -t $two ip addr add 10.9.1.3/24 dev from2
ip addr add 10.9.1.1/24 dev br5
sleep 8
nsenter -n -t $one bash -c "echo >/dev/udp/10.9.1.3/9; sleep 1; echo >/dev/udp/10.9.1.3/9; echo >/dev/udp/10.9.1.1/9"
modprobe br_netfilter
nsenter -n -t $one sh -c "ip neigh flush all"
nsenter -n -t $one bash -c "echo >/dev/udp/10.9.1.3/9; sleep 1; echo >/dev/udp/10.9.1.3/9; echo >/dev/udp/10.9.1.1/9"
sleep 1
kill $one $two
ip link del veth5; ip link del br5; ip link del br6
# As it was, for the tests after this one.
modprobe -r br_netfilter; echo 0 >/proc/sys/net/ipv4/ip_forward; echo 0 >/proc/sys/net/ipv6/conf/all/forwarding
$W/counts
sleep 1
'
