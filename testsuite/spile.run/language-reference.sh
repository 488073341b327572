#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of doc/language.md that only a kernel can run print what follows them, if anything does.
# timeout: 600
# kernel: any
# cost: 30
top=$S/../..
work=$(mktemp -d "$B/reference.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
PATH=$W:$PATH
awk -v dir="$work" -f "$top/testsuite/unit/reference_examples.awk" "$top/doc/language.md" || exit 1
ran=0 failures=0
for folder in "$work"/*; do
	[ "$(cat "$folder/kind")" = kernel ] && [ -s "$folder/output" ] || continue
	cd "$folder" || exit 1
	eval "set -- $(cat options)"
	"$SPILE" -r "$RELEASE" -p4 -m example "$@" script.stp >/dev/null || exit 1
	command=
	while [ $# -gt 0 ]; do
		[ "$1" = -c ] && command=$2
		shift
	done
	echo "$command" >command
	"$V" -t 60 exec "$G" -- sh -c "PATH=$W:\$PATH; cd $folder && $SPILERUN -c \"\$(cat command)\" example.ko" >told 2>&1
	diff output told || {
		echo "doc/language.md:${folder##*/} differs"
		failures=$((failures + 1))
	}
	ran=$((ran + 1))
done
echo "$ran examples, $failures failures"
[ $ran -ge 5 ] && [ $failures = 0 ]
