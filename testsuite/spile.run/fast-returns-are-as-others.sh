#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a script sees of returns is the same whether a function's body is called for it or its return is hooked: of a function that calls itself,
# of one that is called in processes, interrupts and softirqs, of failures, of a handler with a condition about the result, with saved
# values and maxactive beside it, and while a point is armed and disarmed many times.
# timeout: 400
# cost: 10
cd "$B" || exit 1
cat >same.stp <<'X'
global deep, negative, sum, last, saved, few, ticks, softs, sometimes, off
probe kernel.function("ep_loop_check_proc").return { deep++ }
probe kernel.function("__x64_sys_sched_get_priority_max").return { if ($return < 0) negative++; else sum += $return }
probe kernel.function("__x64_sys_sched_getscheduler").return { last <<< $return }
probe kernel.function("__x64_sys_sched_get_priority_min").return { saved += @entry($regs->di) + $return }
probe kernel.function("__x64_sys_sched_getparam").return.maxactive(5) { few++ }
probe kernel.function("update_process_times").return { ticks++ }
probe kernel.function("tasklet_action").return, kernel.function("run_rebalance_domains").return ?, kernel.function("rcu_core_si").return ? { softs++ }
probe kernel.function("__x64_sys_getpgid").return if (off % 2 == 0) { sometimes++ }
probe timer.ms(20) { off++ }
probe end
{
	println(deep, " ", negative, " ", sum, " ", @count(last), " ", @sum(last), " ", saved, " ", few, " ", ticks > 10, " ", softs > 0, " ",
		sometimes > 0, " ", sometimes < 200000)
}
X
cat >same.pl <<'X'
sub nest { my ($in, $out) = @_; my $event = pack("LQ", 1, 0); syscall(233, $out, 1, $in, $event) == 0 or die "epoll: $!" }
for (1..2) {
	next if fork;
	for (1..100) {
		my @e = map { syscall(291, 0) } 1..4;
		nest($e[$_], $e[$_ + 1]) for 0..2;
		POSIX::close($_) for @e;
	}
	for (1..5000) { syscall(146, 1); syscall(146, 99); syscall(145, 0); syscall(145, -5); syscall(147, 1); syscall(143, 0, my $room = "x" x 64); syscall(121, 0) for 1..20 }
	exit;
}
1 while wait > 0;
X
"$SPILE" -r "$RELEASE" --fast-returns -p4 -m body same.stp >/dev/null || exit 1
"$SPILE" -r "$RELEASE" --no-fast-returns -p4 -m hook same.stp >/dev/null || exit 1
# On a slow kernel a tick comes within a handler of a softirq now and then: a hit in a hit, which is skipped.
cat >same-work.sh <<X
for how in body hook; do
	$SPILERUN -v -c "perl -MPOSIX same.pl" \$how.ko >\$how.out 2>\$how.err || { cat \$how.err; exit 1; }
	grep -Eq 'errors 0 \+ skipped [0-9]( |\$)' \$how.err || { cat \$how.err; exit 1; }
done
grep spile_calls /proc/modules && exit 1
echo well
X
"$V" -t $((350 * SLOW)) exec "$G" -- sh -c "cd $B && sh same-work.sh" >same-said 2>&1
tail -1 same-said | grep -qx well || { cat same-said; exit 1; }
grep -q 'armed as callers of their functions: .*"ep_loop_check_proc".*priority_max.*getscheduler.*getpgid' body.err || { cat body.err; exit 1; }
grep 'as callers' hook.err && exit 1
# PREEMPT_RT may have none of the softirqs.
grep -Eq '^[1-9][0-9]{3,} 10000 990000 20000 -220000 [1-9][0-9]* 10000 1 [01] 1 1$' body.out && cmp body.out hook.out || { cat body.out hook.out; exit 1; }
