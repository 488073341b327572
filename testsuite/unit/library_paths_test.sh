#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The file that .library() means is the one that the dynamic linker takes: libraries of libraries, DT_RPATH that is inherited, DT_RUNPATH that is
# not, $LD_LIBRARY_PATH, and ld.so.cache.  The dynamic linker itself is asked (LD_TRACE_LOADED_OBJECTS), so the test knows no rule.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
spile=$build/spile
unset LD_LIBRARY_PATH
cd "$work" || exit 99

deep() { # deep OUTPUT OPTION...: a library of a function deep()
	out=$1
	shift
	echo 'int deep(void) { return 1; }' | cc -g -fPIC -shared -Wl,-soname,libspiledeep.so.3 -o "$out" -xc - "$@" || exit 99
}
mkdir deep other mid cached
deep deep/libspiledeep.so.3
deep other/libspiledeep.so.3
deep cached/libspiledeep.so.3
middle() { echo 'int deep(void); int mid(void) { return deep(); }' | cc -g -fPIC -shared -o mid/libspilemid.so -xc - -xnone deep/libspiledeep.so.3 "$@"; }
program() { echo 'int mid(void); int main(void) { return mid(); }' | cc -g -o main -xc - -xnone mid/libspilemid.so -Wl,--allow-shlib-undefined "$@"; }

# What the dynamic linker takes, or "not", and what spile takes for one of these names.
compare() {
	want=$(LD_TRACE_LOADED_OBJECTS=1 ./main | awk '$1 == "libspiledeep.so.3" { print $3 }')
	[ "$want" = not ] || want=$(realpath "$want")
	[ "$want" ] || { bad "the dynamic linker says nothing"; return; }
	seen="$seen ${want#"$work/"}"
	for name in libspiledeep libspiledeep.so libspiledeep.so.3 'libspiled*'; do
		"$spile" -l "process(\"$work/main\").library(\"$name\").function(\"deep\")" >got 2>err
		case $want in
		not)
			grep -qF "$work/mid/libspilemid.so is linked with \"libspiledeep.so.3\", but its file is not found [no-match]" err &&
				grep -qF "looked for in /etc/ld.so.cache and the system's folders" err || bad "$name: $(cat got err), but it is not found"
			;;
		*) grep -q "^process(\"$want\")" got || bad "$name: $(cat got err) instead of $want" ;;
		esac
	done
}

old=-Wl,--disable-new-dtags new=-Wl,--enable-new-dtags
seen=
how="DT_RPATH of the program"; middle; program $old -Wl,-rpath,"$work/mid:$work/deep"; compare
how="DT_RUNPATH of the program"; program $new -Wl,-rpath,"$work/mid:$work/deep"; compare
how="the same and LD_LIBRARY_PATH"; export LD_LIBRARY_PATH="$work/other"; compare
how="DT_RPATH before LD_LIBRARY_PATH"; program $old -Wl,-rpath,"$work/mid:$work/deep"; compare
unset LD_LIBRARY_PATH
how="DT_RUNPATH of the library"; middle $new -Wl,-rpath,'$ORIGIN/../other'; program $old -Wl,-rpath,"$work/mid:$work/deep"; compare
how="DT_RPATH of both"; middle $old -Wl,-rpath,"$work/other"; compare
how="DT_RUNPATH of the program, DT_RPATH of the library"; program $new -Wl,-rpath,"$work/mid:$work/deep"; compare
[ "$seen" = " deep/libspiledeep.so.3 not other/libspiledeep.so.3 deep/libspiledeep.so.3 other/libspiledeep.so.3 other/libspiledeep.so.3 other/libspiledeep.so.3" ] ||
	bad "the dynamic linker took$seen"

# All libraries that a pattern of the name or path matches, in the order in which they are loaded, without those that have no such point.
how="a pattern"
program $old -Wl,-rpath,"$work/mid:$work/deep"
middle
matches() { # matches PATTERN REST [LIBRARY-OF-THESE...]
	pattern=$1 rest=$2
	shift 2
	"$spile" -l "process(\"$work/main\").library(\"$pattern\")$rest" 2>err | sed -n "s|^process(\"$work/\([^\"]*\)\").*|\1|p" | uniq >got
	[ "$(cat got)" = "$(printf '%s\n' "$@")" ] || bad "$pattern$rest: $(cat got err)"
	[ ! -s err ] || [ $# = 0 ] || bad "$pattern$rest: $(cat err)"
}
matches 'libspile*' '.function("*p")' deep/libspiledeep.so.3
matches '*' '.function("[md]*[dp]")' deep/libspiledeep.so.3 mid/libspilemid.so
matches "$work/*" '.function("*")' deep/libspiledeep.so.3 mid/libspilemid.so
matches '*' '.plt("deep")' mid/libspilemid.so
matches 'libspile*' '.plt("deep")' mid/libspilemid.so
matches 'libspile*' '.function("nothing")'
grep -qF "none of the 2 libraries of $work/main that match \"libspile*\" has such a function [no-match]" err || bad "$(cat err)"
matches 'libspilem*' '.function("nothing")'
grep -qF '/mid/libspilemid.so" has no function "nothing" [no-match]' err || bad "$(cat err)"
rm deep/libspiledeep.so.3
matches 'libspile*' '.function("deep")'
"$spile" -l "process(\"$work/main\").library(\"libspile*\").function(\"mid\")" >got 2>err
grep -q 'mid/libspilemid.so")' got && grep -qF '"libspiledeep.so.3", with which' err && grep -qF 'is left out: its file is not found [program-skipped]' err ||
	bad "$(cat got err)"
deep deep/libspiledeep.so.3

# All folders in which it was looked are told.
how="looked in"
middle -Wl,-soname,libspilemid.so
program $new -Wl,-rpath,"$work/mid:$work/none"
LD_LIBRARY_PATH=$work/absent "$spile" -l "process(\"$work/main\").library(\"libspilemid\").function(\"mid\")" >got 2>err || bad "$(cat err)"
rm mid/libspilemid.so
how="looked in, of a library that is gone"
LD_LIBRARY_PATH=$work/absent "$spile" -l "process(\"$work/main\").library(\"libspilemid\").function(\"mid\")" >got 2>err && bad "$(cat got)"
grep -qF "$work/main is linked with \"libspilemid.so\", but its file is not found" err &&
	grep -qF "looked for in $work/absent (\$LD_LIBRARY_PATH), $work/mid (DT_RUNPATH of $work/main), $work/none (DT_RUNPATH" err &&
	grep -qF 'name its file: library("/path/libspilemid.so"), or the folder: LD_LIBRARY_PATH=/path' err || bad "$(cat err)"
"$spile" -l "process(\"$work/main\").library(\"nothing\").function(\"mid\")" >got 2>err
grep -qF "uses no library \"nothing\"" err || bad "$(cat err)"
how="a name that is nearly right"
"$spile" -l "process(\"$work/main\").library(\"libspilemib\").function(\"mid\")" >got 2>err && bad "$(cat got)"
grep -q 'uses no library "libspilemib"' err && grep -q 'did you mean "libspilemid"' err || bad "$(cat err)"
how="half a name"
for name in c C LIBC; do
	"$spile" -l "process(\"$work/main\").library(\"$name\").function(\"mid\")" >got 2>err && bad "$(cat got)"
	grep -q "uses no library \"$name\"" err && grep -q 'did you mean "libc.so.6"?$' err || bad "$(cat err)"
done
"$spile" -l "process(\"$work/main\").library(\"ld\").function(\"mid\")" >got 2>err && bad "$(cat got)"
grep -q 'did you mean "ld-linux[^" ]*"?$' err || bad "$(cat err)"
"$spile" -l "process(\"$work/main\").library(\"pthread\").function(\"f\")" >got 2>err && bad "$(cat got)"
grep -q 'the program is not linked with it; if it loads it by dlopen(), give the full name: "libpthread.so.0"$' err || bad "$(cat err)"
how="a folder of this name"
folder=$(cd /usr/lib && ls -d -- */ | grep -v '^lib\|\.so\|[^a-z0-9/]' | head -n 1)
"$spile" -l "process(\"$work/main\").library(\"${folder%/}\").function(\"f\")" >got 2>err && bad "$(cat got)"
grep -q "uses no library \"${folder%/}\"" err || bad "$(cat err)"
how="a library that is no program"
"$spile" -l 'process("libc").function("malloc")' >got 2>err && bad "$(cat got)"
grep -q 'there is no program "libc"' err && grep -q 'did you mean "libc.so.6"?$' err || bad "$(cat err)"
how="one that it may load itself"
for name in libpthread libpthread.so; do
	"$spile" -l "process(\"$work/main\").library(\"$name\").function(\"f\")" >got 2>err && bad "$(cat got)"
	grep -q 'the program is not linked with it; if it loads it by dlopen(), give the full name: "libpthread.so.0"$' err || bad "$(cat err)"
done

# A pattern without a slash is of files here, and not of programs in $PATH.
"$spile" -l 'process("mai?").function("main")' >got 2>err
grep -q "^process(\"$work/main\")" got || bad "mai?: $(cat got err)"

# A name without a slash is of a file here if $PATH and the system's folders have none, or of the program of -c that has this name.
how="the current folder"
found() { # found WHAT COMMAND...
	what=$1
	shift
	"$spile" "$@" >got 2>err
	grep -q "$what" got || bad "$*: $(cat got err)"
}
mkdir below
cp main below/spilebelow
deep libspilehere.so
echo 'int spilehere = 1; int main(void) { return 0; }' | cc -g -o spilehere -xc -
: >spiledata
found "^process(\"$work/spilehere\").function(\"main" -l 'process("spilehere").function("main")'
found "^process(\"$work/libspilehere.so\").function(\"deep" -l 'process("libspilehere.so").function("deep")'
found "^process(\"$work/libspilehere.so\").function(\"deep" -l 'process("spilehere").library("libspilehere.so").function("deep")'
found "^process(\"$work/below/spilebelow\").function(\"main" -c ./below/spilebelow -l 'process("spilebelow").function("main")'
found "^process(\"$work/below/spilebelow\").function(\"main" -c "X=1 'below/spilebelow' x" -l 'process.function("main")'
found '' -p2 -e 'probe process("spilehere").begin { println(@var("spilehere", "spilehere")) }'
[ -s err ] && bad "@var of a program here: $(cat err)"
"$spile" -l 'process("spiledata").function("main")' >got 2>err && bad "$(cat got)"
grep -q 'no program "spiledata" in $PATH or the current folder' err || bad "$(cat err)"

# Paths of other distributions, with the folder that this one has for its libraries.
how="a folder of the target's"
libc=$(LD_TRACE_LOADED_OBJECTS=1 ./spilehere | awk '$1 == "libc.so.6" { print $3 }')
for path in /lib/libc.so.6 /lib64/libc.so.6 '/lib*/libc.so.*' '/usr/lib64/libc.so.?'; do
	found "^process(\"$(realpath "$libc")\").function(\"malloc" -l "process(\"$path\").function(\"malloc\")"
done

# A cache of our own takes the place of the system's, where a namespace of mounts can be had.
echo "$work/cached" >conf
if PATH=$PATH:/sbin:/usr/sbin ldconfig -C "$work/cache" -f "$work/conf" -X 2>err && unshare -rm mount --bind "$work/cache" /etc/ld.so.cache 2>err; then
	how="ld.so.cache" seen=
	middle
	program $new -Wl,-rpath,"$work/mid"
	compare
	cat >inside <<X
mount --bind "$work/cache" /etc/ld.so.cache || exit 1
LD_TRACE_LOADED_OBJECTS=1 ./main | awk '\$1 == "libspiledeep.so.3" { print \$3 }'
"$spile" -l 'process("$work/main").library("libspiledeep").function("deep")'
"$spile" -l 'process("libspiledeep.so.3").function("deep")'
X
	unshare -rm sh inside >got 2>&1
	[ "$(grep -c "^process(\"$work/cached/libspiledeep.so.3\")" got)" = 2 ] && grep -qx "$work/cached/libspiledeep.so.3" got || bad "$(cat got)"
	[ "$seen" = " not" ] || bad "without it the dynamic linker took$seen"
else
	echo "# ld.so.cache is not tested: $(cat err)"
fi
exit $((failures > 0))
