#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each alias of the library, by the library itself, is armed by a test all-aliases-of-*.sh, which fails if it has no hits and aliases.unfired gives
# no reason, or it is in aliases.elsewhere, with a test that has it or a reason.  Neither list has one that the library has not.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
lib=$top/testsuite/lib
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0

bad() {
	echo "# FAIL: $*"
	failures=$((failures + 1))
}

"$build/spile" --dump-probe-aliases | sed 's/ = .*//' | sort -u >"$work/aliases"
[ "$(wc -l <"$work/aliases")" -gt 600 ] || bad "few aliases in the library"
kinds=$(sed -n "s/^aliases_fire '\([^']*\)'.*/\1/p" "$top"/testsuite/spile.run/all-aliases-of-*.sh | paste -sd '|')
[ -n "$kinds" ] || bad "no test arms all aliases of a kind"

grep -vE "^($kinds)[.]" "$work/aliases" >"$work/others"
grep -v '^#' "$lib/aliases.elsewhere" >"$work/elsewhere"
while read -r alias; do
	awk -v alias="$alias" 'alias ~ "^(" $1 ")$" { print $2; exit }' "$work/elsewhere" >"$work/file"
	[ -s "$work/file" ] || bad "$alias is in no test all-aliases-of-*.sh, nor in aliases.elsewhere"
done <"$work/others"

while read -r pattern file reason; do
	grep -qxE "$pattern" "$work/others" || bad "aliases.elsewhere: the library has no $pattern that needs to be there"
	if [ "$file" = - ]; then
		[ -n "$reason" ] || bad "aliases.elsewhere: no reason for $pattern"
		continue
	fi
	# The first words are enough, in a probe: which of a kind has hits is that test's matter.
	words=$(echo "$pattern" | sed 's/^(.*)?\(syscall\)/\1/; s/(.*//; s/\\[.]\\\?[*.]*$//')
	grep -qE "^([^#]*[^#A-Za-z0-9_.])?probe ([^#]*[ ,])?$words([^A-Za-z0-9_]|\$)" "$top/testsuite/$file" || bad "aliases.elsewhere: $file does not have $pattern"
done <"$work/elsewhere"

# What aliases.awk reads from the manual is what the tests arm: it must have all of these kinds.
grep -E "^($kinds)[.]" "$work/aliases" >"$work/of_kinds"
awk -f "$lib/aliases.awk" "$top/doc/functions.md" >"$work/rows"
awk -v kinds="($kinds)[.]" -f "$lib/aliases_fire.awk" "$lib/aliases.holds" "$lib/aliases.known" "$work/rows" >"$work/probes" || bad "aliases without conditions"
sed -n 's/^probe \(.*\) ? {$/\1/p' "$work/probes" | sort -u >"$work/armed"
comm -23 "$work/of_kinds" "$work/armed" >"$work/missing"
[ ! -s "$work/missing" ] || bad "not armed: $(tr '\n' ' ' <"$work/missing")"

sed -n 's/^~\{0,1\}\([a-z_][A-Za-z0-9_.]*\)[ \t].*/\1/p' "$lib/aliases.unfired" | sort >"$work/unfired"
comm -23 "$work/unfired" "$work/of_kinds" >"$work/unknown"
[ ! -s "$work/unknown" ] || bad "aliases.unfired: not in the library: $(tr '\n' ' ' <"$work/unknown")"
grep -vE '^#|^~?[A-Za-z0-9_.]+[ \t]+[a-z].* .*' "$lib/aliases.unfired" && bad "aliases.unfired: no reason"

echo "# $(wc -l <"$work/aliases") aliases, $(wc -l <"$work/of_kinds") of them armed by kinds, $(wc -l <"$work/unfired") of those without hits, $(wc -l <"$work/others") elsewhere; $failures failures"
[ $failures -eq 0 ]
