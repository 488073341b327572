#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The variables of SystemTap's aliases are there, and have their types: each of variables.types is what -L says, on the oldest and the newest kernel, but
# for those of variables.others.  All aliases are asked for at once.
. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"
data=$top/testsuite/unit/data

sed '/^#/d; s/^@\(.*\)/\1\nnd_\1/' "$data/variables.types" >"$work/types"
grep -q '^nd_' "$work/types" || bad "no names with nd_"
# A call that no kernel here has is listed by its name alone.
none=$(sed -n 's/^NONE("\([a-z0-9_]*\)".*/\1/p' "$top/translator/debuginfo/syscall_names.def" | paste -sd '|')
cut -d '|' -f 1 "$work/types" >"$work/names"
asked() { paste -sd, | sed 's/.*/{&}/'; }
grep -Ev "^(nd_)?syscall\.($none)(\.return)?$" "$work/names" | sed 's/$/?/' | asked >"$work/all"
grep -E "^(nd_)?syscall\.($none)(\.return)?$" "$work/names" | asked >"$work/none"

# Variables whose names begin with __ are not listed: they are used.
awk -F '|' -v others="$data/variables.others" '
	BEGIN { while ((getline line <others) > 0) if (line !~ /^#/ && split(line, part, " ") == 2) { alias[++n] = part[1]; variable[n] = part[2] } }
	{
		for (k = split($2, long, " "); k > 0; k--) {
			other = long[k] !~ /^__/
			for (i = 1; i <= n; i++)
				other = other || ($1 ~ ("^(" alias[i] ")$") && long[k] ~ ("^(" variable[i] ")$"))
			if (!other) print "probe " $1 " { println(" long[k] " + 1) }"
		}
	}' "$work/types" >"$work/hidden.stp"
[ -s "$work/hidden.stp" ] || bad "no names with __"

tests=0
for release in $(test_kernels); do
	tests=$((tests + 1)) how=$release
	"$build/spile" -w -r "$release" -L "$(cat "$work/all")" >"$work/list" 2>"$work/err" || bad "$(head -n 3 "$work/err")"
	"$build/spile" -w -r "$release" -L "$(cat "$work/none")" >>"$work/list" 2>"$work/err" || bad "$(head -n 3 "$work/err")"
	"$build/spile" -w -r "$release" -p2 "$work/hidden.stp" >"$work/out" 2>"$work/err" || bad "$(head -n 3 "$work/err")"
	awk -v types="$work/types" -v others="$data/variables.others" -v used="$work/used" '
		function check(alias, names, want,   i, k, n, name) {
			n = split(names, list, " ")
			for (i = 1; i <= n; i++) {
				name = list[i]
				if (name ~ /^__/ || is[alias, name] == want || is_other(alias, name)) continue
				print alias ": " name " is " (is[alias, name] ? "a " is[alias, name] : "missing") ", a " want " there"
			}
		}
		function is_other(alias, name,   i) {
			for (i = 1; i <= n_others; i++)
				if (alias ~ ("^(" of_alias[i] ")$") && name ~ ("^(" of_variable[i] ")$")) {
					print i >>used
					return 1
				}
			return 0
		}
		BEGIN {
			while ((getline line <others) > 0)
				if (line !~ /^#/ && split(line, part, " ") == 2) { of_alias[++n_others] = part[1]; of_variable[n_others] = part[2] }
		}
		{
			there[$1] = 1
			for (i = 2; i <= NF && $i !~ /^\$/; i++) { at = index($i, ":"); is[$1, substr($i, 1, at - 1)] = substr($i, at + 1) }
		}
		END {
			while ((getline line <types) > 0) {
				split(line, part, "|")
				if (part[1] in there) { check(part[1], part[2], "long"); check(part[1], part[3], "string"); n_there++ }
				else if (!is_other(part[1], "-")) print part[1] ": missing"
			}
			if (n_there < 1900) print "only " n_there " aliases"
		}' "$work/list" >"$work/wrong"
	[ ! -s "$work/wrong" ] || bad "$(wc -l <"$work/wrong") variables:
$(head -n 40 "$work/wrong")"
done
[ $tests -gt 0 ] || { echo "# no kernel whose headers are installed"; exit 77; }

# Lines of variables.others for names with __ need not be used by the list.
grep -v '^#' "$data/variables.others" | grep . | awk -v used="$work/used" '
	BEGIN { while ((getline line <used) > 0) is[line] = 1 }
	!(NR in is) && $2 !~ /^__/' >"$work/stale"
how=
[ ! -s "$work/stale" ] || bad "not needed in variables.others: $(cat "$work/stale")"
echo "# $tests kernels, $(wc -l <"$work/types") aliases, $failures failures"
exit $((failures > 0))
