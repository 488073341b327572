# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest: two bridges with the spanning tree protocol, br5 with the better priority, that are connected for a second and a half.
modprobe bridge
ip link add br5 type bridge stp_state 1 priority 5 hello_time 100
ip link set br5 address 02:00:00:00:00:05
ip link add br6 type bridge stp_state 1 priority 6
ip link add veth5 type veth peer name veth6
ip link set veth5 master br5
ip link set veth6 master br6
for device in br5 veth5 br6 veth6; do
	ip link set $device up
done
sleep 1.5
ip link del veth5
ip link del br5
ip link del br6
