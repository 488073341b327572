#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A thousand markers of one program, half of them with semaphores: all are armed, each is hit as often as the program gets there, semaphores are raised and
# are 0 again.  The time to arm them is printed to took.
# timeout: 400
# cost: 10
cd "$B" || exit 1
{
	echo '#define _SDT_HAS_SEMAPHORES 1'
	echo '#include <sys/sdt.h>'
	echo '#include <stdio.h>'
	for i in $(seq 1000); do
		echo "unsigned short many_m${i}_semaphore __attribute__((section(\".probes\")));"
	done
	echo 'int main(void) { int raised = 0;'
	for i in $(seq 1000); do
		echo "DTRACE_PROBE1(many, m$i, $i); raised += many_m${i}_semaphore;"
	done
	echo 'printf("%d raised", raised); puts(""); return 0; }'
} >many.c
gcc -O1 -I"$S/../../include" -o many many.c || exit 1
cat >many.stp <<'Y'
global n, sum
probe process(@1).mark("*") { n++; sum += $arg1 }
probe end { println(n, " ", sum) }
Y
cat >one.stp <<'Y'
global n
probe process(@1).mark("m1") { n++ }
probe end { println(n) }
Y
for name in many one; do
	"$SPILE" -r "$RELEASE" -w -p4 -m $name $name.stp "$B/many" >/dev/null || exit 1
done
cat >many.sh <<Y
seconds() { awk '{ print \$1 }' /proc/uptime; }
for name in one many; do
	before=\$(seconds)
	$SPILERUN -w -c true $B/\$name.ko >/dev/null || exit
	echo \$name \$before \$(seconds) >>$B/took
done
for i in 1 2 3; do $SPILERUN -w -c $B/many $B/many.ko; done
$B/many
Y
: >took
"$V" -t $((300 * SLOW)) exec "$G" -- sh "$B/many.sh" >many.got 2>&1
diff - many.got <<'Y'
1000 raised
1000 500500
1000 raised
1000 500500
1000 raised
1000 500500
0 raised
Y
