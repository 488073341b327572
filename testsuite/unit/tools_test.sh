#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# spile-merge, spile-prep and spile-report; and that spile -b writes what spile-merge reads.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"

# run PROGRAM ARGUMENT...
run() {
	program=$1
	shift
	status=0
	"$top/tools/$program" "$@" >"$work/out" 2>"$work/err" || status=$?
}

# --- spilerun: options that only staprun has ---
for option in "-A x" "-L x.ko" -D "-d x" "-b 4" "-M 1" "-N 1" "-C never" -u "-r 1:x" -vD; do
	"$build/spilerun" $option >"$work/out" 2>"$work/err"
	status=$?
	[ "$status $(sed -n '/^ERROR: -[A-Za-z], which in staprun [a-z ]*, is not here$/{n;s/^  hint: .*/hint/p}' "$work/err")" = "1 hint" ] ||
		bad "spilerun $option: $status, $(cat "$work/err")"
	grep -qE '(unknown|did you mean)' "$work/err" && bad "spilerun $option: $(cat "$work/err")"
done

# --- by the name staprun: its -R and -T ---
ln -s "$build/spilerun" "$work/staprun" || exit 99
"$work/staprun" -R -T 200 "$work/none.ko" 2>"$work/err"
[ "$? $(cat "$work/err")" = "1 ERROR: cannot open $work/none.ko: No such file or directory" ] || bad "staprun -R -T 200: $(cat "$work/err")"
for wrong in 0.5 0 -1 2147483648 99999999999999999999 1s ''; do
	"$work/staprun" -T "$wrong" "$work/none.ko" 2>"$work/err"
	[ "$? $(cat "$work/err")" = "1 ERROR: -T takes a number of milliseconds above 0 and below 2,147,483,648, not \"$wrong\"" ] ||
		bad "staprun -T $wrong: $(cat "$work/err")"
done
"$work/staprun" -h >"$work/out"
[ "$(grep -oE '^  (-T [A-Z]+|-R,?|--relayed) ' "$work/out" | tr -d '\n')" = '  -T MS   -R   --relayed ' ] || bad "staprun -h: $(cat "$work/out")"
grep -q "^Usage: staprun " "$work/out" || bad "staprun -h: $(cat "$work/out")"

# --- spile-merge ---
for i in 0 1 2 10; do echo "line $i" >"$work/a name.$i"; done
run spile-merge "$work/a name.10" "$work/a name.2" "$work/a name.0" "$work/a name.1"
[ "$status $(tr '\n' ' ' <"$work/out")" = "0 line 0 line 1 line 2 line 10 " ] || bad "files in order: $status $(cat "$work/out" "$work/err")"
cp "$work/out" "$work/all"
run spile-merge -v -o "$work/merged" "$work/a name.1" "$work/a name.0"
[ "$(cat "$work/merged")" = "line 0
line 1" ] && [ ! -s "$work/out" ] && grep -q 'name.1: 7 bytes' "$work/err" || bad "-v -o: $(cat "$work/out" "$work/err")"
run spile-merge -o "$work/a name.0" "$work/a name.1" "$work/a name.0"
[ $status = 1 ] && grep -q 'also the output' "$work/err" && [ -s "$work/a name.0" ] || bad "the output among the files: $status $(cat "$work/err")"
run spile-merge "$work/a name.3" "$work/a name.0"
[ $status = 1 ] && [ ! -s "$work/out" ] && grep -q 'name.3 is no file' "$work/err" || bad "a file that is not there: $status $(cat "$work/err")"
for i in 0 1 2; do echo "line $i" >"$work/b.$i"; done
# merge_says TEXT FILE...: all of standard error, without the folder; the files are joined in any case
merge_says() {
	text=$1
	shift
	(cd "$work" && "$top/tools/spile-merge" "$@" >out 2>err) || bad "spile-merge $*: fails"
	[ "$(cat "$work/err")" = "${text:+spile-merge: warning: $text}" ] || bad "spile-merge $*: says $(cat "$work/err"), not $text"
	[ "$(wc -l <"$work/out")" = $# ] || bad "spile-merge $*: joins $(cat "$work/out")"
}
cp "$work/b.0" "$work/b.08" && cp "$work/b.0" "$work/b.10" && cp "$work/b.0" "$work/b.09" && cp "$work/b.0" "$work/c.3" && cp "$work/b.0" "$work/plain"
merge_says '' b.1 b.2 b.0
merge_says '' b.10 b.08 b.09
merge_says '' plain
merge_says 'there is nothing between b.0 and b.2: b.1 is not among the files' b.0 b.2
merge_says 'there is nothing between b.2 and b.10: b.3 is not among the files' b.10 b.2 b.1
merge_says 'b.2 and c.3 are of different outputs, it seems' b.2 c.3
merge_says 'b.1 and ./b.1 are the same file' b.0 b.1 ./b.1
for program in spile-merge spile-prep; do
	run $program -Z
	[ $status = 2 ] && grep -q '^Usage: ' "$work/err" || bad "$program with a wrong option: $status"
done
run spile-merge
[ $status = 2 ] || bad "spile-merge of nothing: $status"

# --- spile-prep, with a package manager that only says how it was called ---
mkdir "$work/bin" "$work/kernels"
for name in apt-get dnf; do
	printf '#!/bin/sh\necho "$(basename "$0") called: $*"\nexit 3\n' >"$work/bin/$name"
done
printf '#!/bin/sh\n[ "$*" != "show linux-headers-9.9.8-none" ]\n' >"$work/bin/apt-cache"
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH SPILE_KERNELS=$work/kernels
export PATH SPILE_KERNELS
run spile-prep -n 9.9.9-none
[ "$status $(cat "$work/out")" = "0 apt-get install -y linux-headers-9.9.9-none" ] || bad "-n: $status $(cat "$work/out" "$work/err")"
run spile-prep -n 9.9.8-none
[ $status = 1 ] && [ ! -s "$work/out" ] && grep -q 'no package linux-headers-9.9.8-none is known' "$work/err" ||
	bad "a package that no list has: $status $(cat "$work/out" "$work/err")"
if [ "$(id -u)" = 0 ]; then
	run spile-prep 9.9.9-none
	[ $status = 1 ] && grep -q '^apt-get called: install -y linux-headers-9.9.9-none$' "$work/out" && grep -q 'could not be installed' "$work/err" ||
		bad "a package that is not there: $status $(cat "$work/out" "$work/err")"
fi
run spile-prep '9.9; echo oops'
[ $status = 2 ] && grep -q 'no release of a kernel' "$work/err" || bad "no release: $status $(cat "$work/err")"
mkdir -p "$work/kernels/lib/modules/9.9.9-none/build/include/generated"
: >"$work/kernels/lib/modules/9.9.9-none/build/include/generated/autoconf.h"
run spile-prep -n 9.9.9-none
[ "$status $(cat "$work/out")" = "0 nothing: all is there" ] || bad "nothing to install: $status $(cat "$work/out" "$work/err")"

# --- spile-report ---
mkdir -p "$work/tree/tools" "$work/tree/build" && cp "$top/tools/spile-report" "$work/tree/tools"
printf '#!/bin/sh\necho "the spile of the tree: $1"\n' >"$work/tree/build/spile" && chmod +x "$work/tree/build/spile"
[ "$("$work/tree/tools/spile-report" | grep -c 'the spile of the tree: -[Vv]')" = 2 ] || bad "spile-report does not find the spile of its tree"
run spile-report
[ $status = 0 ] && grep -q '^== What it allows$' "$work/out" && grep -q "^Linux $(uname -r) " "$work/out" && grep -q '^status [0-9]' "$work/out" ||
	bad "spile-report: $status $(cat "$work/out" "$work/err")"
exit $((failures > 0))
