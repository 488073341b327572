#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What examples do with the arguments and options that the same scripts of SystemTap have.
# timeout: 250
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

cat >sessions.sh <<Y
cd $B
run() { out=\$1; shift; $SPILERUN -o \$out.out "\$@" >\$out.text; }
run senders -c "sh -c 'ip link set lo up; for n in 1 2; do for port in 9 10; do bash -c \"echo >/dev/udp/127.0.0.\\\$n/\\\$port\"; done; done'" senders.ko the_dport=9 the_daddr=127.0.0.1
run library -c "$W/threads 3 10" library.ko count=1
run threads -c "sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=7; dd if=/dev/zero of=/dev/null bs=1 count=70' 2>/dev/null" threads.ko period=60 top_threads=1 syscall_history_length=20
run failures -c "sh -c 'for n in 1 2 3 4; do kill -0 400000\\\$n; done' 2>/dev/null" failures.ko period=60 args=0
run packets -c "$W/talks" packets.ko page=5
Y
"$V" -t $((120 * SLOW)) exec "$G" -- sh "$B/sessions.sh" || why "a session failed"

[ "$(sed 's/\[[0-9]*\]//' senders.out)" = "bash sends to 127.0.0.1:9" ] || why "who sent it: $(cat senders.out)"
has library.out ' 3 pthread_create$'
has library.out '^100\.00 .* 6 total$'
[ "$(wc -l <threads.out)" = 2 ] || why "not one thread: $(cat threads.out)"
has threads.out '^dd +[0-9]+ +[0-9]+ .{12,20}$'
has failures.out '^4 +ESRCH +kill +sh +[0-9]+ *$'
awk '/^SOURCE/ != (NR % 6 == 1) { bad = 1 } END { exit bad || NR < 14 }' packets.out || why "the pages: $(cat packets.out)"
