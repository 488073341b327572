#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# python3.module("m").function("f") in the interpreter that is installed: what is accepted, and what is refused with which words.  Interpreters that are
# not known, by a program of the name that comes first in $PATH.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
cd "$work" || exit 99
export PATH="/usr/bin:$PATH" SPILE_DIR="$work/cache"
"$build/spile" -l 'python3.module("*").function("*")' >list 2>&1 || { cat list; exit 77; }

# refused SCRIPT ID TEXT: the message of that id has the text
refused() {
	"$build/spile" -p2 -e "$1" >out 2>&1
	grep -q "\[$2\]" out && grep -qF "$3" out || { cat out; bad "$1: not refused as $2 with '$3'"; }
}
accepted() {
	"$build/spile" -p2 -e "$1" >out 2>&1 || { cat out; bad "$1: refused"; }
}

f='probe python3.module("m").function("f")'
[ "$(cat list)" = 'python3.module("*").function("*")' ] || bad "lists $(cat list)"
[ "$("$build/spile" -l 'python3.module("a*").function("b").return')" = 'python3.module("a*").function("b").return' ] || bad "lists not the pattern of a return"
accepted "$f { println(\$\$parms, \$\$locals, \$\$vars, \$\$function, \$\$module, \$x, @defined(\$x), @defined(\$x->y)) }"
accepted "$f.return, python3.module(\"*\").function(\"[a-c]*\").return { println(\$\$return, \$return, @defined(\$return), \$x) }"
accepted 'global on; probe python3.module("m").function("f").call if (on) { next }'
refused "$f { println(\$x->y) }" untyped-pointer '$x is a text or a number of the hit: it has no members, elements or address'
refused "$f { println(&\$x) }" untyped-pointer 'it has no members'
refused "$f { \$x = 1 }" read-only '$x is what came with the hit: it can only be read'
refused "$f { println(\$\$return) }" no-target-variables '$$return cannot be read'
refused "$f.return { println(\$x + 1) }" type-mismatch 'this is a string, and a long is needed'
refused 'probe python3.module("m") { next }' no-probe-point 'is not complete'

# A program with a table as CPython has it, of another version; one with none; one that is no Python at all.
mkdir -p first
# evaluator VERSION: as Py_Version has it
evaluator() {
	cat >first/python3.c <<E
const unsigned long Py_Version = $1;
long _PyRuntime;
void _PyEval_EvalFrameDefault(void) { }
int main(void) { return 0; }
E
	cc -O1 -no-pie -rdynamic -o first/python3 first/python3.c || bad "no program"
}
PATH=$work/first:$PATH
evaluator 0x030d01f0
refused "$f { next }" no-match 'is CPython 3.13: functions of Python are found in 3.11 only'
refused "$f { next }" no-match 'the interpreter is what $PATH has as "python3"'
evaluator 0x030b02f0
refused "$f { next }" no-match 'is built in a way that is not known: the addresses of its instructions were not found'
"$build/spile" -p2 -e "$f? { next } probe begin { next }" >out 2>&1 || bad "an optional point is refused"

# The library is the one that the program names, and not a namesake of the system; a script may stand for any interpreter.
mkdir lib
so=lib/libpython3.11.so.1.0
cc -shared -fPIC -o $so -Wl,-soname,libpython3.11.so.1.0 -xc - <<'E' || bad "no library"
const unsigned long Py_Version = 0x030b07f0;
long _PyRuntime;
void _PyEval_EvalFrameDefault(void) { }
E
# linked LIBRARY [OPTION]
linked() {
	echo 'extern long _PyRuntime; int main(void) { return (int)_PyRuntime; }' | cc -o first/python3 -xc - -xnone "$@" || bad "no program"
}
for option in -rpath,"$work/lib" '-rpath,$ORIGIN/../lib' '-rpath,/nowhere:${ORIGIN}/../lib' --disable-new-dtags,-rpath,"$work/lib"; do
	linked $so "-Wl,$option"
	how="linked with $option"
	refused "$f { next }" no-match "lib/libpython3.11.so.1.0 is built in a way that is not known"
	grep -q "$work/" out || { cat out; bad "names another library"; }
done
how=
linked $so
export LD_LIBRARY_PATH="$work/lib"
refused "$f { next }" no-match "$work/lib/libpython3.11.so.1.0 is built in a way that is not known"
unset LD_LIBRARY_PATH
echo 'long _PyRuntime;' | cc -shared -fPIC -o lib/libpython3.11.so.7 -Wl,-soname,libpython3.11.so.7 -xc - || bad "no library"
linked lib/libpython3.11.so.7
refused "$f { next }" no-match "first/python3 is linked with libpython3.11.so.7, whose file is not found"
printf '#!/bin/sh\nexec /usr/bin/python3 "$@"\n' >first/python3
"$build/spile" -p2 -e "$f { next } $f.return { next }" >out 2>&1 || { cat out; bad "a script is refused"; }
grep -q "$work/first/python3 is a script; /.* is probed" out && [ "$(grep -c '\[interpreter\]' out)" = 1 ] ||
	{ cat out; bad "what is probed for a script is not said"; }

exit $((failures > 0))
