#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What `spile --explain` prints is true: the example of each id gives messages of that id alone, and the same mended
# gives none.  explain_test.sh [build] [ID ...]: with "build", only the examples that build a module, in the cache of
# the caller, which has the runtime; else all others.

top=${abs_top_builddir:-.}
program=$(cd "$top" && pwd)/spile
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0 tests=0 building=

bad() {
	echo "# FAIL: $*"
	failures=$((failures + 1))
}

. "${abs_top_srcdir:-.}/testsuite/lib/kernels.sh"
release=$(test_kernel)
[ -n "$release" ] || { echo "# no kernel is installed that could be built for"; exit 99; }
if [ "$1" = build ]; then
	building=yes
	shift
else
	export SPILE_DIR="$work/cache"
fi

# The command of the examples: nothing runs, and the kernel is an installed one.
spile() {
	case " $* " in *" -p"*) ;; *) set -- -p3 "$@" ;; esac
	case " $* " in *" -r "*) ;; *) set -- -r "$release" "$@" ;; esac
	"$program" "$@"
}

# example WHICH: runs $work/WHICH, a script or commands, in an empty folder; the exit status is its own.
example() {
	mkdir "$work/folder" && cd "$work/folder" || exit 99
	if grep -q '^\$ ' "$work/$1"; then
		sed 's/^\$ //' "$work/$1" >"$work/commands"
		(. "$work/commands") >"$work/out" 2>"$work/err"
	else
		cp "$work/$1" example.stp
		spile example.stp >"$work/out" 2>"$work/err"
	fi
	status=$?
	cd "$work" && rm -r "$work/folder"
	return $status
}

"$program" --explain >"$work/list" || bad "--explain: exit status $?"
ids=${*:-$(sed -n 's/^  \([a-z0-9-]*\) .*/\1/p' "$work/list")}

for id in $ids; do
	rm -f "$work/example" "$work/instead"
	"$program" --explain "$id" >"$work/text" || bad "--explain $id: exit status $?"
	awk -v w="$work/" '/^For example:$/ { to = w "example" } /^Instead:$/ { to = w "instead" }
		to && /^    / { print substr($0, 5) >to }' "$work/text"
	if [ ! -s "$work/example" ]; then
		grep -q '^No example: ' "$work/text" || bad "$id has no example, and does not say why"
		continue
	fi
	[ "$building" = "$(grep -q ' -p4 ' "$work/example" && echo yes)" ] || continue
	tests=$((tests + 1))
	grep -q "^$id (error): " "$work/text" && want=1 || want=0
	example example
	status=$?
	got=$(sed -nE 's/^(.*: )?(error|warning): .*\[([a-z0-9-]+)\]$/\3/p' "$work/err" | sort -u)
	[ "$got" = "$id" ] && [ $status -eq $want ] || bad "the example of $id: status $status, $(cat "$work/err")"
	example instead && [ ! -s "$work/err" ] || bad "the mended example of $id: $(cat "$work/err")"
done

echo "# $tests examples, $failures failures"
[ $failures -eq 0 ] && [ $tests -gt 0 ]
