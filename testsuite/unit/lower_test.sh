#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# In which order, under which locks, at what charge, and with which ways out: spile.lower/NAME.stp becomes spile.lower/NAME.plan by
# --dump=lower.  Where it changed on purpose, UPDATE=1 testsuite/unit/lower_test.sh in the build tree writes the new files; read them as
# what handlers will do before they are committed.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-$PWD}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0 tests=0

release=$("$build/spile-vm" list | head -1)
[ -n "$release" ] || { echo "# no kernel is installed whose types could be read"; exit 99; }

cd "$top/testsuite/spile.lower" || exit 99
for f in *.stp; do
	tests=$((tests + 1))
	"$build/spile" -w --dump=lower -r "$release" "$f" >"$work/plan" 2>"$work/messages" || {
		echo "# $f: not accepted: $(cat "$work/messages")"
		failures=$((failures + 1))
		continue
	}
	[ -z "$UPDATE" ] || cp "$work/plan" "${f%.stp}.plan"
	diff -u "${f%.stp}.plan" "$work/plan" >"$work/diff" && continue
	echo "# $f: its plan is not ${f%.stp}.plan:"
	head -40 "$work/diff"
	failures=$((failures + 1))
done

echo "# $tests scripts, $failures failures"
[ $tests -gt 0 ] && [ $failures = 0 ]
