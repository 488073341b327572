#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the examples that stand for strace, ltrace and a debugger do with their options: only some calls, only failures, tables with the
# same columns as those tools, expressions and stacks.
# timeout: 200
# kernel: any
# cost: 10
cd "$B" || exit 1
why() { echo "$*"; exit 1; }

build() {
	name=$1
	shift
	"$SPILE" -r "$RELEASE" -p4 -m "$name" "$@" >/dev/null || why "$name is not built"
}
build calls -c "$W/systemcalls some" --example strace 'ch*'
build table -c "$W/systemcalls some" --example strace
build attached --example strace
build library -c "$W/threads 3 10" --example ltrace 'pthread_*'
build stops -c "$W/statements 3" -d "$W/statements" --example breakpoints "$W/statements" statements_sum '$calls'

cat >options.sh <<Y
cd $B
$SPILERUN -o calls.out -c "$W/systemcalls some" calls.ko >/dev/null
$SPILERUN -o failed.out -c "$W/systemcalls some" table.ko failed=1 timestamp=1 >/dev/null
$SPILERUN -o table.out -c "$W/systemcalls some" table.ko summary=1 >/dev/null
$SPILERUN -o library.out -c "$W/threads 3 10" library.ko summary=1 >/dev/null
$SPILERUN -o stops.out -c "$W/statements 3" stops.ko stacks=1 last=2 >/dev/null
(while [ ! -e go ]; do sleep 0.1; done; exec $W/systemcalls some >/dev/null) & traced=\$!
$SPILERUN -x \$traced -o attached.out attached.ko & session=\$!
while [ ! -s attached.out ]; do sleep 0.1; done # it sees the shell wait
cat /etc/hostname >/dev/null
touch go
wait \$traced
sleep 1
kill -INT \$session 2>/dev/null
wait \$session
echo \$traced >attached.pid
Y
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/options.sh" || why "a session failed"

# only CALLS
grep -q 'systemcalls\[[0-9]*\] chown("/no/such/32", 1, 1) = -2 (ENOENT)$' calls.out || why "no chown: $(cat calls.out)"
! grep -qv '\] ch[a-z]*(' calls.out || why "other calls: $(cat calls.out)"
# only failures, with the time
grep -q '^[A-Z].* [0-9]*:[0-9]*:[0-9]* .*\] pread(-1, .*) = -9 (EBADF)$' failed.out || why "no failure: $(cat failed.out)"
! grep -qv ') = -[0-9]* (E[A-Z0-9]*)$' failed.out || why "not only failures: $(cat failed.out)"
# a process that runs already, and nobody else
grep -q "^systemcalls\[$(cat attached.pid)\] chown(\"/no/such/32\", 1, 1) = -2 (ENOENT)\$" attached.out || why "no chown: $(cat attached.out)"
grep -q "^systemcalls\[$(cat attached.pid)\] exit_group(0) = ?\$" attached.out || why "no end: $(cat attached.out)"
grep -q "^systemcalls\[[0-9]*\] exit_group(3) = ?\$" attached.out || why "not its child: $(cat attached.out)"
! grep -q "^cat\|^spilerun" attached.out || why "of others: $(cat attached.out)"
# strace -c
sed -n 1p table.out | grep -q '^% time     seconds  usecs/call     calls    errors syscall$' || why "the heading: $(cat table.out)"
grep -q '^ *[0-9]*\.[0-9][0-9]  *[0-9]*\.[0-9]\{6\}  *[0-9]*  *1  *1 chown$' table.out || why "no chown: $(cat table.out)"
awk '$NF == "total" { sum = $4; next } NR > 2 && $4 ~ /^[0-9]+$/ { n += $4; if ($1 > last && last != "") bad = 1; last = $1 } END { exit sum != n || bad || n < 30 }' table.out ||
	why "the sum, or the order: $(cat table.out)"
# ltrace -c
sed -n 1p library.out | grep -q '^% time     seconds  usecs/call     calls function$' || why "the heading: $(cat library.out)"
grep -q ' 3 pthread_create$' library.out && grep -q ' 3 pthread_join$' library.out || why "not three threads: $(cat library.out)"
grep -q '^100\.00 .* 6 total$' library.out || why "other functions: $(cat library.out)"
# a debugger
[ "$(grep -c '^#[12] \[[0-9]*\] statements_sum.* \$calls=[12]$' stops.out)" = 2 ] || why "two hits: $(cat stops.out)"
[ "$(grep -c ' : main+0x' stops.out)" = 2 ] || why "no stacks: $(cat stops.out)"
! grep -q '^#3' stops.out || why "it went on: $(cat stops.out)"
