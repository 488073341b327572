#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The events of tasks that stand for utrace's, runtime/modules/tasks.h: each line below is one thing that it says, tried with a module that was
# written by hand, and a program whose own numbers must be those of the events.
# needs: kernel.function("mmu_notifier_register")
# timeout: 360
# cost: 100
. "$S/../lib/module.sh"
cd "$B" || exit 1
module_by_hand task_events testsuite/workload/module/task_events.c && cd task_events || exit 1

cat >in-guest <<'X'
. $S/../lib/await.sh
cd $(mktemp -d) || exit 1
p=/sys/module/task_events/parameters
failed=0

# start: the program anew; pid and counted are its process and the address of a function.
start() {
	rm -f in out
	mkfifo in out
	$W/probed <in >out &
	child=$!
	exec 3>in 4<out
	read pid counted x <&4
}
end() { exec 3>&- 4<&-; wait $child; } 2>/dev/null
tell() { echo $* >&3 && read answer <&4 && echo $answer; }
ask() { echo "$*" >$p/ask || echo "ask $*: failed"; }
result() { cat $p/result; }
# slot N [COLUMNS]
slot() { sed -n $(($1 + 1))p $p/report | cut -d' ' -f${2:-1-}; }
is() { [ "$1" = "$2" ] || { echo "is \"$1\", not \"$2\": $3"; failed=1; }; }
has_calls() { slot 0 5 | grep -q '^c[1-9]'; }
slot_is() { [ "$(slot $1 $2)" = "$3" ]; }
off() { is "$(cat $p/preemptible_events)" 0 "handlers are called with preemption off"; }
fresh() { [ ! -e $p ] || off; rmmod task_events 2>/dev/null; insmod $M/task_events.ko || exit 1; }

start
fresh
ask process 0 $pid
is "$(result)" 0 "a process is watched"
ask process 0 $pid
is "$(result)" -16 "but not twice by the same watch"
ask thread 1 2
is "$(result)" -3 "a thread of the kernel is not"
ask process 1 4194303
is "$(result)" -3 "nor a process that there is not"
is $(tell parents 100) 100 "the program goes on"
is "$(slot 0 5-6)" "c100 r100:$((100 * $$))" "system calls and what they return"
is $(tell parents_in_threads 50) 200 "threads"
is "$(slot 0 1-6)" "t4 f0 x0 e4:0 c300 r300:$((300 * $$))" "threads that begin later, and their ends"
is $(tell fork 10) 3 "a child of fork"
is $(tell vfork 10) 3 "a child of vfork"
is "$(slot 0 1-6)" "t4 f2 x0 e4:0 c300 r300:$((300 * $$))" "processes are told from threads, and are not watched"
is $(tell signals 7) 7 "signals"
is "$(slot 0 7-)" "s7:12 q0 h0 g0:0 0" "signals that are delivered"
ask process 2 $pid
ask thread 1 $pid
is "$(result)" 0 "several watches of a task"
tell parents 2 >/dev/null
is "$(cat $p/order | cut -c1-16)" 0000000000000000 "the order so far"
is "$(slot 1 5-6) $(slot 2 5-6)" "c2 r2:$((2 * $$)) c2 r2:$((2 * $$))" "each has its events"
tell parents_in_threads 5 >/dev/null
is "$(slot 1 1-6)" "t4 f0 x0 e0:0 c2 r2:$((2 * $$))" "the watch of a thread sees what it does, other threads do not count"
is "$(slot 2 1,4,5)" "t4 e4:0 c22" "that of the process all"
ask remove 2 0
is "$(slot 2 10)" g1:0 "a watch is removed"
tell parents 1 >/dev/null
is "$(slot 2 5)" c22 "and sees no more"
ask remove 2 0
is "$(slot 2 10)" g1:0 "removing it again does nothing"
ask mode 1 4
tell parents 5 >/dev/null
is "$(result)" -115 "a handler removes its watch"
await_within 20 slot_is 1 10 g1:0
is "$(slot 1 5,10)" "c4 g1:0" "which sees no more; and is told when that is done"
ask later 1 0
is "$(result)" -3 "what does not watch is not removed"

fresh
ask process 2 $pid
ask process 0 $pid
ask thread 1 $pid
tell parents 3 >/dev/null
is "$(cat $p/order)" 120120120 "the watches of the thread come first, then those of the process in the order of watching"
ask mode 0 3
is $(tell parents 20) 20 "quiescing"
is "$(slot 0 5,8,11)" "c23 q20 0" "a thread quiesces when it is asked to, before it goes on, and sleeps there"
ask mode 0 0

fresh
ask process 0 $pid
ask mode 0 1
is $(tell parents_in_threads 30) 120 "the first of four threads"
await_within 20 slot_is 1 10 g1:-3
is "$(slot 1 1-6)" "t0 f0 x0 e1:0 c30 r30:$((30 * $$))" "is watched from its clone to its end"
is "$(slot 1 10-) $(slot 0 1,4,5,11)" "g1:-3 0 t4 e4:0 c120 0" "and then no more; the process goes on"
ask mode 0 2
ask place 0 $counted
is $(tell fork 25) 3 "a child of fork that is to be probed"
await_within 20 slot_is 1 10 g2:-3
is "$(slot 1 8-)" "q1 h25 g2:-3 0" "is probed before it runs: the way that uprobes.txt describes"
is "$(slot 1 4)" e2:300 "what it ends with"

fresh
ask process 0 $pid
echo exec 0 >&3
read pid counted x <&4
is "$(slot 0 3) $(slot 0 10)" "x1 g0:0" "another program in the process"
is $(tell parents 3) 3 "it goes on"
is "$(slot 0 5)" c3 "and is watched"
echo exit 7 >&3
await_within 20 slot_is 0 10 g1:-3
is "$(slot 0 4)" e1:700 "the end of a process, and its status"
end
start
ask process 0 $pid
tell spin 3 >/dev/null
kill -9 $pid
await_within 20 slot_is 0 10 g2:-3
is "$(slot 0 1,4,7)" "t3 e5:9 s4:9" "it is killed: each thread has its signal and its end, before the watch ends"
end

# A thread that sleeps in a system call, and has been asked to quiesce: nobody waits for it, and it is not woken.
start
fresh
ask process 0 $pid
ask asked 0 0
is "$(result)" 0 "nobody has asked yet"
ask quiet 0 0
is "$(result)" 0 "a thread that sleeps is asked"
ask asked 0 0
is "$(result)" 1 "and is known to be"
ask quiet 0 0
is "$(result)" -16 "once"
ask remove 0 0
ask asked 0 0
is "$(result)" 0 "until the watch is removed"
is "$(slot 0 8-)" "q0 h0 g1:0 0" "it does not keep others waiting"
ask process 0 $pid
ask quiet 0 0
rmmod task_events
is $(tell parents 3) 3 "nor unloading, and goes on after that"

# Under load: modules that go while there are events of all kinds; and processes that end meanwhile.
tell bustle 3 >/dev/null
for i in 1 2 3 4 5 6; do
	fresh
	ask process 0 $pid
	ask mode 0 3
	ask process 2 $pid
	ask mode 2 1
	await_within 60 has_calls || bad "no events under load: $(slot 0)"
	sleep 0.3
	[ $((i % 3)) != 0 ] || ask remove 0 0
	[ $((i % 3)) != 1 ] || ask later 2 0
done
off
rmmod task_events
is "$(tell stop 0)" 0 "unloading under load does the program no harm"
end
for i in 1 2 3 4; do
	fresh
	start
	ask process 0 $pid
	ask mode 0 3
	tell bustle 3 >/dev/null
	sleep 0.2
	kill -9 $pid
	[ $i != 4 ] || rmmod task_events
	[ $i = 4 ] || await_within 20 slot_is 0 10 g1:-3 || { slot 0; failed=1; }
	end
done 2>/dev/null
dmesg | grep -E 'WARNING|BUG|Oops|lockup' && failed=1
echo "failed: $failed"
exit $failed
X
out=$("$V" -t $((300 * SLOW)) exec "$G" -- env M="$PWD" S="$S" W="$W" sh "$PWD/in-guest" 2>&1)
echo "$out"
[ "$out" = "failed: 0" ]
