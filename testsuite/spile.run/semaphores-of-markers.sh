#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The semaphore of a marker is as high as the marker has places that are probed, in each process that has the marker: in those that begin
# later, in libraries that are loaded later, in children of fork() and vfork(), after exec(), and no higher with two sessions.  It is 0 again
# when no session probes the marker, also after the loader was killed, and while a condition disarms the probe.  Where only the target is
# probed, it is raised there only.  A function that begins where a marker is shares the place with it; a session that has probed the function
# alone keeps others from the marker.
# timeout: 400
# cost: 30
cd "$B" || exit 1
cat >semaphores.stp <<'X'
global plain, twice, entry, loaded, called, sum
probe process(@1).mark("plain") { plain++; sum += $arg1 }
probe process(@1).mark("twice") { twice++; sum += $arg1 }
probe process(@1).function("begins_with_a_marker") { called++ }
probe process(@1).mark("entry") { entry++; sum += $arg1 }
probe process(@2).mark("loaded") { loaded++; sum += $arg1 }
probe end { printf("plain %d twice %d entry %d called %d loaded %d sum %d\n", plain, twice, entry, called, loaded, sum) }
X
cat >switched.stp <<'X'
global on, n
probe process("/bin/true").begin { on = !on }
probe process(@1).mark("plain") if (on) { n++ }
probe process(@1).mark("twice") { n += 10 }
probe end { printf("switched %d\n", n) }
X
cat >target.stp <<'X'
global n
probe process.mark("plain"), process.mark("twice") { n++ }
probe end { printf("target %d\n", n) }
X
cat >function.stp <<'X'
global n
probe process(@1).function("begins_with_a_marker") { n++ }
probe end { printf("function %d\n", n) }
X
cat >entry.stp <<'X'
probe process(@1).mark("entry") { println($arg1) }
X
for name in semaphores switched function entry target; do
	"$SPILE" -r "$RELEASE" -c "$W/semaphores" -p4 -m $name $name.stp "$W/semaphores" "$W/semaphores_library.so" >/dev/null || exit 1
done
cat >semaphores-run.sh <<X
S=$S W=$W B=$B SPILERUN=$SPILERUN
X
cat >>semaphores-run.sh <<'X'
. $S/../lib/await.sh
mkdir /tmp/marked; cd /tmp/marked
# Two programs that do what they read from a pipe; ask does so, and prints the lines that come of it.
mkfifo old.in new.in
touch old.out new.out
ask() { # NAME LETTERS LINES
	local before=$(wc -l <$1.out)
	if [ $1 = old ]; then printf %s $2 >&4; else printf %s $2 >&5; fi
	said() { [ $(wc -l <$1.out) -ge $(($2 + $3)) ]; }
	await said $1 $before $3
	tail -n +$((before + 1)) $1.out | sed "s/^/$1: /"
}
states() { cat /proc/spile.*/state 2>/dev/null; }
are_running() { [ "$(states | grep -c running)" = $1 ]; }
none_left() { ! states | grep -q 'running\|stopping'; }
session() { # NAME COUNT [OPTION...]: begins another session, the COUNTth
	local name=$1 count=$2
	shift 2
	$SPILERUN -w "$@" -o $name.$count $B/$name.ko 2>&1 & r=$!
	await are_running $count
}
over() { kill -INT $1; wait $1 || echo "exit status $?"; cat $2; }
is_now() { [ "$(ask old s 1)" = "old: own $1" ]; }
until_now() { await_within 60 is_now "$1"; ask old s 1; }

$W/semaphores $W/semaphores_library.so <old.in >old.out & exec 4>old.in
echo "# nobody probes"; ask old sh 2
session semaphores 1; first=$r
echo "# one session"; ask old shlsh 4
$W/semaphores $W/semaphores_library.so <new.in >new.out & exec 5>new.in
ask new shlshu 4; ask old f 2; ask new f 3; ask new v 1; ask new x 0; ask new sh 2
session semaphores 2; second=$r
echo "# two sessions"; ask old sh 2; ask new s 1
over $first semaphores.1
echo "# one of them"; ask old sh 2; ask new s 1
kill -KILL $second; wait $second 2>/dev/null; await none_left
echo "# the loader was killed"; until_now '0 0 0 0'; ask old h 1; ask new s 1
session switched 1
echo "# a condition"; ask old sh 2
/bin/true; until_now '1 2 0 0'; ask old h 1
/bin/true; until_now '0 2 0 0'; ask old h 1
over $r switched.1
session target 1 -x $(pgrep -o semaphores)
echo "# a target"; ask old shf 4; ask new sh 2
over $r target.1
session function 1
echo "# a function"; ask old sh 2
$SPILERUN -w $B/entry.ko 2>&1 | sed 's/.*: not a place/not a place/'
ask old s 1
over $r function.1
echo "# at the end"; ask old sh 2; ask new sh 2
exec 4>&- 5>&-; wait; cd /; rm -r /tmp/marked
X
"$V" -t $((350 * SLOW)) exec "$G" -- sh "$B/semaphores-run.sh" >semaphores.got 2>&1
diff - semaphores.got <<'X'
# nobody probes
old: own 0 0 0
old: own hits 0
# one session
old: own 1 2 1
old: own hits 4
old: own 1 2 1 1
old: own hits 5
new: own 1 2 1
new: own hits 4
new: own 1 2 1 1
new: own hits 5
old: child 1 2 1 1
old: child hits 5
new: child 1 2 1
new: child hits 4
new: child 1 2 1 1
new: vfork 1 2 1
new: own 1 2 1
new: own hits 4
# two sessions
old: own 1 2 1 1
old: own hits 5
new: own 1 2 1
plain 8 twice 16 entry 8 called 8 loaded 4 sum 92
# one of them
old: own 1 2 1 1
old: own hits 5
new: own 1 2 1
# the loader was killed
old: own 0 0 0 0
old: own hits 0
new: own 0 0 0
# a condition
old: own 0 2 0 0
old: own hits 2
old: own 1 2 0 0
old: own hits 3
old: own 0 2 0 0
old: own hits 2
switched 61
# a target
old: own 1 2 0 0
old: own hits 3
old: child 1 2 0 0
old: child hits 3
new: own 0 0 0
new: own hits 0
target 6
# a function
old: own 0 0 0 0
old: own hits 0
not a place in the file, or its semaphore is not the one that others use (error -22)
old: own 0 0 0 0
function 0
# at the end
old: own 0 0 0 0
old: own hits 0
new: own 0 0 0
new: own hits 0
X
