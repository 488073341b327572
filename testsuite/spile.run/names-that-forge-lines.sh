#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names of files, programs and arguments with newlines and escape sequences make up no line in what the examples show, and nearly 2 MB of arguments are
# cut where a string ends.
# timeout: 200
# kernel: any
cd "$B" || exit 1
why() { echo "$*"; exit 1; }

cat >forge.pl <<'X'
open(F, ">", "/proc/self/comm") && syswrite(F, "two\nlines") && close(F);
open(F, "<", "/no/such\n1       forged              3 -       /etc/shadow\e[31m");
stat("/no/such\n2       forged           -        /etc/shadow\r");
if (!fork()) { exec { "/bin/true" } ("true\n3       forged", "tab\there\e[2J", "end"); }
wait;
if (!fork()) { exec { "/bin/true" } ("true", ("x" x 1000) x 1900); }
wait;
X
for example in opensnoop execsnoop statsnoop; do
	"$SPILE" -r "$RELEASE" -p4 -m "$example" --example $example >/dev/null || why "$example is not built"
	echo "$SPILERUN -o $B/$example.forged -c 'perl $B/forge.pl' $B/$example.ko || exit 1"
done >forge.sh
"$V" -t $((100 * SLOW)) exec "$G" -- sh "$B/forge.sh" || why "a session failed"
for example in opensnoop execsnoop statsnoop; do
	! grep -q '^[0-9true]* *forged' $example.forged || why "$example: a line is made up: $(cat $example.forged)"
	! LC_ALL=C grep -q "$(printf '[\001-\011\013-\037]')" $example.forged || why "$example: control characters: $(cat -v $example.forged)"
done
grep -q '^[0-9]*  *two\\nlines  *-1 ENOENT  */no/such\\n1       forged  *3 -  */etc/shadow\\033\[31m$' opensnoop.forged || why "opensnoop: $(cat opensnoop.forged)"
grep -q '^[0-9]*  *two\\nlines  *ENOENT  */no/such\\n2  *forged .*/etc/shadow\\r$' statsnoop.forged || why "statsnoop: $(cat statsnoop.forged)"
grep -q '^true  *[0-9]*  *[0-9]*  *0 true\\n3  *forged tab\\there\\033\[2J end$' execsnoop.forged || why "execsnoop: $(cat execsnoop.forged)"
awk '/^true .* true x/ { n++; if (length($0) < 200 || length($0) > 700) bad = 1 } END { exit n != 1 || bad }' execsnoop.forged ||
	why "long arguments: $(cut -c1-900 execsnoop.forged)"
exit 0
