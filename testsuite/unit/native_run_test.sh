#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The scripts of spile.run that have only begin, end, error and never probes, run natively under ASan and UBSan, with and
# without locks, optimised and not: what they must print is what they must print in a guest (testsuite/lib/script.exp says how
# they state it).

top=${abs_top_srcdir:-.} build=${abs_top_builddir:-.}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
suite=$top/testsuite/spile.run
failures=0 ran=0

header() { sed -n "/^#/!q; s/^# $2: \{0,1\}//p" "$1"; }

bad() {
	echo "# ${script##*/}: $*"
	failures=$((failures + 1))
}

# stdout or stderr of the run against all that is expected of it.
compare() {
	what=$1
	header "$script" "expect-$what" >"$work/expected"
	[ -s "$work/expected" ] || [ ! -s "$work/$what" ] || bad "$what should be empty: $(head -5 "$work/$what")"
	while IFS= read -r want; do
		case $want in
		*[!A-Za-z0-9.-]*) grep -Pzq -- "$want" "$work/$what" || bad "$what does not match {$want}: $(head -5 "$work/$what")" ;;
		*.out)
			diff -u "$suite/$want" "$work/$what" >"$work/diff" || {
				bad "$what differs from $want"
				cat "$work/diff"
			} ;;
		esac
	done <"$work/expected"
}

run() {
	globals=$(header "$script" globals)
	want=$(header "$script" expect-status)
	# shellcheck disable=SC2086
	timeout 60 env $1 "$work/program" $globals >"$work/stdout" 2>"$work/stderr"
	status=$?
	[ $status = "${want:-0}" ] || bad "status $status instead of ${want:-0}: $(head -20 "$work/stderr")"
	compare stdout
	compare stderr
	ran=$((ran + 1))
}

for script in ${SCRIPTS:-"$suite"/*.stp}; do
	grep -qE '^# (cmd|runner|compile-fails|native):' "$script" && continue
	points=$(grep -v '^#' "$script" | grep -oE '^ *probe +[^{]*|^ *probe +.*' | grep -vE '^ *probe +(begin|end|error|never)\b[^.]*$')
	[ -z "$points" ] || continue
	for option in '' -u; do
		# shellcheck disable=SC2046,SC2086
		"$top/testsuite/unit/native_run" "$build" "$work/program" $option $(header "$script" run) "$script" 2>"$work/messages" || {
			bad "does not compile: $(head -20 "$work/messages")"
			continue
		}
		run NATIVE=1
		run NATIVE_LOCKS=1
	done
done
[ $ran -ge 10 ] || [ -n "${SCRIPTS:-}" ] || bad "only $ran runs"
[ $failures = 0 ]
