#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Programs that start stap read its version and the lines of -v by regular expressions: these find what they look for, under each name.
. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
cd "$work" || exit 99
ln -s "$build/spile" stap
ln -s "$build/spilerun" staprun

# has PATTERN: an extended one, of a whole line of what the last command printed.
has() {
	grep -qxE "$1" out || { bad "no line is $1"; cat out; }
}

for how in "$build/spile -V" "$build/spile --version" "./stap -V" "./stap --version"; do
	$how >out 2>err || bad "status $?"
	[ ! -s err ] || bad "messages"
	[ "$(sed -n '1s|.*version \([0-9]*\.[0-9]*\)/0\.[0-9]*[,)].*|\1|p' out)" = 5.6 ] || { bad "no version in the first line"; cat out; }
	[ "$(grep -oE '[0-9]+\.[0-9]+' out | head -n 1)" = 5.6 ] || bad "another number comes first"
	has 'Systemtap translator/driver \(version 5\.6/0\.[0-9]+, Spile [0-9.]+\)'
	has 'Spile [0-9.]+ .*'
done
for how in "$build/spilerun -V" "./staprun -V"; do
	$how >out 2>err || bad "status $?"
	has 'Systemtap module loader/runner \(version 5\.6, Spile [0-9.]+\)'
done

how="spile -v"
number='[0-9]+'
kb="${number}virt/${number}res/${number}shr/${number}data kb"
ms="${number}usr/${number}sys/${number}real ms\\."
./stap -v -p3 -g -e '%{ static int one = 1; %} global x, y function f() { return 1 } probe begin { x = f(); y = x; println(y) }' >c 2>out || bad "status $?"
has "Pass 1: parsed user script and $number library scripts using $kb, in $ms"
has "Pass 2: analyzed script: 1 probe, 1 function, 1 embed, 2 globals using $kb, in $ms"
has "Pass 3: translated to C into \"[^\"]+\" using $kb, in $ms"
for bad in "Pass 1: parse failed:probe begin {" "Pass 2: analysis failed:probe begin { x = y z(1) }"; do
	./stap -v -p3 -e "${bad##*:}" >c 2>out && bad "status 0"
	has "${bad%:*}\\."
done
exit $((failures > 0))
