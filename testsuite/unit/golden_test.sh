#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What a few small scripts become, as it is meant to be read: their C, spile.emit/NAME.golden, and what handlers do, spile.lower/NAME.plan: in
# which order, under which locks, at what charge, and with which ways out.  Where that changed on purpose, UPDATE=1
# testsuite/unit/golden_test.sh in the build tree writes the new files; read them before they are committed: a new plan is what handlers will do.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-$PWD}
top=$(cd "$top" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0 tests=0

. "$top/testsuite/lib/kernels.sh"
release=$(test_kernel)
[ -n "$release" ] || { echo "# no kernel is installed that could be built for"; exit 99; }

# become FOLDER SUFFIX OPTION: by that option of spile, each NAME.stp in the folder becomes NAME.SUFFIX.
become() {
	cd "$top/testsuite/$1" || exit 99
	for f in *.stp; do
		[ -e "$f" ] || { echo "# there is no script in $1"; exit 1; }
		tests=$((tests + 1))
		"$build/spile" -w "$3" -r "$release" "$f" >"$work/got" 2>"$work/messages" || {
			echo "# $1/$f: not accepted: $(cat "$work/messages")"
			failures=$((failures + 1))
			continue
		}
		[ -z "$UPDATE" ] || cp "$work/got" "${f%.stp}.$2"
		diff -u "${f%.stp}.$2" "$work/got" >"$work/diff" && continue
		echo "# $1/$f does not become ${f%.stp}.$2:"
		head -40 "$work/diff"
		failures=$((failures + 1))
	done
}

become spile.emit golden -p3
become spile.lower plan --dump=lower
echo "# $tests scripts, $failures failures"
[ $failures = 0 ]
