#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The stack of methods of Java is the one that Java knows, line by line: interpreted, and compiled by both compilers, with what they inline; in system calls,
# and in functions that Java calls without noting where it is. A thread that runs no Java, and a program that is none, are told apart. If OpenJDK 25 is there, too, its
# stacks are looked at as well.
# timeout: 900
# needs-package: hotspot.method_entry
# kernel: any
# cost: 30
cd "$B" || exit 1
cp "$S/../workload/Stacks.java" . && javac Stacks.java || exit 1
jvm=$(dirname "$(readlink -f "$(command -v java)")")/../lib/server/libjvm.so
cat >java_stacks.stp <<'E'
global collected
probe process.syscall { if ($syscall == 1 && $arg3 == 1 && user_char($arg2) == 7) { println("process.syscall"); print_java_backtrace() } }
probe syscall.write { if ($arg3 == 1 && user_char($arg2) == 8) printf("syscall\n%s\n", sprint_java_backtrace()) }
probe process(@1).provider("hotspot").mark("object__alloc") { if (user_string_n($arg2, $arg3) == "Stacks$Event") { println("alloc"); print_java_backtrace() } }
probe process(@1).provider("hotspot").mark("method__entry") {
	if (user_string_n($arg2, $arg3) == "Stacks" && user_string_n($arg4, $arg5) == "mark") { println("entry"); print_java_backtrace() }
}
probe process(@1).provider("hotspot").mark("gc__begin") { if (!collected++) { println("other"); print_java_backtrace() } }
probe process.syscall { if ($syscall == 110 && execname() == "perl") { println("other"); print_java_backtrace() } }
E
"$SPILE" -r "$RELEASE" -w -p4 -DMAXSTRINGLEN=8000 -m java_stacks java_stacks.stp "$jvm" >/dev/null || exit 1
# run OPTIONS EVENT...: each event has the stacks that Java knows, but for methods within here().
cat >guest.sh <<E
cd "$B"
run() {
	options=\$1
	shift
	rm -f known
	$SPILERUN -c "\$java -Xmx64m -XX:+UseSerialGC -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,Stacks*::* \$options -cp $B Stacks $B/known 4 2" \\
		$B/java_stacks.ko >got || echo "\$options: status \$?"
	for event; do
		awk -v event=\$event '!/^ / { on = \$0 == event; if (on) print "event" } / at java.io.FileOutputStream| at Stacks.mark/ { next } / / && on' got >stacks
		cmp known stacks && [ "\$(grep -c event known)" = 23 ] && [ "\$(wc -l <known)" -gt 240 ] ||
			{ echo "\$options: \$event"; diff known stacks | head -20; }
	done
	sed '1,/^other/d' got
}
java=java
traced="-XX:+DTraceAllocProbes -XX:+DTraceMethodProbes"
run "-Xint \$traced" process.syscall syscall alloc entry
run "-Xcomp -XX:TieredStopAtLevel=1" process.syscall syscall
run "-Xcomp -XX:-TieredCompilation" process.syscall syscall
for java in /usr/lib/jvm/*-25-*/bin/java; do
	[ ! -x "\$java" ] || run "-Xcomp -XX:-TieredCompilation" process.syscall syscall
done
$SPILERUN -c "/usr/bin/perl -e getppid" $B/java_stacks.ko
E
"$V" -t $((800 * SLOW)) exec "$G" -- sh "$B/guest.sh" >got.all 2>&1
cat >want.all <<'E'
 (this is not a Java thread)
 (this is not a Java thread)
 (this is not a Java thread)
other
 (this process runs no Java)
E
diff want.all got.all
