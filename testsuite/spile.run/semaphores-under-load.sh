#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sessions begin, end and are killed while programs with markers begin, load and unload a library, fork, execute themselves and end: no
# semaphore is ever higher than there are places, or below 0, and in the end all are 0.
# timeout: 300
# cost: 30
cd "$B" || exit 1
cat >load.stp <<'X'
global n
probe process(@1).mark("*") { n++ }
probe process(@2).mark("loaded") { n++ }
probe end { printf("%s\n", n ? "hits" : "no hits") }
X
"$SPILE" -r "$RELEASE" -p4 -m load load.stp "$W/semaphores" "$W/semaphores_library.so" >/dev/null || exit 1
cat >load-run.sh <<X
S=$S W=$W B=$B SPILERUN=$SPILERUN
X
cat >>load-run.sh <<'X'
. $S/../lib/await.sh
mkdir /tmp/load; cd /tmp/load
mkfifo in; $W/semaphores $W/semaphores_library.so <in >old & exec 4>in
printf ls >&4
touch go; loops=
for i in 1 2 3; do
	while [ -e go ]; do
		printf shlshufxslhvfushlf | $W/semaphores $W/semaphores_library.so >>out.$i || touch failed
	done &
	loops="$loops $!"
done
running() { cat /proc/spile.*/state 2>/dev/null | grep -q running; }
none_left() { ! cat /proc/spile.*/state 2>/dev/null | grep -q 'running\|stopping'; }
for n in 1 2 3 4 5 6; do
	$SPILERUN -w -o said.$n $B/load.ko & r=$!
	await running
	printf sh >&4
	sleep 1
	if [ $((n % 3)) = 0 ]; then
		kill -KILL $r; wait $r 2>/dev/null
	else
		kill -INT $r; wait $r || echo "exit status $?"
		cat said.$n
	fi
	await none_left
done
rm go
for l in $loops; do wait $l; done
[ -e failed ] && echo "a program failed"
printf sh >&4; exec 4>&-; wait
tail -2 old
grep -h 'own\|child\|vfork' out.* old | grep -v hits | grep -vE '^[a-z]+ [01] [0-2] [01]( [01])?$' | sort | uniq -c
echo "$(cat out.* | grep -c ' 1 2 1 1') $(cat out.* | grep -c ' 0 0 0 0')" | sed 's/^[1-9][0-9]* [1-9][0-9]*$/some raised, some not/'
cd /; rm -r /tmp/load
X
"$V" -t $((250 * SLOW)) exec "$G" -- sh "$B/load-run.sh" >load.got 2>&1
diff - load.got <<'X'
hits
hits
hits
hits
own 0 0 0 0
own hits 0
some raised, some not
X
