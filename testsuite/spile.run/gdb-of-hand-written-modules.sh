#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# examples/modules/gdb_stub.c answers the real gdb: breakpoints, single steps, registers and memory of a program that knows what they must be.
# With EVERYTHING in the environment also what takes minutes, since gdb begins slowly in a guest, and where gdb itself sometimes fails (13.1: "internal
# error" at a Ctrl-C while it carries out a breakpoint's commands).
# needs: kernel.function("mmu_notifier_register")
# timeout: 600
# cost: 100
. "$S/../lib/module.sh"
cd "$B" || exit 1
module_by_hand gdb_stub examples/modules/gdb_stub.c && cd gdb_stub || exit 1
cat >in-guest <<'X'
. $S/../lib/await.sh
cd $(mktemp -d) || exit 1
failed=0
start() {
	rm -f in out
	mkfifo in out
	$W/probed <in >out &
	child=$!
	exec 3>in 4<out
	read pid counted other value deep own variable <&4
	insmod $M/gdb_stub.ko pid=$pid || exit 1
}
end() { exec 3>&- 4<&-; wait $child; rmmod gdb_stub; }
tell() { echo $* >&3 && read answer <&4 && echo $answer; }
is() { [ "$1" = "$2" ] || { echo "is \"$1\", not \"$2\": $3"; failed=1; tail -5 log; }; }
# gdb_begins: gdb runs the commands of standard input, and has come to `echo ready'.
gdb_begins() {
	{ printf '%s\n' 'set pagination off' 'set confirm off' 'set sysroot /' 'target remote /dev/gdb_stub'; cat; } >commands
	gdb -nx -batch -x commands $W/probed >log 2>&1 3>&- 4<&- &
	gdb=$!
	await_within 60 grep -q '^ready' log || bad "gdb is not ready: $(cat log)"
}
has_ended() { ! kill -0 $1 2>/dev/null || grep -q '^State:.Z' /proc/$1/status 2>/dev/null; }
said() { grep "^$1" log | tr '\n' ',' | sed 's/,$//'; }

start
gdb_begins <<'G'
break probed.c:value
info line value
echo ready\n
continue
printf "stop %d %d %d\n", $rdi, $rsi, $pc == value
set $byte = *(unsigned char *)$pc
printf "byte %d\n", $byte == 0xcc
set $before = $pc
stepi
printf "step %d\n", $pc > $before && $pc < $before + 16
continue
printf "stop %d %d %d\n", $rdi, $rsi, $pc == value
printf "sink %d\n", sink
stepi 3
printf "sink %d\n", sink
bt 2
finish
delete
detach
G
is "$(tell values 3)" 12 "a program that was stopped, stepped and looked at does what it does"
wait $gdb
is "$(said stop)" "stop 0 1 1,stop 1 1 1" "breakpoints, and registers there"
is "$(said byte)" "byte 0" "breakpoints are not seen in memory"
is "$(said step)" "step 1" "a single step"
is "$(said sink)" "sink 0,sink 1" "memory before and after what is stepped over"
is "$(said 'Value returned')" "Value returned is \$1 = 4" "a function is finished"
is "$(grep -c '^#1 .* in sum_of_values ' log)" 1 "the stack"
if [ "$EVERYTHING" ]; then
gdb -nx -batch -ex 'set sysroot /' -ex 'target remote /dev/gdb_stub' -ex 'set $rbx = 5' -ex 'set variable variable = 7' -ex 'printf "kept %d %d\n", variable, $rbx == 5' \
	$W/probed >log 2>&1
is "$(grep -c 'Could not write register\|Cannot access memory' log) $(said kept)" "2 kept 0 0" "registers and memory are not written"

gdb_begins <<'G'
break probed.c:counted if i == 40
echo ready\n
continue
printf "stop %d\n", $rdi
kill
G
is "$(tell calls 50)" 50 "a condition"
wait $gdb
is "$(said stop)" "stop 40" "is evaluated at each hit; and the program is not killed, only left"

gdb_begins <<'G'
break probed.c:counted
commands
silent
printf "stop %d\n", $rdi
continue
end
echo ready\n
continue
G
echo threads 3 >&3
read answer <&4
is "$answer" 12 "threads that hit a breakpoint at the same time"
kill -INT $gdb
await_within 60 grep -q 'received signal SIGINT' log || { echo "not interrupted: $(tail -5 log)"; failed=1; }
wait $gdb
is "$(said stop | tr ',' '\n' | sort | uniq -c | tr -s ' \n' ' ')" " 4 stop 0 4 stop 1 4 stop 2 " "are stopped one after the other, none is left out"
is "$(tell calls 5)" 5 "gdb has gone"
fi

gdb_begins <<'G'
break probed.c:counted
echo ready\n
continue
echo held\n
shell sleep 100
G
echo calls 5 >&3
await_within 60 grep -q ^held log || bad "not held: $(cat log)"
kill -9 $gdb
wait $gdb 2>/dev/null
read answer <&4
is "$answer" 5 "gdb was killed while it held a thread"
is "$(tell byte 0 | grep -cx 204)" 0 "and has left no breakpoint"

gdb_begins <<'G'
echo ready\n
continue
G
echo exit 7 >&3
wait $gdb
is "$(said '.Inferior 1')" "[Inferior 1 (Remote target) exited with code 07]" "the program ends"
end

# is_killed: gdb's program has said so, once.
is_killed() { is "$(said 'Program terminated')" "Program terminated with signal SIGKILL, Killed." "$1"; }

if [ "$EVERYTHING" ]; then
start
gdb_begins <<'G'
echo ready\n
continue
G
echo spin 3 >&3
read answer <&4
kill -9 $pid
wait $gdb
is_killed "the program is killed while gdb waits for it"
end 2>/dev/null

for how in continue stepi; do
	start
	gdb_begins <<G
break probed.c:counted
echo ready\\n
continue
echo held\\n
delete
shell until [ -e is_killed ]; do sleep 0.05; done
$how
G
	echo spin 3 >&3
	await_within 60 grep -q ^held log || bad "not held: $(cat log)"
	kill -9 $pid
	wait $child
	sleep 1 # so that the module has heard of it; it does no harm if not
	touch is_killed
	await_within 60 has_ended $gdb || { echo "gdb waits for ever: $(tail -5 log)"; failed=1; kill -9 $gdb; }
	wait $gdb
	is_killed "the program is killed while gdb is at its prompt: $how"
	rm is_killed
	end
done 2>/dev/null
fi
dmesg | grep -E 'WARNING|BUG|Oops|leaking|lockup' && failed=1
echo "failed: $failed"
exit $failed
X
out=$("$V" -t $((540 * SLOW)) exec "$G" -- env EVERYTHING="$EVERYTHING" M="$PWD" S="$S" W="$W" sh "$PWD/in-guest" 2>&1)
echo "$out"
[ "$out" = "failed: 0" ]
