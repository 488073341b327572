#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every id in base/diag.def is asserted by a test, and fits into the list of --explain.  Its examples are tested by explain_test.sh.

top=${abs_top_srcdir:-.}
cd "$top" || exit 99
failures=0 tests=0

bad() {
	echo "# FAIL: $*"
	failures=$((failures + 1))
}

# "C_NAME id length-of-summary" of each.
sed -nE 's/^DIAG\(([A-Z_0-9]+), "([a-z0-9-]+)", DIAG_[A-Z]+, "(.*)"\)$/\1 \2 \3/p' base/diag.def |
	awk '{ n = length($0) - length($1) - length($2) - 2; print $1, $2, n }' >"${TMPDIR:-/tmp}/diag_ids.$$"
trap 'rm -f "${TMPDIR:-/tmp}/diag_ids.$$"' EXIT

[ "$(wc -l <"${TMPDIR:-/tmp}/diag_ids.$$")" -eq "$(grep -c '^DIAG(' base/diag.def)" ] || bad "a line of base/diag.def is not understood"

# What must never happen has no input that shows it.
while read -r name id length; do
	tests=$((tests + 1))
	[ "$length" -ge 15 ] && [ "$length" -le 56 ] || bad "the summary of $id has $length characters, not 15 to 56"
	[ "$name" = E_INTERNAL ] && continue
	grep -rqE -e "^>> (error|warning) $id( |\$)" -e "\\[$id\\]" -e "(refused|warned|told|accepts) $id( |\$)" \
		-e "(CHECK|diag|id|want|\\{).*\\b$name\\b" -e "\"([a-z0-9-]+ )*$id( [a-z0-9-]+)*\"" \
		testsuite --include=*.cases --include=*.stp --include=*.sh --include=*_test.c --include=*.exp ||
		bad "no test asserts $id"
done <"${TMPDIR:-/tmp}/diag_ids.$$"

# The manual page lists exactly the warnings.
sed -nE 's/^DIAG\(W_[A-Z_0-9]+, "([a-z0-9-]+)".*/\1/p' base/diag.def | sort >"${TMPDIR:-/tmp}/diag_ids.$$"
differs=$(sed -n '/^\.Ss Warnings/,/^\.El/s/^\.It Li //p' doc/spile.1 | sort | diff "${TMPDIR:-/tmp}/diag_ids.$$" - | grep '^[<>]')
[ -z "$differs" ] || bad "warnings: < in base/diag.def only, > in doc/spile.1 only: $differs"

echo "# $tests tests, $failures failures"
[ $failures -eq 0 ]
