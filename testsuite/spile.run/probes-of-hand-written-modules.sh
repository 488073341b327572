#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The interface of the founding papers, runtime/modules/probes.h: each line below is one thing that they say, tried with modules that were
# written by hand, and a program whose own numbers must be those of the probes.
# needs: kernel.function("mmu_notifier_register")
# timeout: 660
# cost: 100
. "$S/../lib/module.sh"
cd "$B" || exit 1
module_by_hand papers testsuite/workload/module/papers.c $(cd "$S/../.." && echo examples/modules/*) && cd papers || exit 1

cat >in-guest <<'X'
. $S/../lib/await.sh
cd $(mktemp -d) || exit 1
papers=/sys/module/papers/parameters

# start N: the Nth program; its addresses are in pidN, countedN and so on.
start() {
	mkfifo in$1 out$1
	$W/probed <in$1 >out$1 &
	child=$!
	case $1 in
	1) exec 3>in1 4<out1 ;;
	2) exec 5>in2 6<out2 ;;
	esac
	hello $1
}
hello() {
	case $1 in
	1) read pid counted other value deep own variable <&4 ;;
	2) read pid2 counted2 x <&6 ;;
	esac
}
# tell COMMAND NUMBER: the first program's answer.
tell() { echo $* >&3 && read answer <&4 && echo $answer; }
tell2() { echo $* >&5 && read answer <&6 && echo $answer; }
# ask WORDS: of the module.
ask() { echo "$*" >$papers/ask || echo "ask $*: failed"; }
# slot N: hits, status, callbacks, missed and sum of a slot; result: of the last registering.
slot() { cut -d' ' -f$(($1 + 1)) $papers/report; }
result() { cut -d' ' -f5 $papers/report; }
is() { [ "$1" = "$2" ] || { echo "is \"$1\", not \"$2\": $3"; failed=1; }; }
slot_is() { [ "$(slot $1)" = "$2" ]; }
# fresh: the module anew.
fresh() { rmmod papers 2>/dev/null; insmod $M/papers.ko || exit 1; }
failed=0

start 1
start 2

fresh
ask probe 0 $pid $counted
is "$(result)" 0 "a probe is registered by process and address"
is $(tell calls 1000) 1000 "the program goes on"
is $(slot 0) 1000/1/0.0.0/0/0 "a probe is hit at each call; no callback for what was not delayed"
is $(tell2 calls 100) 100 "another process with the same program"
is $(slot 0) 1000/1/0.0.0/0/0 "only the process is probed"
is $(tell threads 250) 1000 "threads that begin later"
is $(slot 0) 2000/1/0.0.0/0/0 "all threads of the process are probed"
is $(tell fork 10) 3 "a child of fork"
is $(slot 0) 2000/1/0.0.0/0/0 "a child of fork is not probed"
is $(tell vfork 10) 3 "a child of vfork"
is $(slot 0) 2000/1/0.0.0/0/0 "a child that shares the memory is not probed"
ask probe 1 $(tell child 10) $counted
is "$(result) $(tell go 0)" "0 3" "a child of fork can be probed as well"
await_within 20 slot_is 1 10/-3/0.0.0/0/0
is "$(slot 0) $(slot 1)" "2000/1/0.0.0/0/0 10/-3/0.0.0/0/0" "by a probe of its own, which ends with it"
is $(tell byte 0) 204 "the breakpoint is there"
is $(tell2 byte 0 | grep -cx 204) 0 "but not in the other process"
ask probe 0 $pid $counted
is "$(result)" -16 "a probe that is registered is not registered again"
ask remove 0 0 0
is $(tell calls 10) 10 "after the probe"
is $(slot 0) 2000/0/0.0.0/0/0 "a probe that was removed is not hit"
is $(tell byte 0) $(tell2 byte 0) "the instruction is put back"
ask remove 0 0 0
is $(slot 0) 2000/0/0.0.0/0/0 "removing it again does nothing"

fresh
ask probe 2 $pid $counted
ask probe 0 $pid $counted
ask probe 1 $pid $counted
tell calls 2 >/dev/null
is "$(cat $papers/order)" 201201 "handlers of one address run in the order of registering"
ask remove 0 0 0
tell calls 1 >/dev/null
is "$(cat $papers/order)" 20120121 "others stay when one is removed"
is "$(slot 0) $(slot 1) $(slot 2)" "2/0/0.0.0/0/0 3/1/0.0.0/0/0 3/1/0.0.0/0/0" "each has its hits"

fresh
ask return 0 $pid $value
ask probe 1 $pid $value
is $(tell values 100) 14950 "the sum of what a function returns"
is "$(slot 0) $(slot 1)" "100/1/0.0.0/0/14950 100/1/0.0.0/0/0" "a return probe sees each return and its value"
ask mode 0 4 0
is $(tell values 100) 700 "a handler may change what the program sees"
ask remove 0 0 0
is $(tell values 100) 14950 "and no longer"
ask return 2 $pid $deep
is $(tell deep 100) 100 "a recursion"
is $(slot 2) 64/1/0.0.0/36/$((36 * 64 + 65 * 32)) "64 calls of a thread are seen to return, others are counted"

fresh
ask probe 0 $pid $counted
ask probe 1 $pid $counted
ask mode 0 1 1
tell calls 1 >/dev/null
await_within 20 slot_is 1 1/0/0.1.0/0/0
is "$(slot 0) $(slot 1)" "1/1/0.0.0/0/0 1/0/0.1.0/0/0" "what a handler removes is done when all handlers of the hit have run, and a callback says so"
ask mode 0 1 0
is $(tell calls 100) 100 "a probe that removes itself"
await_within 20 slot_is 0 2/0/0.1.0/0/0
is $(slot 0) 2/0/0.1.0/0/0 "a handler may remove its own probe, which is not hit again"
ask probe 0 $pid $counted
ask set 1 $pid $other
ask set 2 $pid 1000
ask mode 0 2 1
tell calls 1 >/dev/null
await_within 20 slot_is 1 1/1/1.1.0/0/0
is "$(slot 1) $(result)" "1/1/1.1.0/0/0 -115" "a handler may register a probe, and is given -EINPROGRESS"
ask mode 0 2 2
tell calls 1 >/dev/null
await_within 20 slot_is 2 0/-14/0.0.1/0/0
is $(slot 2) 0/-14/0.0.1/0/0 "the callback gets the error of what was delayed"
ask remove 0 0 0
ask remove 1 0 0
is "$(slot 0) $(slot 1)" "4/0/0.1.0/0/0 1/0/1.1.0/0/0" "what a handler has registered is removed as others are"

fresh
ask probe 0 $pid $counted
ask mode 0 3 0
is $(tell threads 5) 20 "handlers that sleep"
is $(slot 0) 20/1/0.0.0/0/0 "a handler may sleep"
ask mode 0 6 0
is $(tell calls 3) 3 "handlers that register and remove probes of the kernel"
is "$(slot 0) $(result)" "23/1/0.0.0/0/3 0" "a handler may do that at once"
ask probe 1 $pid 1000
is "$(result)" -14 "no memory there"
ask probe 1 $pid $variable
is "$(result)" -13 "data is no code"
ask probe 1 4194303 $counted
is "$(result)" -3 "no such process"
ask probe 1 2 $counted
is "$(result)" -3 "a thread of the kernel has no program"
is $(tell breakpoint 0) 0 "the program's own breakpoint"
ask probe 1 $pid $own
is "$(result)" -17 "no probe where somebody else's breakpoint is"
is $(tell owns 3) 3 "it is hit as before"

fresh
ask probe 0 $pid $counted
ask return 1 $pid $value
ask probe 2 $pid $counted
echo exec 0 >&3
hello 1
await_within 20 slot_is 1 0/-3/0.0.0/0/0
is "$(slot 0) $(slot 1) $(slot 2)" "0/-3/0.0.0/0/0 0/-3/0.0.0/0/0 0/-3/0.0.0/0/0" "exec unregisters all probes, several at an address too"
is $(tell calls 100) 100 "the new program"
is $(slot 0) 0/-3/0.0.0/0/0 "the new program has no probes"
ask remove 0 0 0
ask probe 0 $pid $counted
is $(tell calls 100) 100 "it is registered again"
is "$(result) $(slot 0)" "0 100/1/0.0.0/0/0" "and can be probed again"
fresh
ask probe 0 $pid $counted
ask probe 3 $pid $counted
ask set 1 $pid $other
ask set 2 $pid $value
ask mode 0 2 1
ask mode 3 2 2
ask mode 1 7 1
tell calls 1 >/dev/null
await_within 20 slot_is 1 0/1/1.0.0/0/0
echo exec 0 >&3
hello 1
ask mode 1 0 1
await_within 20 slot_is 2 0/-3/0.0.1/0/0
await_within 20 slot_is 1 0/-3/1.0.0/0/0
is "$(slot 1) $(slot 2)" "0/-3/1.0.0/0/0 0/-3/0.0.1/0/0" "what a handler has asked for is not put into the next program"
is $(tell values 100) 14950 "which is as it was"

fresh
ask probe 0 $pid $counted
tell calls 100 >/dev/null
ask probe 1 $pid2 $counted2
tell2 calls 5 >/dev/null
is $(slot 1) 5/1/0.0.0/0/0 "a module probes several processes"
insmod $M/count_calls.ko pid=$pid vaddr=0x$value || failed=1
tell calls 11 >/dev/null
tell values 12 >/dev/null
is "$(slot 0) $(cat /sys/module/count_calls/parameters/calls)" "111/1/0.0.0/0/0 12" "several modules probe one process"
rmmod count_calls
insmod $M/count_calls.ko pid=$pid vaddr=0x$counted 2>/dev/null && failed=1
is $(tell calls 1) 1 "a module has gone, another was refused"
is $(slot 0) 112/1/0.0.0/0/0 "and the probe of the first stays"
insmod $M/trace_arguments.ko pid=$pid vaddr=0x$value arguments=2 || failed=1
is $(tell values 2) 5 "arguments"
rmmod trace_arguments
is "$(dmesg | grep -o 'trace_arguments: .*' | sed "s/0x$value/VALUE/; s/ to .*//" | tr '\n' ',')" \
	"trace_arguments: VALUE called: 0 1,trace_arguments: VALUE returns 1,trace_arguments: VALUE called: 1 1,trace_arguments: VALUE returns 4," \
	"the tracer of arguments"
echo exit 0 >&3
await_within 20 slot_is 0 112/-3/0.0.0/0/0
is $(slot 0) 112/-3/0.0.0/0/0 "exit unregisters all probes"
ask remove 0 0 0
is $(slot 1) 5/1/0.0.0/0/0 "those of other processes stay"

# Under load: modules that go while threads are in their handlers, which register and remove probes; and processes that exit meanwhile.
exec 3>&- 4<&-
rm in1 out1
start 1
tell spin 4 >/dev/null
for i in 1 2 3 4 5 6; do
	fresh
	ask probe 0 $pid $counted
	ask set 1 $pid $other
	ask return 2 $pid $value
	ask mode 0 5 1
	ask mode 1 5 0
	[ $((i % 2)) = 0 ] || ask mode 2 3 0
	sleep 0.5
	slot 0 | grep -q '^0/' && bad "no hits under load: $(slot 0)"
done
rmmod papers
is "$(tell stop 0)" 0 "unloading under load does the program no harm"
is "$(tell byte 0)" "$(tell2 byte 0)" "and leaves no breakpoint"
echo exit 0 >&3 # or it might take what is told to the next one
wait $child
for i in 1 2 3; do
	fresh
	$W/probed <in1 >out1 &
	exec 3>in1 4<out1
	hello 1
	ask probe 0 $pid $counted
	ask set 1 $pid $other
	ask return 2 $pid $value
	ask mode 0 5 1
	ask mode 1 5 0
	tell spin 4 >/dev/null
	sleep 0.2
	kill -9 $pid
	[ $i != 3 ] || rmmod papers
	wait $!
done 2>/dev/null
dmesg | grep -E 'WARNING|BUG|Oops|leaking|lockup' && failed=1
echo "failed: $failed"
exit $failed
X
out=$("$V" -t $((600 * SLOW)) exec "$G" -- env M="$PWD" S="$S" W="$W" sh "$PWD/in-guest" 2>&1)
echo "$out"
[ "$out" = "failed: 0" ]
