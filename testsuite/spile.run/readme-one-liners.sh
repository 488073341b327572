#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The one-liners of README.md do what the text below them says, as far as that is the same everywhere: they end well, complain only
# about functions that cannot be probed, and at least one line is as promised, except its numbers.
# timeout: 600
# cost: 10
top=$S/../..
work=$(mktemp -d "$B/readme.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# Blocks of four columns: one that begins with ./spile --vm is a command, the next one its output.
awk '/^    / { if (!inside) { inside = 1; command = /^    \.\/spile --vm/; if (command) n++ }
		if (n) print substr($0, 5) >(n (command ? ".sh" : ".out")); next }
	{ inside = 0 }
	/^## / && n { exit }' "$top/README.md"
# Replaces ./spile --vm: the board's guest is already running.
cat >spile <<'X'
#!/bin/sh
[ "$#" = 5 ] && [ "$1 $2 $4" = "--vm -e -c" ] || { echo "a form this test does not know: $*"; exit 2; }
"$SPILE" -r "$RELEASE" -p4 -m readme -e "$3" -c "$5" >module || exit
"$V" -t 120 exec "$G" -- "$SPILERUN" -c "$5" "$PWD/readme.ko"
X
chmod +x spile
numberless() {
	sed 's/[0-9][0-9]*/N/g; s/[ @-][ @-]*/ /g' "$1" | grep -v '^\.\.\.$' | sort -u
}
failures=0 n=0
while [ -f $((n + 1)).sh ]; do
	n=$((n + 1))
	sh $n.sh >told 2>errors
	status=$?
	numberless $n.out >promised
	numberless told | comm -12 - promised >kept
	if [ $status != 0 ] || [ ! -s kept ] || grep -vE ' warning: [0-9]+ of [0-9]+ functions cannot be probed |^ +([0-9]+ )?\||^  hint: ' errors; then
		echo "README.md, one-liner $n: status $status"
		cat $n.sh told errors
		failures=$((failures + 1))
	fi
done
echo "$n one-liners, $failures failures"
[ $n = 5 ] && [ $failures = 0 ]
