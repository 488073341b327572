#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every alias of the library can be compiled with all of its variables, for the oldest and the newest kernel, if they have what it stands for; variables that
# a handler does not read cost nothing, but those that count, and that leave hits out, must look.  The aliases and their variables are those of doc/functions.md, and these are all.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0

bad() {
	echo "# FAIL: $*"
	failures=$((failures + 1))
}

awk -f "$top/testsuite/lib/aliases.awk" "$top/doc/functions.md" >"$work/rows"
[ "$(wc -l <"$work/rows")" -gt 100 ] || bad "doc/functions.md has few aliases"

# Braces are alternatives, as in scripts.
awk -F '|' 'function expand(s,   from, to, depth, i, c, head, tail, part) {
		from = index(s, "{")
		if (!from) { print "alias " s; return }
		head = substr(s, 1, from - 1)
		for (to = from; substr(s, to, 1) != "}"; to++) ;
		tail = substr(s, to + 1)
		part = from + 1
		for (i = from + 1; i <= to; i++) {
			c = substr(s, i, 1)
			if (c != "," && c != "}") continue
			expand(head substr(s, part, i - part) tail)
			part = i + 1
		}
	}
	{ expand($1) }' "$work/rows" | sort -u >"$work/told"
grep -E '^alias ' "$top/testsuite/unit/data/library.names" | grep -vE '^alias (perf|syscall|nd_syscall|oneshot|prometheus|json_data|input|timer|procfs|init)' >"$work/have"
grep -vxF -f "$work/told" "$work/have" >"$work/missing" && bad "not in doc/functions.md: $(tr '\n' ' ' <"$work/missing")"

awk -F '|' '{ gsub(/, /, ") println(", $2); print "probe " $1 "? { println(name)" ($2 ? " println(" $2 ")" : "") " }" }' "$work/rows" >"$work/all.stp"
awk -F '|' '$1 !~ /^signal\.wakeup|mib\.|^nfs\.(fop\.\{(entries|read,write\})|aop\.set_page)/ { print "probe " $1 "? { println(\"hit\") }" }' "$work/rows" >"$work/none.stp"
tests=0
. "$top/testsuite/lib/kernels.sh"
for release in $(test_kernels); do
	tests=$((tests + 1))
	"$build/spile" -w -p3 -r "$release" "$work/all.stp" >"$work/out" 2>"$work/err" || { bad "$release: refused"; head -20 "$work/err"; }
	"$build/spile" -w -p2 -r "$release" "$work/none.stp" >"$work/out" 2>"$work/err" || { bad "$release: refused"; head -20 "$work/err"; }
	grep -nE 'deref|sprintf|set_local|^function' "$work/out" >"$work/costs" && { bad "$release: variables that nobody reads cost something"; head "$work/costs"; }
done
[ $tests -gt 0 ] || { echo "# no kernel is installed that could be built for"; exit 99; }
echo "# $tests kernels, $(wc -l <"$work/rows") rows, $failures failures"
[ $failures -eq 0 ]
