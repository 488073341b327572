#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A profile shows the method of Java that runs, without -d: compiled by either compiler, also while it loops, or interpreted. Where the virtual machine is called
# without a note, the file whose tables are missing is named; with its tables, the caller is shown.
# timeout: 900
# needs-package: hotspot.method_entry
# kernel: any
# cost: 30
cd "$B" || exit 1
cp "$S/../workload/Turns.java" . && javac Turns.java || exit 1
jvm=$(readlink -f "$(dirname "$(readlink -f "$(command -v java)")")/../lib/server/libjvm.so")
cat >java_profile.stp <<'E'
global all, turning, inside, looking, named
probe timer.profile {
	if (pid() != target()) next
	s = sprint_java_backtrace()
	if (execname() == "turner") { all++; turning += isinstr(s, " at Turns.turn(") }
	if (execname() == "clock") { inside++; looking += isinstr(s, " at Turns.look("); named += isinstr(s, "/server/libjvm.so: name it with -d") }
}
probe end {
	printf("turn %d look %d named %d\n", all > 20 && turning * 100 >= all * 95, inside > 20 && looking * 100 >= inside * $1, (named > 0) == $2)
	printf("(turner %d of %d, clock %d of %d, %d named)\n", turning, all, looking, inside, named)
}
E
"$SPILE" -r "$RELEASE" -w -p4 -m java_profile java_profile.stp 0 1 >/dev/null || exit 1
"$SPILE" -r "$RELEASE" -w -p4 -d "$jvm" -d libc.so.6 -m java_profile_d java_profile.stp 90 0 >/dev/null || exit 1
cat >guest.sh <<E
cd "$B"
run() {
	module=\$1
	shift
	$SPILERUN -c "java -Xmx64m -XX:+UseSerialGC \$* -cp $B Turns 1500" $B/\$module.ko >got 2>&1
	grep -qx 'turn 1 look 1 named 1' got || { echo "\$module \$*:"; cat got; }
}
run java_profile
run java_profile -Xcomp -XX:TieredStopAtLevel=1 -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,Turns::*
run java_profile_d -Xcomp -XX:-TieredCompilation -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,Turns::*
E
"$V" -t $((800 * SLOW)) exec "$G" -- sh "$B/guest.sh"
