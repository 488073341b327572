#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of doc/language.md: each is run, natively, and must print exactly what follows it.  Those that need a
# kernel become modules for the oldest or the newest, in turn, and C for the other; with SPILE_ALL_KERNELS=1
# modules for all.  EXAMPLES="LINE..." runs only these.

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
top=$(cd "$top" && pwd) build=$(cd "$build" && pwd)
PATH=$build/testsuite/workload:$PATH
export PATH SPILE_DIR="$work/cache"
. "$top/testsuite/lib/kits.sh"
kits_cache "$SPILE_DIR"
failures=0 ran=0
. "$top/testsuite/lib/kernels.sh"
releases=$(test_kernels)
kernels=$(echo "$releases" | wc -l)

bad() {
	echo "# language.md:$line: $*"
	failures=$((failures + 1))
}

same() {
	diff -u "$1" "$work/$1" >"$work/diff" && return
	bad "$1 differs from what the text says"
	sed 1,2d "$work/diff"
}

# A script that is refused says so in its messages; anything else must compile without a message.
run_natively() {
	"$top/testsuite/unit/native_run" "$build" "$work/program" "$@" 2>"$work/messages" >"$work/output" &&
		{ timeout 60 env NATIVE=1 "$work/program" >"$work/output" 2>>"$work/messages" || true; }
	same output
	same messages
}

build_modules() {
	kernel=0
	for release in $releases; do
		kernel=$((kernel + 1)) pass=3
		[ "${SPILE_ALL_KERNELS:-}" != 1 ] && [ $((ran % kernels)) != $((kernel % kernels)) ] || pass=4
		"$build/spile" -p$pass -r "$release" "$@" >"$work/module" 2>"$work/messages" || bad "no module for $release: $(cat "$work/messages")"
		[ ! -s "$work/messages" ] || bad "for $release: $(cat "$work/messages")"
	done
}

awk -v dir="$work/examples" -f "$top/testsuite/unit/reference_examples.awk" "$top/doc/language.md" || exit 99
for folder in "$work"/examples/*; do
	line=$(echo "${folder##*/}" | sed 's/^0*//')
	case " ${EXAMPLES:-$line} " in *" $line "*) ;; *) continue ;; esac
	cd "$folder" || exit 99
	eval "set -- $(cat options) script.stp $(cat arguments)"
	if [ "$(cat kind)" = kernel ]; then build_modules "$@"; else run_natively "$@"; fi
	ran=$((ran + 1))
done
echo "# $ran examples, $failures failures"
[ $ran -ge 50 ] || [ -n "${EXAMPLES:-}" ] || bad "there are too few examples"
[ $failures = 0 ]
