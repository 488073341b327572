#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make install DESTDIR=` installs works there, and after it was moved; `make uninstall` removes everything.

build=${abs_top_builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL SPILE_TAPSET SPILE_RUNTIME SPILE_EXAMPLES
failures=0

bad() {
	echo "# $*"
	failures=$((failures + 1))
}

build_make() {
	${MAKE:-make} -s --no-print-directory -C "$build" prefix=/usr DESTDIR="$work/stage" "$@" >"$work/log" 2>&1 ||
		{ bad "make $*:"; cat "$work/log"; }
}

# works PREFIX: the program there finds the tapset there.
works() {
	mkdir -p "$1/share/spile/tapset"
	echo 'function only_here() { return 1 }' >"$1/share/spile/tapset/only_here.stp"
	"$1/bin/spile" --dump-functions >"$work/out" 2>&1 || bad "$1/bin/spile --dump-functions: status $?"
	grep -q only_here "$work/out" || { bad "$1/bin/spile did not use its own tapset:"; head -5 "$work/out"; }
	grep -q thread_indent "$work/out" || bad "$1/bin/spile has no thread_indent(): is the whole tapset installed?"
	rm "$1/share/spile/tapset/only_here.stp"
	"$1/bin/spile" --examples helloworld >"$work/out" 2>&1
	grep -q "^File: .*/share/spile/examples/general/helloworld.stp\$" "$work/out" && [ -f "$1/share/spile/examples/general/helloworld.stp" ] ||
		{ bad "$1/bin/spile has not its own examples:"; head -5 "$work/out"; }
	[ ! -f "$1/share/spile/examples/general/helloworld.test" ] || bad "tests of examples are installed"
	[ -f "$1/share/spile/runtime/rt/rt.h" ] || bad "no runtime below $1/share/spile"
}

build_make install
works "$work/stage/usr"
mkdir "$work/elsewhere"
cp -a "$work/stage/usr" "$work/elsewhere/spile"
works "$work/elsewhere/spile"
build_make uninstall
left=$(find "$work/stage" -type f -o -type l)
[ -z "$left" ] && build_make STAP_NAMES=yes EXAMPLE_NAMES=yes install
for name in stap:bin/spile staprun:sbin/spilerun stap-merge:bin/spile-merge stap-prep:bin/spile-prep stap-report:bin/spile-report dtrace:bin/spile-dtrace; do
	[ "$work/stage/usr/bin/${name%%:*}" -ef "$work/stage/usr/${name#*:}" ] || bad "${name%%:*} is not ${name#*:}"
done
for page in stap.1:spile.1 staprun.8:spilerun.8 dtrace.1:spile-dtrace.1 stap-merge.1:spile-merge.1 stap-prep.1:spile-prep.1 stap-report.1:spile-report.1; do
	folder=$work/stage/usr/share/man/man${page##*.}
	[ "$folder/${page%%:*}" -ef "$folder/${page#*:}" ] || bad "the page ${page%%:*} is not ${page#*:}"
done
[ -f "$work/stage/usr/include/sys/sdt.h" ] || bad "no sys/sdt.h"
"$work/stage/usr/bin/stap" --dump-functions | grep -q thread_indent || bad "stap does not find the tapset"
"$work/stage/usr/bin/stap-report" >"$work/out" 2>&1 && grep -q '^Spile [0-9]' "$work/out" || { bad "stap-report does not find spile:"; cat "$work/out"; }
n=0
for link in "$work/stage/usr/bin"/*; do
	name=${link##*/}
	[ -L "$link" ] && [ -n "$(ls "$work/stage/usr/share/spile/examples"/*/"$name.stp" 2>/dev/null)" ] || continue
	n=$((n + 1))
	"$link" -p1 >"$work/out" 2>&1 # what needs arguments says how it is called
	grep -q "^probe \\|^global \\|^function \\|Call: spile --example $name " "$work/out" || { bad "$name is no command:"; head -5 "$work/out"; }
done
[ $n = 20 ] || bad "$n commands with names of examples, not 20"
[ -n "$left" ] || build_make STAP_NAMES=yes EXAMPLE_NAMES=yes uninstall
left=$left$(find "$work/stage" -type f -o -type l)
[ -z "$left" ] || bad "left behind by make uninstall: $left"
exit $((failures > 0))
