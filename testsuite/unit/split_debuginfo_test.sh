#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program whose debug information is in .dwo files (-gsplit-dwarf), or in a package of them (.dwp), answers as the same program that has it all.

build=${abs_top_builddir:-.}
build=$(cd "$build" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
export SPILE_DIR="$work/cache" SPILE="$build/spile"
failures=0

bad() {
	echo "# FAIL: $*"
	failures=$((failures + 1))
}

cat >list.h <<'END'
struct list { int value; struct list *next; char name[8]; };
enum colour { RED, GREEN };
int sum_list(struct list *l, enum colour c);
static inline __attribute__((always_inline)) int squared(int v) { int w = v * v; return w + 1; }
END
cat >main.c <<'END'
#include "list.h"
#include <stdio.h>
struct list *kept;
static int hidden = 3;
static __attribute__((noinline)) int helper(long a, const char *s)
{
	int n = 0;
	for (int i = 0; i < a; i++) {
		n += squared(i) + s[0];
		hidden += n;
	}
	return n;
}
int main(int argc, char **argv)
{
	struct list l = {argc, 0, "x"};
	kept = &l;
	printf("%d\n", helper(argc, argv[0]) + sum_list(&l, GREEN));
	return 0;
}
END
cat >sum.c <<'END'
#include "list.h"
struct list *last;
int sum_list(struct list *l, enum colour c)
{
	int s = 0;
	last = l;
	while (l) {
		s += squared(l->value) + c;
		l = l->next;
	}
	return s;
}
END
cat >thing.cc <<'END'
namespace space {
struct thing { long a; int b[3]; int f(int x); };
int total;
__attribute__((noinline)) int thing::f(int x) { for (int i = 0; i < x; i++) total += b[i]; return a + x; }
}
extern "C" int use(long n) { space::thing t; t.a = n; return t.f((int)n); }
END

# built COMPILER OPTION...: the program, by files.
built() {
	rm -f ./*.dwo ./*.o
	for source in main.c sum.c thing.cc; do
		"$@" -c $source || exit 99
	done
	"$1" -no-pie -Wl,--build-id=0x0123456789abcdef0123 -o prog ./*.o || exit 99
}

probe() {
	LC_ALL=C "$build/spile" -p3 -e "probe process(\"./prog\").$1 { println($2) }"
}

known() {
	for point in 'function("*")' 'statement("*@*.c:*")' 'statement("*@*.cc:*")' 'statement("squared@list.h:*")' 'function("*").inline'; do
		LC_ALL=C "$build/spile" -L "process(\"./prog\").$point"
	done
	probe 'function("sum_list")' '$l->next->name$, $$parms$$, @var("last")->value, @var("hidden@main.c"), @cast(0, "struct list", "./prog")->value'
	probe 'function("helper").return' '$return, @entry($a)'
	probe 'statement("helper@main.c:10")' '$$vars$$'
	probe 'function("squared").inline' '$v'
	probe 'function("space::thing::f")' '$this->b[1], @var("space::total")'
}

for compiler in gcc clang-14; do
	for version in 4 5; do
		for o in O0 O1 O2; do
			for types in '' -fdebug-types-section; do
				[ "$compiler$types" = gcc-fdebug-types-section ] && continue
				built $compiler -gdwarf-$version $types -$o -fno-pie && known >whole 2>&1
				grep -q 'sum_list.*struct list' whole || bad "$compiler: $(cat whole)"
				built $compiler -gdwarf-$version $types -$o -fno-pie -gsplit-dwarf && known >split 2>&1
				cmp -s whole split || bad "$compiler -gdwarf-$version $types -$o: $(diff whole split | head -20)"
			done
		done
	done
done

# packed TOOL: all .dwo files, which go, in a package.
packed() {
	timeout 60 "$1" -e prog -o prog.dwp && rm ./*.dwo
}

# binutils 2.40 makes packages of DWARF 4 only, and llvm-dwp 14 to 19 none of gcc's DWARF 5
while read -r compiler version tool; do
	command -v "$tool" >/dev/null || { echo "# $tool is missing: not tried"; continue; }
	for o in O0 O2; do
		built $compiler -gdwarf-$version -$o -fno-pie && known >whole 2>&1
		grep -q 'sum_list.*struct list' whole || bad "$compiler: $(cat whole)"
		rm -f split
		built $compiler -gdwarf-$version -$o -fno-pie -gsplit-dwarf && packed "$tool" && known >split 2>&1
		cmp -s whole split || bad "$compiler -gdwarf-$version -$o, $tool: $(diff whole split | head -20)"
	done
done <<'END'
gcc 4 dwp
gcc 4 llvm-dwp
clang-14 4 dwp
clang-14 4 llvm-dwp
clang-14 5 llvm-dwp
END
rm -f prog.dwp

# says TEXT: a parameter is refused, with the text.
says() {
	probe 'function("sum_list")' '$l->value' >out 2>&1 && bad "accepted: $(cat out)"
	grep -qF -- "$1" out || bad "does not say $1: $(cat out)"
}

in_dwo='hint: debug information of it is in .dwo files, and '
for version in 4 5; do
	built gcc -gdwarf-$version -O1 -fno-pie -gsplit-dwarf
	mv sum.dwo away
	says "$in_dwo\"$work/sum.dwo\" is missing"
	probe 'function("helper")' '$a, @var("hidden")' >out 2>&1 || bad "one .dwo is missing: $(cat out)"
	for point in 'function("only_inlined")' 'function("only_*")' 'statement("only_inlined@sum.c:9")' 'function("only_inlined").inline'; do
		probe "$point" 1 >out 2>&1 && bad "$point: accepted"
		grep -qF "$in_dwo\"$work/sum.dwo\" is missing" out || bad "$point: does not say what is missing: $(cat out)"
	done
	: >prog.dwp
	says "\"$work/sum.dwo\" is missing; the package \"$work/prog.dwp\" is not read: it is not an ELF file of this machine"
	rm prog.dwp
	cp main.dwo sum.dwo
	says "$in_dwo\"$work/sum.dwo\" is of another build"
	# gcc puts each type in a section of its own, all of one name
	built gcc -gdwarf-$version -O1 -fno-pie -gsplit-dwarf -fdebug-types-section
	says 'compile without -fdebug-types-section'
done

# a package that lacks a unit: the others are known, and it is taken from its .dwo file where that is there
built gcc -gdwarf-4 -O1 -fno-pie -gsplit-dwarf
timeout 60 dwp main.dwo thing.dwo -o prog.dwp
mv sum.dwo away
rm ./*.dwo
says "\"$work/sum.dwo\" is missing; the package \"$work/prog.dwp\" does not have it either, or is of another build"
probe 'function("helper")' '$a, @var("hidden")' >out 2>&1 || bad "one unit is missing: $(cat out)"
mv away sum.dwo
probe 'function("sum_list")' '$l->value' >out 2>&1 || bad "a unit beside the package: $(cat out)"

# types that units share have strings of other units
built clang-14 -gdwarf-4 -O1 -fno-pie -gsplit-dwarf -fdebug-types-section
packed dwp
says 'it has sections of types: compile without -fdebug-types-section'

# damage: an answer or an error, never a crash
built gcc -gdwarf-4 -O1 -fno-pie -gsplit-dwarf
packed dwp
python3 - <<'END' || bad "a damaged package: see above"
import os, random, subprocess, sys
whole = open("prog.dwp", "rb").read()
random.seed(1)
for i in range(150):
    b = bytearray(whole)
    if i % 5 == 0:
        b = b[:random.randrange(len(b))]
    for _ in range(random.choice((1, 4, 40))):
        if b:
            b[random.randrange(len(b))] = random.choice((0, 255, random.randrange(256)))
    open("prog.dwp", "wb").write(b)
    r = subprocess.run([os.environ["SPILE"], "-L", 'process("./prog").function("*")'], capture_output=True, timeout=60)
    if r.returncode not in (0, 1) or r.stdout.count(b"function(") < 8:
        sys.exit("%d: %d %s" % (i, r.returncode, r.stderr))
END

# hundreds of units, copies of one with other names: files are closed when they were read, also those of a package
rm -f ./*.o ./*.dwo prog.dwp
echo 'struct s000 { int a, b; }; int f000(struct s000 *p, int x) { return (p->a + x) * p->b; }' >u000.c
gcc -c -O1 -gdwarf-4 -gsplit-dwarf u000.c || exit 99
python3 - <<'END' || exit 99
import re, subprocess
o, dwo = open("u000.o", "rb").read(), open("u000.dwo", "rb").read()
text = subprocess.run(["readelf", "-wi", "u000.o"], capture_output=True, text=True).stdout
own = bytes.fromhex(re.search(r"dwo_id\s*:\s*0x([0-9a-f]+)", text).group(1).rjust(16, "0"))[::-1]
for i in range(500):
    for whole, end in (o, "o"), (dwo, "dwo"):
        whole = whole.replace(own, b"%08d" % i)
        for letter in b"u", b"f", b"s":
            whole = whole.replace(letter + b"000", letter + b"%03d" % i)
        open("u%03d.%s" % (i, end), "wb").write(whole)
with open("many.c", "w") as f:
    f.write("".join("int f%03d(void *, int);" % i for i in range(500)) + "int main(void) { int a[2] = {1, 2}; return 0")
    f.write("".join("+ f%03d(a, 1)" % i for i in range(500)) + "; }")
END
gcc -o prog many.c u*.o && rm u*.o || exit 99
for from in .dwo .dwp; do
	[ $from = .dwo ] || packed dwp
	n=$(ulimit -n 32; "$build/spile" -L 'process("./prog").function("f*")' | grep -c '"f[0-9]*") $p:struct s[0-9]*\* $x:int$')
	[ "$n" = 500 ] || bad "of 500 functions in $from, $n are known"
done
exit $((failures > 0))
