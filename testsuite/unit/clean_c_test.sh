#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The C made of every script of the suites that is accepted has no warning from gcc or clang: every named value is used.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
PATH=$build/testsuite/workload:$PATH
export PATH SPILE_DIR="$work/cache"
failures=0 tests=0

compilers=
for c in gcc "$(command -v clang clang-14 | head -1)"; do
	command -v "$c" >/dev/null && compilers="$compilers $c"
done
[ -n "$compilers" ] || { echo "# there is neither gcc nor clang"; exit 77; }
. "$top/testsuite/lib/kernels.sh"
release=$(test_kernel)
[ -n "$release" ] || { echo "# no kernel is installed that could be built for"; exit 99; }

warnings='-Wall -Wextra -Werror'

mkdir "$work/tables" "$work/c"
awk -v dir="$work/tables" -v accepted=1 -f "$top/testsuite/tables/scripts.awk" "$top/testsuite/tables/check.cases"
[ -e "$work/tables/check-1.stp" ] || { echo "# no script of the tables is accepted"; exit 1; }

for f in ${SCRIPTS:-"$work"/tables/*.stp "$top"/testsuite/spile.check/good/*.stp "$top"/testsuite/spile.run/*.stp}; do
	grep -qE '^# (compile-fails: yes|needs-package:)' "$f" && continue
	case $f in "$work"/*) grep -q '[$@][1-9]' "$f" && continue ;; esac # the tables' arguments are not in the file
	for option in '' -u; do
		options=$(sed -n "s/^# run: //p; /^# cmd: /{ s/'/'\\\\''/g; s/^# cmd: \\(.*\\)/-c '\\1'/p }" "$f" | tr '\n' ' ' | sed "s|\$W/||g; s|\$S|${f%/*}|g")
		eval "\"$build/spile\" -w -p3 $option -r $release $options \"$f\"" >"$work/script.c" 2>"$work/messages" || {
			echo "# ${f##*/}: not accepted: $(cat "$work/messages")"
			failures=$((failures + 1))
			continue
		}
		grep -q '#include "kernel/body.h"' "$work/script.c" && continue # C that needs the kernel's own flags
		[ -z "$option" ] || ! cmp -s "$work/script.c" "$work/optimized.c" || continue
		cp "$work/script.c" "$work/optimized.c"
		tests=$((tests + 1)) name=${f##*/}
		cp "$work/script.c" "$work/c/${name%.stp}$option-$tests.c"
	done
done

# compile COMPILER FILE...: prints the warnings of all files.
compile() {
	c=$1
	shift
	# shellcheck disable=SC2086
	"$c" -x c -std=gnu11 -fsyntax-only $warnings -DSPILE_NAME='"script"' -I"$top/runtime" "$@" 2>&1
}

# compile_together CLANG FILE...: the same in one process, since most of the time of one for each is its begin: what the driver would start for
# one file is given all of them.
compile_together() {
	one=$(compile "$1" -### /dev/null | tail -n 1)
	shift
	case $one in *' "-cc1" '*' "/dev/null"') ;; *) echo "the driver starts something else: $one"; return 1 ;; esac
	eval "${one%\"/dev/null\"} -ferror-limit 0" '"$@"' 2>&1
}

for c in $compilers; do
	set -- "$work"/c/*.c
	case $c in *clang*)
		compile_together "$c" "$@" >"$work/messages" && continue
		# It forgets pragmas of all files but the first: so those with warnings are compiled again, alone.
		set -- $(sed -n "s|^\($work/c/[^:]*\.c\):.*|\1|p" "$work/messages" | sort -u)
		[ $# -gt 0 ] || { echo "# $c: $(head -5 "$work/messages")"; failures=$((failures + 1)); continue; } ;;
	esac
	compile "$c" "$@" >"$work/messages" && continue
	echo "# $c:"
	sed "s|$work/c/||" "$work/messages" | head -50
	failures=$((failures + 1))
done
echo "# $tests compiled, $failures failures"
[ $tests -gt 1 ] && [ $failures = 0 ]
