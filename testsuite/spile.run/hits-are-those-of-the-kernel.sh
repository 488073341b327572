#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a session says of its hits is compared with numbers that it does not make itself: those of the workload, and of the kernel's own events at the same
# places, with two processes on two CPUs, hits in interrupts, and two sessions at once.  One session has counters, the other handlers that take long and
# call a function that is probed too: a hit inside a handler, which is skipped and counted.  Handled and skipped together are exactly the hits.  STORM=100000 in the environment makes so many rounds instead of 2000.
# timeout: 1200
# cost: 10
cd "$B" || exit 1
n=${STORM:-2000}
cat >storm.c <<'Y'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long alarms;

static void on_alarm(int signal)
{
	(void)signal;
	alarms++;
}

__attribute__((noinline, noclone)) long work(long i)
{
	__asm__ volatile("" : "+r"(i));
	return i + 1;
}

/* The kernel begins the next interval when the signal is delivered: so there is one for each expiry. */
static long rounds(int cpu, long n)
{
	struct itimerval often = {{0, 200}, {0, 200}}, off = {{0, 0}, {0, 0}};
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof one, &one) || signal(SIGALRM, on_alarm) == SIG_ERR)
		return -1;
	setitimer(ITIMER_REAL, &often, NULL);
	while (n--) {
		syscall(SYS_getpgid, 0);
		syscall(SYS_sched_get_priority_max, work(n) > 0);
	}
	setitimer(ITIMER_REAL, &off, NULL);
	return alarms;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0, all = 0, one;
	int ends[2];

	if (pipe(ends))
		return 1;
	for (int cpu = 0; cpu < 2; cpu++)
		if (!fork()) {
			one = rounds(cpu, n);
			return write(ends[1], &one, sizeof one) != sizeof one;
		}
	for (int cpu = 0; cpu < 2; cpu++) {
		if (read(ends[0], &one, sizeof one) != sizeof one || one < 0)
			return 1;
		all += one;
	}
	while (wait(NULL) > 0)
		;
	printf("%ld %ld\n", 2 * n, all);
	return 0;
}
Y
gcc -O2 -o storm storm.c || exit 1
offset=$(nm storm | sed -n 's/ T work$//p') # where text is at the same place as in the file
cat >light.stp <<'Y'
global a, b, c, d, e, f, g, h, i
probe kernel.function("__x64_sys_getpgid") { a++ }
probe kernel.function("__x64_sys_getpgid").return { b++ }
probe syscall.sched_get_priority_max { c++ }
probe syscall.sched_get_priority_max.return { d++ }
probe kernel.function("it_real_fn") { e++ }
probe kernel.function("it_real_fn").return { f++ }
probe kernel.trace("itimer_expire") { g++ }
probe process(@1).function("work") { h++ }
probe process(@1).function("work").return { i++ }
probe end { printf("%d %d %d %d of %d, %d %d %d of %d\n", a, b, c, d, h, e, f, g, i) }
Y
# each handler is long enough to be interrupted, and takes the same locks
cat >heavy.stp <<'Y'
global seen, last, sizes, reads
function long_one(what) {
	kernel_int(task_current())
	for (k = 0; k < 40; k++)
		last[what, k % 4] = sprintf("%s %d %d", what, k, tid())
	sizes[what] <<< strlen(last[what, 3])
	seen[what]++
}
probe kernel.function("__x64_sys_getpgid") { long_one("entry") }
probe kernel.function("__x64_sys_getpgid").return { long_one("return") }
probe syscall.sched_get_priority_max { long_one("call") }
probe syscall.sched_get_priority_max.return { long_one("end of a call") }
probe kernel.function("it_real_fn") { long_one("entry") }
probe kernel.function("it_real_fn").return { long_one("return") }
probe kernel.trace("itimer_expire") { long_one("tracepoint") }
probe process(@1).function("work") { long_one("user") }
probe process(@1).function("work").return { long_one("user return") }
probe kernel.function("copy_from_kernel_nofault") { reads++ }
probe end { foreach (w in seen) all += seen[w]; foreach (w in sizes) sized += @count(sizes[w]); printf("%d %d %d\n", all, sized, reads) }
Y
for script in light heavy; do
	"$SPILE" -r "$RELEASE" -p4 -m $script -D STP_NO_OVERLOAD -D MAXSKIPPED=1000000 -D MAXACTION=100000 $script.stp "$B/storm" >/dev/null || exit 1
done
cat >storm.sh <<Y
cd $B
t=/sys/kernel/tracing
test -e \$t/kprobe_events || mount -t tracefs none \$t
{ echo 'p:storm/entry __x64_sys_getpgid'; echo 'r:storm/back __x64_sys_getpgid'; echo 'p:storm/alarm it_real_fn'; } >>\$t/kprobe_events
echo 'p:storm/work $B/storm:0x$offset' >>\$t/uprobe_events
echo 'hist:keys=which' >\$t/events/timer/itimer_expire/trigger
for e in entry back alarm work; do echo 1 >\$t/events/storm/\$e/enable; done
$SPILERUN -v -o light.out -c '$SPILERUN -v -o heavy.out -c "$B/storm $n >counts" $B/heavy.ko 2>heavy.err' $B/light.ko 2>light.err
echo 0 >\$t/events/storm/enable
cat \$t/kprobe_profile \$t/uprobe_profile | awk '{ for (i = 1; i <= NF - 2; i++) if (\$i ~ /^(entry|back|alarm)\$/) print \$i, \$(i + 1) + \$(i + 2); if (\$2 == "work") print \$2, \$3 }' >kernel
sed -n 's/.*Hits: /expired /p' \$t/events/timer/itimer_expire/hist >>kernel
echo '!hist:keys=which' >\$t/events/timer/itimer_expire/trigger
echo >\$t/kprobe_events; echo >\$t/uprobe_events
Y
"$V" -t $((1100 * SLOW)) exec "$G" -- sh "$B/storm.sh" || exit 1
read -r calls alarms <counts
printf 'entry %d\nback %d\nalarm %d\nwork %d\nexpired %d\n' "$calls" "$calls" "$alarms" "$calls" "$alarms" | diff - kernel || exit 1
echo "$calls $calls $calls $calls of $calls, $alarms $alarms $alarms of $calls" | diff - light.out || exit 1

all=$((6 * calls + 3 * alarms)) # and the probe end
read -r handled sized reads <heavy.out
[ "$calls" = $((2 * n)) ] && [ "$alarms" -gt $((n / 10)) ] && [ "$handled" = "$sized" ] || { cat counts heavy.out; exit 1; }
# Of what is skipped, each either called the function, or was itself inside a handler.
sed -n 's/^spilerun: \(hits.* skipped [0-9]*\).*/\1/p' light.err heavy.err >hits
{
	echo "hits $((all + 1)) = handled $((all + 1)) + errors 0 + skipped 0"
	echo "hits $((all + handled + reads + 1)) = handled $((handled + reads + 1)) + errors 0 + skipped $all"
} | diff - hits
