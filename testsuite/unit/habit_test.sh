#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of `spile --explain bpftrace` and `--explain dtrace`: doc/other-tracers.md has them, and every example in them is accepted without a word.
# With UPDATE=1 the page is written anew.

. "${abs_top_srcdir:-.}/testsuite/unit/unit.sh"

page=doc/other-tracers.md
release=$("$build/spile-vm" list | sed -n 1p)
[ -n "$release" ] || { echo "# no kernel is installed that scripts could be for"; exit 99; }

# The page up to its first table, and the tables.
{
	sed '/^## bpftrace$/,$d' "$top/$page"
	for tracer in bpftrace dtrace; do
		[ $tracer = dtrace ] && echo
		printf '## %s\n\n' "$(echo $tracer | sed s/dtrace/DTrace/)"
		"$build/spile" --explain $tracer | sed '1,2d; s/^./    &/'
	done
} >"$work/page"
if [ "$UPDATE" ]; then
	cp "$work/page" "$top/$page"
else
	diff -u "$top/$page" "$work/page" || bad "$page is not as UPDATE=1 $0 writes it"
fi

# Each example, on one line, once.  Those without declarations of their own are one script.
for tracer in bpftrace dtrace; do
	"$build/spile" --explain $tracer
done | awk '/^    /{ text = text substr($0, 5) " "; next } text != "" { print text; text = "" } END { print text }' | sort -u >"$work/examples"
[ "$(wc -l <"$work/examples")" -gt 60 ] || bad "there are only $(wc -l <"$work/examples") examples"
sed 's/^#!.*spile //' "$work/examples" | grep -vE '^(global|@define) ' >"$work/together"
"$build/spile" -g -p2 -r "$release" "$work/together" >"$work/out" 2>&1 || bad "the examples without globals: $(cat "$work/out")"
grep -qE '(warning|error): ' "$work/out" && bad "the examples without globals: $(cat "$work/out")"
grep -E '^(global|@define) ' "$work/examples" >"$work/alone"
while read -r example; do
	said=$("$build/spile" -g -p2 -r "$release" -e "$example" 2>&1 >"$work/out") && [ -z "$said" ] || bad "$example: $said"
done <"$work/alone"

# A word alone is found, in both tables if it is in both.
[ "$("$build/spile" --explain profile | grep -c 'timer.profile.freq')" -ge 2 ] || bad "--explain profile"
"$build/spile" --explain quantise >"$work/out" 2>&1 && bad "--explain of a word that nobody has"

exit $((failures > 0))
