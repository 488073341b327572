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

mkdir "$work/tables"
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
		for c in $compilers; do
			tests=$((tests + 1))
			# shellcheck disable=SC2086
			$c -std=gnu11 -fsyntax-only $warnings -DSPILE_NAME='"script"' -I"$top/runtime" "$work/script.c" >"$work/messages" 2>&1 && continue
			echo "# ${f##*/} $option, $c:"
			head -5 "$work/messages"
			failures=$((failures + 1))
		done
	done
done
echo "# $tests compiled, $failures failures"
[ $tests -gt 1 ] && [ $failures = 0 ]
