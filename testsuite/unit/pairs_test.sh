#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# testsuite/pairs loses no test: each is on every board, or on each of them in as many turns as there are boards; what --quick leaves out is named.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"

cd "$top/testsuite" || exit 99
pairs=$top/testsuite/pairs

# Every file that is a test, by the folders alone.
{
	ls spile.run | grep -E '\.(stp|sh)$' | sed 's/^/run /'
	for file in ../examples/*/*.test; do echo "examples $(basename "$file" .test).stp"; done
	for folder in build here rt stress vm; do ls "spile.$folder" | grep '\.exp$' | sed "s/^/$folder /"; done
} | sort >"$work/files"
[ "$(wc -l <"$work/files")" -gt 500 ] || bad "only $(wc -l <"$work/files") tests were found"
others=$(ls -d spile.*/*.exp | grep -vE '^spile\.(build|here|rt|stress|vm)/|spile\.run/run\.exp|spile\.examples/examples\.exp|spile\.queue/queue\.exp')
[ -z "$others" ] || bad "suites that pairs does not know: $others"

for b in one two three; do sed "s/^/$b /" "$work/files"; done | sort >"$work/all"
"$pairs" --all one two three | cut -d' ' -f1-3 | sort >"$work/listed"
cmp -s "$work/all" "$work/listed" || bad "--all: $(diff "$work/all" "$work/listed" | head -5)"

for turn in 0 1 2; do
	"$pairs" --turn $turn one two three | cut -d' ' -f1-3 | sort >"$work/turn$turn"
	cut -d' ' -f2-3 "$work/turn$turn" | sort -u | cmp -s - "$work/files" || bad "turn $turn does not do all tests"
	bad_counts=$(cut -d' ' -f2-3 "$work/turn$turn" | sort | uniq -c | awk '$1 != 1 && $1 != 3')
	[ -z "$bad_counts" ] || bad "turn $turn: neither on one board nor on each: $bad_counts"
done
sort -u "$work/turn0" "$work/turn1" "$work/turn2" | cmp -s - "$work/all" || bad "three turns do not see all pairs"
[ "$(wc -l <"$work/turn0")" -lt "$(wc -l <"$work/all")" ] || bad "no test says \`# kernel: any'"

bad_costs=$("$pairs" --all one | awk '$4 !~ /^(3|10|30|100|300)$/')
[ -z "$bad_costs" ] || bad "costs that are none of 3, 10, 30, 100, 300: $bad_costs"

"$pairs" --quick one two | sed -e 's/^left out/-/' | cut -d' ' -f2-3 | sort | cmp -s - "$work/files" || bad "--quick neither does nor names some tests"
[ "$("$pairs" --quick one two | grep -c '^two')" = 0 ] || bad "--quick takes a second board"
exit $((failures > 0))
