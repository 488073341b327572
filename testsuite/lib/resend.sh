# SPDX-License-Identifier: GPL-2.0-or-later
# In a guest: a connection to 10.9.8.2:80, behind which nobody is, until its first packet was sent a second time.
ip link add veth7 type veth peer name veth8 && ip addr add 10.9.8.1/24 dev veth7 && ip link set veth7 up && ip link set veth8 up || exit
ip neigh add 10.9.8.2 lladdr 02:03:04:05:06:07 dev veth7
bash -c 'echo >/dev/tcp/10.9.8.2/80' &
# In that table: state 02 is SYN_SENT, and the seventh column how often it was sent again.
i=0
until awk '$4 == "02" && $7 + 0 > 0 { again = 1 } END { exit !again }' /proc/net/tcp || [ $((i += 1)) = 100 ]; do
	sleep 0.1
done
kill $!
ip link del veth7
