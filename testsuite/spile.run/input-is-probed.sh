#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What comes in comes to input.char and input.line: every character, every line with its end, and a last line that has none.  At the end of
# the input the session goes on.  With -c the input is the command's.
# kernel: any
# cost: 30
cd "$B" || exit 1
cat >typed.stp <<'Y'
global chars, lines, text
probe input.char { chars++; text .= char }
probe input.line { lines++; printf("line %d: %s%s", lines, line, line == "last" ? "\n" : ""); if (line == "quit\n") exit() }
probe end { printf("%d lines, %d characters: %s\n", lines, chars, str_replace(text, "\n", "|")) }
Y
"$SPILE" -r "$RELEASE" -p4 -m typed typed.stp >/dev/null || exit 1
cat >typed.sh <<Y
printf 'one\ntwo words\nquit\n' | $SPILERUN $B/typed.ko; echo "status \$?"
printf 'one\nlast' | $SPILERUN -T 3 $B/typed.ko; echo "status \$?"
echo 'for the command' | $SPILERUN -c cat $B/typed.ko; echo "status \$?"
$SPILERUN -T 1 $B/typed.ko </dev/null; echo "status \$?"
yes x | head -n 20000 | $SPILERUN -T 20 $B/typed.ko | tail -n 1 | cut -c1-31
Y
"$V" -t $((60 * SLOW)) exec "$G" -- sh "$B/typed.sh" >out 2>&1
cat >want <<'Y'
line 1: one
line 2: two words
line 3: quit
3 lines, 19 characters: one|two words|quit|
status 0
line 1: one
line 2: last
2 lines, 8 characters: one|last
status 0
WARNING: standard input is the command's, so probes of input are not hit; with -x instead of -c the script has it
for the command
0 lines, 0 characters: 
status 0
0 lines, 0 characters: 
status 0
20000 lines, 40000 characters: 
Y
diff want out
