#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Debug information that dwz has moved to a file that several programs share: read if it is there, else as good as none, and the file is named.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
command -v dwz >/dev/null || exit 77
cd "$work" || exit 99
export SPILE_DIR="$work/cache"

# says WHAT POINT EXPRESSION TEXT...: the probe of the program "one" is refused, with the texts.
says() {
	what=$1 point=$2 expression=$3
	shift 3
	if LC_ALL=C "$build/spile" -p2 -e "probe process(\"./one\").$point { println($expression) }" >out 2>&1; then
		bad "$what: $point with $expression is accepted: $(cat out)"
	fi
	for text; do
		grep -qF -- "$text" out || bad "$what: $point with $expression does not say $text: $(cat out)"
	done
}

# What is known of the program: points, variables with their types, members.
known() {
	LC_ALL=C "$build/spile" -L 'process("./one").function("*")' && LC_ALL=C "$build/spile" -L 'process("./one").statement("*@one.c:*")' &&
		LC_ALL=C "$build/spile" -p2 -e 'probe process("./one").function("total") { println($p->second, $p->next->name$, @var("kept")->first, $$parms$$) }'
}

as_whole() {
	known >now 2>&1
	cmp -s whole now || bad "$1: not as without dwz: $(diff whole now)"
}

no_debuginfo() {
	for e in '$p->first' '@var("kept")->first' '$$parms' '@cast(0, "struct record", "./one")->first'; do
		says "$1" 'function("total")' "$e" "\"$work/one\" has no debug information" "$2"
	done
	says "$1" 'statement("total@one.c:3")' 1 "$2"
	LC_ALL=C "$build/spile" -p2 -e 'probe process("./one").function("total") { println(ppfunc()) }' >out 2>&1 || bad "$1: $(cat out)"
}

cat >record.h <<'END'
struct other { long a_long_name_of_a_member, another_long_name_of_a_member; char third_long_name_of_a_member[40]; };
struct record { long first, second; struct record *next; char name[16]; struct other others[3]; };
END
cat >one.c <<'END'
#include "record.h"
struct record *kept;
__attribute__((noinline)) long total(struct record *p) { kept = p; return p->first + p->second; }
int main(int argc, char **argv) { struct record r = {argc, 2, &r, "r"}; (void)argv; return total(&r) != 3; }
END
sed 's/total/sum/g' one.c >two.c

# compiled VERSION COMMON: the programs, with what they share in that file.
compiled() {
	for p in one two; do
		gcc -gdwarf-$1 -O1 -o $p $p.c || exit 99
	done
	known >whole 2>&1 || bad "version $1: $(cat whole)"
	dwz -m shared.debug -M "$2" one two || exit 99
	[ -s shared.debug ] || exit 99
}

for version in 4 5; do
	compiled $version "$work/shared.debug"
	as_whole "version $version"
	mv shared.debug away
	no_debuginfo "version $version" "hint: its debug information refers to the file \"$work/shared.debug\", which is missing"
	cp away shared.debug
	objcopy --remove-section .note.gnu.build-id shared.debug
	no_debuginfo "version $version" "hint: its debug information refers to the file \"$work/shared.debug\", which is of another build"

	# beside the program, and in a separate file of debug information
	compiled $version shared.debug
	as_whole "version $version, beside"
	objcopy --only-keep-debug one one.debug && strip one && objcopy --add-gnu-debuglink=one.debug one || exit 99
	as_whole "version $version, separate"
	mv shared.debug away
	no_debuginfo "version $version, separate" 'hint: its debug information refers to the file "shared.debug", which is missing'
done

# Functions of C++ whose classes were moved have their scopes; also if they are in the same file.
cat >shape.h <<'END'
namespace space {
struct shape {
	long width, height, a_long_name_of_a_member[8], another_long_name_of_a_member[8];
	long area(int by) const;
	struct part { int size, a_name_that_is_long_enough; int of(int n); } first;
};
}
END
cat >shape.cc <<'END'
#include "shape.h"
__attribute__((noinline)) long space::shape::area(int by) const { return width * height * by; }
__attribute__((noinline)) int space::shape::part::of(int n) { return size + n; }
END
printf '#include "shape.h"\nint main(int argc, char **) { space::shape s = {}; s.width = argc; return s.area(2) + s.first.of(3); }\n' >main.cc
functions() {
	for pattern in 'space::shape::*' shape::area 'shape::part::*' space::shape::part::of; do
		LC_ALL=C "$build/spile" -L "process(\"./one\").function(\"$pattern\")"
	done
}
for version in 4 5; do
	for options in '-m shared.debug -M shared.debug one two' one; do
		g++ -gdwarf-$version -O1 -o one shape.cc main.cc && cp one two && functions >whole 2>&1 || exit 99
		dwz $options || exit 99
		functions >now 2>&1
		cmp -s whole now || bad "C++, version $version, dwz $options: $(diff whole now)"
	done
done

# DWARF 5 has a section of its own for the name of the file, which libdw does not read.
for p in one two; do
	gcc -gdwarf-5 -O1 -o $p $p.c || exit 99
done
dwz --dwarf-5 -m shared.debug -M "$work/shared.debug" one two || exit 99
no_debuginfo "--dwarf-5" "hint: its debug information refers to the file \"$work/shared.debug\" by .debug_sup, which is not read"

# The kernel's own, here of a folder that looks like one where it was built, and a module's.
compiled 5 "$work/shared.debug"
mkdir -p kernel/include/config && echo 9.9.9 >kernel/include/config/kernel.release && cp one kernel/vmlinux || exit 99
# of POINT: asks for it, with the kernel of that folder.
of() {
	LC_ALL=C "$build/spile" -r "$work/kernel" -p2 -e "probe $1 { println(1) }" >out 2>&1
}
of 'kernel.statement("total@one.c:3")' || bad "kernel: $(cat out)"
printf 'static const char name[] __attribute__((section(".modinfo"), used)) = "name=two";\n#include "two.c"\n' >module.c
gcc -g -O1 -c -o two.ko module.c || exit 99
of "module(\"$work/two.ko\").statement(\"sum@two.c:3\")" || bad "module: $(cat out)"
mv shared.debug away
printf '%s\0abcdefghijklmnopqrst' "$work/shared.debug" >link && objcopy --add-section .gnu_debugaltlink=link two.ko || exit 99
for point in 'kernel.statement("total@one.c:3")' "module(\"$work/two.ko\").statement(\"sum@two.c:3\")"; do
	of "$point" && bad "$point is accepted"
	for text in 'has no debug information (DWARF)' "hint: its debug information refers to the file \"$work/shared.debug\", which is missing"; do
		grep -qF -- "$text" out || bad "$point does not say $text: $(cat out)"
	done
done
exit $((failures > 0))
