#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The library against the kernel that runs here, if it shows its types: often a newer one than those that are installed for the tests.  Every alias with all of
# its variables, every function, and every example is compiled for it, up to C.  A kernel may lack what it was built without; what it has must
# be understood: a member or parameter that has another name now is a failure.  An alias whose function has another name has no match here, and is not noticed.

top=${abs_top_srcdir:-.} build=$(cd "${abs_top_builddir:-.}" && pwd)
spile=$build/spile
[ -r /sys/kernel/btf/vmlinux ] && [ -r /proc/kallsyms ] || { echo "# skipped: the running kernel shows no BTF"; exit 77; }
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0 tests=0

# compiled NAME ARGUMENTS...: prints what is wrong, of which a kernel without the module or the function is no part.
compiled() {
	name=$1
	shift
	tests=$((tests + 1))
	more=no
	"$spile" -w -p2 "$@" >/dev/null 2>"$work/err"
	status=$?
	[ $status != 0 ] || return
	if [ $status != 1 ] || ! grep -q 'error: ' "$work/err"; then
		echo "# FAIL: $name: exit status $status: $(tail -5 "$work/err")"
		failures=$((failures + 1))
		return
	fi
	grep 'error: ' "$work/err" | grep -vE '\[(no-match|no-probes|no-kernel|unresolved-type)\]$|there is neither a kernel module nor a program' >"$work/wrong"
	grep -q 'more errors not shown' "$work/err" && more=yes
	[ ! -s "$work/wrong" ] || { echo "# FAIL: $name: $(cat "$work/wrong")"; failures=$((failures + 1)); }
}

# several FILE LINES: the probes of the file, a line each, so many at a time; one at a time where there are more errors than are shown.
several() {
	rm -f "$work"/part.*
	split -l "$2" "$1" "$work/part."
	for part in "$work"/part.*; do
		compiled "$(head -1 "$part") ..." -g "$part"
		[ $more = no ] || while read -r line; do compiled "$line" -g -e "$line"; done <"$part"
	done
}

awk -f "$top/testsuite/lib/aliases.awk" "$top/doc/functions.md" |
	awk -F '|' '{ gsub(/, /, ") println(", $2); print "probe " $1 "? { println(\"\")" ($2 ? " println(" $2 ")" : "") " }" }' >"$work/aliases"
[ "$(wc -l <"$work/aliases")" -gt 100 ] || { echo "# FAIL: few aliases"; failures=$((failures + 1)); }
several "$work/aliases" 80

"$spile" --dump-functions | awk '{
	sub(/ \/\*.*/, "") # the comment
	name = $0; sub(/[: (].*/, "", name)
	args = $0; sub(/^[^(]*\(/, "", args); sub(/\)[^)]*$/, "", args)
	n = split(args, p, /, */); out = ""
	for (i = 1; i <= n; i++) out = out (i > 1 ? ", " : "") (p[i] ~ /:string/ ? "\"x\"" : "1")
	print "probe kernel.function(\"vfs_read\").return { " name "(" out ") }" }' >"$work/functions"
[ "$(wc -l <"$work/functions")" -gt 500 ] || { echo "# FAIL: few functions"; failures=$((failures + 1)); }
several "$work/functions" 15

# shellcheck disable=SC2034 # the tests of examples name these
W=$build/testsuite/workload L=$top/testsuite/lib S=$top/examples B=$work
for test in "$top"/examples/*/*.test; do
	options=$(sed -n 's/^# run: //p' "$test") arguments=$(sed -n 's/^# arguments: //p' "$test" | sed "s|\\\$W|$W|g; s|\\\$L|$L|g; s|\\\$B|$B|g; s|0x\\\$(\\\$V .*)|0xffffffff82000000|") # what a guest would be asked for
	grep -q '^# cmd: ' "$test" && options="$options -c true"
	grep -q '^# needs-package: ' "$test" && continue
	# Some kernels are built without the names of their data (KALLSYMS_ALL).
	grep -q '&@var("rtnl_mutex", "kernel")' "${test%.test}.stp" && ! grep -q ' rtnl_mutex$' /proc/kallsyms && continue
	eval "compiled \"\${test##*/}\" $options \"\${test%.test}.stp\" $arguments"
done

echo "# $(uname -r): $tests runs, $failures failures"
[ $tests -gt 100 ] && [ $failures -eq 0 ]
