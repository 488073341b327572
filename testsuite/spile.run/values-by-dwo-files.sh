#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Values of a program whose debug information is in .dwo files are those of the program: parameters, members, a static variable, locals of a
# statement and of an inlined function, a result.
# kernel: any
rm -rf "$B/dwo" && mkdir -p "$B/dwo" && cd "$B/dwo" || exit 1
cat >sum.c <<'END'
struct list { int value; struct list *next; };
static int calls = 40;
static inline __attribute__((always_inline)) int squared(int v) { return v * v; }
__attribute__((noinline)) int sum_list(struct list *l)
{
	int s = 0;
	calls++;
	for (; l; l = l->next)
		s += squared(l->value);
	return s + calls;
}
END
cat >main.c <<'END'
struct list { int value; struct list *next; };
int sum_list(struct list *l);
int main(void) { struct list b = {5, 0}, a = {3, &b}; return sum_list(&a) != 3 * 3 + 5 * 5 + 41; }
END
cat >read.stp <<X
probe process("$B/dwo/prog").function("sum_list") { printf("entry %d %d %d\n", \$l->value, \$l->next->value, @var("calls@sum.c")) }
probe process("$B/dwo/prog").function("squared").inline { printf("squared %d\n", \$v) }
probe process("$B/dwo/prog").statement("sum_list@sum.c:10") { printf("line 10: %d %d\n", \$s, @var("calls@sum.c")) }
probe process("$B/dwo/prog").function("sum_list").return { printf("return %d\n", \$return) }
X
printf '%s\n' 'entry 3 5 40' 'squared 3' 'squared 5' 'line 10: 34 41' 'return 75' >expected
for version in 4 5; do
	rm -f ./*.dwo prog
	gcc -gdwarf-$version -O0 -gsplit-dwarf -c main.c && gcc -gdwarf-$version -O0 -gsplit-dwarf -c sum.c && gcc -o prog main.o sum.o && [ -f sum.dwo ] || exit 1
	"$SPILE" -r "$RELEASE" -p4 -m values_by_dwo read.stp >/dev/null || exit 1
	"$V" -t $((100 * SLOW)) exec "$G" -- sh -c "cd $B/dwo && $SPILERUN -c ./prog values_by_dwo.ko" >got 2>&1 || { cat got; exit 1; }
	diff expected got || { echo "version $version"; exit 1; }
done
