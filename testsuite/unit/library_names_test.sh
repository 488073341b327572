#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The names of SystemTap's library against those of ours, by the list library.names: what is there stays there.  After a name was added,
# its mark is taken away by UPDATE=1.  Prints how many are missing still.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
list=$top/testsuite/unit/data/library.names
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT

{
	"$build/spile" --dump-functions | sed 's/[:( ].*//; s/^/function /'
	sed -nE 's/^@define ([A-Za-z_0-9]+).*/macro \1/p' "$top"/tapset/*.stpm
	# what is an alias there can be a kind of probe point of its own
	"$build/spile" --dump-probe-types | sed 's/ .*//; s/^/alias /'
	# several aliases can be defined at once, one of them for all names of a kind
	sed -nE '/^probe .* = /{ s/^probe //; s/ = [^=]*$//; s/ = /\n/g; p; }' "$top"/tapset/*.stp | sed 's/^/alias /'
} | sort -u >"$work/have"
[ "$(wc -l <"$work/have")" -gt 500 ] || { echo "# FAIL: few names in the library"; exit 1; }

awk -v have="$work/have" 'BEGIN { while ((getline line <have) > 0) is[line] = 1 }
	/^#/ { print; next }
	{ missing = sub(/^- /, ""); print (is[$0] ? "" : "- ") $0 }' "$list" >"$work/list"
[ -z "$UPDATE" ] || cp "$work/list" "$list"
for kind in function macro alias; do
	echo "# $kind: $(grep -c "^- $kind " "$work/list") missing, $(grep -c "^$kind " "$work/list") there"
done
gone=$(diff "$list" "$work/list" | sed -n 's/^> - //p')
[ -n "$gone" ] || exit 0
echo "# FAIL: these are gone, which the library had:"
echo "$gone"
exit 1
