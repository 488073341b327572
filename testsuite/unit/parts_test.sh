#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A big script is compiled in parts (translator/emit/parts.c), a small one is not.  That the parts work together, natively and in
# guests, is tested by running the big one.

build=${abs_top_builddir:-.} top=${abs_top_srcdir:-.}
failures=0

# parts WANTED SPILE-ARGUMENT...
parts() {
	wanted=$1
	shift
	n=$("$build/spile" -w -p3 "$@" | sed -n 's/^#if RT_IN_PART(\([0-9]*\))$/\1/p' | sort -u | wc -l)
	[ "$n" -eq "$wanted" ] || {
		echo "# $n parts instead of $wanted: $*"
		failures=$((failures + 1))
	}
}

parts 2 -g "$top/testsuite/spile.run/big-script-in-parts.stp"
parts 0 -e 'global a probe begin { a[1]++; println(a[1]) }'
[ $failures = 0 ]
