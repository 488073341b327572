#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# system() runs a command after what was printed before and before what is printed after it, also from handlers in interrupts; every one runs,
# however many there are; none is left as a zombie, and one that does not end is ended.  switch_file() and -S begin new files.
# kernel: any
# cost: 30
cd "$B" || exit 1
export SPILE_DIR
fail() { echo "$*"; exit 1; }
cat >asks.stp <<'Y'
global n
probe begin { print("begin, not a whole line: "); system("echo first"); println("after the first") }
probe syscall.sched_get_priority_max { if (target_set_pid(pid())) system(sprintf("echo call %d >>calls", ++n)) }
probe timer.ms(100) { if (ticks++ == 0) system("echo a tick >>ticks") }
global ticks
probe end { printf("%d calls\n", n); system("echo last; exit 3"); println("the end") }
Y
cat >slow.stp <<'Y'
probe begin { system("echo $$ >slow.pid; exec sleep 1000"); system("sleep 1000 & echo $! >stays.pid"); exit() }
probe end { println("end") }
Y
cat >files.stp <<'Y'
probe begin { println("one"); switch_file(); println("two"); exit() }
probe end { switch_file(); println("three") }
Y
cat >full.stp <<'Y'
probe begin { for (i = 0; i < 40000; i++) printf("%063d\n", i); exit() }
Y
for s in asks slow files full; do
	"$SPILE" -w -r "$RELEASE" -p4 -m $s -D MAXACTION=1000000 $s.stp >/dev/null || fail "$s.stp does not compile"
done
cat >asks.sh <<Y
rm -f calls ticks slow.pid stays.pid log* big.*
$SPILERUN -v -c "sh -c '$W/systemcalls many 50 1 >calls.out; sleep 0.5'" asks.ko 2>asks.err; echo "status \$?"
sort -u calls | wc -l; tail -n 1 calls; cat ticks
grep -c 'system: echo last; exit 3: exit status 3' asks.err
ps -eo stat,ppid,comm | grep '^Z'
$SPILERUN slow.ko 2>slow.err; echo "status \$?"
cat slow.err
kill -0 \$(cat slow.pid) 2>/dev/null && echo "still there"
kill \$(cat stays.pid) && echo "went on"
$SPILERUN -o log files.ko; for f in log*; do echo \$f: \$(cat \$f); done
$SPILERUN files.ko 2>files.err; cat files.err
$SPILERUN -o big -S 1,2 full.ko; for f in big.*; do echo \$f \$((\$(stat -c %s \$f) <= 1048576)); done; cat big.[12] | tail -n 1
Y
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/asks.sh" >out 2>&1
cat >want <<'Y'
begin, not a whole line: first
after the first
50 calls
last
the end
status 0
50
call 50
a tick
1
end
status 0
WARNING: this command of system() still runs at the end of the session, and is ended: echo $$ >slow.pid; exec sleep 1000
  hint: one that is to go on ends with &
went on
log: one
log.1: two
log.2: three
one
two
three
WARNING: there is no file of output to switch: -o names one, where the session runs (--vm has it elsewhere)
big.1 1
big.2 1
000000000000000000000000000000000000000000000000000000000039999
Y
diff want out
