#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A handler that reads a page which another program has to bring, and never does, fails at once: neither its own session
# nor another one at the same place waits.  Once by userfaultfd, once in a FUSE file.
# cost: 10
cat >"$B/lazy.stp" <<'X'
global n, read, why
probe process("lazy").function("lazy_work") {
	n++
	try { user_string($text); read++ } catch (text) { why[text]++ }
	read += user_long($text) != 0
}
probe end { printf("%d %d\n", n, read); foreach (text in why) println(why[text], " ", text) }
X
cat >"$B/other.stp" <<'X'
probe process("lazy").function("lazy_work") { println("other ", execname()); exit() }
X
cd "$B" || exit 1
for name in lazy other; do
	PATH=$W:$PATH "$SPILE" -r "$RELEASE" -p4 -D STP_NO_OVERLOAD -m "pages_$name" $name.stp >/dev/null || exit 1
done
cat >"$B/go" <<X
[ -e /dev/fuse ] || modprobe fuse || exit 1
for how in memory file; do
	$SPILERUN -c "$W/lazy \$how 50" -o lazy.out pages_lazy.ko >lazy.told 2>lazy.err ||
		{ echo "\$how: exit status \$?"; cat lazy.told lazy.err; exit 1; }
	[ "\$(head -1 lazy.out)" = "50 0" ] || { echo "\$how:"; cat lazy.out lazy.err; exit 1; }
	grep -q '^50 .*: the page is not in memory, and comes from another program or a server' lazy.out ||
		{ cat lazy.out; exit 1; }
done
# while they go on
$W/lazy memory 1000000000000 & lazy=\$!
trap 'kill \$lazy' EXIT
$SPILERUN -o first.out pages_lazy.ko 2>first.err & first=\$!
timeout $((60 * SLOW)) $SPILERUN pages_other.ko >other.out 2>other.err || { echo "other: exit status \$?"; cat other.err; exit 1; }
grep -q '^other lazy' other.out || { cat other.out; exit 1; }
kill -INT \$first
wait \$first || { echo "first: exit status \$?"; cat first.err; exit 1; }
! grep ^pages_ /proc/modules
X
"$V" -t 200 exec "$G" -- sh -c "cd $B && sh go"
