#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A function that ends by jumping to another one returns together with it.  The stacks in the handlers of both have the callers, though their returns are
# probed as well; on kernels before 6.11, which have freed what they know of the first by then, that of the second may end there, but has no other frame.
cd "$B" || exit 1
cat >together.c <<'X'
static volatile long sink;
__attribute__((noipa)) long leaf(long n) { return n + sink; }
static long (*volatile leaf_pointer)(long) = leaf;
__attribute__((noipa)) long middle(long n) { return leaf_pointer(n); }
static long (*volatile middle_pointer)(long) = middle;
__attribute__((noipa)) long outer(long n) { return middle_pointer(n) + 1; }
static long (*volatile outer_pointer)(long) = outer;
__attribute__((noipa)) long outermost(long n) { return outer_pointer(n) + 1; }
int main(void)
{
	long sum = 0;

	for (int i = 0; i < 20; i++)
		sum += outermost(i);
	return sum != 230;
}
X
gcc -O2 -o together together.c || exit 1
objdump -d --disassemble=middle together | grep -q 'jmp ' || { echo "middle() does not end by a jump"; exit 1; }
cat >together.stp <<'X'
global n, whole, short
probe process(@1).function("leaf").return, process(@1).function("middle").return, process(@1).function("out*").return {
	s = sprint_ubacktrace()
	f = ppfunc()
	n[f]++
	if (s =~ "^outer[+][^\n]*\noutermost[+][^\n]*\nmain[+]" || (f == "outer" && s =~ "^outermost[+][^\n]*\nmain[+]") || (f == "outermost" && s =~ "^main[+]")) whole[f]++
	else if (s =~ "^outer[+]" && !isinstr(s, "\n")) short[f]++
	else { printf("%s: %s\n", f, s) }
}
probe end { foreach (f+ in n) printf("%s %d %s\n", f, n[f], whole[f] == n[f] ? "whole" : f == "middle" && whole[f] + short[f] == n[f] ? "whole or short" : "wrong") }
X
"$SPILE" -r "$RELEASE" -p4 -D MAXSTRINGLEN=2048 -m together together.stp "$B/together" >/dev/null || exit 1
"$V" -t $((60 * SLOW)) exec "$G" -- "$SPILERUN" -c "$B/together" "$B/together.ko" >got 2>&1
case $RELEASE in
6.[0-9].* | 6.10.*) middle='whole or short' ;;
*) middle=whole ;;
esac
printf '%s\n' 'leaf 20 whole' "middle 20 $middle" 'outer 20 whole' 'outermost 20 whole' | diff - got
