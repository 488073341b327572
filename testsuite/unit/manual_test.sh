#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Manual pages: each program has one, it is clean, and it describes exactly the options that --help lists.
# $programs is set by make.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"

# The options in the left column of the help.
help_options() {
	"$(ls "$build/$1" "$top/tools/$1" 2>/dev/null | head -n 1)" --help | sed -n 's/^  *\(-.*\)/\1/p' | sed 's/   *.*//' |
		grep -oE -- '(^|[ ,;])--?[A-Za-z0-9][a-z0-9-]*' | tr -d ' ,;' | sort -u
}

# The options that have an item in the page.
page_options() {
	awk '/^\.It / {
		for (i = 2; i <= NF; i++)
			if ($i == "Fl") {
				long = $(i + 1) == "Fl"
				i += 1 + long
				if ($i != "Oc") # "--" before a command
					print (long ? "--" : "-") $i
			}
	}' "$1" | sort -u
}

[ -n "$programs" ] || bad 'no $programs'
for program in $programs; do
	page=$(ls "$top/doc/$program".[18] 2>/dev/null)
	if [ -z "$page" ]; then
		bad "$program has no manual page in doc/"
		continue
	fi
	page_options "$page" >"$work/page"
	help_options "$program" >"$work/help"
	[ -s "$work/help" ] || bad "$program --help lists no options"
	diff "$work/help" "$work/page" >"$work/diff" ||
		bad "options of $program: < in --help only, > in ${page##*/} only:
$(grep '^[<>]' "$work/diff")"
done

if command -v man >/dev/null; then
	for page in "$top"/doc/*.[18] "$build"/doc/*.7; do
		words=$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
		[ -z "$words" ] || bad "$page: $words"
	done
fi
if command -v mandoc >/dev/null; then
	words=$(mandoc -T lint -W warning "$top"/doc/*.[18] "$build"/doc/*.7 2>&1)
	[ -z "$words" ] || bad "$words"
fi
exit $((failures > 0))
