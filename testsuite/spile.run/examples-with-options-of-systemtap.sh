#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What examples do with the arguments and options that the same scripts of SystemTap have.
# timeout: 250
# kernel: any
# cost: 30
cd "$B" || exit 1
why() { echo "$*"; exit 1; }
has() { grep -Eq "$2" "$1" || why "$1 has no $2: $(cat "$1")"; }
has_not() { ! grep -Eq "$2" "$1" || why "$1 has $2: $(cat "$1")"; }

build() {
	name=$1
	shift
	"$SPILE" -r "$RELEASE" -p4 -m "$name" "$@" >/dev/null || why "$name is not built"
}
build senders --example who_sent_it
build library -c "$W/threads 3 10" --example ltrace 'pthread_*'
build threads --example thread-business
build failures --example errsnoop
build packets --example tcpdumplike
build trace --example tcp_trace filter=state,txq timeout=500 update=change '1.2.3.4:*-*:*' '*:*-127.0.0.1:*'
build no_trace --example tcp_trace timeout=1 update=all '127.0.0.2:*-*:*'
build closed --example tcpipstat onclose=1 nozeros=0 '127.0.0.1:*-*:*'
build addresses --example tcpipstat index=laddr timeout=500
build ends --example tcpipstat timeout=1
build no_counters --example tcpipstat '*:1-*:*'
build processes --example proctop
build privileges -c true --example container_check
build devices --example socktop
build events --example eventcount keys syscall.getppid syscall.nanosleep syscall.clock_nanosleep syscall.read
build ports --example tcp_trace '*:5002-127.0.0.1:5003'

cat >sessions.sh <<Y
cd $B
run() { out=\$1; shift; $SPILERUN -o \$out.out "\$@" >\$out.text; }
run senders -c "sh -c 'ip link set lo up; for n in 1 2; do for port in 9 10; do bash -c \"echo >/dev/udp/127.0.0.\\\$n/\\\$port\"; done; done'" senders.ko the_dport=9 the_daddr=127.0.0.1
run library -c "$W/threads 3 10" library.ko count=1
run threads -c "sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=7; dd if=/dev/zero of=/dev/null bs=1 count=70' 2>/dev/null" threads.ko period=60 top_threads=1 syscall_history_length=20
run failures -c "sh -c 'for n in 1 2 3 4; do kill -0 400000\\\$n; done' 2>/dev/null" failures.ko period=60 args=0
run packets -c "$W/talks" packets.ko page=5
run trace -c $W/talks trace.ko
run no_trace -c "sh -c '$W/talks; exec sleep 500'" no_trace.ko
run closed -c "sh -c '$W/talks; while [ ! -s $B/closed.out ]; do sleep 0.1; done; cp $B/closed.out $B/early.out'" closed.ko
run addresses -c $W/talks addresses.ko
run ends -c 'sleep 500' ends.ko
run no_counters -c $W/talks no_counters.ko
run processes -c "sh -c 'sleep 0.1; true | cat'" processes.ko period=60 sort=pid lines=8
run privileges -c "sh -c 'mkdir /dev/shm/owned; chown 5 /dev/shm/owned; rmdir /dev/shm/owned'" privileges.ko forbidden_capabilities=CAP_CHOWN,CAP_FOWNER forbidden_syscalls="rmdir dup2"
run devices -c "$W/packets 300" devices.ko period=60 devices=1
(until grep -q ' sleep ' events.out; do echo e; sleep 0.1; done; echo t; echo q) 2>/dev/null | run events events.ko period=1000 cumulative=1 lines=1000
range=\$(cat /proc/sys/net/ipv4/ip_local_port_range)
echo 5002 5003 >/proc/sys/net/ipv4/ip_local_port_range
run ports -c $W/talks ports.ko
echo \$range >/proc/sys/net/ipv4/ip_local_port_range
Y
"$V" -t $((120 * SLOW)) exec "$G" -- sh "$B/sessions.sh" || why "a session failed"

[ "$(sed 's/\[[0-9]*\]//' senders.out)" = "bash sends to 127.0.0.1:9" ] || why "who sent it: $(cat senders.out)"
has library.out ' 3 pthread_create$'
has library.out '^100\.00 .* 6 total$'
[ "$(wc -l <threads.out)" = 2 ] || why "not one thread: $(cat threads.out)"
has threads.out '^dd +[0-9]+ +[0-9]+ .{12,20}$'
has failures.out '^4 +ESRCH +kill +sh +[0-9]+ *$'
awk '/^SOURCE/ != (NR % 6 == 1) { bad = 1 } END { exit bad || NR < 14 }' packets.out || why "the pages: $(cat packets.out)"
has trace.out '^ +[0-9]+ state +127\.0\.0\.1:[0-9]+-127\.0\.0\.1:[0-9]+ SYN_SENT +[0-9]+$'
has trace.out ' ESTABLISHED +[1-9][0-9]*$'
[ ! -s no_trace.out ] || why "of other addresses: $(cat no_trace.out)"
has early.out '^    600 bytes sent in 3 calls$'
[ "$(grep -c '^127\.0\.0\.1:[0-9]* - 127\.0\.0\.1:[0-9]*$' closed.out)" = 2 ] || why "not once: $(cat closed.out)"
has closed.out '^    RetransSegs +0$'
[ "$(grep '^[0-9]' addresses.out)" = 127.0.0.1 ] || why "not one address: $(cat addresses.out)"
has addresses.out '^    600 bytes sent in 3 calls$'
has addresses.out '^    600 bytes received in 3 calls$'
[ "$(cat no_counters.out)" = "no connections" ] || why "of other ports: $(cat no_counters.out)"
{ [ "$(wc -l <processes.out)" = 9 ] && sed 1d processes.out | sort -c -rn; } || why "not the eight last: $(cat processes.out)"
has processes.out '^[0-9]+ +sleep +X +[0-9]+ +[0-9]+ +[0-9]+ '
has privileges.out '^chown +fchownat +CAP_CHOWN +yes +1$'
has_not privileges.out 'CAP_SYS_ADMIN'
has privileges.out '^rmdir +rmdir +1$'
has_not privileges.out '^mkdir +mkdir +1$'
has devices.out '^DEVICE +#OUT +#IN +OUT_KB +IN_KB$'
has devices.out '^lo +300 +300 +33 +29$'
has events.out ' sleep .* syscall\.clock_nanosleep$'
awk '/^TID/ { n++; last = "" } /^[0-9]/ { if ($NF < last) events = n; last = $NF } END { exit n < 3 || events && events < n - 1 }' events.out || why "not by event: $(cat events.out)"
awk '/^TID/ { n++; last = 0 } /^[0-9]/ { if ($1 < last) tids = n; last = $1 } END { exit tids >= n - 1 }' events.out || why "not by thread: $(cat events.out)"
has ports.out ' 127\.0\.0\.1:5002-127\.0\.0\.1:5003 ESTABLISHED '
has ports.out ' 127\.0\.0\.1:5003-127\.0\.0\.1:5002 ESTABLISHED '
