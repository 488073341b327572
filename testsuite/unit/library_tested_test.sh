#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each public function of the library and each of its macros is in a script that a suite runs and whose output it checks, or in the list
# library.untested with a reason: a test of the library that only compiles a function would not notice what it returns.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
list=$top/testsuite/unit/data/library.untested
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

{
	"$build/spile" --dump-functions | sed 's/[:( ].*//' | grep -v '^_'
	sed -nE 's/^@define ([A-Za-z][A-Za-z_0-9]*).*/@\1/p' "$top"/tapset/*.stpm
} | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -gt 500 ] || { echo "# FAIL: few names in the library"; exit 1; }

# The words before a parenthesis, without comments; macros with their @.
find "$top/testsuite/spile.run" "$top/testsuite/spile.stress" "$top/testsuite/spile.rt" "$top/examples" -type f \( -name '*.stp' -o -name '*.sh' \) -exec \
	sed 's/^[ \t]*#.*//' {} + | grep -oE '@[A-Za-z_0-9]+|[A-Za-z_][A-Za-z_0-9]* ?\(' | tr -d ' (' | sort -u >"$work/words"
[ "$(wc -l <"$work/words")" -gt 1000 ] || { echo "# FAIL: few words in the tests"; exit 1; }
comm -23 "$work/names" "$work/words" >"$work/untested"
sed -n 's/^\([@A-Za-z_0-9][@A-Za-z_0-9]*\)[ \t].*/\1/p' "$list" | sort -u >"$work/excused"

echo "# $(wc -l <"$work/names") names, $(wc -l <"$work/excused") of them in no test"
new=$(comm -23 "$work/untested" "$work/excused")
[ -z "$new" ] || { echo "# FAIL: in no test that is run, nor in library.untested:"; echo "$new"; }
done=$(comm -13 "$work/untested" "$work/excused")
[ -z "$done" ] || { echo "# FAIL: library.untested has these, which are tested or not in the library:"; echo "$done"; }
[ -z "$new$done" ]
