#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Scripts and their libraries: which names are visible where, which functions go first, and what C in a library may do.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
spile=$build/spile
tests=0

release=$(test_kernel)
[ -n "$release" ] || { echo "# no kernel is installed that could be built for"; exit 99; }

mkdir "$work/lib"
cat >"$work/lib/one.stp" <<'END'
private global secret = 1
private function helper() { return 10 }
global shared = 2
function one() { secret++; count = helper(); return secret + count }
function greet:string() { return "library" }
function dangerous:long() %{ /* guru */ STAP_RETURN(1); %}
function by_way_of:long() { return dangerous() }
function in_c:long(x:long) %{ /* pure */ STAP_RETURN(STAP_ARG_x * 3); %}
probe mine = begin { count = 5 }
private probe hidden = begin { }
END
cat >"$work/lib/two.stp" <<'END'
private global secret = "two"
private function helper() { return 20 }
function two() { return secret . sprintf("%d", helper()) }
END
cat >"$work/lib/kernel.stp" <<'END'
%{
#include <linux/jiffies.h>
%}
function ticks:long() %{ STAP_RETURN(jiffies); %}
END

# accepts [ID] SCRIPT [OPTION...]: a warning of that ID, or no message.
accepts() {
	id=$1 script=$2
	shift 2
	tests=$((tests + 1))
	"$spile" -I "$work/lib" -p3 -r "$release" "$@" -e "$script" >"$work/out" 2>"$work/err" || bad "refused: $script $(cat "$work/err")"
	if [ -n "$id" ]; then
		grep -q "warning: .*\[$id\]$" "$work/err" || bad "no warning $id: $script $(cat "$work/err")"
	else
		[ ! -s "$work/err" ] || bad "not silent: $script $(cat "$work/err")"
	fi
}
refuses() {
	id=$1 script=$2
	shift 2
	tests=$((tests + 1))
	"$spile" -I "$work/lib" -p3 -r "$release" "$@" -e "$script" >"$work/out" 2>"$work/err" && bad "accepted: $script"
	[ "$(grep -c 'error: ' "$work/err")" = 1 ] && grep -q "error: .*\[$id\]$" "$work/err" || bad "not $id: $script $(cat "$work/err")"
}
# apart yes|no SCRIPT: is its C compiled with the kernel's headers?
apart() {
	accepts '' "$2" -g
	grep -q 'kernel/body.h' "$work/out" && got=yes || got=no
	[ "$got" = "$1" ] || bad "C with the kernel's headers: $got, not $1: $2"
}

accepts '' 'probe begin { println(one(), two(), shared) }'
refuses unknown-function 'probe begin { println(helper()) }'
refuses unresolved-type 'probe begin { println(secret) }'
accepts '' 'global secret = 7 function helper() { return secret } probe begin { println(helper(), one(), two()) }'
refuses duplicate 'global shared = 3 probe begin { println(shared) }'
accepts '' 'private global shared = 3 probe begin { println(shared) }'
accepts '' 'global count = "text" probe begin { println(count, one()) }'
accepts cross-file 'global count = 1 probe mine { println(count) }'
refuses no-probe-point 'probe hidden { println(1) }'
accepts '' 'function greet() { return "script" } probe begin { println(greet()) }'
accepts '' 'function greet() { next } probe begin { println(greet()) }'
refuses guru-needed 'probe begin { println(dangerous()) }'
accepts '' 'probe begin { println(dangerous()) }' -g
accepts '' 'probe begin { println(by_way_of()) }'

apart no 'probe begin { println(in_c(4)) }'
apart no 'function f:long(x:long) %{ long y = STAP_ARG_x; STAP_RETURN(y ? y : 1); %} probe begin { println(f(4)) }'
apart no '%{ static long twice(long v) { return v * 2; } %} function f:long() %{ STAP_RETURN(twice(1)); %} probe begin { println(f()) }'
apart no 'probe begin { println(%{ 1 /* jiffies */ + sizeof(long) %}) }'
apart yes 'probe begin { println(%{ jiffies %}) }'
apart yes 'probe begin { println(@const("HZ")) }'
apart yes '%{ #define TWO 2
%} probe begin { println(%{ 1 %}) }'
apart yes 'function f:string() %{ STAP_RETURN(current->comm); %} probe begin { println(f()) }'
apart yes 'probe begin { println(ticks()) }'
apart no 'probe begin { println(1) }'

# Probes of a library file belong to scripts that use one of its globals, functions or aliases, also by way of another file.
cat >"$work/lib/probes.stp" <<'END'
global watched = 1
function watch() { watched = 0 }
probe watching = begin { }
probe timer.s(11), timer.s(12) { watched++ }
probe end { println(two()) }
END
cat >"$work/lib/further.stp" <<'END'
global further
function go_further() { watch() }
probe timer.s(13) { further++ }
END
probed() { # probed POINTS SCRIPT: those of the library, with blanks between
	tests=$((tests + 1))
	got=$("$spile" -I "$work/lib" -p2 -r "$release" -e "$2" 2>"$work/err" | sed -n 's/^probe //p' | grep -v '^timer.s(1)$' | tr '\n' ' ')
	[ "$got" = "${1:+$1 }" ] && [ ! -s "$work/err" ] || bad "probed: $got: $2 $(cat "$work/err")"
}
all='timer.s(11) timer.s(12) end'
probed '' 'probe timer.s(1) { println(one()) }'
probed '' 'probe timer.s(1) { watched = "mine" println(watched) }  private global watched'
probed "$all" 'probe timer.s(1) { watch() }'
probed "$all" 'probe timer.s(1) { println(watched) }'
probed "begin $all" 'probe watching { println(1) }'
probed "timer.s(13) $all" 'probe timer.s(1) { go_further() }'
probed "$all" 'probe timer.s(1) if (watched) { println(1) }'
accepts '' 'probe timer.s(1) { watch() }'
grep -q 'two' "$work/out" || bad "a function that only a library's probe calls is missing"
echo 'global watch_wrong function watch_badly() { return watch_wrong } probe nothing.at.all { }' >"$work/lib/wrong.stp"
refuses no-probe-point 'probe begin { println(watch_badly()) }'
rm "$work/lib/wrong.stp"

# Spile's own tapset is compiled with the script, except constants of headers.
mkdir "$work/own"
cat >"$work/own/own.stp" <<'END'
%{
#include <linux/errno.h>
%}
function own:string() %{ /* pure */ STAP_RETURN(RT_STR("own")); %}
function constant() { return @const("EINTR") }
END
SPILE_TAPSET=$work/own
export SPILE_TAPSET
apart no 'probe begin { println(own()) }'
apart yes 'probe begin { println(constant(), own()) }'
grep -q 'linux/errno.h' "$work/out" || bad "the headers of a constant are missing"
SPILE_TAPSET=$work/nowhere
"$spile" -p2 -e 'probe begin { println(1) exit() }' >"$work/out" 2>&1 && bad "a missing tapset is no error"
grep -q "tapset directory $work/nowhere: No such file" "$work/out" && grep -q 'hint: .*SPILE_TAPSET' "$work/out" &&
	! grep -q 'no function' "$work/out" || { bad "a missing tapset is told as"; cat "$work/out"; }
unset SPILE_TAPSET

# What nothing uses is not compiled.
accepts '' 'probe begin { println(pid()) }'
grep -q 'in_c\|STAP_GLOBAL\|embedded' "$work/out" && bad "C that nothing uses is in the output"

echo "# $tests tests, $failures failures"
[ $failures -eq 0 ]
