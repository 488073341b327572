#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The stack of Python functions is the one that Python knows, line by line, in the program and where a program loads the library: functions of all
# kinds, names of all widths, threads, a forked child, a long table of lines. Another version, and what only looks like Python, are told apart; a name makes up no line.
# timeout: 300
# kernel: any
# cost: 30
cd "$B" || exit 1
w=$S/../workload
cat >python_stacks.stp <<'E'
global naps, of_hold
probe process(@1).mark("audit")? { if (user_string($arg1) == "spile.here") { println("event"); print_python_backtrace() } }
probe process(@2).mark("audit")? { if (user_string($arg1) == "spile.here") { println("event"); print_python_backtrace() } }
probe process.syscall {
	if ($syscall == 110) { println("call"); println(sprint_python_backtrace()) }
	if ($syscall == 230) {
		naps++
		of_hold += sprint_python_backtrace() =~ "^ hold at [^ ]*/stacks[.]py:[0-9]+\n Thread.run at [^\n]*\n Thread._bootstrap_inner at [^\n]*\n Thread._bootstrap at [^\n]*$" &&
			   python_frame(0) =~ "^hold at" && python_frame(3) =~ "^Thread._bootstrap at" && python_frame(4) == ""
	}
}
probe end { if (naps) printf("naps %d of hold %d\n", naps, of_hold) }
E
cat >python_hostile.stp <<'E'
probe process.syscall { if ($syscall == 110 && execname() != "sh") python_print_backtrace() }
E
cat >embeds.c <<'E'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *library = dlopen("libpython3.11.so.1.0", RTLD_NOW | RTLD_GLOBAL);
	int (*run)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "Py_BytesMain") : 0;
	return run ? run(argc, argv) : 99;
}
E
gcc -O1 -rdynamic -o hostile_python "$w/hostile_python.c" && gcc -O1 -o embeds embeds.c || exit 1
library=$(echo /usr/lib/*/libpython3.11.so.1.0)
[ -e "$library" ] || library=/usr/bin/python3.11
"$SPILE" -r "$RELEASE" -p4 -DMAXSTRINGLEN=8000 -m python_stacks python_stacks.stp /usr/bin/python3.11 "$library" -c /usr/bin/python3.11 >/dev/null &&
	"$SPILE" -r "$RELEASE" -p4 -m python_hostile python_hostile.stp -c "$B/hostile_python" >/dev/null || exit 1
cat >guest.sh <<E
cd "$B"
export PYTHONUTF8=1 PYTHONDONTWRITEBYTECODE=1
for program in /usr/bin/python3.11 $B/embeds; do
	rm -f known got
	[ \$program != $B/embeds ] || [ $library != /usr/bin/python3.11 ] || break
	$SPILERUN -c "\$program $w/stacks.py $B/known" $B/python_stacks.ko >got || { echo "\$program: status \$?"; exit 1; }
	echo "naps 3 of hold 3" >>known
	cmp known got && [ \$(wc -l <known) -gt 300 ] || { diff known got | head -30; exit 1; }
done
for what in "" 3.12 "no version" "circle of frames" "circle of threads" "circle of interpreters" "among others" "headers last" "bad runtime" "bad frame" "bad code" \
	"no code" "no string" "long string" "control characters" "no string's form" "no table" "other table" "short table" "long table" "table of numbers" "before the function"; do
	echo "\$what:"
	$SPILERUN -c "$B/hostile_python \"\$what\"" $B/python_hostile.ko | uniq -c | sed 's/^ *1 //; s/^ *64/64/'
done
echo "other:"
$SPILERUN -c "/usr/bin/perl -e getppid" $B/python_hostile.ko
E
"$V" -t $((200 * SLOW)) exec "$G" -- sh "$B/guest.sh" >got.hostile 2>&1
cat >want.hostile <<'E'
:
 f at f:7
3.12:
 (CPython 3.12: only frames of 3.11 are known)
no version:
 (CPython before 3.11: only frames of 3.11 are known)
circle of frames:
64  f at f:7
 (more functions than are followed)
circle of threads:
 (this thread is in no Python function)
circle of interpreters:
 (this thread is in no Python function)
among others:
 f at f:7
headers last:
 f at f:7
bad runtime:
 (user read fault at 0x55550000000000a0)
bad frame:
 f at f:7
 (user read fault at 0x5555000000000020)
bad code:
 (user read fault at 0x5555000000000008)
no code:
 (a frame without code)
no string:
 ? at ?:7
long string:
 ? at ?:7
control characters:
 a\n b at \033[2J at a\n b at \033[2J:7
no string's form:
 (a string of unknown form)
no table:
 f at f
other table:
 f at f
short table:
 f at f
long table:
 f at f
table of numbers:
 f at f
before the function:
 f at f:5
other:
 (this process runs no CPython)
E
diff want.hostile got.hostile
