#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The C of a few small scripts, as it is meant to be read: spile.emit/NAME.stp becomes spile.emit/NAME.golden.
# Where it changed on purpose, UPDATE=1 testsuite/unit/emit_test.sh in the build tree writes the new files; read them before they are
# committed.  What the scripts do is tested elsewhere.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-$PWD}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0 tests=0

release=$("$build/spile-vm" list | head -1)
[ -n "$release" ] || { echo "# no kernel is installed that could be built for"; exit 99; }

cd "$top/testsuite/spile.emit" || exit 99
for f in *.stp; do
	tests=$((tests + 1))
	"$build/spile" -w -p3 -r "$release" "$f" >"$work/c" 2>"$work/messages" || {
		echo "# $f: not accepted: $(cat "$work/messages")"
		failures=$((failures + 1))
		continue
	}
	[ -z "$UPDATE" ] || cp "$work/c" "${f%.stp}.golden"
	diff -u "${f%.stp}.golden" "$work/c" >"$work/diff" && continue
	echo "# $f: its C is not ${f%.stp}.golden:"
	head -40 "$work/diff"
	failures=$((failures + 1))
done

echo "# $tests scripts, $failures failures"
[ $tests -gt 0 ] && [ $failures = 0 ]
