#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# gdb at a function that Spile probes at its entry and return: what works as without Spile, and what does not (doc/safety.md says so too).  Whatever
# gdb does, the program works as without either, and Spile counts each call.
# timeout: 660
# cost: 30
cd "$B" || exit 1
cat >gdb.stp <<'X'
global e, r, bad
probe process(@1).function("recursion_down") { e++ }
probe process(@1).function("recursion_down").return { r++; if ($return != @entry($n) + 1) bad++ }
probe end { printf("%d %d %d\n", e, r, bad) }
X
"$SPILE" -w -r "$RELEASE" -p4 -m beside_gdb gdb.stp "$W/recursion" >/dev/null || exit 1
behind=$(grep -n 'below = n' "$S/../workload/recursion.c" | cut -d: -f1)
before=$(grep -n 'if (recursion_down(' "$S/../workload/recursion.c" | cut -d: -f1)
# How far from the function's beginning that line and the second instruction are, and whether the call is counted by then.
far() { gdb -nx -batch -ex "$1" "$W/recursion" | sed -n "s/.*<recursion_down+\([0-9]*\)>$2.*/\1/p" | tail -n 1; }
at_behind=$(far "info line recursion.c:$behind" ' and ends')
at_second=$(far 'x/2i recursion_down' :)
[ "$at_behind" -gt 0 ] && [ "$at_second" -gt 0 ] || { echo "gdb does not tell the places"; exit 1; }
by_second=$((at_second >= at_behind))

# After the first failure the rest is left out: the time would be over before anything is reported.
cat >gdb-await.sh <<X
[ -e failed ] && exit
. $S/../lib/await.sh
until_true() { # OTHERWISE WHAT...
	what=\$1; shift
	await_within $((60 * SLOW)) "\$@" && return
	touch failed; echo "= \$what: \$(cat gdb.err)"; exit 1
}
X
cat >on.sh <<X
. ./gdb-await.sh
rm -f up end
mkfifo end
$SPILERUN -w -o gdb.out -c 'sh -c "touch up; read x <end"' $B/beside_gdb.ko >gdb.said 2>gdb.err &
until_true "the session does not begin" [ -e up ]
X
cat >off.sh <<'X'
. ./gdb-await.sh
echo >end
until_true "the session does not end" [ ! -d /sys/module/beside_gdb ]
echo "= Spile counted $(cat gdb.out)$(cat gdb.err)"
X
# Lines with "=" are checked.  Where: how far from the function's beginning, and how many calls have begun.
cat >commands <<X
set confirm off
define where
printf "= stopped at +%d, %d calls\n", (long)\$pc - (long)&recursion_down, down_calls
end
define over
printf "= ended %d\n", \$_exitcode
end
define on
shell sh on.sh
end
define off
shell sh off.sh
end
X
while read -r line; do
	case $line in
	=*) echo "$line" >&3 ;;
	?*) printf " -ex '%s'" "$line" ;;
	esac
done >words 3>expected <<X
source $B/commands
echo = no breakpoint\n
= no breakpoint
on
run
over
= ended 0
off
= Spile counted 4 4 0
echo = a breakpoint at the probed place, set during the session\n
= a breakpoint at the probed place, set during the session
on
break *recursion_down
run
over
= ended 0
delete
off
= Spile counted 4 4 0
echo = a breakpoint at the probed place, where the program stands when the session begins\n
= a breakpoint at the probed place, where the program stands when the session begins
break *recursion_down
run
where
= stopped at +0, 0 calls
on
continue
where
= stopped at +0, 0 calls
delete
continue
over
= ended 0
off
= Spile counted 4 4 0
echo = the same, stepping in place\n
= the same, stepping in place
set displaced-stepping off
break *recursion_down
run
on
continue
over
= ended 0
delete
off
= Spile counted 4 4 0
set displaced-stepping auto
echo = behind it\n
= behind it
on
break $behind
run
where
= stopped at +$at_behind, 1 calls
up
printf "= its caller is known: %d\n", (long)\$pc >= (long)&recursion_down && (long)\$pc < (long)&recursion_tail
= its caller is known: 0
down
finish
where
= stopped at +$at_behind, 1 calls
delete
continue
over
= ended 0
off
= Spile counted 4 4 0
echo = steps\n
= steps
on
tbreak $before
run
step
where
= stopped at +0, 0 calls
stepi
where
= stopped at +$at_second, $by_second calls
continue
over
= ended 0
off
= Spile counted 4 4 0
echo = deleted before the session ends\n
= deleted before the session ends
on
break *recursion_down
tbreak $behind
run
where
= stopped at +$at_behind, 1 calls
delete
off
= Spile counted 1 0 0
continue
over
= ended 0
X
cat >gdb-all.sh <<X
home=\$(mktemp -d) && cp $B/gdb-await.sh $B/on.sh $B/off.sh \$home && cd \$home || exit 1
gdb -nx -batch $(cat words) --args $W/recursion 3 1 </dev/null >said 2>&1
grep '^=' said >seen
cmp -s seen $B/expected && exit 0
cat said
diff seen $B/expected
exit 1
X
"$V" -t $((600 * SLOW)) exec "$G" -- sh "$B/gdb-all.sh"
