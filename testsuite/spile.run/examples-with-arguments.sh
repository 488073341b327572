#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What examples do with the arguments and options that their own tests do not give: a process by its number, a device, a variable, filters, orders, and
# files for programs that collect metrics.
# timeout: 250
# kernel: any
# cost: 30
cd "$B" || exit 1
why() { echo "$*"; exit 1; }
has() { grep -Eq "$2" "$1" || why "$1 has no $2: $(cat "$1")"; }
has_not() { ! grep -Eq "$2" "$1" || why "$1 has $2: $(cat "$1")"; }

cat >start.sh <<'Y'
(ulimit -n 123; trap '' USR2; exec sleep 1000 </etc/hostname >/dev/null 2>&1) &
until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.1; done
perl -e 'select(undef, undef, undef, 0.02) while 1' >/dev/null 2>&1 &
echo "$! $(stat -c %d /dev/shm)" >ticks
echo $! >>pids
Y
sed -i "s|^perl|echo \$! >$B/pids\nperl|; s|>ticks|>$B/ticks|; s|>>pids|>>$B/pids|" start.sh
"$V" -t $((30 * SLOW)) exec "$G" -- sh "$B/start.sh" || why "no processes to look at"
sleeper=$(sed -n 1p pids) ticker=$(sed -n 2p pids)
read -r _ device <ticks

build() {
	name=$1
	shift
	"$SPILE" -r "$RELEASE" -p4 -m "$name" "$@" >/dev/null || why "$name is not built"
}
build limits --example plimit "$sleeper"
build signals --example psig "$sleeper"
build files --example pfiles "$sleeper"
build device --example traceio2 "$device"
build switches --example sched_switch pid "$ticker"
build lines --example whythefail "process(\"$W/statements\")" statements_sum '$return == 568 + 4' '$part'
build events --example eventcount syscall.getppid syscall.getuid syscall.getgid syscall.read syscall.write
build sockets --example socktop
build calls --example syscalltimes
build threads --example thread-business
build devices --example net_xmit_json eth7 lo
build other_devices --example net_xmit_json eth7
build top_calls --example topsys
build timeouts --example timeout
build errors --example errno
build opens --example opensnoop
build execs --example execsnoop
build accepts --example tcpaccept
build trace --example tcp_trace '1.2.3.4:*-*:*' '1.2.3.5:*-*:*' '1.2.3.6:*-*:*' '*:*-127.0.0.1:*'
build mallocs -D MAXSTRINGLEN=2048 --example kmalloc-top

cat >sessions.sh <<Y
cd $B
run() { out=\$1; shift; $SPILERUN -o \$out.out "\$@" >\$out.text; }
run limits limits.ko
run signals signals.ko
run files files.ko
run device -c 'sh -c "dd if=/dev/zero of=/dev/shm/t bs=1 count=3 2>/dev/null; rm /dev/shm/t"' device.ko
run switches -c 'sleep 0.5' switches.ko
run lines -c "$W/statements 4" lines.ko
run events -c "sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=7 2>/dev/null; head -c 1 /dev/zero'" events.ko period=60 comm=dd sort=event
run cumulative -c "sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=7 2>/dev/null; sleep 3'" events.ko period=1 comm=dd cumulative=1
run sockets -c $W/talks sockets.ko period=60 over=UDP kind=DGRAM
run no_sockets -c $W/talks sockets.ko period=60 af=INET6
run one_report sockets.ko period=1 count=1
run calls -c "sh -c 'sleep 0.1; sleep 0.1; dd if=/dev/zero of=/dev/null bs=1 count=7 2>/dev/null'" calls.ko by_program=1 program=sleep user=0
run users -c "sh -c 'sleep 0.1; sleep 0.1'" calls.ko by_user=1
run threads -c "dd if=/dev/zero of=/dev/null bs=1 count=7 2>/dev/null" threads.ko period=60 width=20
run devices -c "sh -c '$W/packets 300 >/dev/null; cat /proc/spile.devices/data.json'" devices.ko
run other_devices -c "sh -c '$W/packets 300 >/dev/null; cat /proc/spile.other_devices/data.json'" other_devices.ko
run top_calls -c "sh -c '$W/systemcalls many 500 2 >/dev/null; sleep 2.5; cat /proc/spile.top_calls/__prometheus'" top_calls.ko period=1
run timeouts -c "perl -e 'select(undef, undef, undef, 0.01) for 1..7; sleep(2); system(\"cat /proc/spile.timeouts/__prometheus\")'" timeouts.ko
run errors -c "sh -c 'for i in 1 2 3 4; do kill -0 4000000; done; cat /proc/spile.errors/__prometheus' 2>/dev/null" errors.ko
run opens -c "cat /etc/hostname" opens.ko user=1
run execs -c "sh -c '/bin/echo one two; true'" execs.ko user=1 timestamp=1
run accepts -c "$W/talks" accepts.ko user=1
run trace -c "$W/talks" trace.ko all=1
run mallocs -c "$W/forks 40" mallocs.ko top=3
run excepted -c "$W/forks 40" mallocs.ko top=3 except="copy_process no_such_function"
kill $sleeper $ticker
Y
"$V" -t $((120 * SLOW)) exec "$G" -- sh "$B/sessions.sh" || why "a session failed"

has limits.out "^sleep\($sleeper\)\$"
has limits.out '^RLIMIT_NOFILE +123$'
has signals.out "^sleep\($sleeper\)\$"
has signals.out '^SIGUSR2 +ignored$'
has files.out "^sleep\($sleeper\): "
has files.out ' O_RDONLY, /etc/hostname$'
[ "$(grep -c '^dd([0-9]*) vfs_write [0-9]*:[0-9]*$' device.out)" = 3 ] || why "the device: $(cat device.out)"
has switches.out " ${ticker}:120:[0-9]+ ==> "
! grep -qvw "$ticker:120" switches.out || why "of others: $(grep -vw "$ticker:120" switches.out | head)"
has lines.out '^  process.*statements_sum@.* .part=20$'
has_not lines.out 'sum='
grep -q ' dd .* syscall.read$' events.out && awk '/syscall/ { if ($NF < last) exit 1; last = $NF }' events.out || why "the order: $(cat events.out)"
has_not events.out ' (sh|head) '
[ "$(grep -c '^[0-9].* dd .* [0-9]*  syscall.write$' cumulative.out)" -ge 3 ] || why "not each time: $(cat cumulative.out)"
[ "$(grep ' dd .*syscall.write$' cumulative.out | tail -3 | awk '{ print $3 }' | uniq | wc -l)" = 1 ] || why "the numbers change: $(cat cumulative.out)"
has sockets.out ' 4 +4 +0 +0 UDP +INET +talks$'
has_not sockets.out 'TCP'
[ "$(sed 1d no_sockets.out)" = "no messages" ] || why "other families: $(cat no_sockets.out)"
[ "$(grep -c ^PID one_report.out)" = 1 ] || why "not one report: $(cat one_report.out)"
has calls.out '^clock_nanosleep +2 .*  sleep$'
has_not calls.out ' (dd|sh)$'
has users.out '^SYSCALL .*USER$'
has users.out '^clock_nanosleep +2 .*  0$'
has threads.out '^dd +[0-9]+ +[0-9]+ .{12,20}$'
has devices.text '"__id": "lo", "packets": 300,'
has_not other_devices.text '"__id"'
has top_calls.text '^calls\{syscall="sched_get_priority_max"\} 1000$'
has timeouts.text '^timeouts\{process="[0-9]+",program="perl"\} 8$'
has errors.text '^errors\{process="[0-9]+",syscall="kill",program="sh",errno="ESRCH"\} 4$'
head -1 opens.out | grep -Eq '^UID +PID +COMM ' || why "the heading: $(cat opens.out)"
has opens.out '^0 +[0-9]+ +cat +3 - +/etc/hostname$'
has execs.out '^[A-Z].* [0-9]+:[0-9]+:[0-9]+ [0-9]+ UTC +0 +echo +[0-9]+ +[0-9]+ +0 /bin/echo one two$'
has accepts.out '^0 +[0-9]+ +talks +4 +127\.0\.0\.1 '
has trace.out ' receive +127\.0\.0\.1:'
has mallocs.out 'copy_process\+0x'
has_not excepted.out 'copy_process\+0x'
has excepted.out '; shown 3, '
