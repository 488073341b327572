#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# doc/functions.md has exactly the functions of the tapset, and none of them is reported as missing.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"

# "name/number of parameters" of each; _warn and _error are described once for all.
"$build/spile" --dump-functions | awk -F '[(]' '{ name = $1; sub(/[: ].*/, "", name); sub(/[)].*/, "", $2)
	n = $2 == "" ? 0 : split($2, p, ","); print name "/" n }' | grep -vE '^user_u?(char|short|int|long|int[0-9]+)_(warn|error)/' | sort -u >"$work/have"
grep -oE '`[a-zA-Z_0-9]+\([a-z, ]*\)`' "$top/doc/functions.md" | tr -d '`' | awk -F '[(]' '{ sub(/[)].*/, "", $2)
	n = $2 == "" ? 0 : split($2, p, ","); print $1 "/" n }' | sort -u >"$work/told"
"$build/spile" --dump-functions | grep -v ') /[*] [^ ].* [*]/$' >"$work/bare" && bad "no comment in --dump-functions: $(sed 's/ .*//' "$work/bare" | tr '\n' ' ')"
# A line of the list stands alone: it does not lean on the comment of another function.
"$build/spile" --dump-functions | grep -E '[)] /[*] (The same|Its |It |All (three|of (it|them))|(Starts|Stops|Deletes|Changes|Prints) (it|them)\>|With |Without |Likewise|Only )' >"$work/leans" &&
	bad "comments in --dump-functions that need another one: $(cat "$work/leans")"
[ "$(wc -l <"$work/have")" -gt 150 ] || bad "--dump-functions lists few functions"
grep -vxF -f "$work/told" "$work/have" >"$work/missing" && bad "not in doc/functions.md: $(tr '\n' ' ' <"$work/missing")"
grep -vxF -e returnstr/0 -f "$work/have" "$work/told" >"$work/none" && bad "in doc/functions.md, but not there: $(tr '\n' ' ' <"$work/none")"

# The names of foreign.def, patterns among them, against the functions that are there.
tr '\n' ' ' <"$top/translator/resolve/foreign.def" | sed 's/FOREIGN("/\n=/g' | sed -n 's/^=//p' | sed -E 's/" *\t*"//; s/",.*//' |
	tr ' ' '\n' | grep -v '^$' | sort -u >"$work/foreign"
[ "$(wc -l <"$work/foreign")" -gt 20 ] || bad "foreign.def has few names"
set -f
while read -r pattern; do
	while read -r name; do
		# shellcheck disable=SC2254
		case ${name%/*} in
		$pattern) bad "foreign.def tells that $name is missing ($pattern)" ;;
		esac
	done <"$work/have"
done <"$work/foreign"
exit $((failures > 0))
