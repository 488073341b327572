#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A program whose debug information is in .dwo files (-gsplit-dwarf) answers as the same program that has it all.

build=${abs_top_builddir:-.}
build=$(cd "$build" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
export SPILE_DIR="$work/cache"
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
	: >prog.dwp
	says "\"$work/sum.dwo\" is missing: packages of them (.dwp) are not read"
	rm prog.dwp
	cp main.dwo sum.dwo
	says "$in_dwo\"$work/sum.dwo\" is of another build"
	# gcc puts each type in a section of its own, all of one name
	built gcc -gdwarf-$version -O1 -fno-pie -gsplit-dwarf -fdebug-types-section
	says 'compile without -fdebug-types-section'
done
exit $((failures > 0))
