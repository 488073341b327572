#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What the optimiser leaves of the scripts in testsuite/spile.opt: NAME.out is `spile --dump=opt`, without the bodies of the
# tapset's functions; NAME.regions, which statements are locked regions then (`--dump=regions`).  With -u every statement of the script stays.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0

bad() {
	echo "# $*"
	failures=$((failures + 1))
}

for f in "$top"/testsuite/spile.opt/*.stp; do
	"$build/spile" -w --dump=opt "$f" 2>"$work/err" | grep -v '^%{.*%}$' >"$work/out"
	[ ! -s "$work/err" ] || bad "${f##*/}: $(cat "$work/err")"
	diff -u "${f%.stp}.out" "$work/out" >"$work/diff" || bad "${f##*/}: $(cat "$work/diff")"
	if [ -e "${f%.stp}.regions" ]; then
		"$build/spile" -w --dump=regions "$f" | sed -n '/^# probes/,$p' >"$work/out"
		diff -u "${f%.stp}.regions" "$work/out" >"$work/diff" || bad "${f##*/}: $(cat "$work/diff")"
	fi
	"$build/spile" -w -u --dump=opt "$f" >"$work/out" 2>"$work/err" || bad "${f##*/} -u: $(cat "$work/err")"
	"$build/spile" -w --dump=check "$f" >"$work/before" 2>"$work/err" || bad "${f##*/}: $(cat "$work/err")"
	sed -n '/^# probes/,$p' "$work/out" >"$work/bodies"
	sed -n '/^# probes/,$p' "$work/before" | cmp -s - "$work/bodies" || bad "${f##*/} -u: a probe is not as it was"
done
[ $failures = 0 ]
