#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A new kind of node is a warning in each switch over kinds that forgets it: none is hidden by `default:' or a cast.

top=${abs_top_srcdir:-.} build=$(cd "${abs_top_builddir:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL
cd "$top" || exit 99
failures=0

# none FILE TEXT: what is in the file is an offence.
none() {
	[ -s "$1" ] || return 0
	echo "# FAIL: $2"
	sed 's/^/#   /' "$1"
	failures=$((failures + 1))
}

# Found before those of the tree: a node.def with one more kind in each group, and its generated header.
mkdir "$work/parser" "$work/messages"
awk '{ print }
/^\/\* ---- declarations/ { print "NODE(N_NEW_DECLARATION, \"new\", STAGE_ALWAYS, NOTHING)" }
/^\/\* ---- statements/ { print "NODE(N_NEW_STATEMENT, \"new\", STAGE_ALWAYS, NOTHING)" }
/^\/\* ---- expressions/ { print "NODE(N_NEW_EXPRESSION, \"new\", STAGE_ALWAYS, NOTHING)" }
/^\/\* ---- lowered/ { print "NODE(N_NEW_LOWERED, \"new\", STAGE_ALWAYS, NOTHING)" }' parser/node.def >"$work/parser/node.def"
awk -f parser/slots.awk "$work/parser/node.def" >"$work/parser/slots.h"
[ "$(grep -c N_NEW_ "$work/parser/node.def")" -eq 4 ] || { echo "# FAIL: the groups of node.def have other names"; exit 1; }

# -Wswitch-enum is of switches with a default.
export work build
grep -rl 'switch (' parser translator --include='*.c' >"$work/files"
# shellcheck disable=SC2016
xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} sh -c '
	messages=$work/messages/$(echo {} | tr / .)
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wswitch -Wswitch-enum -I"$work" -I. -I"$build" {} 2>"$messages" ||
		grep -m1 error: "$messages"' <"$work/files" >"$work/broken"
cat "$work"/messages/* | grep N_NEW_ >"$work/complaints"
grep -e '-Wswitch-enum' "$work/complaints" >"$work/default"

# FILE:LINE of each switch that complains, and of each that looks as if it should.  Two folders know no tree.
grep -v -e '-Wswitch-enum' "$work/complaints" | cut -d: -f1,2 | sort -u >"$work/complain"
grep -vE '^translator/(debuginfo|regex)/' "$work/files" | xargs grep -nE 'switch \((\([a-z ]+\) ?)?n->kind\)' | cut -d: -f1,2 |
	sort -u | comm -23 - "$work/complain" >"$work/silent"

none "$work/broken" "these do not compile"
none "$work/default" "new kinds are hidden by a default"
none "$work/silent" "these say nothing about new kinds"
echo "# $(($(wc -l <"$work/complain"))) switches of $(($(cut -d: -f1 "$work/complain" | sort -u | wc -l))) files complain about new kinds"
[ -s "$work/complain" ] || failures=$((failures + 1))
exit $((failures > 0))
